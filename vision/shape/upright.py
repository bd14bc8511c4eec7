"""A silhouette turned upright: as a camera would see it that looks straight at the figure's middle.

Where the figure stands in the picture, how large it is, the lens and the roll of the camera are all gone;
what is left is how steeply it is seen. Lengths are in heights of the figure. The axes are `across` and
`rise`; the latter is perpendicular to the ray through the middle and leans away from the camera: a point
that is further away appears higher by the cosine of the tilt, one that is higher up by its sine.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from vision.measuring.silhouette import SHARE_OF_HEIGHT, Silhouette, view_at

Array = NDArray[np.float64]

# The upright picture: cells a side, and how far from the middle it reaches, in heights.
CELLS, REACH = 72, 1.25
# Points per cell and axis that are averaged.
FINE = 2


@dataclass(frozen=True, eq=False)
class Stand:
    """From where a figure is seen: `middle` (2,) the ring point in cm under the silhouette's steady middle,
    if that is SHARE_OF_HEIGHT of height_cm up; unit vectors `away` and `across` (2,) on the table; `tilt` of
    the ray from the vertical in radians; `distance` of the camera in heights."""

    middle: Array
    height_cm: float
    away: Array
    across: Array
    tilt: float
    distance: float

    @property
    def axes(self) -> Array:
        """The (2, 2) matrix whose columns are away and across: from the view's axes to the ring's."""
        return np.column_stack([self.away, self.across])

    def points(self, across: Array, rise: Array) -> Array:
        """Ring points (N, 3) in cm of places (N,) in the upright picture's plane."""
        flat = np.outer(across, self.across) + np.outer(rise * np.cos(self.tilt), self.away)
        up = SHARE_OF_HEIGHT + rise * np.sin(self.tilt)
        return np.column_stack([self.middle + self.height_cm * flat, self.height_cm * up])


def stand_at(centre: Array, middle: Array, height_cm: float, view_away: Array) -> Stand:
    """A stand seen from a camera at centre (3,) in cm, view_away (2,) being the direction away from it."""
    drop = float(centre[2]) - SHARE_OF_HEIGHT * height_cm
    flat = float(np.hypot(*(middle - centre[:2])))
    across = np.array([-view_away[1], view_away[0]])
    distance = float(np.hypot(drop, flat)) / height_cm
    return Stand(middle, height_cm, view_away, across, float(np.arctan2(flat, drop)), distance)


def stand_of(camera: Camera, silhouette: Silhouette, height_cm: float) -> Stand:
    """From where a silhouette is seen."""
    z = SHARE_OF_HEIGHT * height_cm
    middle = camera.to_plane(silhouette.steady_centroid.reshape(1, 2), z)[0]
    return stand_at(camera.centre, middle, height_cm, view_at(camera, middle).away)


def grid(cells: int = CELLS) -> Array:
    """The middles (cells,) of the cells along one axis of the upright picture."""
    return np.asarray((np.arange(cells) + 0.5) * (2 * REACH / cells) - REACH, np.float64)


def upright(camera: Camera, silhouette: Silhouette, stand: Stand) -> NDArray[np.float32]:
    """The silhouette (CELLS, CELLS) 0-1, rows along rise, columns along across."""
    places = grid(CELLS * FINE)
    across, rise = np.meshgrid(places, places)
    px = camera.project(stand.points(across.ravel(), rise.ravel())) - np.asarray(silhouette.origin, float)
    us, vs = px.astype(np.float32).T.reshape(2, *across.shape)
    fine = cv2.remap(silhouette.alpha, us, vs, cv2.INTER_LINEAR, borderValue=0)
    return averaged(np.asarray(fine, np.float32))


def averaged(fine: NDArray[np.float32]) -> NDArray[np.float32]:
    """A picture (CELLS FINE, CELLS FINE) made coarse."""
    return np.asarray(fine.reshape(CELLS, FINE, CELLS, FINE).mean(axis=(1, 3)), np.float32)
