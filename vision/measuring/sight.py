"""What one silhouette says, linearly, about where a standing figure is.

With h the unit error of its height, f the camera's unit factors and e the error of the guess in cm:

    where the sole is guessed to be = ground point + H h + C f + e
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.result import RingCalibration
from vision.measuring.silhouette import SHARE_OF_HEIGHT
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
    """A sole guessed through the camera: raw plane point (2,), H (2,), C (2, P), and the covariances (2, 2)
    of its error: what the guess may be off, and what pixels, light and time add."""

    raw: Array
    by_height: Array
    by_camera: Array
    of_guess: Array
    of_pixels: Array


def beyond_trained(height_cm: float, sd_cm: float) -> float:
    """The sd in cm of a height told with an sd that the errors of guesses do not hold already."""
    return float(np.sqrt(max(sd_cm**2 - (_TRAINED_HEIGHT_SD * height_cm) ** 2, 0.0)))


def sight(calibration: RingCalibration, shown: Shown, height_sd_cm: float, camera_root: Array) -> Sight:
    """What a figure shows when it faces as `shown` says; its height was told with an sd."""
    faced = shown.faced(shown.facing)
    stand = faced.look.stand
    cm = stand.height_cm
    px, z = shown.px.reshape(1, 2), SHARE_OF_HEIGHT * cm
    by_guess = cm * stand.axes @ faced.guess.sole_root
    # a figure that is told taller is believed larger all over, with its middle further up
    by_height = calibration.plane_jacobian_z(px, z)[0] * SHARE_OF_HEIGHT + stand.axes @ faced.guess.sole
    by_px = calibration.plane_jacobian_px(px, z)[0]
    return Sight(
        faced.xy,
        by_height * beyond_trained(cm, height_sd_cm),
        calibration.plane_jacobian(px, z)[0] @ camera_root,
        by_guess @ by_guess.T,
        by_px @ shown.px_covariance @ by_px.T,
    )
