"""Shadows: what only takes light away changes neither hue nor gets brighter; things that come do."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Bytes, Image, Mask
from vision.colour.space import linear

# A change of hue (log of linear light, channel against green) that no shadow makes, and one of brightness: no
# shadow's going lights more, none lying down takes more away.
_HUE_CHANGE = 0.16
_BRIGHTER = 0.5
_DARKER = 1.6
# A loss of light below this is no shadow to speak of.
_SHADE = 0.12

_LOG = np.log(linear(np.arange(256)) + 0.01).astype(np.float32)


def is_object(now: Image, before: Image) -> Mask:
    """Which pixels (N,) of now (N, 3) show another thing than before (N, 3), not the same one in a shadow."""
    hue, light = _change(now, before)
    return np.asarray((hue > _HUE_CHANGE) | (light > _BRIGHTER) | (light < -_DARKER))


def is_shadow(now: Image, before: Image) -> Mask:
    """Which pixels (N,) of now (N, 3) show what before (N, 3) showed, with light taken away."""
    return np.asarray(~is_object(now, before) & (_change(now, before)[1] < -_SHADE))


def objects_in(own: Bytes, now: Image, before: Image) -> Bytes:
    """Where of a mask (h, w) of 0 and 1 the picture now (h, w, 3) shows another thing than before."""
    found = np.zeros_like(own)
    where = np.flatnonzero(own)
    found.ravel()[where] = is_object(now.reshape(-1, 3)[where], before.reshape(-1, 3)[where])
    return found


def _change(now: Image, before: Image) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """By how much (N,) hue and light changed, in logs of linear light."""
    step = _LOG[now] - _LOG[before]
    hue = np.maximum(np.abs(step[:, 2] - step[:, 1]), np.abs(step[:, 0] - step[:, 1]))
    return hue, np.asarray(step.mean(axis=1))
