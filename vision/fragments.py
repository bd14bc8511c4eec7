"""A fragment: a stretch between two hand events in which a figure stands still.

Positions are measured on the robust average of a fragment's frames, never on one frame, and a move
is measured between two fragments.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

# What a pixel of a carried figure's picture shows.
BEHIND, FIGURE, HIDDEN = 0, 1, 2


@dataclass(frozen=True, eq=False)
class Carried:
    """A figure in somebody's hand, as seen in one frame.

    `origin` is the crop's upper left pixel (u, v); `parts` (H, W) uint8 says what shows: what lies BEHIND,
    the FIGURE, or a hand or another figure, where it may be HIDDEN.
    """

    frame: int
    origin: tuple[int, int]
    parts: NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Carry:
    """What was seen of a figure from the frame `begin`, in which it no longer stood, until it stood again."""

    begin: int
    frames: tuple[Carried, ...]


@dataclass(frozen=True, eq=False)
class Fragment:
    """The averaged look of one figure over its still frames.

    `origin` is the crop's upper left pixel (u, v); `mean` (H, W, 3) float32 BGR 0-255 is the robust
    average of the crop; `support` (H, W) float32 0-1 is the share of the frames in which the colour
    table called the pixel this fighter's; `centroid_sd_px` is the jitter of the blob's
    centroid from frame to frame, per axis, which averaging takes away, `drift_px` its slower wandering, which
    it does not (a figure that settles, a codec that corrects itself): when exactly it was looked at decides
    where it stood. first and last are frame numbers, inclusive. `carry` is how it came here, when that was
    seen. `others` (H, W) is where other fighters were in its last frame.
    """

    fighter: str
    first: int
    last: int
    frames_used: int
    origin: tuple[int, int]
    mean: NDArray[np.float32]
    support: NDArray[np.float32]
    centroid_sd_px: float
    carry: Carry | None = None
    drift_px: float = 0.0
    others: NDArray[np.bool_] | None = None
