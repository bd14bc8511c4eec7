"""The two lens models: where a point falls in the picture, with derivatives, and back.

Plain: Brown's, dist = k1, k2, p1, p2, k3 (OpenCV's order). Wide: the equidistant model of Kannala and Brandt,
A Generic Camera Model and Calibration Method for Conventional, Wide-Angle and Fish-Eye Lenses, PAMI 2006, as
in OpenCV's fisheye module: dist = k1, k2, k3, k4 and a zero, so that with K both are nine numbers.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# Undistortion is iterative; this is far below any pixel noise (0.0001 px) and still cheap.
_CRITERIA = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 40, 1e-9)
_NEWTON = 30
# A ray so far off the axis meets no plane in front of the camera.
_WIDEST = np.radians(89.0)


def project(points: Array, rvec: Array, tvec: Array, K: Array, dist: Array, *, wide: bool) -> Array:
    """Pixels (N, 2) of points (N, 3)."""
    if len(points) == 0:
        return np.empty((0, 2))
    if wide:
        pixels, _ = cv2.fisheye.projectPoints(points.reshape(-1, 1, 3), rvec, tvec, K, dist[:4])
    else:
        pixels, _ = cv2.projectPoints(points, rvec, tvec, K, dist)
    return np.asarray(pixels, dtype=np.float64).reshape(-1, 2)


def project_with_jacobian(
    points: Array, rvec: Array, tvec: Array, K: Array, dist: Array, *, wide: bool
) -> tuple[Array, Array]:
    """Pixels (N, 2) of points (N, 3), and derivatives (N, 2, 15) by rvec, tvec, fx, fy, cx, cy and dist."""
    if len(points) == 0:
        return np.empty((0, 2)), np.empty((0, 2, 15))
    if not wide:
        pixels, jacobian = cv2.projectPoints(points, rvec, tvec, K, dist)
        by = np.asarray(jacobian, dtype=np.float64).reshape(-1, 2, 15)
        return np.asarray(pixels, dtype=np.float64).reshape(-1, 2), by
    pixels, jacobian = cv2.fisheye.projectPoints(points.reshape(-1, 1, 3), rvec, tvec, K, dist[:4])
    # OpenCV's order here: focal lengths, centre, k1 to k4, rotation, translation, skew.
    given = np.asarray(jacobian, dtype=np.float64).reshape(-1, 2, 15)
    by = np.zeros_like(given)
    by[..., :6], by[..., 6:14] = given[..., 8:14], given[..., :8]
    return np.asarray(pixels, dtype=np.float64).reshape(-1, 2), by


def tangents(pixels: Array, K: Array, dist: Array, *, wide: bool) -> Array:
    """The rays through pixels (N, 2) as x / z and y / z in the camera's frame; NaN where there is none."""
    if len(pixels) == 0:
        return np.empty((0, 2))
    if wide:
        return _wide_tangents(pixels, K, dist)
    flat = cv2.undistortPoints(pixels.reshape(-1, 1, 2), K, dist, None, None, None, _CRITERIA)
    return np.asarray(flat, dtype=np.float64).reshape(-1, 2)


def straightened(
    image: NDArray[np.uint8], K: Array, dist: Array, target: Array, *, wide: bool
) -> NDArray[np.uint8]:
    """A picture as a lens without distortion, with the matrix `target`, would have taken it."""
    if wide:
        return np.asarray(cv2.fisheye.undistortImage(image, K, dist[:4], None, target), dtype=np.uint8)
    return np.asarray(cv2.undistort(image, K, dist, None, target), dtype=np.uint8)


def _wide_tangents(pixels: Array, K: Array, dist: Array) -> Array:
    y = (pixels[:, 1] - K[1, 2]) / K[1, 1]
    x = (pixels[:, 0] - K[0, 2] - K[0, 1] * y) / K[0, 0]
    bent = np.hypot(x, y)
    powers = np.arange(3, 11, 2)
    angle = np.minimum(bent, _WIDEST)
    for _ in range(_NEWTON):
        value = angle + (dist[:4] * angle[:, None] ** powers).sum(axis=1)
        slope = 1.0 + (dist[:4] * powers * angle[:, None] ** (powers - 1)).sum(axis=1)
        angle = np.clip(angle - (value - bent) / np.where(np.abs(slope) > 1e-6, slope, 1e-6), 0.0, _WIDEST)
    value = angle + (dist[:4] * angle[:, None] ** powers).sum(axis=1)
    # Where the angle ran to its limit, or the model bends back on itself, the lens sees nothing there.
    found = np.abs(value - bent) < 1e-9
    share = np.where(bent > 1e-12, np.tan(angle) / np.maximum(bent, 1e-12), 1.0)
    return np.where(found[:, None], np.column_stack([x, y]) * share[:, None], np.nan)
