"""Wide-angle lenses: the equidistant model fitted to views of a board by OpenCV's fisheye module."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.camera import Array
from calibration.errors import CalibrationError
from calibration.intrinsics import Intrinsics
from calibration.projection import project_with_jacobian
from calibration.sentences import Said


@dataclass(frozen=True, eq=False)
class WideFit:
    """The lens, K (3, 3) and dist (4,), with poses and residuals (N, 2) by view.

    Derivatives (2N, 6 + 8) are by a view's pose and the lens.
    """

    K: Array
    dist: Array
    rvecs: list[Array]
    tvecs: list[Array]
    residuals: list[Array]
    derivatives: list[Array]


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
    turns = [np.asarray(one, np.float64).ravel() for one in rvecs]
    places = [np.asarray(one, np.float64).ravel() for one in tvecs]
    residuals: list[Array] = []
    derivatives: list[Array] = []
    for point, pixel, rvec, tvec in zip(points, pixels, turns, places, strict=True):
        seen, by = project_with_jacobian(point, rvec, tvec, K, dist, wide=True)
        residuals.append(pixel - seen)
        derivatives.append(by.reshape(-1, 15)[:, :14])
    return WideFit(K, dist, turns, places, residuals, derivatives)
