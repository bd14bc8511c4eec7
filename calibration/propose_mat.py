"""The mat in a picture without any clicks: the even, four-cornered surface in the middle, roughly.

From places in the middle of a small picture regions of similar colour are grown, with several tolerances;
the region that is best described by four straight sides, with a step of colour along all of them, is the mat.
What stands on it or reaches over it only bites pieces out of the region: its convex hull closes them.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array

_WIDE = 400  # the small picture's width
_SEEDS = (0.3, 0.4, 0.5, 0.6, 0.7)
_TOLERANCES = (5, 8, 12, 17, 24)
_CLOSED = 9
_SMALLEST, _LARGEST = 0.05, 0.9  # of the picture
_OUT, _SAMPLES = 3.0, 40  # how far inside and outside the step is looked for, px, and how often along a side
_STEP = 12.0  # Lab units that count as a full step
# Pictures of rings and tables that were found rightly: 0.94 and more; wrongly: 0.63 and less.
_LEAST_SCORE = 0.7
# A mat is of one colour: at least so much of what lies in the quadrilateral differs by less than this (Lab)
# from what is usual there. Clips with figures and hands: 0.77 and more; chequered boards: 0.56 and less.
_EVEN, _ALIKE = 0.65, (30, 12, 12)
_STRAIGHT = 0.93  # how much of its quadrilateral a mat fills at least


@dataclass(frozen=True, eq=False)
class Mat:
    """The four corners (4, 2) px in the order far-left, far-right, near-right, near-left; score 0 to 1."""

    corners: Array
    score: float


def rough_mat(image: NDArray[np.uint8]) -> Mat | None:
    """The mat in a BGR picture, to a few pixels; None when nothing looks like one."""
    step = max(1.0, image.shape[1] / _WIDE)
    size = (round(image.shape[1] / step), round(image.shape[0] / step))
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    smooth = np.asarray(cv2.medianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2LAB), 5), dtype=np.uint8)
    best: Mat | None = None
    for u, v, tolerance in product(_SEEDS, _SEEDS, _TOLERANCES):
        seed = (int(u * size[0]), int(v * size[1]))
        corners = _four_sided(_grown(smooth, seed, tolerance))
        if corners is None:
            continue
        score = _score(smooth, corners)
        better = score >= _LEAST_SCORE and (best is None or score > best.score)
        if better and _evenness(smooth, corners) >= _EVEN:
            best = Mat(corners, score)
    if best is None:
        return None
    # Pixel centres are at integers: the middle of a small pixel is the middle of those it was made of.
    return Mat((ordered(best.corners) + 0.5) * step - 0.5, best.score)


def ordered(corners: Array) -> Array:
    """Four corners (4, 2) as far-left, far-right, near-right, near-left: clockwise from the upper left."""
    middle = corners.mean(axis=0)
    around = corners[np.argsort(np.arctan2(*(corners - middle).T[::-1]))]
    first = int(np.argmin(around.sum(axis=1)))
    return np.roll(around, -first, axis=0)


def _grown(lab: NDArray[np.uint8], seed: tuple[int, int], tolerance: int) -> NDArray[np.uint8]:
    """The region around a seed that is of the seed's colour, closed."""
    mask = np.zeros((lab.shape[0] + 2, lab.shape[1] + 2), dtype=np.uint8)
    # Light falls off over a mat, its tint hardly changes.
    range_ = (2 * tolerance, tolerance, tolerance)
    flags = 4 | cv2.FLOODFILL_MASK_ONLY | cv2.FLOODFILL_FIXED_RANGE | (255 << 8)
    cv2.floodFill(lab.copy(), mask, seed, (0, 0, 0), range_, range_, flags)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (_CLOSED, _CLOSED))
    opened = cv2.morphologyEx(mask[1:-1, 1:-1], cv2.MORPH_OPEN, kernel[::2, ::2])
    return np.asarray(cv2.morphologyEx(opened, cv2.MORPH_CLOSE, kernel), dtype=np.uint8)


def _four_sided(mask: NDArray[np.uint8]) -> Array | None:
    """The four corners of a region's hull; None when it is too small, too large or not four-sided."""
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not contours:
        return None
    hull = cv2.convexHull(max(contours, key=cv2.contourArea))
    area = cv2.contourArea(hull)
    if not _SMALLEST * mask.size < area < _LARGEST * mask.size:
        return None
    corners = cv2.approxPolyN(hull, 4, None, -1.0, True).reshape(-1, 2).astype(np.float64)
    if len(corners) != 4:
        return None
    around = float(cv2.contourArea(corners.astype(np.float32)))
    return corners if around > 0 and area / around > _STRAIGHT else None


def _score(lab: NDArray[np.uint8], corners: Array) -> float:
    """How plain a step of colour there is along the four sides, the faintest counting most; 0 to 1."""
    middle = corners.mean(axis=0)
    height, width = lab.shape[:2]
    steps = []
    for begin, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        along = begin + np.linspace(0.1, 0.9, _SAMPLES)[:, None] * (end - begin)
        normal = np.array([end[1] - begin[1], begin[0] - end[0]])
        normal = normal / max(float(np.linalg.norm(normal)), 1e-9)
        normal = normal if normal @ (along.mean(axis=0) - middle) > 0 else -normal
        outer = along + _OUT * normal
        inside = (outer >= 0).all(axis=1) & (outer < np.array([width - 1, height - 1])).all(axis=1)
        if inside.mean() < 0.5:
            return 0.0
        differ = np.linalg.norm(_read(lab, along - _OUT * normal) - _read(lab, outer), axis=1)
        steps.append(float(np.clip(differ / _STEP, 0.0, 1.0)[inside].mean()))
    return (min(steps) + float(np.mean(steps))) / 2


def _evenness(lab: NDArray[np.uint8], corners: Array) -> float:
    """How much of a quadrilateral is of its usual colour, 0 to 1; on a bold pattern no edge is the mat's."""
    mask = np.zeros(lab.shape[:2], dtype=np.uint8)
    cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), 1)
    inside = lab[mask > 0].astype(np.int16)
    if len(inside) == 0:
        return 0.0
    return float((np.abs(inside - np.median(inside, axis=0)) < _ALIKE).all(axis=1).mean())


def _read(lab: NDArray[np.uint8], places: Array) -> Array:
    where = places.astype(np.float32)
    read = cv2.remap(lab, where[:, :1], where[:, 1:], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return read[:, 0].astype(np.float64)
