"""One standing figure seen once: where from, which way it faces, and what the learned prior makes of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from vision.fighters import FighterClass
from vision.measuring.silhouette import Silhouette
from vision.shape.network import DIRECTIONS, Guess, guess
from vision.shape.upright import Stand, stand_of, upright

Array = NDArray[np.float64]

# The directions of a support function, in radians.
ANGLES = 2 * np.pi * np.arange(DIRECTIONS) / DIRECTIONS
_WAYS = np.column_stack([np.cos(ANGLES), np.sin(ANGLES)])


@dataclass(frozen=True, eq=False)
class Look:
    """A silhouette turned upright (CELLS, CELLS), and from where it is seen. `kind` is the figure's class,
    when told; `relief` (CELLS, CELLS) what its shading tells, 0 where its crop is not known."""

    stand: Stand
    picture: NDArray[np.float32]
    kind: FighterClass | None
    relief: NDArray[np.float32]

    def facing(self, facing: float | None) -> Faced:
        """What is believed of the figure when it faces `facing` (radians, ring); None when nobody knows."""
        azimuth = None if facing is None else self.azimuth(facing)
        believed = guess(self.picture, self.stand.tilt, self.stand.distance, azimuth, self.kind)
        return Faced(self, azimuth or 0.0, believed)

    def azimuth(self, facing: float) -> float:
        """The angle of the front from `away` to `across`, of a figure that faces `facing` in the ring."""
        return facing - float(np.arctan2(self.stand.away[1], self.stand.away[0]))


def look_at(
    camera: Camera, silhouette: Silhouette, height_cm: float, kind: FighterClass | None = None
) -> Look:
    """A silhouette as the learned prior wants it."""
    stand = stand_of(camera, silhouette, height_cm)
    picture, shading = upright(camera, silhouette, stand)
    return Look(stand, picture, kind, shading)


@dataclass(frozen=True, eq=False)
class Faced:
    """A look with a facing: azimuth (rad) of the front in the view's axes, and the guess made with it."""

    look: Look
    azimuth: float
    guess: Guess

    @property
    def xy(self) -> Array:
        """The middle of the sole (2,) in ring cm, by this look alone."""
        stand = self.look.stand
        return np.asarray(stand.middle + stand.height_cm * stand.axes @ self.guess.sole)

    @cached_property
    def reach(self) -> tuple[Array, Array]:
        """The support function (DIRECTIONS,) of the plan view about the sole's middle, in heights, from the
        front anticlockwise, and its sds."""
        about_sole = self.guess.support - _WAYS @ self.guess.sole
        return self._from_front(about_sole), self._from_front(self.guess.support_sd)

    def _from_front(self, values: Array) -> Array:
        return np.interp(ANGLES + self.azimuth, ANGLES, values, period=2 * np.pi)
