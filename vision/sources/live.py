"""Cameras and streams: a thread that keeps the newest picture and reopens what dies.

OpenCV's capture never recovers when its source dies and hands out old pictures after a pause; so a thread of
our own reads as fast as pictures come, keeps only the newest, and reopens with growing pauses.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import cv2

from vision.arrays import Image, as_bytes
from vision.sources.frames import Frame, FrameSource, SourceError

OPEN_TIMEOUT_MS = 5_000
READ_TIMEOUT_MS = 4_000
# Pauses between attempts to reopen, in seconds: the last one repeats.
REOPEN_PAUSES_S = (0.05, 0.2, 0.5, 1.0, 2.0)


@dataclass(frozen=True, eq=False)
class _Grabbed:
    t: float
    image: Image
    gap: bool


class LiveSource(FrameSource):
    """A camera or a stream; `open_capture` opens it, `refusal` is the sentence when that fails at the start.

    t is when the picture arrived, in seconds since the first one. Iterating waits for a picture newer than
    the last one given out and ends when the source is closed.
    """

    live = True

    def __init__(self, name: str, open_capture: Callable[[], cv2.VideoCapture], refusal: str) -> None:
        super().__init__(name)
        self._open_capture = open_capture
        self._changed = threading.Condition()
        self._newest: _Grabbed | None = None
        self._connected = True
        self._failure: SourceError | None = None
        capture = open_capture()
        ok, image = capture.read() if capture.isOpened() else (False, None)
        if not ok or image is None:
            capture.release()
            raise SourceError(refusal)
        self.size = (image.shape[1], image.shape[0])
        self.fps = float(capture.get(cv2.CAP_PROP_FPS)) or 0.0
        self._started = time.monotonic()
        self._newest = _Grabbed(0.0, as_bytes(image), gap=False)
        self._thread = threading.Thread(target=self._grab, args=(capture,), name=f"grab {name}", daemon=True)
        self._thread.start()

    @property
    def connected(self) -> bool:
        """Whether pictures are coming; False while the source is being reopened."""
        return self._connected

    def _frames(self) -> Iterator[Frame]:
        index = 0
        while True:
            with self._changed:
                self._changed.wait_for(self._news)
                if self.closed:
                    return
                if self._failure is not None:
                    raise self._failure
                newest, self._newest = self._newest, None
            if newest is not None:
                yield Frame(index, newest.t, newest.image, newest.gap)
                index += 1

    def _news(self) -> bool:
        return self.closed or self._failure is not None or self._newest is not None

    def close(self) -> None:
        """Stop grabbing and let the camera or the connection go."""
        with self._changed:
            self.closed = True
            self._changed.notify_all()
        if self._thread is not threading.current_thread():
            self._thread.join(timeout=READ_TIMEOUT_MS / 1000)

    def _grab(self, capture: cv2.VideoCapture) -> None:
        gap = False
        while not self.closed:
            ok, image = capture.read()
            if not ok or image is None:
                capture.release()
                self._connected = False
                reopened = self._reopen()
                if reopened is None:
                    return
                capture, gap = reopened, True
                continue
            self._connected = True
            try:
                picture = as_bytes(image)
                self._check_size(picture, f"{self.name}: a picture")
            except SourceError as error:
                self._fail(error)
                break
            self._put(_Grabbed(time.monotonic() - self._started, picture, gap))
            gap = False
        capture.release()

    def _put(self, grabbed: _Grabbed) -> None:
        with self._changed:
            # A gap that nobody has seen yet must not be lost with the picture that carried it.
            unseen = self._newest is not None and self._newest.gap
            self._newest = _Grabbed(grabbed.t, grabbed.image, grabbed.gap or unseen)
            self._changed.notify_all()

    def _fail(self, error: SourceError) -> None:
        with self._changed:
            self._failure = error
            self._changed.notify_all()

    def _reopen(self) -> cv2.VideoCapture | None:
        """The capture once it works again; None when the source was closed meanwhile."""
        since = time.monotonic()
        attempt = 0
        while not self.closed:
            capture = self._open_capture()
            if capture.isOpened():
                self.warnings.append(f"{self.name}: no pictures for {time.monotonic() - since:.1f} s")
                return capture
            capture.release()
            with self._changed:
                self._changed.wait_for(lambda: self.closed, REOPEN_PAUSES_S[min(attempt, 4)])
            attempt += 1
        return None


def open_camera(index: int) -> LiveSource:
    """The camera with this number. Raises SourceError."""

    def capture() -> cv2.VideoCapture:
        return _quietly(lambda: cv2.VideoCapture(index))

    return LiveSource(
        f"camera {index}",
        capture,
        f"camera {index}: there is no such camera, or another program is using it",
    )


def open_url(url: str) -> LiveSource:
    """A stream: HTTP-MJPEG or RTSP. Raises SourceError."""
    parameters = [
        cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, OPEN_TIMEOUT_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, READ_TIMEOUT_MS,
    ]  # fmt: skip

    def capture() -> cv2.VideoCapture:
        return _quietly(lambda: cv2.VideoCapture(url, cv2.CAP_FFMPEG, parameters))

    return LiveSource(url, capture, f"{url}: nothing answers there with pictures")


def _quietly(open_it: Callable[[], cv2.VideoCapture]) -> cv2.VideoCapture:
    """Open without OpenCV's own warnings: the refusal says it better."""
    level = cv2.utils.logging.getLogLevel()
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    try:
        return open_it()
    finally:
        cv2.utils.logging.setLogLevel(level)
