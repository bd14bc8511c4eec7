"""A figure at rest: its silhouette, the look of its surroundings, and what tells that it is still there."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Bytes, Floats, Image, dilated
from vision.finding.blobs import Blob
from vision.finding.frame_view import FrameView
from vision.finding.region import Rect
from vision.finding.shadows import objects_in

# A window whose grey levels correlate better than this with what they were shows the same thing.
_SAME_LOOK = 0.85
# The same for a figure that was thought to be gone, with the share seen and the share beside: it never was.
_SAME_LOOK_AGAIN, _SEEN_AGAIN, _BESIDE_AGAIN = 0.93, 0.93, 0.02
_THE_LOOK = 0.97
# Under light gains closer than this (log) colours are compared pixel by pixel.
_SAME_LIGHT = 0.05
# With the look alone this share must be seen.
_ENOUGH = 0.35


@dataclass(frozen=True, eq=False)
class Rest:
    """A standing figure's silhouette in its window (u0, v0, u1, v1).

    near is the silhouette grown a little, far all the rest of the window, look the window's grey levels and
    picture the window itself under the light gain.
    """

    blob: Blob
    window: Rect
    mask: Bytes
    near: Bytes
    far: Bytes
    look: Bytes
    picture: Image
    gain: Floats

    @classmethod
    def at(cls, blob: Blob, view: FrameView, px_per_cm: float) -> Rest:
        """The rest of a blob in a picture."""
        height, width = view.image.shape[:2]
        margin = max(4, round(1.0 * px_per_cm))
        u0, v0, u1, v1 = blob.rect
        window = (max(0, u0 - margin), max(0, v0 - margin), min(width, u1 + margin), min(height, v1 + margin))
        mask = blob.placed_in(window)
        near = dilated(mask, max(1, round(0.15 * px_per_cm)))
        picture = view.image[window[1] : window[3], window[0] : window[2]].copy()
        return cls(blob, window, mask, near, 1 - near, view.grey(window), picture, view.gain.copy())

    def compare(self, own: Bytes) -> tuple[float, float]:
        """(share of the silhouette seen, share of what is seen beside it) for own (h, w) in the window."""
        seen = cv2.countNonZero(own & self.mask)
        beside = cv2.countNonZero(own & self.far)
        return seen / max(1, self.blob.area_px), beside / max(1, seen + beside)

    def changed(self, where: Bytes, view: FrameView) -> Bytes:
        """Where of a mask (h, w) of the window there is another thing now, not only another shadow."""
        if not same_light(view.gain, self.gain):
            return where
        u0, v0, u1, v1 = self.window
        return objects_in(where, view.image[v0:v1, u0:u1], self.picture)

    def is_back(self, view: FrameView, own: Bytes) -> bool:
        """Whether the figure stands here as it did, to the pixel; own (h, w) is its colour in the window.

        No hand sets a figure down again so exactly: it has never moved.
        """
        seen, beside = self.compare(own)
        look = correlation(view.grey(self.window), self.look)
        if seen > _SEEN_AGAIN and beside < _BESIDE_AGAIN:
            return look > _SAME_LOOK_AGAIN
        # What a hand taught of skin may have taken from its colour: then the look alone must tell.
        return seen > _ENOUGH and look > _THE_LOOK

    def looks_the_same(self, view: FrameView) -> bool:
        """Whether the window still shows what it showed, whatever the light (normalised correlation)."""
        return correlation(view.grey(self.window), self.look) > _SAME_LOOK

    def holds(self, blob: Blob, beside_allowed: float) -> bool:
        """Whether what is seen of a figure lies inside this silhouette: it has not moved from here."""
        (a, b, c, d), (u0, v0, u1, v1) = blob.rect, self.window
        if a < u0 or b < v0 or c > u1 or d > v1:
            return False
        _, beside = self.compare(blob.placed_in(self.window))
        return beside < beside_allowed


def same_light(gain: Floats, other: Floats) -> bool:
    """Whether colours under two light gains (3,) can be compared pixel by pixel."""
    return bool(np.abs(np.log(gain / other)).max() < _SAME_LIGHT)


def correlation(one: Bytes, other: Bytes) -> float:
    """The normalised correlation -1..1 of two grey pictures (h, w); 0 when one of them is flat."""
    a, b = one.astype(np.float32), other.astype(np.float32)
    a, b = a - a.mean(), b - b.mean()
    norm = float(cv2.norm(a) * cv2.norm(b))
    return float(np.vdot(a, b)) / norm if norm > 0 else 0.0
