"""Pairing what was tracked with what was true, frame by frame and fighter by fighter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from palmo.evaluate.truth import TruePose, Truth, TruthError
from vision.tracks import Track, TrackFrame

Outline = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Sample:
    """One fighter in one frame, tracked and true.

    `others` are the true places of the other fighters; `marked` says that the camera had moved, by the guard.
    """

    fighter: str
    index: int
    track: Track
    true: TruePose
    others: tuple[tuple[float, float], ...]
    outline: Outline | None
    marked: bool = False

    @property
    def placed(self) -> bool:
        """Tracked as standing or lying still, with a position."""
        return self.track.state == "placed" and self.track.x is not None and self.track.y is not None

    @property
    def error_cm(self) -> float:
        """Distance between the tracked and the true ground point; NaN without a position."""
        if self.track.x is None or self.track.y is None:
            return float("nan")
        return float(np.hypot(self.track.x - self.true.x, self.track.y - self.true.y))


def pair(tracks: Sequence[TrackFrame], truth: Truth) -> list[Sample]:
    """One Sample per true frame and fighter; a frame that was never tracked counts as lost.

    Frames are paired by time. Raises TruthError when the two share no time or no fighter.
    """
    times = np.asarray(truth.times)
    tolerance = 0.6 * float(np.median(np.diff(times))) if len(times) > 1 else 0.5
    by_index: dict[int, TrackFrame] = {}
    for frame in tracks:
        nearest = int(np.argmin(np.abs(times - frame.t)))
        if abs(times[nearest] - frame.t) <= tolerance:
            by_index.setdefault(nearest, frame)
    shared = set(truth.shapes) & {fighter for frame in tracks for fighter in frame.fighters}
    if not by_index or not shared:
        raise TruthError("error.truth.other_clip")
    samples: list[Sample] = []
    outlines: dict[str, Outline | None] = {}
    for index, poses in enumerate(truth.frames):
        frame = by_index.get(index, TrackFrame(frame=index, t=float(times[index])))
        for fighter, pose in poses.items():
            track = frame.fighters.get(fighter, Track(state="lost"))
            outlines[fighter] = track.outline or outlines.get(fighter)
            others = tuple((p.x, p.y) for id_, p in poses.items() if id_ != fighter)
            samples.append(Sample(fighter, index, track, pose, others, outlines[fighter], frame.camera_moved))
    return samples


def angle_between(a_deg: float, b_deg: float) -> float:
    """The signed difference a - b in degrees, in [-180, 180)."""
    return (a_deg - b_deg + 180.0) % 360.0 - 180.0
