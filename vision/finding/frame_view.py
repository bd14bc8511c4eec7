"""One picture as the followers see it: labels on demand, hands, and the scale of a centimetre."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np

from vision.arrays import Bytes, Floats, Image, as_bytes, equals
from vision.colour.table import Labels, label_picture
from vision.finding.blobs import Refusal
from vision.finding.region import Rect

# Where a colour is hard to tell from the mat, pixels vote in this neighbourhood.
_VOTE = (5, 5)
_VOTED = 0.55 * 255

# A hand touches what comes this close to it in the picture, in cm.
TOUCH_CM = 0.8


@dataclass(frozen=True, eq=False)
class OwnColour:
    """A fighter's label, where it may be: allowed (H, W) of 0 and 1, and whether single pixels mislead."""

    label: int
    allowed: Bytes
    speckled: bool


@dataclass(eq=False)
class FrameView:
    """A picture (H, W, 3) with its label table, light gain (3,) and hands.

    `hands` (h, w) 0/1 is at one pixel per `stride` pixels; `near_hands` is it grown by TOUCH_CM.
    `refusals` collects what the gates refused.
    """

    index: int
    image: Image
    table: Labels
    gain: Floats
    hands: Bytes
    near_hands: Bytes
    stride: int
    rect: Rect
    hand_present: bool
    refusals: list[Refusal] = field(default_factory=list)
    _labels: Labels | None = None

    def labels(self, rect: Rect) -> Labels:
        """The labels in a box; the whole watched region is labelled at most once per frame."""
        u0, v0, u1, v1 = rect
        if self._labels is not None:
            a, b = self.rect[:2]
            return self._labels[v0 - b : v1 - b, u0 - a : u1 - a]
        return label_picture(self.image[v0:v1, u0:u1], self.table)

    def all_labels(self) -> Labels:
        """The labels of the whole watched region."""
        if self._labels is None:
            self._labels = self.labels(self.rect)
        return self._labels

    def own(self, colour: OwnColour, rect: Rect) -> Bytes:
        """0/1 in a box: where a fighter's colour is."""
        u0, v0, u1, v1 = rect
        same = equals(self.labels(rect), colour.label)
        if colour.speckled:
            same = as_bytes(cv2.threshold(cv2.blur(same, _VOTE), _VOTED, 255, cv2.THRESH_BINARY)[1])
        return as_bytes(cv2.bitwise_and(same, colour.allowed[v0:v1, u0:u1]))

    def grey(self, rect: Rect) -> Bytes:
        """The picture in a box as grey levels, noise smoothed away."""
        u0, v0, u1, v1 = rect
        return as_bytes(cv2.blur(cv2.cvtColor(self.image[v0:v1, u0:u1], cv2.COLOR_BGR2GRAY), (3, 3)))

    def hand_overlap(self, mask: Bytes, origin: tuple[int, int]) -> int:
        """How many sampled pixels of a mask (h, w) at an origin lie on or near a hand."""
        if not self.hand_present:
            return 0
        s = self.stride
        u, v = origin
        # The first rows and columns that fall on the small picture's grid.
        du, dv = -u % s, -v % s
        sampled = mask[dv::s, du::s]
        rows, cols = sampled.shape
        small = self.near_hands[(v + dv) // s :, (u + du) // s :][:rows, :cols]
        rows, cols = small.shape
        return int(cv2.countNonZero(np.ascontiguousarray(sampled[:rows, :cols] & small)))

    def near_hand_in(self, rect: Rect) -> Bytes:
        """0/1 in a box, at full resolution: on or near a hand."""
        return near_hand_in(self.near_hands, self.stride, rect)

    def hand_in(self, rect: Rect) -> bool:
        """Whether any hand shows in a box."""
        if not self.hand_present:
            return False
        s = self.stride
        u0, v0, u1, v1 = rect
        return bool(self.hands[v0 // s : -(-v1 // s), u0 // s : -(-u1 // s)].any())


def near_hand_in(near_hands: Bytes, stride: int, rect: Rect) -> Bytes:
    """0/1 in a box, at full resolution: what near_hands (h, w) says at one pixel per `stride` pixels."""
    u0, v0, u1, v1 = rect
    s = stride
    small = near_hands[v0 // s : (v1 - 1) // s + 1, u0 // s : (u1 - 1) // s + 1]
    full = small.repeat(s, axis=0).repeat(s, axis=1)
    du, dv = u0 % s, v0 % s
    return as_bytes(full[dv : dv + v1 - v0, du : du + u1 - u0])
