"""The silhouette of a figure in one fragment: its pixels, its steady middle, and the view onto it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera

Array = NDArray[np.float64]

# The height of the steady middle of a stout standing figure, over its own (0.46-0.50, by moves with large
# turns); what a figure departs from it is guessed by the learned prior (`vision.shape`).
SHARE_OF_HEIGHT = 0.475

# The matte's odds are believed to within this factor: strict and lenient readings divide and multiply by it.
_DOUBT = 20.0
# Pixels whose share of the figure is not nearer to 0 or 1 than this are undecided.
_UNDECIDED = 0.02


@dataclass(frozen=True, eq=False)
class Silhouette:
    """A soft matte (H, W) 0-1 with its crop's upper left pixel (u, v), and the crop (H, W, 3) BGR 0-255 that
    it was cut out of, where its shading is to be read too."""

    origin: tuple[int, int]
    alpha: NDArray[np.float32]
    crop: NDArray[np.float32] | None = None

    @cached_property
    def steady_centroid(self) -> Array:
        """The middle (2,) in px of the silhouette, each pixel weighed by the root of its depth inside.

        Arms, tails and ears appear and hide with the view; weighed by how far inside the outline they
        lie, thin parts count less than the trunk, and the middle stays on one point of the body.
        """
        return self._centroid(self.alpha)

    @cached_property
    def centroid_doubt(self) -> Array:
        """Half of what the middle (2,) moves, in px, from a strict to a lenient reading of the matte."""
        odds = np.clip(self.alpha, 1e-4, 1 - 1e-4)
        odds = odds / (1 - odds)
        strict, lenient = (odds * f / (1 + odds * f) for f in (1 / _DOUBT, _DOUBT))
        if not (strict > 0.5).any():
            return np.asarray(np.std(self.pixels, axis=0))
        return (self._centroid(lenient) - self._centroid(strict)) / 2

    @cached_property
    def edge_sd(self) -> float:
        """How uncertain the outline is, in px: it may lie anywhere in the rim of undecided pixels.

        That rim is half a pixel wide where colours differ, and several pixels for white on cream. Light and
        shadow then push the outline of a whole side, and the middle with it.
        """
        undecided = np.count_nonzero((self.alpha > _UNDECIDED) & (self.alpha < 1 - _UNDECIDED))
        solid = (self.alpha > 0.5).astype(np.uint8)
        outlines, _ = cv2.findContours(solid, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        length = sum(len(outline) for outline in outlines)
        return float(undecided / max(length, 1) / np.sqrt(12.0))

    def _centroid(self, alpha: NDArray[np.float32]) -> Array:
        solid = (alpha > 0.5).astype(np.uint8)
        # the crop's border is not the figure's outline, but a figure that touches it ends there for us
        framed = cv2.copyMakeBorder(solid, 1, 1, 1, 1, cv2.BORDER_CONSTANT)
        depth = cv2.distanceTransform(framed, cv2.DIST_L2, 5)[1:-1, 1:-1]
        weight = alpha.astype(np.float64) * np.sqrt(depth)
        rows, columns = np.arange(weight.shape[0]), np.arange(weight.shape[1])
        middle = np.array([weight.sum(axis=0) @ columns, weight.sum(axis=1) @ rows]) / weight.sum()
        return np.asarray(middle + np.asarray(self.origin, dtype=np.float64))

    @cached_property
    def pixels(self) -> Array:
        """The pixels (N, 2) inside the silhouette."""
        rows, columns = np.nonzero(self.alpha > 0.5)
        return np.column_stack([columns, rows]).astype(np.float64) + np.asarray(self.origin, np.float64)


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
