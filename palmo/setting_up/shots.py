"""Pictures for a set-up: of a camera as it is now, of a recording where it begins and a second further on."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from types import TracebackType
from typing import Protocol, Self

from palmo.errors import SaidError, texts
from palmo.pictures import AVERAGED, EVERY, first_picture, usual_picture
from rules.text import Text
from vision.arrays import Image
from vision.sources.frames import Frame, FrameSource, SourceError
from vision.sources.naming import shown
from vision.sources.open import open_source

# A camera that gives no picture for so long is said to be gone.
_PATIENCE_S = 10.0
_STEP_S = 1.0


class Pictures(Protocol):
    """Where a set-up has its pictures from. Raises SourceError or PalmoError when there is none."""

    def table(self) -> Image:
        """The table, (H, W, 3)."""
        ...

    def hand(self) -> Image:
        """The next picture of a hand on the mat, (H, W, 3)."""
        ...


class Shots:
    """The pictures of one source; a context manager. Safe to use from several threads.

    Raises SourceError, or PalmoError when it has no picture.
    """

    def __init__(self, source: str) -> None:
        self._name = shown(source)
        self._source: FrameSource = open_source(source)
        self._lock = threading.Lock()
        self._news = threading.Condition()
        self._newest: deque[Frame] = deque(maxlen=AVERAGED * EVERY)
        self._trouble: Text | None = None
        self._given = False
        self._frames: Iterator[Frame] = iter(self._source)
        self._first: Image | None = None
        self._thread: threading.Thread | None = None
        if self._source.live:
            self._thread = threading.Thread(target=self._read, name="palmo shots", daemon=True)
            self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._source.close()
        if self._thread is not None:
            self._thread.join(_PATIENCE_S)

    @property
    def live(self) -> bool:
        """Whether it is a camera."""
        return self._source.live

    def table(self) -> Image:
        """The usual picture of the table, (H, W, 3): a camera's of now, a recording's of its beginning."""
        if self.live:
            return self._now()
        with self._lock:
            if self._first is None:
                self._first = _usual(list(islice(self._frames, AVERAGED * EVERY)), self._name)
            return self._first

    def hand(self) -> Image:
        """A camera's picture of now; of a recording one a second after the last one, at its end the last."""
        if self.live:
            return self._now()
        first = self.table()
        with self._lock:
            step = max(1, round(_STEP_S * (self._source.fps or 30.0)))
            ahead = deque(islice(self._frames, step), maxlen=1)
            if ahead:
                self._newest.append(ahead[0])
            return self._newest[-1].image if self._newest else first

    def _now(self) -> Image:
        """The usual picture of what a camera shows from now on."""
        with self._news:
            self._newest.clear()
            end = time.monotonic() + _PATIENCE_S
            while len(self._newest) < AVERAGED * EVERY and self._trouble is None:
                if not self._news.wait(max(0.0, end - time.monotonic())):
                    break
            frames, trouble = list(self._newest), self._trouble
        if not frames and trouble is not None:
            raise SaidError("live.plain", text=trouble)
        if not frames and self._given:
            raise SaidError("setup.no_more_pictures", name=self._name)
        self._given = True
        return _usual(frames, self._name)

    def _read(self) -> None:
        try:
            for frame in self._frames:
                with self._news:
                    self._newest.append(frame)
                    self._news.notify_all()
        except SourceError as error:
            self._trouble = texts(error)[0]
        with self._news:
            self._trouble = self._trouble or Text("error.source.no_picture", {"name": self._name})
            self._news.notify_all()


def _usual(frames: Sequence[Frame], name: str) -> Image:
    return usual_picture([frame.image for frame in frames[::EVERY]], name)


class Photos:
    """Single pictures, one after another and from the beginning again; a context manager."""

    def __init__(self, sources: Sequence[str]) -> None:
        self._sources = cycle(sources)
        self._table = first_picture(sources[0])

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nothing stays open."""

    def table(self) -> Image:
        """The first picture, (H, W, 3)."""
        return self._table

    def hand(self) -> Image:
        """The next picture. Raises SourceError or PalmoError."""
        return first_picture(next(self._sources))
