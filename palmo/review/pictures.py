"""Any picture of a session by its number, from its video files, without decoding all of them."""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

import av
from av.error import FFmpegError

from palmo.errors import SaidError
from vision.arrays import Image, decoded

# Stepping back and forth around one moment decodes nothing twice. So many bytes of pictures are remembered.
_REMEMBERED_BYTES = 250_000_000


@dataclass(frozen=True)
class Footage:
    """A file of positions and its video, None when it is not kept, and how many of its pictures count."""

    tracks: Path
    video: Path | None
    count: int


class Pictures:
    """The pictures of several files in a row, numbered through. Safe to use from several threads."""

    def __init__(self, footage: Sequence[Footage]) -> None:
        self._footage = footage
        self._ends = list(accumulate(one.count for one in footage))
        self._lock = threading.Lock()
        self._open: tuple[int, _Decoder] | None = None
        self._remembered: OrderedDict[int, Image] = OrderedDict()

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def footage_of(self, number: int) -> Footage:
        """The files a picture is told of in. Raises IndexError."""
        return self._footage[self._file_of(number)]

    def picture(self, number: int) -> Image:
        """The picture (H, W, 3) BGR of a number. Raises IndexError, or PalmoError when it cannot be read."""
        with self._lock:
            known = self._remembered.get(number)
            if known is not None:
                self._remembered.move_to_end(number)
                return known
            file = self._file_of(number)
            before = self._ends[file - 1] if file else 0
            for place, image in self._decoder(file).up_to(number - before):
                self._remember(before + place, image)
            return self._remembered[number]

    def close(self) -> None:
        """Close the file that is open."""
        with self._lock:
            if self._open is not None:
                self._open[1].close()
                self._open = None

    def _file_of(self, number: int) -> int:
        if not 0 <= number < len(self):
            raise IndexError(number)
        return bisect_right(self._ends, number)

    def _decoder(self, file: int) -> _Decoder:
        if self._open is None or self._open[0] != file:
            if self._open is not None:
                self._open[1].close()
                self._open = None
            footage = self._footage[file]
            if footage.video is None:
                raise SaidError("error.review.no_video", path=footage.tracks)
            self._open = file, _Decoder(footage.video)
        return self._open[1]

    def _remember(self, number: int, image: Image) -> None:
        self._remembered[number] = image
        while len(self._remembered) > max(8, _REMEMBERED_BYTES // image.nbytes):
            self._remembered.popitem(last=False)


def picture_times(video: Path) -> list[int]:
    """The presentation times of a file's pictures, in order, in its own time base; none for no video."""
    try:
        with av.open(str(video)) as container:
            packets = container.demux(container.streams.video[0])
            return sorted(packet.pts for packet in packets if packet.pts is not None)
    except (OSError, ValueError, IndexError, FFmpegError):
        return []


class _Decoder:
    """One open file that goes on decoding where it stands, or looks for the nearest whole picture before."""

    # Going on is cheaper than seeking over so few pictures.
    _GO_ON = 12

    def __init__(self, video: Path) -> None:
        self._video = video
        self._times = {pts: place for place, pts in enumerate(picture_times(video))}
        self._by_place = list(self._times)
        try:
            self._container: Any = av.open(str(video))
            self._stream: Any = self._container.streams.video[0]
        except (OSError, ValueError, IndexError, FFmpegError):
            raise self._unread() from None
        self._frames: Any = None
        self._next = 0

    def up_to(self, place: int) -> list[tuple[int, Image]]:
        """The pictures from where decoding starts up to a place, each with its place."""
        if place >= len(self._by_place):
            raise self._unread()
        if self._frames is None or not self._next <= place <= self._next + self._GO_ON:
            try:
                self._container.seek(self._by_place[place], stream=self._stream, backward=True)
            except FFmpegError:
                raise self._unread() from None
            self._frames = self._container.decode(self._stream)
        found = []
        try:
            for frame in self._frames:
                at = self._times.get(frame.pts, -1)
                found.append((at, decoded(frame)))
                self._next = at + 1
                if at >= place:
                    break
        except FFmpegError:
            raise self._unread() from None
        if not found or found[-1][0] != place:
            raise self._unread()
        return found

    def close(self) -> None:
        self._container.close()

    def _unread(self) -> SaidError:
        return SaidError("error.review.video", path=self._video)
