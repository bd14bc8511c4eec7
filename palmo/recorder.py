"""Writing video: what is recorded stays playable whatever happens to the disk or the power."""

from __future__ import annotations

import logging
import queue
import shutil
import threading
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import Generic, Protocol, Self, TypeVar, cast

import av
import numpy as np
from av.error import FFmpegError
from av.video.stream import VideoStream
from numpy.typing import NDArray

from overlay.i18n import translate
from palmo.errors import SaidError, reason
from rules.text import Text

Image = NDArray[np.uint8]
_log = logging.getLogger(__name__)

_MILLISECONDS = Fraction(1, 1000)
# Self-contained fragments: a file that ends in the middle plays up to its last whole second.
_FRAGMENTS = {"movflags": "+frag_keyframe+empty_moov+default_base_moof"}
# So much of the disk is left to the match log, which is worth more than pictures.
RESERVE_BYTES = 8_000_000
_H264 = {"preset": "veryfast", "crf": "21"}


class VideoWriter:
    """Writes BGR pictures of one size to an MP4 file, H.264 where there is an encoder, else MPEG-4.

    Raises PalmoError when the file cannot be made, when a picture has another size, or when the disk
    is full; what was written until then stays playable. `called` is the path that sentences name.
    """

    def __init__(
        self,
        path: Path,
        size: tuple[int, int],
        fps: float,
        *,
        preset: str = "veryfast",
        called: Path | None = None,
    ) -> None:
        self.path = called or path
        self.size = size
        self._last = -1
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = av.open(str(path), "w", format="mp4", options=_FRAGMENTS)
        except (OSError, FFmpegError) as error:
            raise self._failed(error) from None
        codec = "libx264" if "libx264" in av.codecs_available else "mpeg4"
        options = {**_H264, "preset": preset} if codec == "libx264" else {"q:v": "4"}
        rate = Fraction(max(fps, 1.0)).limit_denominator(1001)
        self._stream = cast(VideoStream, self._file.add_stream(codec, rate=rate, options=options))
        # H.264 with shared colour has no odd sizes: at most one row and column are cut off.
        self._stream.width, self._stream.height = size[0] // 2 * 2, size[1] // 2 * 2
        self._stream.pix_fmt = "yuv420p"
        self._stream.time_base = self._stream.codec_context.time_base = _MILLISECONDS
        self._stream.gop_size = max(1, round(fps))

    def write(self, image: Image, t: float) -> None:
        """Add a picture (H, W, 3) shown from t seconds on; a time that stands still is moved on a little."""
        if image.shape[1::-1] != self.size:
            given, wanted = (f"{width} x {height}" for width, height in (image.shape[1::-1], self.size))
            raise SaidError("error.video.size", path=self.path, given=given, wanted=wanted)
        even = np.ascontiguousarray(image[: self.size[1] // 2 * 2, : self.size[0] // 2 * 2])
        frame = av.VideoFrame.from_ndarray(even, format="bgr24")
        self._last = max(round(1000 * t), self._last + 1)
        frame.pts, frame.time_base = self._last, _MILLISECONDS
        try:
            self._file.mux(self._stream.encode(frame))
        except (OSError, FFmpegError) as error:
            raise self._failed(error) from None

    def close(self) -> None:
        """Write what is still in the encoder and finish the file."""
        try:
            if self._last >= 0:
                self._file.mux(self._stream.encode(None))
            self._file.close()
        except (OSError, FFmpegError) as error:
            raise self._failed(error) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _failed(self, error: Exception) -> SaidError:
        return SaidError("error.video.unwritten", path=self.path, reason=reason(error))


Told = TypeVar("Told")
_Told = TypeVar("_Told", contravariant=True)


class Writer(Protocol[_Told]):
    """Takes pictures, each with what is told of it (its time, its positions); raises SaidError."""

    path: Path

    def write(self, image: Image, told: _Told, /) -> None:
        """Add a picture."""

    def close(self) -> None:
        """Finish."""


class Recorder(Generic[Told]):
    """Records beside a live loop without ever slowing or stopping it.

    `problem` is a sentence when recording has stopped (a disk that is full, or so full that only the match
    log should grow), `dropped` counts pictures that came faster than they could be written.
    """

    def __init__(self, writer: Writer[Told], waiting: int = 8) -> None:
        self.path = writer.path
        self.problem: Text | None = None
        self.dropped = 0
        self._writer = writer
        self._queue: queue.Queue[tuple[Image, Told] | None] = queue.Queue(maxsize=waiting)
        self._thread = threading.Thread(target=self._run, name="recorder", daemon=True)
        self._thread.start()

    def offer(self, image: Image, told: Told) -> None:
        """Hand over a picture that nobody will change any more; never waits."""
        if self.problem is not None:
            return
        try:
            self._queue.put_nowait((image, told))
        except queue.Full:
            self.dropped += 1

    def close(self) -> None:
        """Write what waits and finish the file."""
        self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (item := self._queue.get()) is not None:
            if self.problem is None:
                self._try(lambda item=item: self._write(*item))  # type: ignore[misc]
        self._try(self._writer.close)

    def _write(self, image: Image, told: Told) -> None:
        free = shutil.disk_usage(self.path.parent).free
        if free < RESERVE_BYTES:
            raise SaidError("error.disk.kept", path=self.path, free=free / 1000000.0)
        self._writer.write(image, told)

    def _try(self, act: Callable[[], None]) -> None:
        try:
            act()
        except SaidError as error:
            self.problem = self.problem or Text("error.recording", {"what": error.text})
            _log.warning("%s", translate(self.problem, "en"))
