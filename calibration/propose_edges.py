"""The corners of a mat that is known to a few pixels: where the ends of its four sides meet.

Across every side profiles are read from the inside out, and the mat ends where its colour does: at the
table or at a rope that hangs right beside it. A lens bends a side, so a parabola is laid through these
places, and the line through the parabola's two ends goes through the corners.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array
from calibration.profiles import LEAST_POINTS, on_one_curve

_SAMPLES = 96
_MARGIN = 0.08  # of a side, next to the corners, that a post may hide
_STEP_PX = 0.25
_DEEPER_PX = 6.0  # so much more is read on the inside
_LASTING = 6  # steps
_LEAST_CHANGE = 6.0  # Lab units; less is the mat's own pattern
_FARTHEST = 1.6  # reaches: a corner that runs further stays where it was


def refined_corners(image: NDArray[np.uint8], corners: Array, reach_px: float) -> Array:
    """The corners (4, 2) px, clockwise from the far left, moved to where the sides within reach_px meet."""
    smooth = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2LAB), (0, 0), 0.8)
    lab = np.asarray(smooth, dtype=np.uint8)
    lines = [_side(lab, corners[side], corners[(side + 1) % 4], reach_px) for side in range(4)]
    found = np.array([_crossing(lines[corner - 1], lines[corner]) for corner in range(4)])
    away = np.linalg.norm(found - corners, axis=1)
    near = np.isfinite(away) & (away < _FARTHEST * reach_px)
    return np.where(near[:, None], found, corners)


def _side(lab: NDArray[np.uint8], begin: Array, end: Array, reach: float) -> tuple[Array, Array]:
    """The two ends of a side as the picture shows it; as it was where it shows none."""
    share = np.linspace(_MARGIN, 1 - _MARGIN, _SAMPLES)
    along = end - begin
    # Clockwise on the screen, the mat lies to the right and the outside to the left.
    outward = np.array([along[1], -along[0]]) / max(float(np.linalg.norm(along)), 1e-9)
    offsets = np.arange(-reach - _DEEPER_PX, reach + _STEP_PX / 2, _STEP_PX)
    where = (begin + share[:, None, None] * along + offsets[None, :, None] * outward).astype(np.float32)
    read = cv2.remap(lab, where[..., 0], where[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    shift = _ends(read.astype(np.float64), offsets)
    keep = on_one_curve(share, shift)
    if keep.sum() < LEAST_POINTS:
        return begin, end
    curve = np.polynomial.Polynomial.fit(share[keep], shift[keep], 2)
    return begin + float(curve(0.0)) * outward, end + float(curve(1.0)) * outward


def _ends(profiles: Array, offsets: Array) -> Array:
    """Where every profile (S, L, 3) leaves the mat's colour for good, in px; NaN where it does not."""
    # Ropes cross the mat near its edge: the usual colour of the whole inner part is the mat's.
    inner = offsets < offsets[0] / 4
    # The light changes along a side: every profile has its own mat, steadied by its neighbours.
    mat = cv2.blur(np.median(profiles[:, inner], axis=1), (1, 9))
    change = np.linalg.norm(profiles - mat[:, None, :], axis=2)
    level = np.maximum(_LEAST_CHANGE, 0.5 * np.percentile(change, 85, axis=1))
    found = np.full(len(profiles), np.nan)
    for row, (values, limit) in enumerate(zip(change, level, strict=True)):
        # A rope or a figure before the mat is not its end: it ends where its colour is seen last, and a
        # speck of the table is not the mat, which has to last for a pixel and a half.
        lasting = np.convolve(values <= limit, np.ones(_LASTING), mode="full")[: len(values)] >= _LASTING
        at = len(values) - 1 - int(np.argmax(lasting[::-1]))
        if lasting.any() and at + 1 < len(values):
            found[row] = offsets[at] + _STEP_PX * (limit - values[at]) / (values[at + 1] - values[at])
    return found


def _crossing(one: tuple[Array, Array], other: tuple[Array, Array]) -> Array:
    """Where the lines through two pairs of points meet, (2,)."""
    matrix = np.column_stack([one[1] - one[0], other[0] - other[1]])
    if abs(np.linalg.det(matrix)) < 1e-6:
        return np.full(2, np.nan)
    share = np.linalg.solve(matrix, other[0] - one[0])
    return np.asarray(one[0] + share[0] * (one[1] - one[0]), dtype=np.float64)
