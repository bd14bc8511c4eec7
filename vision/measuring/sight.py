"""What one silhouette says, linearly, about where a standing figure is.

With g the unit factors of the figure's errors (see `vision.measuring.ground`):

    where the sole is guessed to be = ground point + B g
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.result import RingCalibration
from vision.measuring.belief import root_of
from vision.measuring.silhouette import SHARE_OF_HEIGHT
from vision.shape.errors import features, own_share
from vision.shape.look import Faced

Array = NDArray[np.float64]

# The share of its height by which the training's figures were told wrong: their errors hold it already.
_TRAINED_HEIGHT_SD = 0.015


@dataclass(frozen=True, eq=False)
class Shown:
    """A standing figure in one fragment.

    The steady middle px (2,) of its silhouette with its covariance (2, 2) in px^2 (all that pixels, light and
    time add), what is believed of it for any `facing`, and that facing with its sd in radians, of which
    `told_sd` is that of the facing told at first, which all fragments share; with probability `rival_share`
    the facing is `rival` instead.
    """

    px: Array
    px_covariance: Array
    faced: Callable[[float], Faced]
    facing: float
    facing_sd: float
    told_sd: float = 0.0
    rival: float = 0.0
    rival_share: float = 0.0


@dataclass(frozen=True, eq=False)
class Sight:
    """A sole guessed through the camera: raw plane point, B (2, Q), camera (2, P), own covariance (2, 2), of
    which `by_look` (2, 2) is what the guess adds to that of the pixels."""

    raw: Array
    by_figure: Array
    by_camera: Array
    own: Array
    by_look: Array


def beyond_trained(height_cm: float, sd_cm: float) -> float:
    """The sd in cm of a height told with an sd that the errors of guesses do not hold already."""
    return float(np.sqrt(max(sd_cm**2 - (_TRAINED_HEIGHT_SD * height_cm) ** 2, 0.0)))


def sight(
    calibration: RingCalibration,
    shown: Shown,
    height_sd_cm: float,
    camera_root: Array,
    *,
    first: bool = False,
) -> Sight:
    """What a figure shows when it faces as `shown` says; its height was told with an sd. What is wrong with
    the `first` look alone is learned from a tap, and so among the unknowns."""
    faced = shown.faced(shown.facing)
    stand = faced.look.stand
    cm = stand.height_cm
    px, z = shown.px.reshape(1, 2), SHARE_OF_HEIGHT * cm
    by_guess = cm * stand.axes @ faced.guess.sole_root
    # a figure that is told taller is believed larger all over, with its middle further up
    by_height = calibration.plane_jacobian_z(px, z)[0] * SHARE_OF_HEIGHT + stand.axes @ faced.guess.sole
    by_px = calibration.plane_jacobian_px(px, z)[0]
    by_look = by_guess @ np.diag(own_share()) @ by_guess.T
    own = by_px @ shown.px_covariance @ by_px.T + by_look
    shared = [-by_guess @ features(faced.azimuth), by_height * beyond_trained(cm, height_sd_cm)]
    by_camera = calibration.plane_jacobian(px, z)[0] @ camera_root
    nothing = np.zeros((2, 2))
    if first:
        return Sight(faced.xy, np.column_stack([*shared, root_of(own)]), by_camera, nothing, nothing)
    return Sight(faced.xy, np.column_stack([*shared, nothing]), by_camera, own, by_look)
