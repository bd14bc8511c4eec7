"""Hands: what comes into the picture from its border and was not there before.

Worked out on a small picture (about 2.5 pixels per centimetre). A hand is a part of the picture that
differs from the background by more than a shadow would, is nobody's colour, and is joined to the border, or
to where a hand was a moment ago.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Bytes, Floats, Image, Mask, as_bytes, opened
from vision.colour.space import levels, linear

# A change below this many levels is noise. One alike in all channels is a shadow that comes or goes, unless
# it is brighter than any shadow's going (log of linear light).
_CHANGE = 12
_HUE_CHANGE = 0.16
_BRIGHTER = 0.5
_SMALLEST_CM2 = 4.0
# More than this share of the picture changing at once is the light, not a hand.
_WHOLE_PICTURE = 0.55
# The background is renewed this often, in seconds; what did not change over this many renewals joins it.
# While a hand is there it takes half a minute (something was put down, or the first picture had a hand in it)
# because a hand may well hold still.
_RENEW_EVERY_S = 0.4
_QUIET_RENEWALS = 2
_SETTLED_RENEWALS = 75

# A part cut off from the border is still a hand while this share of it moves.
_MOVING = 0.10

# A hand that has been in the picture for so many frames shows enough of its arm to teach its colour.
_SEEN_ENTERING = 3

_LOG = np.log(linear(np.arange(256)) + 0.01).astype(np.float32)


class HandWatch:
    """Finds hands in small pictures (h, w, 3) whose scale is `px_per_cm`."""

    def __init__(self, first: Image, px_per_cm: float) -> None:
        self._background = first.copy()
        self._smallest = _SMALLEST_CM2 * px_per_cm**2
        self.mask: Bytes = np.zeros(first.shape[:2], np.uint8)
        self._gain: Floats = np.ones(3)
        self._renewed_at = 0.0
        self._whole = self.mask
        self._entered = 0
        self._renewed = first.copy()
        self._still: Bytes = np.zeros(first.shape[:2], np.uint8)

    @property
    def present(self) -> bool:
        """Whether a hand is in the picture."""
        return cv2.countNonZero(self.mask) > 0

    def update(self, small: Image, t: float, gain: Floats, no_hand: Bytes, mat: Bytes | None = None) -> Bytes:
        """The hands (h, w), 0 or 1, in the next small picture, taken at t seconds.

        `gain` (3,) is the light's linear gain since the background was taught, `no_hand` (h, w) is nonzero
        where the colour is a fighter's or the mat's: a held figure is not part of the hand, nor is the mat
        where a figure stood when the background was taught. `mat` (h, w) is nonzero where it is the bare mat
        by its colour: that joins the background as soon as it holds still, whatever was there before (a hand
        in the first picture leaves a ghost).
        """
        self._follow_light(gain)
        weak, strong = self._changes(small)
        if cv2.countNonZero(weak) > _WHOLE_PICTURE * weak.size:
            self._background = small.copy()
            self.mask = np.zeros_like(self.mask)
            return self.mask
        whole = self._hands(weak, strong)
        self.mask = whole & as_bytes(no_hand == 0)
        self._keep_entering(whole)
        if t - self._renewed_at >= _RENEW_EVERY_S - 1e-6:
            self._renewed_at = t
            self._renew(small, mat)
        return self.mask

    def entering(self, small: Image, outside: Mask) -> Floats | None:
        """The pixels (N, 3) of a hand that has just come in where it crosses `outside` (h, w); once each."""
        if self._entered != _SEEN_ENTERING:
            return None
        pixels = small[(self._whole > 0) & outside]
        if len(pixels) * 2 < self._smallest:
            return None
        self._entered += 1
        return pixels.astype(np.float64)

    def _keep_entering(self, whole: Bytes) -> None:
        self._whole = whole
        if not whole.any():
            self._entered = 0
        elif self._entered < _SEEN_ENTERING:
            self._entered += 1

    def relearn(self, small: Image, box: tuple[int, int, int, int]) -> None:
        """Take a box (x0, y0, x1, y1) of the small picture as background now: a figure has settled."""
        x0, y0, x1, y1 = box
        here = self.mask[y0:y1, x0:x1] == 0
        self._background[y0:y1, x0:x1][here] = small[y0:y1, x0:x1][here]

    def _follow_light(self, gain: Floats) -> None:
        if np.array_equal(gain, self._gain):
            return
        steps = linear(np.arange(256))[:, None] * (gain / self._gain)
        table = as_bytes(np.round(levels(steps)))[:, None, :]
        self._background = as_bytes(cv2.LUT(self._background, table))
        self._gain = gain.copy()

    def _changes(self, small: Image) -> tuple[Bytes, Bytes]:
        """What differs from the background (h, w): by anything, and by more than a shadow would."""
        weak, strong = np.zeros_like(self.mask), np.zeros_like(self.mask)
        candidates = _changed_by(small, self._background, _CHANGE)
        if len(candidates) == 0:
            return weak, strong
        step = _LOG[small.reshape(-1, 3)[candidates]] - _LOG[self._background.reshape(-1, 3)[candidates]]
        hue = np.maximum(np.abs(step[:, 2] - step[:, 1]), np.abs(step[:, 0] - step[:, 1]))
        is_object = (hue > _HUE_CHANGE) | (step.mean(axis=1) > _BRIGHTER)
        weak.ravel()[candidates] = 1
        strong.ravel()[candidates[is_object]] = 1
        return weak, strong

    def _hands(self, weak: Bytes, strong: Bytes) -> Bytes:
        """The strong changes in parts that reach the border, or that move where a hand just was.

        Weak changes only join: skin before wood differs little, and an arm must not fall to pieces.
        """
        if cv2.countNonZero(strong) < self._smallest:
            return np.zeros_like(strong)
        joined = as_bytes(cv2.morphologyEx(opened(weak, 2), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)))
        if not joined.any():
            return joined
        count, labels = cv2.connectedComponents(joined)
        strong = strong & joined
        area = np.bincount(labels[strong > 0], minlength=count)
        border = np.bincount(
            np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]]), minlength=count
        )
        before = np.bincount(labels[self.mask > 0], minlength=count)
        moving = np.bincount(labels[(self._still == 0) & (strong > 0)], minlength=count)
        cut_off = (before > 0.3 * area) & (moving > _MOVING * area)
        kept = (area >= self._smallest) & ((border > 0) | cut_off)
        kept[0] = False
        return as_bytes(kept[np.asarray(labels)] & (strong > 0))

    def _renew(self, small: Image, mat: Bytes | None) -> None:
        """The background takes in what has stood still: briefly when no hand is there, else for long."""
        self._still = as_bytes(cv2.add(self._still, np.ones_like(self._still)))
        self._still.ravel()[_changed_by(small, self._renewed, _CHANGE)] = 0
        self._renewed = small.copy()
        quiet = _SETTLED_RENEWALS if cv2.countNonZero(self.mask) else _QUIET_RENEWALS
        settled = self._still >= quiet
        if mat is not None:
            settled |= (self._still >= _QUIET_RENEWALS) & (mat > 0)
        cv2.copyTo(small, as_bytes(settled), self._background)


def _changed_by(one: Image, other: Image, levels_: int) -> NDArray[np.intp]:
    """The flat indices of pixels of which some channel differs by more than this many levels."""
    blue, green, red = cv2.split(cv2.absdiff(one, other))
    return np.flatnonzero(as_bytes(cv2.max(cv2.max(blue, green), red)) > levels_)
