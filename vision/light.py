"""The light over the table: per-channel gain against the light under which the colours were taught.

The mat is the white reference. A gain is believed only when all quarters of the mat agree on it: a hand's
shadow or a figure carried over it changes one quarter, a lamp or the camera's white balance all of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, Image
from vision.colour_space import linear

_LINEAR = linear(np.arange(256))
_SATURATED = 250
_SAMPLES = 600
# Quarters of the mat must agree on the gain within this (log); a jump within the tighter one is at once.
_AGREE = 0.08
# Below this the gain has not changed.
_STEADY = 0.015
_SLOW = 0.25


@dataclass
class LightMeter:
    """Follows the gain (3,) BGR of linear light against the picture it was built on.

    `where` (N, 2) are rows and columns of mat pixels in the (small) pictures, `quarter` (N,) 0-3.
    """

    rows: NDArray[np.intp]
    cols: NDArray[np.intp]
    quarter: NDArray[np.intp]
    reference: Floats
    gain: Floats = field(default_factory=lambda: np.ones(3))
    held: bool = False

    @classmethod
    def on_mat(cls, small: Image, mat: NDArray[np.bool_]) -> LightMeter:
        """A meter on the pixels `mat` (h, w) of a small picture (h, w, 3)."""
        rows, cols = np.nonzero(mat & (small.max(axis=2) < _SATURATED) & (small.min(axis=2) > 5))
        step = max(1, len(rows) // _SAMPLES)
        rows, cols = rows[::step], cols[::step]
        if len(rows) == 0:
            return cls(rows, cols, rows, np.empty((0, 3)))
        quarter = (rows > np.median(rows)).astype(np.intp) * 2 + (cols > np.median(cols))
        return cls(rows, cols, quarter, _LINEAR[small[rows, cols]])

    def update(self, small: Image) -> bool:
        """Look at the next small picture; True when the gain changed."""
        measured = self._measure(small)
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

    def _measure(self, small: Image) -> Floats | None:
        now = small[self.rows, self.cols]
        good = now.max(axis=1) < _SATURATED
        if good.sum() < 20:
            return None
        logs = np.log((_LINEAR[now[good]] + 1e-3) / (self.reference[good] + 1e-3))
        quarter = self.quarter[good]
        medians = [np.median(logs[quarter == q], axis=0) for q in range(4) if (quarter == q).sum() >= 5]
        if len(medians) < 3 or np.ptp(np.array(medians), axis=0).max() > _AGREE:
            return None
        return np.asarray(np.exp(np.median(logs, axis=0)))
