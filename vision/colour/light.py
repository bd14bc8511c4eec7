"""The light over the table: per-channel gain against the light under which the colours were taught.

The mat is the white reference. A gain is believed only when all quarters of the mat agree on it: a hand's
shadow or a figure carried over it changes one quarter, a lamp or the camera's white balance all of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, Image
from vision.colour.space import linear

_LOG = np.log(linear(np.arange(256)) + 1e-3).astype(np.float32)
_SATURATED = 250
_SAMPLES = 400
# Quarters of the mat must agree on the gain within this (log); a jump within the tighter one is at once.
_AGREE = 0.08
# Below this the gain has not changed.
_STEADY = 0.015
_SLOW = 0.25


@dataclass
class LightMeter:
    """Follows the gain (3,) BGR of linear light against the picture it was built on.

    rows and cols (N,) are mat pixels in the (small) pictures, in order of the mat's quarters; reference
    (N, 3) their log light when the colours were taught.
    """

    rows: NDArray[np.intp]
    cols: NDArray[np.intp]
    quarters: tuple[slice, ...]
    reference: NDArray[np.float32]
    gain: Floats = field(default_factory=lambda: np.ones(3))
    held: bool = False

    @classmethod
    def on_mat(cls, small: Image, mat: NDArray[np.bool_]) -> LightMeter:
        """A meter on the pixels `mat` (h, w) of a small picture (h, w, 3)."""
        rows, cols = np.nonzero(mat & (small.max(axis=2) < _SATURATED) & (small.min(axis=2) > 5))
        step = max(1, len(rows) // _SAMPLES)
        rows, cols = rows[::step], cols[::step]
        quarter = (rows > np.median(rows)) * 2 + (cols > np.median(cols)) if len(rows) else rows
        order = np.argsort(quarter, kind="stable")
        bounds = np.searchsorted(quarter[order], range(5))
        slices = tuple(slice(a, b) for a, b in pairwise(bounds) if b - a >= 5)
        rows, cols = rows[order], cols[order]
        return cls(rows, cols, slices, _LOG[small[rows, cols]])

    def update(self, small: Image) -> bool:
        """Look at the next small picture; True when the gain changed."""
        now = small[self.rows, self.cols]
        steps = _LOG[now] - self.reference
        # Most pictures show no change at all, which the plain mean says cheaply.
        if len(steps) and np.abs(steps.mean(axis=0) - np.log(self.gain)).max() < _STEADY / 3:
            self.held = False
            return False
        measured = self._measure(now, steps)
        self.held = measured is None
        if measured is None:
            return False
        step = np.abs(np.log(measured / self.gain)).max()
        if step < _STEADY:
            return False
        # A drift is followed slowly; a jump that the whole mat shows is the camera's, and taken at once.
        share = 1.0 if step > 2 * _STEADY else _SLOW
        self.gain = self.gain * (measured / self.gain) ** share
        return True

    def _measure(self, now: Image, steps: NDArray[np.float32]) -> Floats | None:
        """The gain (3,) that samples now (N, 3) in log steps (N, 3) show; None when they disagree."""
        if len(self.quarters) < 3:
            return None
        # A saturated sample says nothing; as NaN it sorts to the end and is not counted.
        steps[now.max(axis=1) >= _SATURATED] = np.nan
        medians = np.array([_median(steps[quarter]) for quarter in self.quarters])
        medians = medians[np.isfinite(medians).all(axis=1)]
        if len(medians) < 3 or np.ptp(medians, axis=0).max() > _AGREE:
            return None
        return np.asarray(np.exp(np.median(medians, axis=0)), dtype=np.float64)


def _median(steps: NDArray[np.float32]) -> NDArray[np.float32]:
    """The medians (3,) of rows (N, 3) that are not NaN; NaN when fewer than five are left."""
    ordered = np.sort(steps, axis=0)
    count = len(steps) - int(np.isnan(steps[:, 0]).sum())
    return ordered[count // 2] if count >= 5 else np.full(3, np.nan, np.float32)
