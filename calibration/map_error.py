"""How sure a standing figure's place is, over the table: by the camera's covariance and the usual finding.

A figure's place is taken from the middle of its silhouette, which is a few centimetres up, and from one tap
on its feet. What goes in is what a calibrated table has anyway: the camera, the height of that middle, and
how well middle and tap are found in the picture.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibration.camera import Array
from calibration.result import RingCalibration

# 95 % of a normal error lie within so many standard deviations.
_TWO_SIDED_95 = 1.96
_GRID = 61
_MM = 10.0


@dataclass(frozen=True)
class Finding:
    """How a figure is usually found: its middle's height with its sd in cm, and two sds in pixels."""

    middle_cm: float = 7.0
    middle_sd_cm: float = 0.25
    middle_sd_px: float = 0.5
    tap_sd_px: float = 1.5


@dataclass(frozen=True, eq=False)
class ErrorMap:
    """The 95 % error in mm over the table: mm[i, j] at y[i], x[j] in cm; NaN where no camera looks."""

    x: Array
    y: Array
    mm: Array


def error_mm(calibration: RingCalibration, xy: Array, finding: Finding = Finding()) -> Array:
    """The 95 % error in mm of figures standing at xy (N, 2), in their worst direction, (N,)."""
    points = np.asarray(xy, dtype=np.float64).reshape(-1, 2)
    heights = np.full(len(points), finding.middle_cm)
    middles = calibration.camera.project(np.column_stack([points, heights]))
    feet = calibration.camera.project(np.column_stack([points, np.zeros(len(points))]))
    noise = np.eye(2) * finding.middle_sd_px**2
    _, covariance = calibration.plane_points(middles, finding.middle_cm, noise, finding.middle_sd_cm)
    by_tap = calibration.plane_jacobian_px(feet, 0.0) * finding.tap_sd_px
    covariance = covariance + by_tap @ by_tap.transpose(0, 2, 1)
    lost = np.isnan(covariance.sum(axis=(1, 2)))
    worst = np.linalg.eigvalsh(np.where(lost[:, None, None], np.eye(2), covariance))[:, 1]
    found = _MM * _TWO_SIDED_95 * np.sqrt(worst)
    found[lost] = np.nan
    return np.asarray(found, dtype=np.float64)


def error_map(calibration: RingCalibration, around_cm: float, finding: Finding = Finding()) -> ErrorMap:
    """The error over the mat and so much table around it."""
    half_x, half_y = calibration.spec.half + around_cm
    x, y = np.linspace(-half_x, half_x, _GRID), np.linspace(-half_y, half_y, _GRID)
    xs, ys = np.meshgrid(x, y)
    points = np.column_stack([xs.ravel(), ys.ravel()])
    return ErrorMap(x, y, error_mm(calibration, points, finding).reshape(_GRID, _GRID))
