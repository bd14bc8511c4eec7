"""Tracks: what the camera knows of every fighter in every frame, and the `tracks.jsonl` file.

One JSON object per line and frame; every frame has a line and every fighter an entry.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

State = Literal["placed", "in_hand", "covered", "merged", "lost", "unsure"]
FacingSource = Literal["registered", "motion", "marker", "model", "assumed"]
Posture = Literal["standing", "lying", "stacked"]
Zone = Literal["ring", "ropes", "corner", "ringside", "off_table"]


@dataclass(frozen=True)
class Track:
    """One fighter in one frame. x, y in cm (None when lost), covariance in cm^2, facing in degrees.

    `fragment` numbers the stretches between two hand events (None outside one). `error` splits the
    covariance by source so that a move can be judged honestly: see `vision.measuring.displacement`.
    `outline` is None in frames where it did not change.
    """

    state: State
    x: float | None = None
    y: float | None = None
    sx: float | None = None
    sy: float | None = None
    sxy: float | None = None
    facing_deg: float | None = None
    facing_sd_deg: float | None = None
    facing_source: FacingSource = "assumed"
    posture: Posture = "standing"
    zone: Zone = "ring"
    outline: tuple[tuple[float, float], ...] | None = None
    fragment: int | None = None
    error: dict[str, Any] | None = None


@dataclass(frozen=True)
class TrackFrame:
    """All fighters in one frame; t is the picture's own time stamp in seconds.

    camera_moved: the camera did not stand where it was calibrated. measuring: whose place is only guessed
    because its measurement is not done yet; a file does not say it.
    """

    frame: int
    t: float
    fighters: dict[str, Track] = field(default_factory=dict)
    camera_moved: bool = False
    measuring: frozenset[str] = frozenset()


class TracksError(ValueError):
    """A tracks file that cannot be read: one sentence with file and line."""


class TracksUnreadError(OSError, TracksError):
    """A tracks file that the system does not let be read."""
