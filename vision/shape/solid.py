"""The solid of a figure, from all the looks at it, and how it looks from anywhere.

Every look gives log odds of clay (occupancy grids: Moravec & Elfes, ICRA 1985). Looks are not independent:
the prior that fills in what they do not show is the same. So they are not summed but averaged, each cell
with the weight of what a look knows of it beyond what is believed of any figure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.measuring.silhouette import SHARE_OF_HEIGHT
from vision.shape.look import Faced
from vision.shape.network import LAYERS, SOLID_CELLS, commonly
from vision.shape.upright import CELLS, REACH, Stand

Array = NDArray[np.float64]
Picture = NDArray[np.float32]

# Cells per height, of the solid and of the upright picture.
_SOLID_SCALE, _SCALE = SOLID_CELLS / (2 * REACH), CELLS / (2 * REACH)
_SOLID_MIDDLE, _MIDDLE = (SOLID_CELLS - 1) / 2, (CELLS - 1) / 2
# Log odds beyond which nothing is surer, and what is believed of the air outside.
_SUREST, _AIR = 8.0, -8.0
# The weight of a look that knows nothing of a cell.
_LEAST_WEIGHT = 0.5
_INVERSE = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP


@dataclass(frozen=True, eq=False)
class Solid:
    """Log odds of clay (LAYERS, SOLID_CELLS, SOLID_CELLS) about the sole's middle, rows towards the front,
    columns to the left."""

    odds: Picture

    def seen(self, stand: Stand, azimuth: float, sole: Array) -> Picture:
        """The chance (CELLS, CELLS) that clay is seen, in the upright picture of a stand, of the figure whose
        front is at an azimuth and whose sole (2,) is so far from the stand's middle, in heights."""
        free = np.ones((CELLS, CELLS), np.float32)
        c, s = np.cos(azimuth), np.sin(azimuth)
        # columns and rows of the solid (left, front) by those of the view (across, away)
        turn = np.array([[c, -s], [s, c]])
        shrink = np.diag([1.0, 1 / np.cos(stand.tilt)])
        for number, layer in enumerate(self._chances):
            up = (number + 0.5) / LAYERS - SHARE_OF_HEIGHT
            there = turn @ (-shrink @ [0.0, up * np.sin(stand.tilt)] - [sole[1], sole[0]])
            linear = turn @ shrink * (_SOLID_SCALE / _SCALE)
            offset = _SOLID_MIDDLE + _SOLID_SCALE * there - linear @ [_MIDDLE, _MIDDLE]
            matrix = np.column_stack([linear, offset])
            free *= 1 - cv2.warpAffine(layer, matrix, (CELLS, CELLS), flags=_INVERSE)
        return np.asarray(1 - free, np.float32)

    @cached_property
    def _chances(self) -> Picture:
        return np.asarray(1 / (1 + np.exp(-self.odds)), np.float32)


def solid_of(looks: Sequence[Faced]) -> Solid:
    """The solid that all looks together believe in."""
    common = commonly()
    odds = np.stack([_own(look) for look in looks])
    weights = np.abs(odds - common) + _LEAST_WEIGHT
    return Solid(np.asarray((weights * odds).sum(axis=0) / weights.sum(axis=0), np.float32))


def _own(look: Faced) -> Picture:
    """A look's log odds in the figure's own frame."""
    c, s = np.cos(look.azimuth), np.sin(look.azimuth)
    # columns and rows of the view (across, away) by those of the solid (left, front)
    turn = np.array([[c, s], [-s, c]])
    sole = _SOLID_SCALE * look.guess.sole[::-1]
    matrix = np.column_stack([turn, _SOLID_MIDDLE + sole - turn @ [_SOLID_MIDDLE, _SOLID_MIDDLE]])
    size = (SOLID_CELLS, SOLID_CELLS)
    layers = [
        cv2.warpAffine(layer, matrix, size, flags=_INVERSE, borderValue=_AIR) for layer in look.guess.solid
    ]
    return np.clip(np.stack(layers), -_SUREST, _SUREST).astype(np.float32)
