"""Cameras that look at a ring, and how they see the places in it where figures are put down.

A figure that moves under a camera is seen from another side and from further up without having been turned;
the nearer the camera, the more.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# From the vertical, of the line to the middle of the ring, and how long that is; the ring's sides.
TILT_DEG, DISTANCE_CM, SIDE_CM = (0.0, 52.0), (80.0, 250.0), (55.0, 85.0)
# No place is looked at flatter than this, nor from straight above, where there is no `away`.
_FLATTEST, _STEEPEST = np.radians(62.0), 0.01


@dataclass(frozen=True)
class RingCamera:
    """A camera `distance` cm from the middle of a ring with sides of `side` cm, `tilt` rad off vertical."""

    tilt: float
    distance: float
    side: float

    def place(self, rng: np.random.Generator) -> tuple[float, float, float]:
        """Tilt (rad), distance (cm) and direction (rad) in which a random place of the ring is seen."""
        height = self.distance * np.cos(self.tilt)
        foot = np.array([-self.distance * np.sin(self.tilt), 0.0])
        away = rng.uniform(-self.side / 2, self.side / 2, 2) - foot
        flat = min(float(np.hypot(*away)), height * float(np.tan(_FLATTEST)))
        tilt = max(float(np.arctan2(flat, height)), _STEEPEST)
        return tilt, float(np.hypot(flat, height)), float(np.arctan2(away[1], away[0]))


def random_camera(rng: np.random.Generator) -> RingCamera:
    """A camera as people put them up, obliquely or above the ring; near ones are as common as far ones."""
    low, high = np.log(DISTANCE_CM)
    tilt = float(rng.uniform(*np.radians(TILT_DEG)))
    return RingCamera(tilt, float(np.exp(rng.uniform(low, high))), float(rng.uniform(*SIDE_CM)))
