"""How far the rim of a plan view may be off: little across the view, more along it.

An oblique silhouette shows both sides of a figure sharply; how deep it is, and how much of its length in the
picture is height, has to be guessed. So a gap between two figures side by side is known to a millimetre or
two, one behind the other to several (`python -m datasets.errorbars` measures whether gaps hold).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.result import RingCalibration
from vision.measuring.silhouette import SHARE_OF_HEIGHT
from vision.shape.upright import Stand

Array = NDArray[np.float64]


def outline_covariance(
    calibration: RingCalibration, middle_px: Array, stand: Stand, sds: tuple[float, float]
) -> Array:
    """The covariance (2, 2) in cm^2 of a point of a figure's plan view, with the camera's error in it; `sds`
    are the shape's own, away and across, in heights."""
    cm = stand.height_cm
    _, covariance = calibration.plane_points(middle_px.reshape(1, 2), SHARE_OF_HEIGHT * cm)
    return np.asarray(stand.axes @ np.diag(np.square(sds) * cm**2) @ stand.axes.T + covariance[0])
