"""The silhouette of a figure in one fragment: its pixels, its steady middle, and the view onto it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Silhouette:
    """A soft matte (H, W) 0-1 with its crop's upper left pixel (u, v)."""

    origin: tuple[int, int]
    alpha: NDArray[np.float32]

    @cached_property
    def steady_centroid(self) -> Array:
        """The middle (2,) in px of the silhouette, each pixel weighed by the root of its depth inside.

        Arms, tails and ears appear and hide with the view; weighed by how far inside the outline they
        lie, thin parts count less than the trunk, and the middle stays on one point of the body.
        """
        solid = (self.alpha > 0.5).astype(np.uint8)
        # the crop's border is not the figure's outline, but a figure that touches it ends there for us
        depth = cv2.distanceTransform(
            cv2.copyMakeBorder(solid, 1, 1, 1, 1, cv2.BORDER_CONSTANT), cv2.DIST_L2, 5
        )
        weight = self.alpha.astype(np.float64) * np.sqrt(depth[1:-1, 1:-1])
        total = weight.sum()
        rows, columns = np.arange(weight.shape[0]), np.arange(weight.shape[1])
        middle = np.array([weight.sum(axis=0) @ columns, weight.sum(axis=1) @ rows]) / total
        return np.asarray(middle + np.asarray(self.origin, dtype=np.float64))

    @cached_property
    def pixels(self) -> Array:
        """The pixels (N, 2) inside the silhouette."""
        rows, columns = np.nonzero(self.alpha > 0.5)
        return np.column_stack([columns, rows]).astype(np.float64) + np.asarray(self.origin, np.float64)

    def touches_border(self, size: tuple[int, int]) -> bool:
        """Whether the silhouette runs out of a picture of size (width, height)."""
        low, high = self.pixels.min(axis=0), self.pixels.max(axis=0)
        return bool((low <= 0).any() or (high >= np.asarray(size) - 1).any())


@dataclass(frozen=True, eq=False)
class View:
    """How the camera looks at a place: `away` (2,) the unit vector in the plane away from the camera,
    `across` (2,) a quarter turn counter-clockwise from it, `slope` cm moved away per cm of height."""

    away: Array
    across: Array
    slope: float


def view_at(camera: Camera, xy: Array) -> View:
    """The view onto the ring at xy (2,) in cm."""
    gap = xy - camera.centre[:2]
    distance = float(np.hypot(*gap))
    # straight below the camera no direction is away: any will do, nothing leans
    away = gap / distance if distance > 1e-9 else np.array([0.0, 1.0])
    return View(away, np.array([-away[1], away[0]]), distance / float(camera.centre[2]))
