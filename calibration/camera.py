"""The full camera model: where a point of the ring frame falls in the picture, and back.

Ring frame: centimetres, origin at the centre of the mat, x right, y away from the near side, z up.
Pixels: u right, v down, pixel centres at integers. Distortion in OpenCV's order (k1, k2, p1, p2, k3).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# Undistortion is iterative; this is far below any pixel noise (0.0001 px) and still cheap.
_UNDISTORT_CRITERIA = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 40, 1e-9)


@dataclass(frozen=True, eq=False)
class Camera:
    """A pinhole camera with distortion at a pose.

    K is (3, 3) in pixels, dist is (5,) in OpenCV's order, rvec (3,) and tvec (3,) take ring
    centimetres to camera centimetres, size is (width, height) in pixels.
    """

    K: Array
    dist: Array
    rvec: Array
    tvec: Array
    size: tuple[int, int]

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
        if len(points) == 0:
            return np.empty((0, 2))
        pixels, _ = cv2.projectPoints(points, self.rvec, self.tvec, self.K, self.dist)
        return np.asarray(pixels, dtype=np.float64).reshape(-1, 2)

    def rays(self, pixels: Array) -> Array:
        """Directions (N, 3) in the ring frame, camera-z length 1, of the rays through pixels (N, 2)."""
        pixels = np.asarray(pixels, dtype=np.float64).reshape(-1, 2)
        if len(pixels) == 0:
            return np.empty((0, 3))
        normal = cv2.undistortPoints(
            pixels.reshape(-1, 1, 2), self.K, self.dist, None, None, None, _UNDISTORT_CRITERIA
        ).reshape(-1, 2)
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
