"""Growing fragments: the robust average of the frames in which nothing disturbs a standing figure.

A frame joins the average only under the light the average was begun in, and only when it looks like the
average: the shadow of a coming hand changes many pixels a little and is kept out. If what was averaged first
turns out to be the exception (it began under a leaving hand's shadow), the new look replaces it.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Bytes, Floats, Image, Mask
from vision.finding.region import Rect
from vision.fragments import Carry, Fragment

Cells = NDArray[np.float32]

# More frames than this improve nothing that can be measured; accumulation then stops.
ENOUGH_FRAMES = 60
_EVERY_ONE = 15
# Frames whose light differs by more than this (log gain) are not averaged together.
_SAME_LIGHT = 0.03
# A frame is disturbed when this share of a coarse grid of cells is off by more than this many levels of grey:
# a shadow is smooth and wide, while noise and compression hardly touch a cell's mean.
_GRID = 8
# The jitter of a usual figure's centroid, and how many frames it takes to outweigh that.
_USUAL_JITTER_PX, _USUAL_FRAMES = 0.2, 3
_OFF_LEVELS = 2.5
_OFF_SHARE = 0.05


def _cells(crop: Image) -> Cells:
    grey = cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY)
    # Whole pixels per cell: averaging is then many times faster.
    rows, cols = max(1, grey.shape[0] // _GRID), max(1, grey.shape[1] // _GRID)
    whole = grey[: grey.shape[0] // rows * rows, : grey.shape[1] // cols * cols]
    size = (whole.shape[1] // cols, whole.shape[0] // rows)
    return np.asarray(cv2.resize(whole, size, interpolation=cv2.INTER_AREA), dtype=np.float32)


@dataclass(frozen=True, eq=False)
class _Offer:
    """A frame's crop (H, W, 3), the fighter's labels in it (H, W), centroid (2,), light gain (3,)."""

    crop: Image
    own: Bytes
    centroid: Floats
    gain: Floats
    cells: Cells


class _Average:
    """A running mean of crops that look alike."""

    def __init__(self, first: _Offer) -> None:
        self.total = first.crop.astype(np.float32)
        self.cells = first.cells.copy()
        self.votes = first.own.astype(np.float32)
        self.centroids = [first.centroid]
        self.gain = first.gain.copy()
        self.used = 1

    def agrees(self, offer: _Offer) -> bool:
        """Whether a crop shows the same thing under the same light."""
        if np.abs(np.log(offer.gain / self.gain)).max() > _SAME_LIGHT:
            return False
        off = np.abs(offer.cells - self.cells / np.float32(self.used)) > _OFF_LEVELS
        return bool(off.mean() < _OFF_SHARE)

    def add(self, offer: _Offer) -> None:
        """Take a crop into the mean."""
        cv2.accumulate(offer.crop, self.total)
        cv2.accumulate(offer.own, self.votes)
        self.cells += offer.cells
        self.centroids.append(offer.centroid)
        self.used += 1


class GrowingFragment:
    """One figure's fragment while it lasts. `rect` is the crop in the picture, `carry` how it came here,
    `others` (H, W) where other fighters are in it now."""

    def __init__(self, number: int, fighter: str, first: int, rect: Rect, carry: Carry | None = None) -> None:
        self.number = number
        self.fighter = fighter
        self.first = first
        self.last = first
        self.rect = rect
        self.others: Mask | None = None
        self._carry = carry
        self._average: _Average | None = None
        self._rival: _Average | None = None

    @property
    def frames_used(self) -> int:
        """How many frames are in the average."""
        return self._average.used if self._average else 0

    def wants(self, frame: int) -> bool:
        """Whether this frame is worth offering: all at first, then every third one, then none."""
        return self.frames_used < _EVERY_ONE or (self.frames_used < ENOUGH_FRAMES and frame % 3 == 0)

    def offer(self, crop: Image, own: Bytes, centroid: Floats, gain: Floats) -> bool:
        """Offer an undisturbed frame, crop (H, W, 3) and own (H, W) 0/1 its labels; True when averaged."""
        if self._average is not None and self._average.used >= ENOUGH_FRAMES:
            return False
        offer = _Offer(crop, own, centroid, gain, _cells(crop))
        if self._average is None:
            self._average = _Average(offer)
            return True
        if self._average.agrees(offer):
            self._average.add(offer)
            self._rival = None
            return True
        if self._rival is not None and self._rival.agrees(offer):
            self._rival.add(offer)
            if self._rival.used > self._average.used:
                self._average, self._rival = self._rival, None
        else:
            self._rival = _Average(offer)
        return False

    def snapshot(self) -> Fragment | None:
        """The fragment as it is now; None before its first frame."""
        average = self._average
        if average is None:
            return None
        jitter, drift = jitter_and_drift(np.array(average.centroids))
        return Fragment(
            fighter=self.fighter,
            first=self.first,
            last=self.last,
            frames_used=average.used,
            origin=self.rect[:2],
            mean=average.total / np.float32(average.used),
            support=average.votes / np.float32(average.used),
            centroid_sd_px=jitter,
            carry=self._carry,
            drift_px=drift,
            others=self.others,
        )


def jitter_and_drift(centroids: Floats) -> tuple[float, float]:
    """How much centroids (N, 2) jump from one frame to the next, and how much more than that they wander, px.

    Both are standard deviations per axis. The jumps are half the mean squared difference of neighbours (von
    Neumann, Ann. Math. Stat. 12, 1941), with a usual camera's jitter as a belief worth a few frames.
    """
    steps = np.diff(centroids, axis=0)
    squares = float(np.square(steps).mean(axis=1).sum()) / 2 if len(steps) else 0.0
    white = (_USUAL_FRAMES * _USUAL_JITTER_PX**2 + squares) / (_USUAL_FRAMES + len(steps))
    wandering = float(np.var(centroids, axis=0, ddof=1).mean()) if len(steps) else 0.0
    return float(np.sqrt(white)), float(np.sqrt(max(0.0, wandering - white)))
