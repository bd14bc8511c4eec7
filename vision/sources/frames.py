"""The contract of every source of pictures."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from types import TracebackType

import cv2

from calibration.sentences import Said
from vision.arrays import Image

# Evidence is kept with it: moves of S1 measured anew on it differ by less than 0.3 mm (85: 0.6, 90: 0.34).
JPEG_QUALITY = 93


class SourceError(OSError):
    """A source that cannot be read: one sentence that names it and says what is wrong."""

    def __init__(self, what: Said) -> None:
        super().__init__(what)

    def __str__(self) -> str:
        return str(self.args[0])


@dataclass(frozen=True, eq=False)
class Frame:
    """A picture (H, W, 3) BGR uint8 with its number from 0 and its own time stamp t in seconds.

    gap is True on the first picture after a break in the source: what happened in between was not seen.
    again is True on the first picture of a clip that is played once more.
    sent is the JPEG that the picture came as, when it came as one that every program can show.
    """

    index: int
    t: float
    image: Image
    gap: bool = False
    sent: bytes | None = None
    again: bool = False

    @cached_property
    def jpeg(self) -> bytes:
        """The picture as JPEG: as it was sent, else compressed once for everybody who wants it."""
        if self.sent is not None:
            return self.sent
        return cv2.imencode(".jpg", self.image, (cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY))[1].tobytes()


class FrameSource(ABC):
    """Pictures one after another, all of one size. A context manager.

    Iterating again goes on where the last iteration stopped: the first picture can be taken for teaching.

    size is (width, height); fps is the nominal rate, 0 when unknown; frame_count is None when it has no
    end or does not say; live sources drop pictures rather than fall behind.
    """

    live: bool = False

    def __init__(self, name: str) -> None:
        self.name = name
        self.size: tuple[int, int] = (0, 0)
        self.fps: float = 0.0
        self.frame_count: int | None = None
        # What went wrong without ending everything, as sentences (a clip that breaks off, a reconnection).
        self.warnings: list[Said] = []
        self.closed = False
        self._pictures: Iterator[Frame] | None = None

    def __enter__(self) -> FrameSource:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def connected(self) -> bool:
        """Whether pictures are coming at the moment (a live source may be reconnecting)."""
        return True

    def __iter__(self) -> Iterator[Frame]:
        """The pictures in order. Raises SourceError when nothing more can be had from a broken source."""
        if self._pictures is None:
            self._pictures = self._frames()
        return self._pictures

    @abstractmethod
    def _frames(self) -> Iterator[Frame]:
        """All pictures from the first on."""

    def close(self) -> None:
        """Let go of the file, the camera or the connection; iterating then ends. Safe to call twice."""
        self.closed = True

    def _fits(self, image: Image) -> bool:
        """Whether a picture has the size of the first one: one calibration holds for one size."""
        return (image.shape[1], image.shape[0]) == self.size

    def _misfit(self, image: Image) -> Said:
        """What is wrong with a picture that does not fit."""
        return Said(
            "warning.size",
            "{w} x {h} px instead of {width} x {height}, and one calibration holds for one size",
            w=image.shape[1],
            h=image.shape[0],
            width=self.size[0],
            height=self.size[1],
        )
