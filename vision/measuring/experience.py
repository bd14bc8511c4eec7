"""What figures usually look like: where their clay is, how far they have turned, and whether they fell.

It comes from the networks of `vision.shape`, which were taught on modelled figures of many makers. It fills
in what a silhouette does not show, better than a vague guess about the vertical, and it has seen how figures
look when they are turned. Neither is taken for more than it is worth: a floor is under the one, a fitted
weight on the other.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.ndimage import map_coordinates

from calibration.camera import Camera
from vision.fighters import FighterClass
from vision.measuring.registration import Array, FragmentView
from vision.measuring.silhouette import Silhouette
from vision.shape.fallen import Fallen, fallen
from vision.shape.look import Faced, Look, look_at
from vision.shape.network import LAYERS, SOLID_CELLS, TURNS
from vision.shape.pairs import azimuths
from vision.shape.upright import REACH

# No place inside the silhouette is less probable than this.
_LEAST_CHANCE = 0.05
_SCALE, _MIDDLE = SOLID_CELLS / (2 * REACH), (SOLID_CELLS - 1) / 2


class Experience:
    """Of one figure, with its height and its class, when that was told."""

    def __init__(self, camera: Camera, height_cm: float, kind: FighterClass | None) -> None:
        self._camera, self._height_cm, self._kind = camera, height_cm, kind
        self._looks: dict[FragmentView, Look] = {}

    def clay(self, view: FragmentView, facing_deg: float) -> Callable[[Array], Array]:
        """How probable clay is at points (N, 3), cm from the place under the view's middle in ring axes, of a
        figure seen so that faces facing_deg."""
        faced = self._look(view).facing(float(np.radians(facing_deg)))
        return lambda points: self._chance(faced, points)

    def front(self, known: FragmentView, facing_deg: float, view: FragmentView, facings_deg: Array) -> Array:
        """The log probability (N,), up to a constant, of facings, by how a silhouette looks beside another
        one of the figure whose facing is known."""
        before = self._look(known).facing(float(np.radians(facing_deg)))
        blind = self._look(view).facing(None)
        towards = np.array([blind.look.azimuth(facing) for facing in np.radians(facings_deg)])
        parts = towards / (2 * np.pi) * TURNS
        return np.asarray(np.interp(parts, np.arange(TURNS), azimuths(before, blind), period=TURNS))

    def fallen(self, known: FragmentView | None, facing_deg: float, view: FragmentView) -> Fallen:
        """Whether and how a figure lies that stood as known (None: was not seen to stand) and faced so."""
        before = None if known is None else self._look(known)
        return fallen(before, float(np.radians(facing_deg)), self._look(view))

    def _look(self, view: FragmentView) -> Look:
        """A view turned upright, which takes a while: once for all questions about it."""
        if view not in self._looks:
            silhouette = Silhouette(view.origin, view.silhouette, view.picture)
            self._looks[view] = look_at(self._camera, silhouette, self._height_cm, self._kind)
        return self._looks[view]

    def _chance(self, faced: Faced, points: Array) -> Array:
        stand, height = faced.look.stand, self._height_cm
        layer = points[:, 2] / height * LAYERS - 0.5
        row, column = (_MIDDLE + _SCALE * points[:, :2] @ way / height for way in (stand.away, stand.across))
        odds = map_coordinates(faced.guess.solid, np.stack([layer, row, column]), order=1, mode="nearest")
        return np.asarray(1 / (1 + np.exp(-odds)) + _LEAST_CHANCE, np.float64)
