"""Single pictures: the first one of a source, and writing one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import cv2
import numpy as np

from palmo.errors import SaidError, reason
from palmo.outputs import replacing
from vision.arrays import Image
from vision.sources.naming import shown
from vision.sources.open import open_source

# So many pictures are averaged, every so manieth of them.
AVERAGED, EVERY = 9, 3


def first_picture(source: str) -> Image:
    """The first picture of a photo, clip, folder, camera or address, (H, W, 3) BGR.

    Raises SourceError, or PalmoError when there is none.
    """
    with open_source(source) as opened:
        for frame in opened:
            return frame.image
    raise SaidError("error.source.no_picture", name=shown(source))


def usual_picture(images: Sequence[Image], name: str) -> Image:
    """The median of some pictures of a source called `name`: grain goes, and a hand that only passes.

    Raises PalmoError when there is none.
    """
    if not images:
        raise SaidError("error.source.no_picture", name=name)
    return np.asarray(np.median(np.stack(images), axis=0).round(), dtype=np.uint8)


def steady_picture(source: str) -> Image:
    """The usual picture of a source's first seconds, (H, W, 3) BGR. Raises SourceError, PalmoError."""
    with open_source(source) as opened:
        wanted = islice(opened, 0, AVERAGED * EVERY, EVERY)
        return usual_picture([frame.image for frame in wanted], shown(source))


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
