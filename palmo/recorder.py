"""Recording beside a live loop: pictures are encoded and written without slowing or stopping it."""

from __future__ import annotations

import logging
import queue
import shutil
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Generic, ParamSpec, Protocol, Self

import av
import cv2
import numpy as np
from numpy.typing import NDArray

from palmo.errors import SaidError, Spoken
from palmo.mp4 import Mp4File
from rules.text import Text
from vision.arrays import as_bytes

Image = NDArray[np.uint8]
_log = logging.getLogger(__name__)

# So much of the disk is left to the match log, which is worth more than pictures.
RESERVE_BYTES = 8_000_000
# After so many seconds it is tried again to write.
AGAIN_S = 5.0
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
        codec = "libx264" if "libx264" in av.codecs_available else "mpeg4"
        options = {**_H264, "preset": preset} if codec == "libx264" else {"q:v": "4"}
        # H.264 with shared colour has no odd sizes: at most one row and column are cut off.
        even = size[0] // 2 * 2, size[1] // 2 * 2
        self._file = Mp4File(path, even, fps, codec, pix_fmt="yuv420p", options=options, called=called)

    def write(self, image: Image, t: float) -> None:
        """Add a picture (H, W, 3) shown from t seconds on; a time that stands still is moved on a little."""
        if image.shape[1::-1] != self.size:
            given, wanted = (f"{width} x {height}" for width, height in (image.shape[1::-1], self.size))
            raise SaidError("error.video.size", path=self.path, given=given, wanted=wanted)
        even = image[: self.size[1] // 2 * 2, : self.size[0] // 2 * 2]
        # FFmpeg would do it too, in three times the time.
        planes = as_bytes(cv2.cvtColor(even, cv2.COLOR_BGR2YUV_I420))
        self._file.encode(av.VideoFrame.from_ndarray(planes, format="yuv420p"), t)

    def close(self) -> None:
        """Write what is still in the encoder and finish the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


Given = ParamSpec("Given")


class Writer(Protocol[Given]):
    """Takes pictures, each with what is told of it (its time, its positions); raises SaidError."""

    path: Path

    def write(self, *given: Given.args, **named: Given.kwargs) -> None:
        """Add a picture."""

    def close(self) -> None:
        """Finish."""


class Recorder(Generic[Given]):
    """Records beside a live loop without ever slowing or stopping it.

    `problem` is a sentence when recording has stopped (a disk that is full, or so full that only the match
    log should grow), `dropped` counts pictures that came faster than they could be written. With `recovers`,
    for writers that can go on in another file, it is tried again every few seconds.
    """

    def __init__(self, writer: Writer[Given], waiting: int = 8, *, recovers: bool = False) -> None:
        self.path = writer.path
        self.problem: Text | None = None
        self.dropped = 0
        self._writer = writer
        self._recovers = recovers
        self._again_at = 0.0
        self._queue: queue.Queue[Callable[[], None] | None] = queue.Queue(maxsize=waiting)
        self._thread = threading.Thread(target=self._run, name="recorder", daemon=True)
        self._thread.start()

    def offer(self, *given: Given.args, **named: Given.kwargs) -> None:
        """Hand over a picture that nobody will change any more; never waits."""
        if not self._may_write():
            return
        try:
            self._queue.put_nowait(lambda: self._writer.write(*given, **named))
        except queue.Full:
            self.dropped += 1

    def close(self) -> None:
        """Write what waits and finish the file."""
        self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (write := self._queue.get()) is not None:
            if self._may_write() and self._try(lambda write=write: self._write(write)):  # type: ignore[misc]
                self.problem = None
        self._try(self._writer.close)

    def _may_write(self) -> bool:
        return self.problem is None or (self._recovers and time.monotonic() >= self._again_at)

    def _write(self, write: Callable[[], None]) -> None:
        free = shutil.disk_usage(self.path.parent).free
        if free < RESERVE_BYTES:
            raise SaidError("error.disk.kept", path=self.path, free=free / 1000000.0)
        write()

    def _try(self, act: Callable[[], None]) -> bool:
        """Whether it went well; else the problem is kept, and said once."""
        try:
            act()
        except SaidError as error:
            self._again_at = time.monotonic() + AGAIN_S
            if self.problem is None:
                self.problem = Text("error.recording", {"what": error.text})
                _log.warning(Spoken("error.recording", what=error.text))
            return False
        return True
