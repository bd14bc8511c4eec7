"""A hand in a picture: its outline around its landmarks, the ends to measure, and whether it is open."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array
from calibration.palm import Kind, Posture
from calibration.palm_marks import INDEX, LITTLE, MIDDLE, THUMB, WRIST, Marks

_FINGERS = (THUMB, INDEX, MIDDLE, (13, 14, 15, 16), LITTLE)
# Between the directions of index and little finger, and of thumb and little finger, in degrees.
_SPREAD_DEG, _WIDE_DEG, _TOGETHER_DEG = 22.0, 45.0, 16.0
# A finger that bends more than this in all its joints is not stretched.
_BENT_DEG = 50.0
# The hand is cut out of the picture with this much around it, in lengths from wrist to finger root, and its
# outline is worked out on a crop of this size.
_AROUND, _WORK_PX = 1.0, 360
# The foremost bit of a fingertip, in lengths of its last link.
_FOREMOST = 0.06
_ROUNDS = 4


def posture(marks: Marks) -> Posture:
    """Whether a hand is open, closed (fingers together), or neither: half open or bent."""
    along = {finger: marks.pixels[finger[3]] - marks.pixels[finger[0]] for finger in _FINGERS}
    straight = all(_bend(marks, finger) < _BENT_DEG for finger in _FINGERS[1:])
    spread = _angle(along[INDEX], along[LITTLE])
    if straight and spread >= _SPREAD_DEG and _angle(along[THUMB], along[LITTLE]) >= _WIDE_DEG:
        return "open"
    return "closed" if straight and spread < _TOGETHER_DEG else "half_open"


def ends_of(image: NDArray[np.uint8], marks: Marks, kind: Kind) -> Array:
    """The two ends of a hand to measure, (2, 2) in pixels: at its outline, where landmarks lie inside."""
    mask, scale, corner = _cut_out(image, marks)
    local = (marks.pixels - corner) * scale
    ends = _tips(mask, local) if kind == "open" else _sides(mask, local)
    return np.asarray(ends / scale + corner, dtype=np.float64)


def _cut_out(image: NDArray[np.uint8], marks: Marks) -> tuple[NDArray[np.uint8], float, Array]:
    """The hand's mask on a crop of a workable size, its scale, and the crop's corner in the picture.

    GrabCut (Rother, Kolmogorov and Blake 2004), begun with the bones as hand and what is far off as not.
    """
    reach = _AROUND * marks.length
    low = np.maximum(np.floor(marks.pixels.min(axis=0) - reach), 0).astype(int)
    high = np.minimum(np.ceil(marks.pixels.max(axis=0) + reach), image.shape[1::-1]).astype(int)
    crop = image[low[1] : high[1], low[0] : high[0]]
    scale = _WORK_PX / max(crop.shape[:2])
    size = (max(1, round(crop.shape[1] * scale)), max(1, round(crop.shape[0] * scale)))
    small = cv2.resize(crop, size, interpolation=cv2.INTER_AREA)
    local = (marks.pixels - low) * scale
    thick = max(2, round(0.07 * marks.length * scale))
    near = np.zeros(small.shape[:2], np.uint8)
    bones = near.copy()
    for finger in _FINGERS:
        line = np.round(local[[WRIST, *finger]]).astype(np.int32)
        cv2.polylines(near, [line], False, 255, 7 * thick)
        cv2.polylines(bones, [line], False, 255, thick)
    palm = np.round(local[[WRIST, 1, INDEX[0], MIDDLE[0], 13, LITTLE[0]]]).astype(np.int32)
    cv2.fillPoly(near, [palm], 255)
    cv2.fillPoly(bones, [palm], 255)
    labels = np.where(near > 0, np.uint8(cv2.GC_PR_BGD), np.uint8(cv2.GC_BGD))
    labels[cv2.dilate(bones, np.ones((3, 3), np.uint8), iterations=thick) > 0] = cv2.GC_PR_FGD
    labels[bones > 0] = cv2.GC_FGD
    state = np.zeros((2, 1, 65))
    cv2.setRNGSeed(0)
    cv2.grabCut(small, labels, (0, 0, 0, 0), state[0], state[1], _ROUNDS, cv2.GC_INIT_WITH_MASK)
    hand = np.isin(labels, (cv2.GC_FGD, cv2.GC_PR_FGD)).astype(np.uint8)
    _, parts = cv2.connectedComponents(hand)
    middle = np.round(local[MIDDLE[0]]).astype(int)
    mask = (parts == parts[middle[1], middle[0]]).astype(np.uint8)
    return np.asarray(mask, np.uint8), scale, low.astype(np.float64)


def _tips(mask: NDArray[np.uint8], marks: Array) -> Array:
    """The ends of thumb and little finger: what they reach farthest with, along their last links."""
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    outline = max(outlines, key=cv2.contourArea).reshape(-1, 2).astype(np.float64)
    return np.stack([_tip(outline, marks[finger[3]], marks[finger[2]]) for finger in (THUMB, LITTLE)])


def _tip(outline: Array, tip: Array, joint: Array) -> Array:
    """The end of the finger whose last link goes from joint to tip; without an outline the landmark."""
    ahead = tip - joint
    link = float(np.linalg.norm(ahead))
    close = outline[np.linalg.norm(outline - tip, axis=1) < link]
    if len(close) == 0:
        return tip
    reach = (close - tip) @ ahead / link
    # A round end has no corner: the middle of its foremost bit.
    return np.asarray(close[reach > reach.max() - _FOREMOST * link].mean(axis=0), dtype=np.float64)


def _sides(mask: NDArray[np.uint8], marks: Array) -> Array:
    """The two points of the outline straight across the fingers, at the roots of index and little finger."""
    first, last = marks[INDEX[0]], marks[LITTLE[0]]
    finger = marks[MIDDLE[3]] - marks[MIDDLE[0]]
    across = np.array([-finger[1], finger[0]]) / np.linalg.norm(finger)
    along = across if across @ (first - last) > 0 else -across
    middle = (first + last) / 2
    ends = []
    for way in (along, -along):
        step, place = 0.0, middle
        while _inside(mask, middle + (step + 0.5) * way):
            step += 0.5
            place = middle + step * way
        ends.append(place)
    return np.stack(ends)


def _inside(mask: NDArray[np.uint8], point: Array) -> bool:
    u, v = np.round(point).astype(int)
    return 0 <= v < mask.shape[0] and 0 <= u < mask.shape[1] and bool(mask[v, u])


def _bend(marks: Marks, finger: tuple[int, ...]) -> float:
    """How much a finger bends in its two joints, in degrees, as the camera sees it."""
    links = np.diff(marks.pixels[list(finger)], axis=0)
    return _angle(links[0], links[1]) + _angle(links[1], links[2])


def _angle(one: Array, two: Array) -> float:
    cosine = one @ two / (np.linalg.norm(one) * np.linalg.norm(two))
    return float(np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0))))
