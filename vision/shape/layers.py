"""Small convolutional networks in plain numpy: their layers, and the weights that lie in the package."""

from __future__ import annotations

from importlib.resources.abc import Traversable
from zipfile import BadZipFile
from zlib import error as BadDeflate

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from calibration.sentences import Said

Planes = NDArray[np.float32]


class ShapeError(ValueError):
    """What was learned of figures' shapes cannot be read; str() is one sentence that says what to do."""


def read_weights(place: Traversable) -> dict[str, Planes]:
    """The weights by name, kept there in half precision. Raises ShapeError."""
    try:
        with place.open("rb") as file, np.load(file) as kept:
            return {name: kept[name].astype(np.float32) for name in kept.files if name != "made"}
    except (OSError, EOFError, ValueError, KeyError, BadZipFile, BadDeflate) as error:
        why = Said("error.shape.missing", "it is missing")
        if not isinstance(error, FileNotFoundError):
            why = Said("error.shape.broken", "it is broken")
        raise ShapeError(
            Said(
                "error.shape.weights",
                "{path}: what Palmo has learned of the figures' shapes cannot be read ({why}): install Palmo "
                "again",
                path=str(place),
                why=why,
            )
        ) from error


def relu(values: Planes) -> Planes:
    """Values of any shape, none of them negative."""
    return np.maximum(values, np.float32(0))


def doubled(planes: Planes) -> Planes:
    """Planes (C, H, W) in twice the resolution, (C, 2 H, 2 W)."""
    return planes.repeat(2, axis=1).repeat(2, axis=2)


def conv(planes: Planes, weight: Planes, bias: Planes, stride: int) -> Planes:
    """A convolution of planes (C, H, W) with weights (O, C, k, k), half of k padded with zeros."""
    size = weight.shape[-1]
    pad = size // 2
    framed = np.pad(planes, ((0, 0), (pad, pad), (pad, pad)))
    windows = sliding_window_view(framed, (size, size), axis=(1, 2))[:, ::stride, ::stride]
    rows = windows.transpose(0, 3, 4, 1, 2)
    height, width = rows.shape[-2:]
    out = weight.reshape(len(weight), -1) @ rows.reshape(-1, height * width) + bias[:, None]
    return np.asarray(out.reshape(-1, height, width), np.float32)
