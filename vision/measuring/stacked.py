"""Does a figure stand on the table, or on another one? Told by what hides what.

Of two figures on a table only the nearer one hides the other. A figure that hides one which, on the table,
it would have to stand behind or inside of, is on top of it: where it is held up by the other's height, its
middle lies over the other's body. From above, two figures in one place say the same.

What a stacked figure's own height above the table is cannot be seen from one camera: it is taken to be the
height of the one below (its thickness when that one lies), good to LIFT_SD of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from vision.measuring.silhouette import SHARE_OF_HEIGHT, Silhouette, view_at

Array = NDArray[np.float64]

# A stacked figure hides at least this share of its own silhouette's area of the one below.
_LEAST_HIDDEN = 0.04
# Its middle, held up, lies within this of the outline below, in heights of its own.
_BESIDE = 0.05
# A figure in front of the other by more than this share of its own height stands on the table and hides it.
_IN_FRONT = 0.15
# How uncertain the height above the table is, as a share of it: a figure is held at a shoulder or at a head.
LIFT_SD = 0.25
# How far from the figure's place its middle may be, in heights: nobody tapped the feet it is held by.
_LEANING = 0.1
# A lying figure is this thick, in standing heights (rendered figures, and modelled ones that fell).
_LYING_THICKNESS = 0.42


@dataclass(frozen=True, eq=False)
class Below:
    """A figure that may be below: how it was seen alone, its plan view (N, 2) in ring cm, its height in cm as
    it stands or lies, and its id."""

    fighter: str
    silhouette: Silhouette
    outline: Array
    top_cm: float


@dataclass(frozen=True, eq=False)
class Stacked:
    """On whom a figure is, how far above the table in cm with its sd, and xy (2,) of its middle up there."""

    on: str
    lift_cm: float
    lift_sd_cm: float
    xy: Array

    def covariance(self, camera: Camera, height_cm: float) -> Array:
        """Of the place (2, 2), in cm^2: along the view how far up it is counts, and how it leans anywhere."""
        away = view_at(camera, self.xy).away
        gone = float(np.hypot(*(self.xy - camera.centre[:2])))
        up = SHARE_OF_HEIGHT * height_cm + self.lift_cm
        along = self.lift_sd_cm * gone / (float(camera.centre[2]) - up)
        return np.asarray(along**2 * np.outer(away, away) + (_LEANING * height_cm) ** 2 * np.eye(2))


def top_of(height_cm: float, lies: bool) -> float:
    """How high a figure reaches that stands or lies, in cm."""
    return _LYING_THICKNESS * height_cm if lies else height_cm


def stacked_on(
    silhouette: Silhouette, height_cm: float, camera: Camera, others: Sequence[Below]
) -> Stacked | None:
    """On which of the others a figure is, or None when it stands on the table as far as can be seen."""
    found = [
        (hidden, Stacked(other.fighter, other.top_cm, LIFT_SD * other.top_cm, held))
        for other in others
        if (hidden := _hidden(silhouette, other.silhouette)) >= _LEAST_HIDDEN
        and (held := _held_up(silhouette, height_cm, camera, other)) is not None
    ]
    return max(found, key=lambda one: one[0])[1] if found else None


def _hidden(upper: Silhouette, lower: Silhouette) -> float:
    """How much of the one the other hides, as a share of the hiding one's area."""
    height, width = lower.alpha.shape
    places = (upper.pixels - np.asarray(lower.origin)).astype(np.int64)
    inside = ((places >= 0) & (places < [width, height])).all(axis=1)
    covered = lower.alpha[places[inside, 1], places[inside, 0]] > 0.5
    return float(np.count_nonzero(covered) / max(len(places), 1))


def _held_up(silhouette: Silhouette, height_cm: float, camera: Camera, other: Below) -> Array | None:
    """Where the figure is if it stands on the other's top: xy (2,), None where nothing would hold it or where
    it would rather stand on the table before the other."""
    z = SHARE_OF_HEIGHT * height_cm
    if other.top_cm + z >= camera.centre[2]:
        return None
    px = silhouette.steady_centroid.reshape(1, 2)
    on_table, held = (camera.to_plane(px, z + lift)[0] for lift in (0.0, other.top_cm))
    away = view_at(camera, on_table).away
    middle = (other.outline.min(axis=0) + other.outline.max(axis=0)) / 2
    if float((middle - on_table) @ away) > _IN_FRONT * height_cm:
        return None
    beside = -cv2.pointPolygonTest(
        np.ascontiguousarray(other.outline, np.float32), (float(held[0]), float(held[1])), measureDist=True
    )
    return np.asarray(held) if beside <= _BESIDE * height_cm else None
