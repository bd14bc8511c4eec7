"""Colours of scene files (#rrggbb) as light: linear RGB, and lamps by their temperature."""

from __future__ import annotations

import numpy as np

from datasets.render.meshes import Array


def linear(code: str) -> Array:
    """The linear RGB (3,) of a colour #rrggbb."""
    return decoded(np.array([int(code[k : k + 2], 16) for k in (1, 3, 5)]) / 255)


def decoded(values: Array) -> Array:
    """Linear light of sRGB values 0-1."""
    return np.asarray(np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4))


def encoded(values: Array) -> Array:
    """sRGB values of linear light 0-1."""
    return np.asarray(np.where(values <= 0.0031308, values * 12.92, 1.055 * values ** (1 / 2.4) - 0.055))


def lamp(kelvin: float) -> Array:
    """The linear RGB (3,) of a black body, 5500 K being white: red is about (T/5500)^-0.9, blue ^1.25."""
    ratio = kelvin / 5500
    colour = np.array([ratio**-0.9, 1.0, ratio**1.25])
    return np.asarray(colour / (colour @ [0.2126, 0.7152, 0.0722]))
