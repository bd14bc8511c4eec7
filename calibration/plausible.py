"""Whether a solution can be a real camera over a real ring."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.adjust import Fit
from calibration.camera import Array
from calibration.errors import CalibrationError
from calibration.intrinsics import Intrinsics
from calibration.noise import Clicks
from calibration.remarks import Remark
from calibration.ring import RingSpec
from calibration.sentences import Said

_FOCAL_IN_WIDTHS = (0.3, 4.0)  # 118 to 14 degrees across
# A click this share of the ring's diagonal away from any camera's prediction is no click noise.
_LARGEST_RESIDUAL = 0.018
_LEAST_RESIDUAL_PX = 5.0
# A click this far off is worth telling a person, when enough of it was checked by other evidence (of its two
# degrees of freedom), and three at a time are enough to do.
_TOLD_PX = 2.5
_CHECKED = 1.0
_MOST = 3


def check_size(size: tuple[int, int], image: NDArray[np.uint8] | None, intrinsics: Intrinsics | None) -> None:
    """Raise CalibrationError when picture, lens and stated size differ."""
    if min(size) <= 0:
        raise CalibrationError(
            Said(
                "error.picture.no_pixels",
                "a picture of {width}x{height} has no pixels: check the camera",
                width=size[0],
                height=size[1],
            )
        )
    if image is not None and (image.ndim != 3 or image.shape[2] != 3):
        raise CalibrationError(
            Said(
                "error.picture.grey",
                "the picture must have three colour channels: switch the camera to colour",
            )
        )
    if image is not None and (image.shape[1], image.shape[0]) != tuple(size):
        raise CalibrationError(
            Said(
                "error.picture.other_size",
                "the picture is {w}x{h} but the corners were clicked on {width}x{height}: click "
                "them on this picture or set the camera to that size",
                w=image.shape[1],
                h=image.shape[0],
                width=size[0],
                height=size[1],
            )
        )
    if intrinsics is not None and tuple(intrinsics.size) != tuple(size):
        raise CalibrationError(
            Said(
                "error.lens.other_size",
                "the lens was calibrated at {w}x{h} but the picture is {width}x{height}: set the "
                "camera to that size or calibrate the lens again",
                w=intrinsics.size[0],
                h=intrinsics.size[1],
                width=size[0],
                height=size[1],
            )
        )


def check_fit(fit: Fit, spec: RingSpec, clicks: Clicks) -> None:
    """Raise CalibrationError when no camera fits the clicks, or only one that nobody owns."""
    camera = fit.camera
    if not np.isfinite(fit.parameters).all():
        raise CalibrationError(
            Said(
                "error.fit.none",
                "no camera fits these clicks: check the ring's sizes and click the corners again",
            )
        )
    away = _away(clicks, fit)
    diagonal = float(np.linalg.norm(np.ptp(spec.corners_px, axis=0)))
    worst = int(np.argmax(away))
    if away[worst] > max(_LEAST_RESIDUAL_PX, _LARGEST_RESIDUAL * diagonal):
        raise CalibrationError(
            Said(
                "error.fit.click",
                "no camera fits these clicks: the {click} is {px:.0f} px off at best; check "
                "width_cm, depth_cm and post_height_cm, and click the corners and post tops again",
                click=Said(f"ring.name.{clicks.names[worst].replace(' ', '_')}", clicks.names[worst]),
                px=away[worst],
            )
        )
    if camera.centre[2] <= 0:
        raise CalibrationError(
            Said(
                "error.fit.under",
                "the only camera that fits looks from under the table: check the order of the "
                "corners and the post tops",
            )
        )
    focal = camera.K[0, 0] / max(camera.size)
    if not _FOCAL_IN_WIDTHS[0] <= focal <= _FOCAL_IN_WIDTHS[1]:
        raise CalibrationError(
            Said(
                "error.fit.focal",
                "the camera that fits would have a focal length of {focal:.2f} picture widths, "
                "which no webcam has: check post_height_cm and the post tops, or calibrate the "
                "lens",
                focal=focal,
            )
        )


def clicks_off(clicks: Clicks, fit: Fit) -> tuple[Remark, ...]:
    """The clicks that everything else contradicts, furthest off first."""
    away = _away(clicks, fit)
    freedom = fit.freedom[: len(clicks)]
    told = [index for index in np.argsort(-away) if away[index] >= _TOLD_PX and freedom[index] > _CHECKED]
    return tuple(
        Remark("click_off", {"px": float(away[i])}, {"click": clicks.names[i]}) for i in told[:_MOST]
    )


def _away(clicks: Clicks, fit: Fit) -> Array:
    """How far every click is from where the camera sees its point, (N,) px."""
    return np.asarray(
        np.linalg.norm(clicks.seen.predicted(fit.camera, fit.slips) - clicks.seen.pixels, axis=1)
    )
