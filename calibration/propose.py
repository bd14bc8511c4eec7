"""Corners and post tops proposed from a picture alone, for a person to confirm or drag.

The mat is found roughly, its edges exactly; a camera is solved from its corners, edges and ropes, tells where
the post tops should be, and the picture tells where they are. Proposals only: the clicks are the referee's.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array
from calibration.errors import CalibrationError
from calibration.intrinsics import Intrinsics
from calibration.propose_edges import refined_corners
from calibration.propose_mat import rough_mat
from calibration.propose_posts import find_tops
from calibration.result import RingCalibration
from calibration.ring import RingSpec
from calibration.sentences import Said
from calibration.solve import calibrate

_ROUGH_SD_PX, _FINE_SD_PX, _FOUND_SD_PX = 5.0, 1.5, 1.0
_REACHES = (0.01, 0.005)  # in picture widths: 13 and 6 px of 1280
_FARTHEST = 3.5  # sds: a corner that the camera puts further off than this was not understood by it


@dataclass(frozen=True, eq=False)
class Proposal:
    """Corners and tops (4, 2) px in the usual order; score 0 to 1 says how plain the mat was."""

    corners_px: Array
    post_tops_px: Array
    score: float


def propose(
    image: NDArray[np.uint8],
    width_cm: float,
    depth_cm: float,
    post_height_cm: float,
    *,
    intrinsics: Intrinsics | None = None,
) -> Proposal:
    """Find a ring of these sizes in a BGR picture (best the mean of many).

    Raises CalibrationError when there is nothing like a mat, or no camera sees such a ring so.
    """
    mat = rough_mat(image)
    if mat is None:
        raise CalibrationError(
            Said(
                "error.propose.no_mat",
                "no mat was found in the picture: click the four corners and the post tops yourself, or give "
                "the mat a plain colour that differs from the table",
            )
        )
    size = (image.shape[1], image.shape[0])
    corners = mat.corners
    for share in _REACHES:
        corners = refined_corners(image, corners, share * size[0])
    spec = RingSpec(width_cm, depth_cm, post_height_cm, corners)
    sd_px = _FINE_SD_PX
    try:
        seen = _solved(spec, size, sd_px, image, intrinsics)
    except CalibrationError:
        # A hand over a corner can lead two edges astray; the whole outline knew it roughly.
        spec, sd_px = replace(spec, corners_px=mat.corners), _ROUGH_SD_PX
        seen = _solved(spec, size, sd_px, image, intrinsics)
    spec = replace(
        spec, corners_px=_near(seen.camera.project(spec.corners()), spec.corners_px, _FARTHEST * sd_px)
    )
    tops = find_tops(image, _solved(spec, size, _FOUND_SD_PX, image, intrinsics))
    return Proposal(spec.corners_px, tops, mat.score)


def _solved(
    spec: RingSpec,
    size: tuple[int, int],
    sd_px: float,
    image: NDArray[np.uint8] | None,
    intrinsics: Intrinsics | None,
) -> RingCalibration:
    return calibrate(spec, size, image=image, intrinsics=intrinsics, corner_sd_px=sd_px)


def _near(corners: Array, before: Array, farthest_px: float) -> Array:
    """The corners, but where they ran away those from before."""
    away = np.linalg.norm(corners - before, axis=1)
    good = np.isfinite(away) & (away < farthest_px)
    return np.where(good[:, None], corners, before)
