"""Opening a source of pictures from one word: a file, a folder, a camera's number or a URL."""

from __future__ import annotations

import re
from pathlib import Path

from vision.sources.files import IMAGE_SUFFIXES, ImageFile, ImageFolder, VideoFile
from vision.sources.frames import Frame, FrameSource, SourceError
from vision.sources.live import open_camera, open_url
from vision.sources.naming import shown

__all__ = ["Frame", "FrameSource", "SourceError", "open_source"]


_SCHEMES = ("http", "https", "rtsp", "rtsps", "rtmp", "udp", "tcp")


def open_source(spec: str) -> FrameSource:
    """Open what `spec` names: "0" a camera, "http://..." or "rtsp://..." a stream, else a file or a folder.

    Raises SourceError with one sentence when it is not there or cannot be read.
    """
    if not spec.strip():
        raise SourceError(
            "the source has no name: give a video file, a folder of pictures, a camera's number or an address"
        )
    if re.fullmatch(r"\d+", spec, re.ASCII):
        if len(spec) > 4:
            raise SourceError(f"camera {spec[:20]}: no camera has such a number")
        return open_camera(int(spec))
    if address := re.match(r"([a-z][a-z0-9+.-]*)://", spec, re.IGNORECASE):
        if address[1].lower() not in _SCHEMES:
            raise SourceError(
                f"{shown(spec)}: addresses that begin with {address[1]}:// cannot be read; those with "
                f"{', '.join(_SCHEMES[:-1])} and {_SCHEMES[-1]} can"
            )
        return open_url(spec)
    try:
        return _open_path(spec, Path(spec))
    except PermissionError:
        raise SourceError(f"{spec}: reading it is not permitted") from None


def _open_path(spec: str, path: Path) -> FrameSource:
    if path.is_dir():
        return ImageFolder(path)
    if not path.exists():
        raise SourceError(f"{spec}: there is no such file or folder")
    if not path.is_file():
        # reading a pipe may wait for ever, and a device may never end
        raise SourceError(
            f"{spec}: this is not a regular file but a pipe or a device; "
            "a camera is opened by its number (0, 1, ...)"
        )
    return ImageFile(path) if path.suffix.lower() in IMAGE_SUFFIXES else VideoFile(path)
