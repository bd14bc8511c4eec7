"""Where posts and ropes are in the picture: pixels that say nothing about a fighter.

An orange tail that touches a red rope cost 30 mm before posts and ropes were masked everywhere.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.result import RingCalibration
from calibration.ring import CORNER_SIGNS
from calibration.ropes import rope_line

POST_WIDTH_CM = 2.6
ROPE_WIDTH_CM = 0.4
_ROPE_PIECES = 32  # a lens bends a rope: it is drawn as a chain
_FRACTION_BITS = 4


def furniture_mask(
    calibration: RingCalibration,
    margin_px: float = 2.0,
    *,
    post_width_cm: float = POST_WIDTH_CM,
    rope_width_cm: float = ROPE_WIDTH_CM,
) -> NDArray[np.bool_]:
    """(height, width) True where a post or a rope is, widened by margin_px.

    Posts are square pillars of post_width_cm on the mat's corners; ropes are those whose heights the
    calibration found in the picture.
    """
    width, height = calibration.size
    canvas = np.zeros((height, width), dtype=np.uint8)
    for outline in _post_outlines(calibration, post_width_cm):
        cv2.fillConvexPoly(canvas, _fixed(outline), 255, shift=_FRACTION_BITS)
    for chain in _rope_chains(calibration):
        thickness = max(1, round(rope_width_cm * _px_per_cm(calibration, chain)))
        cv2.polylines(canvas, [_fixed(chain)], False, 255, thickness, shift=_FRACTION_BITS)
    if margin_px > 0:
        # Distance to the nearest furniture pixel: exact for any margin, unlike a square kernel.
        away = cv2.distanceTransform(255 - canvas, cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
        return np.asarray(away <= margin_px, dtype=np.bool_)
    return np.asarray(canvas > 0, dtype=np.bool_)


def _post_outlines(calibration: RingCalibration, width_cm: float) -> list[NDArray[np.float64]]:
    """The picture outline of every post, (M, 2) pixels each."""
    spec = calibration.spec
    if spec.post_height_cm == 0:
        return []
    outlines = []
    for foot in spec.post_feet():
        square = foot[:2] + CORNER_SIGNS * width_cm / 2
        both = [np.column_stack([square, np.full(4, z)]) for z in (0.0, spec.post_height_cm)]
        seen = calibration.camera.project(np.concatenate(both))
        outlines.append(cv2.convexHull(seen.astype(np.float32)).reshape(-1, 2).astype(np.float64))
    return outlines


def _rope_chains(calibration: RingCalibration) -> list[NDArray[np.float64]]:
    """Every rope as a chain of pixels (M, 2)."""
    share = np.linspace(0.0, 1.0, _ROPE_PIECES + 1)[:, None]
    chains = []
    for height in calibration.rope_heights_cm:
        for side in range(4):
            begin, end = rope_line(calibration.spec, side, height)
            chains.append(calibration.camera.project(begin + share * (end - begin)))
    return chains


def _px_per_cm(calibration: RingCalibration, chain: NDArray[np.float64]) -> float:
    length_px = float(np.linalg.norm(np.diff(chain, axis=0), axis=1).sum())
    return length_px / min(calibration.spec.width_cm, calibration.spec.depth_cm)


def _fixed(points: NDArray[np.float64]) -> NDArray[np.int32]:
    """Pixels as OpenCV's fixed-point integers."""
    return np.asarray(np.round(points * 2**_FRACTION_BITS), dtype=np.int32)
