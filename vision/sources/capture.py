"""What a live source reads from: a camera through OpenCV, a stream through PyAV.

Streams are not read through OpenCV: it stretches every picture to the size of the first one, so that a camera
that changes its resolution goes unnoticed (its reported size does not change either), and it does not say why
an address cannot be opened. PyAV gives the pictures as they were sent, and the reason.
"""

from __future__ import annotations

import contextlib
import re
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import av
import cv2

from calibration.sentences import Said
from vision.arrays import Image, as_bytes, decoded
from vision.sources.frames import SourceError
from vision.sources.naming import shown

OPEN_TIMEOUT_S = 5.0
READ_TIMEOUT_S = 4.0
# A stream joined in its middle shows nothing before its next whole picture; cameras send one every 1 to 10 s.
FIRST_PICTURE_S = 12.0
# Without this FFmpeg hoards 2.8 s of pictures to guess a rate, and they then arrive all at once and too late.
# TCP first, for lost packets are torn pictures; UDP for cameras that refuse it.
_RTSP = {"rtsp_flags": "prefer_tcp", "probesize": "32"}


@dataclass(frozen=True, eq=False)
class Picture:
    """A picture (H, W, 3) BGR uint8, and the JPEG it came as when it came as one that all programs show."""

    image: Image
    sent: bytes | None = None


class Capture(Protocol):
    """Something that gives one picture after another; `fps` is the nominal rate, 0 when unknown."""

    fps: float

    def read(self) -> Picture | None:
        """The next picture; None when there is none any more."""
        ...

    def release(self) -> None:
        """Let go of the device or the connection."""
        ...


class CameraCapture:
    """The camera with this number. Raises SourceError."""

    def __init__(self, index: int) -> None:
        self._capture = _quietly(lambda: cv2.VideoCapture(index))
        if not self._capture.isOpened():
            raise SourceError(
                Said(
                    "error.source.no_camera",
                    "camera {index}: there is no such camera, or another program is using it",
                    index=index,
                )
            )
        self.fps = float(self._capture.get(cv2.CAP_PROP_FPS)) or 0.0

    def read(self) -> Picture | None:
        """The next picture, or None."""
        ok, image = self._capture.read()
        return Picture(as_bytes(image)) if ok and image is not None else None

    def release(self) -> None:
        """Let go of the camera."""
        self._capture.release()


class StreamCapture:
    """The stream at an address: HTTP-MJPEG, RTSP and what else FFmpeg can read. Raises SourceError.

    Pictures come in the size in which they were sent. Broken ones are passed over.
    """

    def __init__(self, url: str) -> None:
        try:
            self._container = av.open(
                url,
                timeout=(OPEN_TIMEOUT_S, READ_TIMEOUT_S),
                options=_RTSP if url.lower().startswith("rtsp") else {},
            )
        except (av.error.FFmpegError, ValueError) as error:
            raise SourceError(
                Said("error.source.said", "{name}: {why}", name=shown(url), why=_reason(error))
            ) from None
        if not self._container.streams.video:
            self._container.close()
            raise SourceError(Said("error.source.said", "{name}: {why}", name=shown(url), why=_NO_PICTURES))
        stream = self._container.streams.video[0]
        self.fps = float(stream.average_rate or 0.0)
        self._packets = self._container.demux(stream)
        self._sends_jpeg = stream.codec_context.name == "mjpeg"
        if self._sends_jpeg:
            # Else what is missing of a JPEG is filled with the picture before it.
            stream.codec_context.options = {"err_detect": "explode"}
        self._decoded: deque[tuple[Any, bytes | None]] = deque()
        self._patience_s = FIRST_PICTURE_S

    def read(self) -> Picture | None:
        """The next picture, or None when the stream has ended or nothing came of it for READ_TIMEOUT_S."""
        until = time.monotonic() + self._patience_s
        while not self._decoded:
            if time.monotonic() > until:
                return None
            try:
                packet = next(self._packets)
            except (StopIteration, av.error.FFmpegError):
                return None
            with contextlib.suppress(av.error.FFmpegError):
                frames = [frame for frame in packet.decode() if not frame.is_corrupt]
                sent = bytes(packet) if self._sends_jpeg and len(frames) == 1 else None
                self._decoded.extend((frame, sent) for frame in frames)
        self._patience_s = READ_TIMEOUT_S
        frame, sent = self._decoded.popleft()
        whole = sent is not None and _for_everybody(sent)
        return Picture(decoded(frame), sent if whole else None)

    def release(self) -> None:
        """Close the connection."""
        self._container.close()


def _for_everybody(jpeg: bytes) -> bool:
    """Whether every program shows a JPEG as FFmpeg does.

    Some cameras leave out the Huffman tables, which browsers need, or say in EXIF that the picture is to be
    turned, which FFmpeg does not do.
    """
    head = jpeg[:4096]
    whole = jpeg.startswith(b"\xff\xd8") and jpeg.rstrip(b"\0\r\n").endswith(b"\xff\xd9")
    return whole and b"\xff\xc4" in head and b"Exif\0" not in head


_NO_PICTURES = Said(
    "error.url.no_pictures",
    "something answers there, but not with a stream of pictures (a web page, perhaps): look up the address "
    "of the video itself in the camera's manual",
)


def _reason(error: Exception) -> Said:
    """Why an address could not be opened, and what to do."""
    match error:
        case av.error.HTTPUnauthorizedError():
            return Said(
                "error.url.login",
                "it asks for a name and a password (401), or those in the address are wrong; write them in "
                "front of its name, as in NAME:PASSWORD@...",
            )
        case av.error.HTTPForbiddenError():
            return Said("error.url.forbidden", "it refuses to show its pictures to this computer (403)")
        case av.error.HTTPNotFoundError():
            return Said(
                "error.url.not_found",
                "the camera answers, but there is nothing at this path (404): check what follows its name",
            )
        case av.error.HTTPError():
            return Said("error.url.http", "the camera answers with an error ({why})", why=_status(error))
        case av.error.InvalidDataError():
            return _NO_PICTURES
    return Said("error.url.nothing", "nothing answers there with pictures")


def _status(error: Exception) -> str:
    """The number with which a server refuses, 404 or 5XX."""
    found = re.search(r"\b[45](\d\d|XX)\b", str(error))
    return found[0] if found else "HTTP"


def _quietly(open_it: Callable[[], cv2.VideoCapture]) -> cv2.VideoCapture:
    """Open without OpenCV's own warnings: the refusal says it better."""
    level = cv2.utils.logging.getLogLevel()
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    try:
        return open_it()
    finally:
        cv2.utils.logging.setLogLevel(level)
