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
Picture = NDArray[np.float32]

# The upright picture: cells a side, and how far from the middle it reaches, in heights.
CELLS, REACH = 72, 1.25
# Points per cell and axis that are averaged.
FINE = 2
# Grey levels that are added before a logarithm; a spread of log brightness that is none; what is a highlight.
_DARK, _FLAT, _MOST_RELIEF = 8.0, 0.05, 3.0
# Cells of which less than this share is the figure's show the ground too; how far beside them is looked, in
# cells.
_RIM, _BESIDE = 0.8, 0.8


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


def upright(camera: Camera, silhouette: Silhouette, stand: Stand) -> tuple[Picture, Picture]:
    """The silhouette 0-1 and its relief (0 where its crop is not known), (CELLS, CELLS) each, rows along
    rise, columns along across."""
    places = grid(CELLS * FINE)
    across, rise = np.meshgrid(places, places)
    px = camera.project(stand.points(across.ravel(), rise.ravel())) - np.asarray(silhouette.origin, float)
    us, vs = px.astype(np.float32).T.reshape(2, *across.shape)

    def seen(crop: Picture) -> Picture:
        return _float32(cv2.remap(crop, us, vs, cv2.INTER_LINEAR, borderValue=0))

    fine = seen(silhouette.alpha)
    cover = averaged(fine)
    if silhouette.crop is None:
        return cover, np.zeros_like(cover)
    grey = seen(_float32(cv2.cvtColor(silhouette.crop, cv2.COLOR_BGR2GRAY)))
    inside = averaged(fine**2 * grey) / np.maximum(averaged(fine**2), np.float32(1e-3))
    return cover, relief(_float32(inside), cover)


def _float32(values: NDArray[np.generic]) -> Picture:
    return np.asarray(values, np.float32)


def averaged(fine: Picture) -> Picture:
    """A picture (CELLS FINE, CELLS FINE) made coarse."""
    return np.asarray(fine.reshape(CELLS, FINE, CELLS, FINE).mean(axis=(1, 3)), np.float32)


def relief(grey: Picture, cover: Picture) -> Picture:
    """What the shading of an upright picture (CELLS, CELLS) of grey levels 0-255 (NaN where nothing is known)
    tells of its surface, whatever the lamp and the clay: log brightness about its mean, in its own spread,
    where the upright silhouette `cover` is, and 0 elsewhere.

    The rim, where the ground shines through, shows what is beside it.
    """
    weight = np.where(np.isfinite(grey), np.clip((cover - _RIM) / (1 - _RIM), 0, 1), 0).astype(np.float32)
    total = float(weight.sum())
    if total <= 0:
        return np.zeros(cover.shape, np.float32)
    value = np.log(np.where(weight > 0, np.maximum(grey, 0), 0) + _DARK)
    value = np.asarray(np.where(weight > 0, value - (weight * value).sum() / total, 0), np.float32)
    spread = float(np.sqrt((weight * value**2).sum() / total)) + _FLAT
    beside = cv2.GaussianBlur(weight, (0, 0), _BESIDE)
    filled = cv2.GaussianBlur(weight * value, (0, 0), _BESIDE) / np.maximum(beside, 1e-3)
    shown = np.clip((weight * value + (1 - weight) * filled) / spread, -_MOST_RELIEF, _MOST_RELIEF)
    return np.asarray(shown * cover, np.float32)
