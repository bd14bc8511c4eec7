"""What a webcam makes of light: lens blur, vignetting, exposure, noise, a tone curve, eight bits."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.render.colours import encoded
from datasets.render.meshes import Array
from datasets.render.scene_file import Picture

# Where the tone curve leaves sRGB to keep highlights from burning out.
_SHOULDER = 0.75
# The slope of sRGB at a mid grey: how an eight-bit step is counted in linear light.
_GREY, _SLOPE = 0.2, 0.79
_READ_SHARE = 0.4  # of the noise of a mid grey, there even in the dark


def developed(
    light: NDArray[np.float32], gains: Array, picture: Picture, rng: np.random.Generator
) -> NDArray[np.uint8]:
    """An eight-bit BGR picture (H, W, 3) of linear RGB light."""
    if picture.blur_px > 0:
        light = np.asarray(cv2.GaussianBlur(light, (0, 0), picture.blur_px), np.float32)
    exposed = np.maximum(light * gains.astype(np.float32), 0)
    exposed *= _vignette(light.shape[:2], picture.vignette)[..., None]
    sd = picture.noise / 255 / _SLOPE
    spread = sd * np.sqrt(_READ_SHARE**2 + (1 - _READ_SHARE**2) * exposed / _GREY)
    noisy = exposed + spread * rng.standard_normal(exposed.shape, dtype=np.float32)
    levels = np.clip(noisy * (_LEVELS / _MOST_LIGHT), 0, _LEVELS - 1).astype(np.uint16)
    return np.ascontiguousarray(_TONES[levels][..., ::-1])


def _rolled(light: Array) -> Array:
    over = np.maximum(light - _SHOULDER, 0)
    room = 1 - _SHOULDER
    return np.asarray(np.minimum(light, _SHOULDER) + room * (1 - np.exp(-over / room)))


# The tone curve as a table of eight-bit values over even steps of light.
_LEVELS, _MOST_LIGHT = 65536, 4.0
_TONES = np.clip(
    255 * encoded(_rolled((np.arange(_LEVELS) + 0.5) * _MOST_LIGHT / _LEVELS)) + 0.5, 0, 255
).astype(np.uint8)


def _vignette(shape: tuple[int, ...], strength: float) -> NDArray[np.float32]:
    v, u = np.mgrid[: shape[0], : shape[1]]
    middle = (np.array(shape[:2]) - 1) / 2
    away = ((u - middle[1]) ** 2 + (v - middle[0]) ** 2) / (middle**2).sum()
    return np.asarray(1 - strength * away, np.float32)
