"""What shows of a figure while a hand carries it, kept in small crops until it stands again.

Nothing is measured here: a crop costs a copy of a few thousand labels, and only a handful are kept, spread
over the time the hand had the figure.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import as_bytes
from vision.colour.table import SKIN
from vision.finding.blobs import Blob
from vision.finding.frame_view import FrameView
from vision.finding.region import Rect
from vision.fragments import BEHIND, FIGURE, HIDDEN, Carried, Carry

# When so many frames are kept every second one is dropped, and from then on every second one is kept.
_MOST_KEPT = 16


class CarryWatch:
    """Watches one figure from the frame `begin`, in which it no longer stands, until it stands again."""

    def __init__(self, begin: int) -> None:
        self._begin = begin
        self._kept: list[Carried] = []
        self._every = 1

    def see(self, view: FrameView, blob: Blob, rect: Rect) -> None:
        """Keep what shows of the figure, a blob, in a box of the picture."""
        if self._kept and view.index - self._kept[-1].frame < self._every:
            return
        rect = _inside(rect, view.rect)
        figure = blob.placed_in(rect)
        labels = view.labels(rect)
        # other figures, skin, and patches of its own colour that nobody knows to be the figure
        hidden = as_bytes(cv2.inRange(labels, (1,), (SKIN,))) | view.near_hand_in(rect)
        parts = as_bytes(np.where(figure > 0, FIGURE, np.where(hidden > 0, HIDDEN, BEHIND)))
        self._kept.append(Carried(view.index, rect[:2], parts))
        if len(self._kept) == _MOST_KEPT:
            self._kept = self._kept[::2]
            self._every *= 2

    def until(self, first: int) -> Carry:
        """What was seen before the frame `first`, in which the figure stands again."""
        return Carry(self._begin, tuple(one for one in self._kept if one.frame < first))


def _inside(rect: Rect, other: Rect) -> Rect:
    """The part of a box that lies inside another."""
    (a, b, c, d), (u0, v0, u1, v1) = rect, other
    return max(a, u0), max(b, v0), min(c, u1), min(d, v1)
