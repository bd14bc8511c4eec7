from __future__ import annotations

import numpy as np

from calibration.camera import Camera
from rules.scene import Figure
from vision.sources.frames import Frame
from vision.tracks import State, Track, TrackFrame

CAMERA = Camera(
    K=np.array([[900.0, 0, 320], [0, 900.0, 240], [0, 0, 1]]),
    dist=np.zeros(5),
    rvec=np.array([np.pi, 0.0, 0.0]),
    tvec=np.array([0.0, 0.0, 130.0]),
    size=(640, 480),
)
ERROR = {"fragment": 0, "own": [0.04, 0.0, 0.04], "camera": [[], []], "figure": [[], []], "basis": "none"}
PICTURE = np.full((480, 640, 3), 90, np.uint8)


def frame(number: int, *, gap: bool = False) -> Frame:
    return Frame(number, number / 10, PICTURE, gap)


def tracked(number: int, figures: dict[str, Figure], **states: State) -> TrackFrame:
    """The figures as the tracker would tell them, all placed but for `states`."""
    tracks = {
        id_: Track(
            state=states.get(id_, "placed"), x=one.x, y=one.y, sx=0.2, sy=0.2, sxy=0.0,
            facing_deg=float(np.degrees(one.facing)), facing_sd_deg=3.0, facing_source="registered",
            outline=one.outline, fragment=0,
            error=dict(ERROR),
        )
        for id_, one in figures.items()
    }  # fmt: skip
    return TrackFrame(number, number / 10, tracks)
