"""Hands: what comes into the picture from its border and was not there before.

Worked out on a small picture (about 2.5 pixels per centimetre). A hand is a part of the picture that
differs from the background by more than a shadow would, is nobody's colour, and is joined to the border, or
to where a hand was a moment ago.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Bytes, Floats, Image, Mask, as_bytes, dilated, opened
from vision.colour.space import levels, linear
from vision.finding.shadows import is_object

# A change below this many levels is noise.
_CHANGE = 12
_SMALLEST_CM2 = 4.0
# More than this share of the picture changing at once is the light, not a hand.
_WHOLE_PICTURE = 0.55
# The background is renewed this often, in seconds; what did not change over this many renewals joins it.
# While a hand is there it takes half a minute (something was put down, or the first picture had a hand in it)
# because a hand may well hold still.
_RENEW_EVERY_S = 0.4
_QUIET_RENEWALS = 2
_SETTLED_RENEWALS = 75

# A part cut off from the border is still a hand while this share of it moves and this share of it lies where
# the hand was a picture ago. A part so many times as large as the smallest hand may have swung over the
# table: it is new in its place for the most part, and only so much of it comes near to where the hand was.
_MOVING = 0.10
_WAS_THERE = 0.30
_ARM = 15.0
_SWINGS = 0.5
_TOUCHES = 0.05
_SWING_CM = 6.0
# What is still and has an outline in the background, so many times as strong as in the picture, is the hole
# that something left which lay there when the background was taught.
_HOLE = 1.5
_STILL_SHARE = 0.9

# A hand that has been in the picture for so many frames shows enough of its arm to teach its colour.
_SEEN_ENTERING = 3


class HandWatch:
    """Finds hands in small pictures (h, w, 3) whose scale is `px_per_cm`."""

    def __init__(self, first: Image, px_per_cm: float) -> None:
        self._background = first.copy()
        self._smallest = _SMALLEST_CM2 * px_per_cm**2
        self._swing = max(1, round(_SWING_CM * px_per_cm))
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
        whole = self._hands(small, weak, strong)
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
        new = is_object(small.reshape(-1, 3)[candidates], self._background.reshape(-1, 3)[candidates])
        weak.ravel()[candidates] = 1
        strong.ravel()[candidates[new]] = 1
        return weak, strong

    def _hands(self, small: Image, weak: Bytes, strong: Bytes) -> Bytes:
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
        large = area >= self._smallest
        large[0] = False
        kept = large & (border > 0)
        if (large & ~kept).any() and self.present:
            kept |= large & self._cut_off(small, np.asarray(labels, dtype=np.int32), area, strong)
        return as_bytes(kept[np.asarray(labels)] & (strong > 0))

    def _cut_off(
        self, small: Image, labels: NDArray[np.int32], area: NDArray[np.intp], strong: Bytes
    ) -> Mask:
        """Which of the numbered parts (h, w) move where a hand just was, or are an arm swung from there."""
        count = len(area)
        before = np.bincount(labels[self.mask > 0], minlength=count)
        moving = np.bincount(labels[(self._still == 0) & (strong > 0)], minlength=count)
        there = (before > _WAS_THERE * area) & (moving > _MOVING * area)
        arms = area > _ARM * self._smallest
        if not (arms & ~there).any():
            return np.asarray(there)
        near = np.bincount(labels[(dilated(self.mask, self._swing) & strong) > 0], minlength=count)
        changed = np.zeros(strong.shape, bool)
        changed.ravel()[_changed_by(small, self._renewed, _CHANGE)] = True
        swings = np.bincount(labels[changed & (strong > 0)], minlength=count)
        return np.asarray(there | (arms & (near > _TOUCHES * area) & (swings > _SWINGS * area)))

    def _renew(self, small: Image, mat: Bytes | None) -> None:
        """The background takes in what has stood still: briefly when no hand is there, else for long."""
        self._still = as_bytes(cv2.add(self._still, np.ones_like(self._still)))
        self._still.ravel()[_changed_by(small, self._renewed, _CHANGE)] = 0
        self._renewed = small.copy()
        quiet = _SETTLED_RENEWALS if cv2.countNonZero(self.mask) else _QUIET_RENEWALS
        settled = self._still >= quiet
        if mat is not None:
            settled |= (self._still >= _QUIET_RENEWALS) & (mat > 0)
        if self.present:
            settled |= self._holes(small) > 0
        cv2.copyTo(small, as_bytes(settled), self._background)

    def _holes(self, small: Image) -> Bytes:
        """The still parts (h, w) of what was taken for a hand whose outline only the background has."""
        holes = np.zeros_like(self.mask)
        still = as_bytes((self._still >= _QUIET_RENEWALS) & (self.mask > 0))
        if cv2.countNonZero(still) < self._smallest:
            return holes
        count, labels = cv2.connectedComponents(self.mask)
        now, before = _edges(small), _edges(self._background)
        for part in range(1, count):
            here = as_bytes(labels == part)
            if cv2.countNonZero(here & still) < _STILL_SHARE * cv2.countNonZero(here):
                continue
            rim = (dilated(here, 1) - as_bytes(cv2.erode(here, np.ones((3, 3), np.uint8)))) > 0
            if before[rim].mean() > _HOLE * now[rim].mean():
                holes |= dilated(here, 2)
        return holes


def _edges(picture: Image) -> NDArray[np.float32]:
    """How strong edges are at every pixel (h, w) of a picture (h, w, 3)."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    across, down = cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)
    return np.asarray(np.abs(across) + np.abs(down), dtype=np.float32)


def _changed_by(one: Image, other: Image, levels_: int) -> NDArray[np.intp]:
    """The flat indices of pixels of which some channel differs by more than this many levels."""
    blue, green, red = cv2.split(cv2.absdiff(one, other))
    return np.flatnonzero(as_bytes(cv2.max(cv2.max(blue, green), red)) > levels_)
