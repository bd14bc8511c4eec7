"""Where in the picture fighters can be, and how large a centimetre is there."""

from __future__ import annotations

from functools import cached_property

import cv2
import numpy as np

from calibration.camera import Camera
from vision.arrays import Floats, Mask

Rect = tuple[int, int, int, int]

# Fighters may be thrown out of the ring: this much table around it is watched.
RINGSIDE_CM = 20.0
# No fighter is taller (catalogue: 12-18 cm figures).
TALLEST_CM = 20.0


class TableView:
    """The table as one camera sees it: ring of width and depth in cm, ringside around it."""

    def __init__(self, camera: Camera, width_cm: float, depth_cm: float) -> None:
        self.camera = camera
        self.width_cm = width_cm
        self.depth_cm = depth_cm
        self._scales: dict[tuple[int, int, int], float] = {}

    @cached_property
    def mat(self) -> Mask:
        """(H, W): the mat's pixels, a centimetre inside its edges."""
        return self._filled(self._box(-1.0, 0.0))

    @cached_property
    def watched(self) -> Mask:
        """(H, W): every pixel in which a fighter in the ring or at ringside could show."""
        return self._filled(self._box(RINGSIDE_CM, 0.0)) | self._filled(self._box(RINGSIDE_CM, TALLEST_CM))

    @cached_property
    def rect(self) -> Rect:
        """The watched region's bounding box u0, v0, u1, v1 (half open)."""
        rows, cols = np.flatnonzero(self.watched.any(axis=1)), np.flatnonzero(self.watched.any(axis=0))
        return int(cols[0]), int(rows[0]), int(cols[-1]) + 1, int(rows[-1]) + 1

    def px_per_cm(self, pixel: Floats, z: float) -> float:
        """How many pixels a centimetre covers at the height z under a pixel (2,), on average over axes."""
        here = self.camera.to_plane(np.asarray(pixel)[None], z)[0]
        around = here + np.array([[0.5, 0.0], [-0.5, 0.0], [0.0, 0.5], [0.0, -0.5]])
        u, v, w, x = self.camera.project(np.column_stack([around, np.full(4, z)]))
        return float(np.sqrt(np.linalg.norm(u - v) * np.linalg.norm(w - x)))

    def scale_at(self, pixel: Floats, z: float) -> float:
        """`px_per_cm`, remembered on a grid of 64 pixels and whole centimetres: for gates, not measuring."""
        u, v, height = int(pixel[0]) // 64, int(pixel[1]) // 64, round(z)
        if (u, v, height) not in self._scales:
            centre = np.array([u * 64 + 32.0, v * 64 + 32.0])
            self._scales[u, v, height] = self.px_per_cm(centre, float(height))
        return self._scales[u, v, height]

    def window(self, ground: Floats, radius_cm: float, height_cm: float) -> Rect:
        """The picture box of an upright box of a radius and height over a ground point (2,), clipped."""
        corners = [
            (ground[0] + du * radius_cm, ground[1] + dv * radius_cm, z)
            for du in (-1, 1)
            for dv in (-1, 1)
            for z in (0.0, height_cm)
        ]
        pixels = self.camera.project(np.array(corners))
        width, height = self.camera.size
        u0, v0 = np.floor(pixels.min(axis=0)).astype(int)
        u1, v1 = np.ceil(pixels.max(axis=0)).astype(int) + 1
        return max(0, u0), max(0, v0), min(width, u1), min(height, v1)

    def _box(self, margin_cm: float, z: float) -> Floats:
        x, y = self.width_cm / 2 + margin_cm, self.depth_cm / 2 + margin_cm
        return np.array([[-x, y, z], [x, y, z], [x, -y, z], [-x, -y, z]])

    def _filled(self, corners: Floats) -> Mask:
        """Fill the projection of a ring quadrilateral; its edges are followed because lenses bend them."""
        steps = np.linspace(0.0, 1.0, 16, endpoint=False)[:, None]
        edges = [a + (b - a) * steps for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True)]
        polygon = np.clip(np.round(self.camera.project(np.concatenate(edges))), -30_000, 30_000)
        mask = np.zeros(self.camera.size[::-1], dtype=np.uint8)
        cv2.fillPoly(mask, [polygon.astype(np.int32)], 1)
        return np.asarray(mask > 0)
