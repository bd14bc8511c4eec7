"""The expensive colour space in which plasticine is modelled, and the cheap one it is compiled to.

Expensive: logarithms of linear light, turned so that shading moves along one axis only:
(log R/G, log B/G, log of the mean). A change of illumination is a shift in this space. Cheap: the 65,536
colours of OpenCV's BGR565, one table look-up per pixel.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, Image

COLOURS_565 = 65_536
_GAMMA = 2.2
# Light added before the logarithm: below about 1.5 % of full scale a camera sees noise, not hue.
_DARK = 0.012


def linear(levels: NDArray[np.generic] | Floats) -> Floats:
    """Linear light 0-1 of picture levels 0-255 (any shape)."""
    return np.asarray((np.asarray(levels, dtype=np.float64) / 255.0) ** _GAMMA)


def levels(light: Floats) -> Floats:
    """Picture levels 0-255 of linear light (any shape); the inverse of `linear`, clipped."""
    return np.asarray(255.0 * np.clip(light, 0.0, 1.0) ** (1.0 / _GAMMA))


def features(bgr: NDArray[np.generic] | Floats) -> Floats:
    """(..., 3) levels BGR to (..., 3) features: log R/G, log B/G, log mean light."""
    light = linear(bgr) + _DARK
    logs = np.log(light)
    return np.stack(
        [logs[..., 2] - logs[..., 1], logs[..., 0] - logs[..., 1], np.log(light.mean(axis=-1))], axis=-1
    )


def centres_565() -> Floats:
    """The middle colour (65536, 3) BGR of every BGR565 code, in code order."""
    codes = np.arange(COLOURS_565)
    blue, green, red = codes & 31, (codes >> 5) & 63, codes >> 11
    return np.column_stack([blue * 8 + 3.5, green * 4 + 1.5, red * 8 + 3.5]).astype(np.float64)


def codes_565(bgr: Image) -> NDArray[np.uint16]:
    """The BGR565 code (H, W) of every pixel of a (H, W, 3) picture."""
    packed = np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2BGR565))
    return packed.view(np.uint16).reshape(bgr.shape[:2])
