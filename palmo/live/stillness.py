"""Which pictures of a match show nothing new: while nobody moves, five a second are evidence enough."""

from __future__ import annotations

import cv2

from vision.arrays import Image, as_bytes
from vision.sources.frames import Frame
from vision.tracks import TrackFrame

# So long a table at which nothing happens goes without a picture, in seconds.
LONGEST_S = 0.2
# A picture is looked at in blocks of so many pixels; a row of each is enough.
_BLOCK = 8
# Noise changes the mean of a block by 5 levels at most, the tip of a finger by 30 and more.
_LEVELS = 12
_UNDER_A_HAND = ("in_hand", "covered")


class Stillness:
    """Compares every picture with the last one that was kept."""

    def __init__(self) -> None:
        self._kept: TrackFrame | None = None
        self._look: Image | None = None

    def broken_by(self, frame: Frame, tracked: TrackFrame) -> bool:
        """Whether a picture is to be kept; it is then the one that the next are compared with.

        `tracked` is to have every outline known so far, also those that have not changed.
        """
        look = _look(frame.image)
        if not self._news(frame, tracked, look):
            return False
        self._kept, self._look = tracked, look
        return True

    def _news(self, frame: Frame, tracked: TrackFrame, look: Image) -> bool:
        if self._kept is None or self._look is None:
            return True
        # Pictures come a little early or late.
        due = not 0 <= tracked.t - self._kept.t < LONGEST_S - 0.005
        return due or frame.gap or _told_anew(self._kept, tracked) or _changed(self._look, look)


def _look(image: Image) -> Image:
    """The picture in coarse blocks."""
    size = -(-image.shape[1] // _BLOCK), -(-image.shape[0] // _BLOCK)
    return as_bytes(cv2.resize(image[::_BLOCK], size, interpolation=cv2.INTER_AREA))


def _changed(before: Image, after: Image) -> bool:
    return int(cv2.absdiff(before, after).max()) > _LEVELS


def _told_anew(before: TrackFrame, after: TrackFrame) -> bool:
    """Whether the positions say anything else, or a hand is on somebody."""
    if before.camera_moved != after.camera_moved or before.fighters.keys() != after.fighters.keys():
        return True
    return any(
        track.state in _UNDER_A_HAND or track != before.fighters[name]
        for name, track in after.fighters.items()
    )
