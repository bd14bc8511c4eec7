"""An open hand on the mat by its outline alone: what to fall back on without landmarks.

What is not the mat and of a hand's size is the hand. The largest circle in it is the palm; what reaches out
of a wider circle are the fingers, and the broadest of these is the arm. A closed hand has no outline that a
figure could not have too, and is left to pointing.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array
from calibration.palm import Posture

# A pixel is no mat when its colour is so many of the mat's own sds away; lightness counts less: shadows.
_OFF_MAT, _LIGHT_WEIGHT = 5.0, 0.35
_LEAST_SD = 1.5
# What a hand covers on the mat, in square cm, with and without a forearm.
_AREA_CM2 = (45.0, 700.0)
# The radius of a palm's circle in cm, and the circle outside which fingers are apart, in palm radii.
_RADIUS_CM = (2.2, 6.0)
_APART = 2.0
# A finger reaches so far from the palm's middle, in palm radii: no knuckle, and no rope.
_REACH, _FARTHEST = 2.3, 4.8
# So many fingers apart make a hand that is half open.
_SOME = (3, 4)
_FOREMOST = 0.05


@dataclass(frozen=True, eq=False)
class Shape:
    """A hand's outline: open with its two ends (2, 2) px, thumb first, or half open without."""

    posture: Posture
    tips: Array | None


@dataclass(frozen=True, eq=False)
class _Part:
    """What reaches out of the circle: pixels (N, 2), how broad it leaves, how far it reaches, and where."""

    pixels: Array
    broad: float
    reach: float
    angle: float


def find_shape(image: NDArray[np.uint8], mat: Array, px_per_cm: float) -> Shape | None:
    """The hand on the mat, a polygon (4, 2) in a picture (H, W, 3) BGR; None when nothing is like one."""
    inside = np.zeros(image.shape[:2], np.uint8)
    cv2.fillPoly(inside, [np.round(mat).astype(np.int32)], 1)
    for mask in _candidates(image, inside, px_per_cm):
        depth = cv2.distanceTransform(mask, cv2.DIST_L2, 5)
        radius = float(depth.max())
        if _RADIUS_CM[0] <= radius / px_per_cm <= _RADIUS_CM[1]:
            v, u = np.unravel_index(int(np.argmax(depth)), depth.shape)
            shape = _shape(mask, np.array([float(u), float(v)]), radius)
            if shape is not None:
                return shape
    return None


def _candidates(
    image: NDArray[np.uint8], inside: NDArray[np.uint8], px_per_cm: float
) -> list[NDArray[np.uint8]]:
    """Masks of what is not the mat and of a hand's size, the largest first."""
    lab = cv2.cvtColor(cv2.GaussianBlur(image, (5, 5), 0), cv2.COLOR_BGR2LAB).astype(np.float64)
    own = lab[inside > 0]
    middle = np.median(own, axis=0)
    sd = np.maximum(1.4826 * np.median(np.abs(own - middle), axis=0), _LEAST_SD)
    off = (lab - middle) / sd * [_LIGHT_WEIGHT, 1.0, 1.0]
    foreign = ((np.sqrt(np.square(off).sum(axis=2)) > _OFF_MAT) & (inside > 0)).astype(np.uint8)
    size = max(3, round(0.2 * px_per_cm)) | 1
    solid = cv2.morphologyEx(foreign, cv2.MORPH_CLOSE, np.ones((size, size), np.uint8))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(solid)
    areas = stats[1:, cv2.CC_STAT_AREA] / px_per_cm**2
    order = [int(n) for n in np.argsort(-areas) if _AREA_CM2[0] <= areas[n] <= _AREA_CM2[1]]
    return [np.asarray(labels == n + 1, np.uint8) for n in order]


def _shape(mask: NDArray[np.uint8], centre: Array, radius: float) -> Shape | None:
    """What a mask's fingers make of it; None for something without a hand's fingers."""
    parts = _parts(mask, centre, radius)
    if not parts:
        return None
    arm = max(parts, key=lambda part: part.broad) if len(parts) > 1 else None
    fingers = [part for part in parts if part is not arm and _REACH < part.reach / radius < _FARTHEST]
    if arm is not None and len(fingers) == 5:
        return Shape("open", _tips(fingers, arm, centre, radius))
    return Shape("half_open", None) if arm is not None and len(fingers) in _SOME else None


def _parts(mask: NDArray[np.uint8], centre: Array, radius: float) -> list[_Part]:
    outside = mask.copy()
    cv2.circle(outside, (round(centre[0]), round(centre[1])), round(_APART * radius), (0,), -1)
    count, labels = cv2.connectedComponents(outside)
    found = []
    for number in range(1, count):
        v, u = np.nonzero(labels == number)
        pixels = np.column_stack([u, v]).astype(np.float64)
        away = np.linalg.norm(pixels - centre, axis=1)
        if away.max() < (_APART + 0.15) * radius:
            continue
        rim = pixels[away < _APART * radius + 2.0]
        if len(rim) == 0:
            continue
        spread = rim - rim.mean(axis=0)
        broad = float(np.ptp(spread @ np.linalg.svd(spread, full_matrices=False)[2][0]))
        toward = rim.mean(axis=0) - centre
        found.append(_Part(pixels, broad, float(away.max()), float(np.arctan2(toward[1], toward[0]))))
    return found


def _tips(fingers: list[_Part], arm: _Part, centre: Array, radius: float) -> Array:
    """The ends of the two fingers beside the arm; the thumb, farther from its neighbour, comes first."""
    ordered = sorted(fingers, key=lambda part: (part.angle - arm.angle) % (2 * np.pi))
    gaps = np.diff([(part.angle - arm.angle) % (2 * np.pi) for part in ordered])
    ends = [_foremost(part, centre, radius) for part in (ordered[0], ordered[-1])]
    return np.stack(ends if gaps[0] > gaps[-1] else ends[::-1])


def _foremost(part: _Part, centre: Array, radius: float) -> Array:
    root = part.pixels[np.linalg.norm(part.pixels - centre, axis=1) < (_APART + 0.2) * radius].mean(axis=0)
    away = part.pixels[int(np.argmax(np.linalg.norm(part.pixels - root, axis=1)))] - root
    reach = (part.pixels - root) @ away / np.linalg.norm(away)
    return np.asarray(part.pixels[reach > (1 - _FOREMOST) * reach.max()].mean(axis=0), dtype=np.float64)
