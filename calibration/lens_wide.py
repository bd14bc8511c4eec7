"""Wide-angle lenses: fitted with the equidistant model, then said in the plain one that everything else uses.

Kannala and Brandt, A Generic Camera Model and Calibration Method for Conventional, Wide-Angle and Fish-Eye
Lenses, PAMI 2006, as in OpenCV's fisheye module.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from scipy.optimize import least_squares

from calibration.camera import Array
from calibration.errors import CalibrationError
from calibration.intrinsics import Intrinsics
from calibration.sentences import Said

# Where the plain model must follow the wide one: a grid over the picture, to this angle off the axis. No
# plain model follows one farther, and a ring that fills the picture's height lies within.
_GRID = (25, 19)
_WIDEST_DEG = 55.0
# The columns of OpenCV's fisheye derivatives: focal lengths, centre, k1 to k4; then the pose; then skew.
_LENS, _POSE = slice(0, 8), slice(8, 14)


@dataclass(frozen=True, eq=False)
class WideFit:
    """The wide-angle fit: poses and residuals by view, derivatives (2N, 6 + 8) by pose and lens.

    plain is the plain model nearest to it, mismatch_px their root mean square distance in the picture, and
    by_wide (9, 8) the derivative of the plain model by the wide one.
    """

    rvecs: list[Array]
    tvecs: list[Array]
    residuals: list[Array]
    derivatives: list[Array]
    plain: Intrinsics
    mismatch_px: float
    by_wide: Array
    by_mismatch: Array

    def plain_covariance(self, wide: Array) -> Array:
        """The plain model's covariance (9, 9): of the wide one's (8, 8), and of their difference."""
        return np.asarray(self.by_wide @ wide @ self.by_wide.T + self.by_mismatch, dtype=np.float64)


def fit_wide(points: Sequence[Array], pixels: Sequence[Array], start: Intrinsics) -> WideFit:
    """Fit the wide-angle model to boards' points (N, 3) seen at pixels (N, 2). Raises CalibrationError."""
    flags = cv2.CALIB_RECOMPUTE_EXTRINSIC | cv2.CALIB_FIX_SKEW | cv2.CALIB_USE_INTRINSIC_GUESS
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_COUNT, 200, 1e-10)
    try:
        _, matrix, bend, rvecs, tvecs = cv2.fisheye.calibrate(
            [one.reshape(1, -1, 3) for one in points],
            [one.reshape(1, -1, 2) for one in pixels],
            start.size,
            start.K.copy(),
            np.zeros((4, 1)),
            flags=flags,
            criteria=criteria,
        )
    except cv2.error:
        raise CalibrationError(
            Said(
                "error.lens.not_wide",
                "the wide-angle model does not fit these pictures: take more with the board near the edges "
                "of the picture, or leave --fisheye out",
            )
        ) from None
    K, dist = np.asarray(matrix, np.float64), np.asarray(bend, np.float64).ravel()
    residuals: list[Array] = []
    derivatives: list[Array] = []
    for point, pixel, rvec, tvec in zip(points, pixels, rvecs, tvecs, strict=True):
        seen, slope = cv2.fisheye.projectPoints(point.reshape(-1, 1, 3), rvec, tvec, K, dist)
        by = np.asarray(slope, np.float64)
        residuals.append(pixel - np.asarray(seen, np.float64).reshape(-1, 2))
        derivatives.append(np.hstack([by[:, _POSE], by[:, _LENS]]))
    plain, off, by_wide, by_mismatch = _plain(K, dist, start)
    return WideFit(
        [np.asarray(one, np.float64).ravel() for one in rvecs],
        [np.asarray(one, np.float64).ravel() for one in tvecs],
        residuals,
        derivatives,
        plain,
        off,
        by_wide,
        by_mismatch,
    )


def _plain(K: Array, dist: Array, start: Intrinsics) -> tuple[Intrinsics, float, Array, Array]:
    """The plain model nearest to a wide one over the picture, their distance, and its derivatives."""
    rays = _rays(K, dist, start.size)
    seen, by = cv2.fisheye.projectPoints(rays.reshape(-1, 1, 3), np.zeros(3), np.zeros(3), K, dist)
    goal = np.asarray(seen, np.float64).reshape(-1, 2)

    def off(vector: Array) -> Array:
        return (_projected(vector, rays)[0] - goal).ravel()

    def slope(vector: Array) -> Array:
        return _projected(vector, rays)[1]

    solved = least_squares(off, start.vector(), jac=slope, x_scale="jac")
    vector = np.asarray(solved.x, np.float64)
    error = float(np.sqrt(np.square(off(vector)).reshape(-1, 2).sum(axis=1).mean()))
    steep = slope(vector)
    information = np.linalg.inv(steep.T @ steep)
    by_wide = information @ steep.T @ np.asarray(by, np.float64)[:, _LENS]
    # As large as the difference of the models is on average over the picture.
    by_mismatch = information * error**2 * len(rays) / len(vector)
    fx, fy, cx, cy = vector[:4]
    matrix = np.array([[fx, 0.0, cx], [0.0, fy, cy], [0.0, 0.0, 1.0]])
    return Intrinsics(matrix, vector[4:], start.size), error, by_wide, by_mismatch


def _rays(K: Array, dist: Array, size: tuple[int, int]) -> Array:
    """Directions (N, 3) of a grid of pixels, but for those too far off the axis for any plain model."""
    u, v = np.meshgrid(np.linspace(0, size[0] - 1, _GRID[0]), np.linspace(0, size[1] - 1, _GRID[1]))
    pixels = np.column_stack([u.ravel(), v.ravel()]).reshape(-1, 1, 2)
    flat = np.asarray(cv2.fisheye.undistortPoints(pixels, K, dist), np.float64).reshape(-1, 2)
    near = np.hypot(*flat.T) < np.tan(np.radians(_WIDEST_DEG))
    return np.column_stack([flat[near], np.ones(int(near.sum()))])


def _projected(vector: Array, rays: Array) -> tuple[Array, Array]:
    """Pixels (N, 2) of rays under the plain model's nine numbers, and derivatives (2N, 9)."""
    fx, fy, cx, cy = vector[:4]
    K = np.array([[fx, 0.0, cx], [0.0, fy, cy], [0.0, 0.0, 1.0]])
    pixels, by = cv2.projectPoints(rays, np.zeros(3), np.zeros(3), K, vector[4:])
    return np.asarray(pixels, np.float64).reshape(-1, 2), np.asarray(by, np.float64)[:, 6:15]
