"""Single pictures: the first one of a source, and writing one."""

from __future__ import annotations

from pathlib import Path

import cv2

from palmo.errors import SaidError, reason
from palmo.outputs import replacing
from vision.arrays import Image
from vision.sources.naming import shown
from vision.sources.open import open_source


def first_picture(source: str) -> Image:
    """The first picture of a photo, clip, folder, camera or address, (H, W, 3) BGR.

    Raises SourceError, or PalmoError when there is none.
    """
    with open_source(source) as opened:
        for frame in opened:
            return frame.image
    raise SaidError("error.source.no_picture", name=shown(source))


def frame_count(source: str) -> int | None:
    """How many pictures a source says it has; None when it does not know. Raises SourceError."""
    with open_source(source) as opened:
        return opened.frame_count


def write_picture(path: Path, image: Image) -> None:
    """Write a picture in the format its name ends in; an earlier one stays until it is whole.

    Raises PalmoError.
    """
    try:
        _, data = cv2.imencode(path.suffix, image)
        with replacing(path) as place:
            place.write_bytes(data.tobytes())
    except cv2.error:
        raise SaidError("error.picture.format", path=path, suffix=path.suffix) from None
    except OSError as error:
        raise SaidError("error.picture.unwritten", path=path, why=reason(error)) from None
