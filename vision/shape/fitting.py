"""Where a solid fits a silhouette best: analysis by synthesis.

The solid is seen from where the silhouette was, and laid over it where every cell is likeliest.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.shape.look import Look
from vision.shape.solid import Solid
from vision.shape.upright import CELLS, REACH

Array = NDArray[np.float64]

# Cells that a solid may be off its place, and the sd of that, in cells.
_SEARCH, _SHIFT_SD = 6, 3.0
# Neighbouring cells of a silhouette are wrong together: so many count as one. It weighs the silhouette
# against the expected place alone.
_TOGETHER = 12.0
# No cell is surer than this.
_LEAST_CHANCE = 0.02
_CELL = 2 * REACH / CELLS


def fitted(solid: Solid, look: Look, azimuth: float, sole: Array) -> tuple[float, Array]:
    """The log likelihood of a look at a solid with its front at an azimuth, where it fits best near a sole
    (2,), and that sole (2,), in heights along away and across from the stand's middle."""
    chance = np.clip(solid.seen(look.stand, azimuth, sole), _LEAST_CHANCE, 1 - _LEAST_CHANCE)
    empty = float(np.log(1 - chance).sum())
    outside = float(np.log(_LEAST_CHANCE / (1 - _LEAST_CHANCE)))
    framed = np.pad(np.log(chance / (1 - chance)), _SEARCH, constant_values=outside).astype(np.float32)
    # how likely, wherever the picture's window lies on the solid's
    fit = (np.asarray(cv2.matchTemplate(framed, look.picture, cv2.TM_CCORR), np.float64) + empty) / _TOGETHER
    rows, columns = np.indices(fit.shape) - _SEARCH
    fit -= 0.5 * (rows**2 + columns**2) / _SHIFT_SD**2
    row, column = np.unravel_index(int(fit.argmax()), fit.shape)
    down, right = _vertex(fit[:, column], int(row)), _vertex(fit[row], int(column))
    # a window further up shows the solid further down
    rise, across = -(down - _SEARCH) * _CELL, -(right - _SEARCH) * _CELL
    moved = sole + np.array([rise / np.cos(look.stand.tilt), across])
    return float(fit.max()), moved


def _vertex(values: Array, at: int) -> float:
    """Where the parabola through a highest value and its neighbours is highest."""
    if not 0 < at < len(values) - 1:
        return float(at)
    before, here, after = values[at - 1 : at + 2]
    return at + float(np.clip(0.5 * (before - after) / (before - 2 * here + after - 1e-12), -0.5, 0.5))
