"""An MP4 file with one track of pictures, which stays playable whatever happens to the disk or the power."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, cast

import av
from av.error import FFmpegError
from av.packet import Packet
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

from palmo.errors import SaidError, reason

_MILLISECONDS = Fraction(1, 1000)
# Self-contained fragments, which go to the disk at once: a file that ends in the middle plays up to its last
# whole second.
_FRAGMENTS = {"movflags": "+frag_keyframe+empty_moov+default_base_moof", "flush_packets": "1"}


class Mp4File:
    """Takes compressed pictures with their times.

    Raises PalmoError when the file cannot be made or the disk is full; what was written until then stays
    playable. `called` is the path that sentences name.
    """

    def __init__(
        self,
        path: Path,
        size: tuple[int, int],
        fps: float,
        codec: str,
        *,
        pix_fmt: str,
        options: Mapping[str, str] | None = None,
        called: Path | None = None,
    ) -> None:
        self.path = called or path
        self._last = -1
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = av.open(str(path), "w", format="mp4", options=_FRAGMENTS)
        except (OSError, FFmpegError) as error:
            raise self._failed(error) from None
        rate = Fraction(max(fps, 1.0)).limit_denominator(1001)
        self._stream = cast(VideoStream, self._file.add_stream(codec, rate=rate, options=dict(options or {})))
        self._stream.width, self._stream.height = size
        self._stream.pix_fmt = pix_fmt
        self._stream.time_base = self._stream.codec_context.time_base = _MILLISECONDS
        self._stream.gop_size = max(1, round(fps))

    def encode(self, frame: VideoFrame, t: float) -> None:
        """Compress a picture shown from t seconds on and add it."""
        frame.pts, frame.time_base = self._stamp(t), _MILLISECONDS
        self._mux(lambda: self._stream.encode(frame))

    def add(self, compressed: bytes, t: float) -> None:
        """Add a picture that is compressed already and needs no other to be shown."""
        packet = Packet(compressed)
        packet.stream, packet.time_base, packet.is_keyframe = self._stream, _MILLISECONDS, True
        packet.pts = packet.dts = self._stamp(t)
        self._mux(lambda: [packet])

    def close(self) -> None:
        """Write what is still in the encoder and finish the file."""
        try:
            if self._last >= 0:
                self._file.mux(self._stream.encode(None))
            self._file.close()
        except (OSError, FFmpegError) as error:
            raise self._failed(error) from None

    def _stamp(self, t: float) -> int:
        """The time in milliseconds; one that stands still is moved on a little."""
        self._last = max(round(1000 * t), self._last + 1)
        return self._last

    def _mux(self, packets: Callable[[], Sequence[Packet[Any]]]) -> None:
        try:
            self._file.mux(packets())
        except (OSError, FFmpegError) as error:
            raise self._failed(error) from None

    def _failed(self, error: Exception) -> SaidError:
        return SaidError("error.video.unwritten", path=self.path, reason=reason(error))
