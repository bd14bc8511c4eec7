"""Opening a source of pictures from one word: a file, a folder, a camera's number or a URL."""

from __future__ import annotations

import re
from pathlib import Path

from vision.sources.files import IMAGE_SUFFIXES, ImageFile, ImageFolder, VideoFile
from vision.sources.frames import Frame, FrameSource, SourceError
from vision.sources.live import open_camera, open_url

__all__ = ["Frame", "FrameSource", "SourceError", "open_source"]


def open_source(spec: str) -> FrameSource:
    """Open what `spec` names: "0" a camera, "http://..." or "rtsp://..." a stream, else a file or a folder.

    Raises SourceError with one sentence when it is not there or cannot be read.
    """
    if re.fullmatch(r"\d+", spec):
        return open_camera(int(spec))
    if re.match(r"(https?|rtsp|rtsps|rtmp|udp|tcp)://", spec, re.IGNORECASE):
        return open_url(spec)
    path = Path(spec)
    try:
        if path.is_dir():
            return ImageFolder(path)
        if not path.exists():
            raise SourceError(f"{spec}: there is no such file or folder")
        return ImageFile(path) if path.suffix.lower() in IMAGE_SUFFIXES else VideoFile(path)
    except PermissionError:
        raise SourceError(f"{spec}: reading it is not permitted") from None
