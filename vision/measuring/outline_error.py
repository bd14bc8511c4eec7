"""How far the rim of a plan view may be off: little across the view, much along it.

An oblique silhouette shows both sides of a figure sharply; how deep it is, and how much of its length in the
picture is height, has to be believed. So a gap between two figures side by side is known to a millimetre or
two, one behind the other to a centimetre. The shares of the height below are what modelled figures' outlines
were off by (`python -m datasets.errorbars` measures whether gaps hold).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from calibration.result import RingCalibration
from vision.fighters import FighterClass
from vision.measuring.silhouette import SHARE_OF_HEIGHT, view_at

Array = NDArray[np.float64]

# In heights: the sd of a rim across the view, along it when seen from straight above, and what every cm that
# the view leans away per cm of height adds to that.
_ACROSS, _ALONG_ABOVE = 0.015, 0.033
_ALONG_BY_SLOPE: Mapping[FighterClass | None, float] = MappingProxyType(
    {"humanoid": 0.1, "beast": 0.13, "absurd": 0.165, None: 0.145}
)


def outline_covariance(
    calibration: RingCalibration, middle_px: Array, height_cm: float, kind: FighterClass | None
) -> Array:
    """The covariance (2, 2) in cm^2 of a point of a figure's plan view, with the camera's error in it."""
    xy, covariance = calibration.plane_points(middle_px.reshape(1, 2), SHARE_OF_HEIGHT * height_cm)
    view = view_at(calibration.camera, xy[0])
    along = height_cm * (_ALONG_ABOVE + _ALONG_BY_SLOPE[kind] * view.slope)
    rims = np.outer(view.away, view.away) * along**2
    rims += np.outer(view.across, view.across) * (_ACROSS * height_cm) ** 2
    return np.asarray(rims + covariance[0])
