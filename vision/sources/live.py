"""Cameras and streams: a thread that keeps the newest picture and reopens what dies.

No capture recovers when its source dies, and what waits in its buffer grows old; so a thread of our own reads
as fast as pictures come, keeps only the newest, and reopens with growing pauses.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from calibration.sentences import Said
from vision.sources.capture import READ_TIMEOUT_S, CameraCapture, Capture, Picture, StreamCapture
from vision.sources.frames import Frame, FrameSource, SourceError
from vision.sources.naming import shown

# Pauses between attempts to reopen, in seconds: the last one repeats.
REOPEN_PAUSES_S = (0.05, 0.2, 0.5, 1.0, 2.0)


@dataclass(frozen=True, eq=False)
class _Grabbed:
    t: float
    picture: Picture
    gap: bool


class LiveSource(FrameSource):
    """A camera or a stream; `open_capture` opens it or raises SourceError.

    t is when the picture arrived, in seconds since the first one. Iterating waits for a picture newer than
    the last one given out and ends when the source is closed. Pictures of another size than the first are not
    given out: they are a gap, which ends when the old size is back.
    """

    live = True

    def __init__(self, name: str, open_capture: Callable[[], Capture]) -> None:
        super().__init__(name)
        self._open_capture = open_capture
        self._changed = threading.Condition()
        self._newest: _Grabbed | None = None
        self._connected = True
        capture = open_capture()
        picture = capture.read()
        if picture is None:
            capture.release()
            raise SourceError(
                Said(
                    "error.source.silent", "{name}: it can be opened, but no picture comes from it", name=name
                )
            )
        self.size = (picture.image.shape[1], picture.image.shape[0])
        self.fps = capture.fps
        self._started = time.monotonic()
        self._last_t = 0.0
        self._newest = _Grabbed(0.0, picture, gap=False)
        self._thread = threading.Thread(target=self._grab, args=(capture,), name=f"grab {name}", daemon=True)
        self._thread.start()

    @property
    def connected(self) -> bool:
        """Whether pictures of the right size are coming; False while the source is being reopened."""
        return self._connected

    def _frames(self) -> Iterator[Frame]:
        index = 0
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self.closed or self._newest is not None)
                if self.closed:
                    return
                newest, self._newest = self._newest, None
            if newest is not None:
                yield Frame(index, newest.t, newest.picture.image, newest.gap, newest.picture.sent)
                index += 1

    def close(self) -> None:
        """Stop grabbing and let the camera or the connection go."""
        with self._changed:
            self.closed = True
            self._changed.notify_all()
        if self._thread is not threading.current_thread():
            self._thread.join(timeout=READ_TIMEOUT_S)

    def _grab(self, capture: Capture) -> None:
        gap = resized = False
        while not self.closed:
            picture = capture.read()
            if picture is None:
                self._connected = False
                capture.release()
                reopened = self._reopen()
                if reopened is None:
                    return
                capture, gap = reopened, True
                continue
            self._connected = self._fits(picture.image)
            if not self._connected:
                if not resized:
                    self.warnings.append(
                        Said(
                            "warning.pictures",
                            "{name}: pictures of {size}; they were left out",
                            name=self.name,
                            size=self._misfit(picture.image),
                        )
                    )
                gap = resized = True
                continue
            self._last_t = time.monotonic() - self._started
            self._put(_Grabbed(self._last_t, picture, gap))
            gap = resized = False
        capture.release()

    def _put(self, grabbed: _Grabbed) -> None:
        with self._changed:
            # A gap that nobody has seen yet must not be lost with the picture that carried it.
            unseen = self._newest is not None and self._newest.gap
            self._newest = _Grabbed(grabbed.t, grabbed.picture, grabbed.gap or unseen)
            self._changed.notify_all()

    def _reopen(self) -> Capture | None:
        """The capture once it works again; None when the source was closed meanwhile."""
        attempt = 0
        while not self.closed:
            try:
                capture = self._open_capture()
                silent = time.monotonic() - self._started - self._last_t
                sentence = "{name}: no pictures for {seconds:.1f} s"
                self.warnings.append(Said("warning.silent", sentence, name=self.name, seconds=silent))
                return capture
            except SourceError:
                with self._changed:
                    self._changed.wait_for(lambda: self.closed, REOPEN_PAUSES_S[min(attempt, 4)])
                attempt += 1
        return None


def open_camera(index: int) -> LiveSource:
    """The camera with this number. Raises SourceError."""
    return LiveSource(f"camera {index}", lambda: CameraCapture(index))


def open_url(url: str) -> LiveSource:
    """A stream: HTTP-MJPEG or RTSP. Raises SourceError that says why it cannot be opened."""
    return LiveSource(shown(url), lambda: StreamCapture(url))
