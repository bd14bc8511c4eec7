"""Opening a source of pictures from one word: a file, a folder, a camera's number or a URL."""

from __future__ import annotations

import re
from pathlib import Path

from calibration.sentences import Said
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
            Said(
                "error.source.no_name",
                "the source has no name: give a video file, a folder of pictures, a camera's "
                "number or an address",
            )
        )
    if re.fullmatch(r"\d+", spec, re.ASCII):
        if len(spec) > 4:
            raise SourceError(
                Said(
                    "error.source.camera_number",
                    "camera {number}: no camera has such a number",
                    number=spec[:20],
                )
            )
        return open_camera(int(spec))
    if address := re.match(r"([a-z][a-z0-9+.-]*)://", spec, re.IGNORECASE):
        if address[1].lower() not in _SCHEMES:
            raise SourceError(
                Said(
                    "error.source.scheme",
                    "{name}: addresses that begin with {scheme}:// cannot be read; those with "
                    "{schemes} and {last} can",
                    name=shown(spec),
                    scheme=address[1],
                    schemes=", ".join(_SCHEMES[:-1]),
                    last=_SCHEMES[-1],
                )
            )
        return open_url(spec)
    try:
        return _open_path(spec, Path(spec))
    except PermissionError:
        raise SourceError(
            Said("error.source.not_permitted", "{spec}: reading it is not permitted", spec=spec)
        ) from None


def _open_path(spec: str, path: Path) -> FrameSource:
    if path.is_dir():
        return ImageFolder(path)
    if not path.exists():
        raise SourceError(
            Said("error.source.missing", "{spec}: there is no such file or folder", spec=shown(spec))
        )
    if not path.is_file():
        # reading a pipe may wait for ever, and a device may never end
        raise SourceError(
            Said(
                "error.source.pipe",
                "{spec}: this is not a regular file but a pipe or a device; a camera is opened "
                "by its number (0, 1, ...)",
                spec=spec,
            )
        )
    return ImageFile(path) if path.suffix.lower() in IMAGE_SUFFIXES else VideoFile(path)
