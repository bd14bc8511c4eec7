"""The full camera model: where a point of the ring frame falls in the picture, and back.

Ring frame: centimetres, origin at the centre of the mat, x right, y away from the near side, z up.
Pixels: u right, v down, pixel centres at integers. The lens models stand in `calibration.projection`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from calibration.projection import Array, project, tangents

__all__ = ["Array", "Camera"]


@dataclass(frozen=True, eq=False)
class Camera:
    """A camera at a pose.

    K is (3, 3) in pixels, dist is (5,) as the plain or, with `wide`, the wide-angle model has it, rvec (3,)
    and tvec (3,) take ring centimetres to camera centimetres, size is (width, height) in pixels.
    """

    K: Array
    dist: Array
    rvec: Array
    tvec: Array
    size: tuple[int, int]
    wide: bool = False

    @cached_property
    def rotation(self) -> Array:
        """The (3, 3) rotation from the ring frame to the camera frame."""
        return np.asarray(cv2.Rodrigues(self.rvec)[0], dtype=np.float64)

    @cached_property
    def centre(self) -> Array:
        """The optical centre in the ring frame, (3,) in cm."""
        return -self.rotation.T @ self.tvec

    def project(self, points: Array) -> Array:
        """Project ring points (N, 3) in cm to pixels (N, 2)."""
        points = np.asarray(points, dtype=np.float64).reshape(-1, 3)
        return project(points, self.rvec, self.tvec, self.K, self.dist, wide=self.wide)

    def rays(self, pixels: Array) -> Array:
        """Directions (N, 3) in the ring frame, camera-z length 1, of the rays through pixels (N, 2).

        NaN where the lens sees nothing.
        """
        pixels = np.asarray(pixels, dtype=np.float64).reshape(-1, 2)
        normal = tangents(pixels, self.K, self.dist, wide=self.wide)
        camera_rays = np.column_stack([normal, np.ones(len(normal))])
        return np.asarray(camera_rays @ self.rotation, dtype=np.float64)

    def to_plane(self, pixels: Array, z: float | Array = 0.0) -> Array:
        """Where the rays through pixels (N, 2) meet the height(s) z in cm: ring x, y (N, 2).

        Rows whose ray runs parallel to the plane or away from it are NaN.
        """
        rays = self.rays(pixels)
        with np.errstate(divide="ignore", invalid="ignore"):
            scale = (np.asarray(z, dtype=np.float64) - self.centre[2]) / rays[:, 2]
        points = self.centre[:2] + scale[:, None] * rays[:, :2]
        points[~(scale > 0)] = np.nan
        return np.asarray(points, dtype=np.float64)
