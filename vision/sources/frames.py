"""The contract of every source of pictures."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType

from calibration.sentences import Said
from vision.arrays import Image


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
    """

    index: int
    t: float
    image: Image
    gap: bool = False


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
