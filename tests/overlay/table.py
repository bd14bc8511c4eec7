"""A small made-up table: a camera that looks obliquely through a lens with distortion, and things on it."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from rules.annotations import Annotation, Banner, FighterTag, Ghost, Region, RingEdge, Ruler
from rules.text import Text

SIZE = (640, 360)
CORNERS = ((-35.0, 35.0), (35.0, 35.0), (35.0, -35.0), (-35.0, -35.0))
MEASURED = Text("measured.palms", {"palms": 1.97, "palms_error": 0.04})


def camera(size: tuple[int, int] = SIZE) -> Camera:
    """Looks at the middle of a 70 cm ring from 150 cm, 35 degrees from straight above."""
    focal = 0.98 * size[0]
    K = np.array([[focal, 0, size[0] / 2 + 3], [0, focal, size[1] / 2 - 2], [0, 0, 1.0]])
    rvec = cv2.Rodrigues(np.diag([1.0, -1.0, -1.0]))[0].ravel()
    tilt = cv2.Rodrigues(np.array([math.radians(-35), 0.0, 0.0]))[0]
    rotation = tilt @ cv2.Rodrigues(rvec)[0]
    return Camera(
        K,
        np.array([-0.12, 0.03, 0.0005, -0.0004, 0.0]),
        cv2.Rodrigues(rotation)[0].ravel(),
        np.array([0.0, 0.0, 150.0]),
        size,
    )


def picture(size: tuple[int, int] = SIZE) -> NDArray[np.uint8]:
    """A plain grey-brown table."""
    image = np.empty((size[1], size[0], 3), np.uint8)
    image[:] = (90, 110, 130)
    return image


def disc(x: float, y: float, radius: float) -> tuple[tuple[float, float], ...]:
    """A round outline, ring cm."""
    turns = (k * math.pi / 10 for k in range(20))
    return tuple((x + radius * math.cos(a), y + radius * math.sin(a)) for a in turns)


def fighter(figure: str, x: float, y: float, facing_deg: float, **more: object) -> FighterTag:
    """A fighter 12 cm high on a round outline of 3.5 cm."""
    values: dict[str, object] = {
        "figure": figure, "anchor": (x, y), "name": figure, "stamina": 20, "facing": math.radians(facing_deg),
        "height": 12.0, "outline": disc(x, y, 3.5), **more,
    }  # fmt: skip
    return FighterTag(**values)  # type: ignore[arg-type]


def everything() -> list[Annotation]:
    """One of each: a ring, four fighters in all conditions, a legal region, a measured move, its verdict."""
    return [
        RingEdge(CORNERS),
        Region(
            ((-20.0, -5.0), (15.0, -5.0), (15.0, 20.0), (-20.0, 20.0)),
            label=Text("dice.pool", {"n": 2, "faces": 6}),
        ),
        Ruler(
            ((-24.0, 20.0), (14.0, 2.0)),
            18.0,
            0.6,
            tone="legal",
            label=Text("dice.pool", {"n": 2, "faces": 6}),
        ),
        Ghost("Ñandú", disc(14.0, 2.0, 3.5)),
        fighter("Ñandú", -24.0, 20.0, -45.0, active=True),
        fighter(
            "Coco", 24.0, 22.0, 180.0, stamina=-2, cards=("green",), statuses=(Text("status.unconscious"),)
        ),
        fighter("Limón", 22.0, -20.0, 90.0, facing_assumed=True, tone="doubt"),
        fighter("Blas", -22.0, -20.0, 0.0, stamina=11, cards=("red", "yellow")),
        Banner(
            Text("verdict.palms.too_close", {"measured": MEASURED, "cm": 35.5, "limit": 2}),
            "doubt",
            ("MOVE-02", "RULING-30"),
        ),
    ]
