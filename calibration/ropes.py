"""The ring's ropes in the picture: their heights by a scan, then points on them.

A rope runs over every edge of the mat from post to post, at the same height on all sides. At its height,
the predicted line lies on a thin ridge of another colour than both its neighbours; at any other height
it lies beside it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array, Camera
from calibration.profiles import LEAST_POINTS, STEP_PX, on_one_curve, read_profiles
from calibration.ring import RingSpec

_HEIGHT_STEP_CM = 0.1
_LOWEST_CM = 1.0
_PEAK_STEPS = 3
_SLACK_STEPS = 3
_LEAST_GAP_CM = 1.5  # two ropes are never nearer
_HALF_WIDTH_PX = 3.0  # the neighbours of a rope are read this far from its middle
_LEAST_RIDGE = 6.0  # Lab units against both neighbours
_CLEAR_OVER_USUAL = 4.0  # times the median of all heights
_FAINTEST = 0.22  # of the plainest rope on the same side: a gap between two ropes is fainter
_LEAST_SIDES = 3  # the gap between two ropes can look like a rope from one pair of sides
_ALONE_PX = 9.0  # a rope nearer to another line in the picture has no flanks of its own
_REACH_PX = 3.0


@dataclass(frozen=True, eq=False)
class RopeFinds:
    """heights_cm (R,), and points on the ropes: pixels (N, 2), side (N,) 0 far to 3 left, rope (N,) index."""

    heights_cm: Array
    pixels: Array
    side: NDArray[np.intp]
    rope: NDArray[np.intp]


def find_ropes(image: NDArray[np.uint8], camera: Camera, spec: RingSpec) -> RopeFinds:
    """Ropes between the table and the post tops, in a BGR picture; empty when there are none."""
    lab = cv2.cvtColor(image, cv2.COLOR_BGR2LAB).astype(np.float32)
    heights = rope_heights(lab, camera, spec)
    pixels, sides, ropes = [np.empty((0, 2))], [np.empty(0, np.intp)], [np.empty(0, np.intp)]
    for rope, height in enumerate(heights):
        for side in range(4):
            if not _stands_alone(camera, spec, side, rope, heights):
                continue
            found = _rope_points(lab, camera, spec, side, float(height))
            pixels.append(found)
            sides.append(np.full(len(found), side, dtype=np.intp))
            ropes.append(np.full(len(found), rope, dtype=np.intp))
    return RopeFinds(heights, np.concatenate(pixels), np.concatenate(sides), np.concatenate(ropes))


def rope_line(spec: RingSpec, side: int, height: float) -> tuple[Array, Array]:
    """The two ends (3,) of a rope at a height in cm over an edge of the mat, clockwise on the screen."""
    ends = spec.post_feet()[[side, (side + 1) % 4]]
    ends[:, 2] = height
    return ends[0], ends[1]


def rope_heights(lab: NDArray[np.float32], camera: Camera, spec: RingSpec) -> Array:
    """Heights in cm at which at least three sides show a rope, lowest first."""
    heights = np.arange(_LOWEST_CM, spec.post_height_cm, _HEIGHT_STEP_CM)
    if len(heights) == 0:
        return heights
    ridge = np.array([[_ridge(lab, camera, spec, side, float(h)) for h in heights] for side in range(4)])
    floor = np.maximum(_LEAST_RIDGE, _CLEAR_OVER_USUAL * np.median(ridge, axis=1, keepdims=True))
    floor = np.maximum(floor, _FAINTEST * ridge.max(axis=1, keepdims=True))
    # A rope is a peak of its side, perhaps a little beside where it peaks on another side.
    peak = (ridge > floor) & (ridge >= _highest_near(ridge, _PEAK_STEPS))
    sides = _highest_near(peak, _SLACK_STEPS).sum(axis=0)
    score = np.minimum(ridge / floor, 2.0).sum(axis=0)
    found: list[float] = []
    for index in np.argsort(-score):
        if sides[index] < _LEAST_SIDES:
            continue
        if all(abs(heights[index] - height) >= _LEAST_GAP_CM for height in found):
            found.append(float(heights[index]))
    return np.array(sorted(found))


def _highest_near(rows: NDArray[Any], steps: int) -> NDArray[Any]:
    """The largest value within so many steps along each row."""
    padded = np.pad(rows, ((0, 0), (steps, steps)), mode="edge")
    windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * steps + 1, axis=1)
    return np.asarray(windows.max(axis=2))


def sides_beside_ropes(camera: Camera, spec: RingSpec, heights: Array) -> set[int]:
    """The sides whose mat edge has a rope so near in the picture that it may be taken for it."""
    return {
        side for side in range(4) for rope in heights if _apart(camera, spec, side, 0.0, rope) < _ALONE_PX
    }


def _stands_alone(camera: Camera, spec: RingSpec, side: int, rope: int, heights: Array) -> bool:
    """Whether the middle of this rope lies clear of the other ropes and the mat's edge in the picture."""
    others = [*np.delete(heights, rope), 0.0]
    return min(_apart(camera, spec, side, heights[rope], other) for other in others) >= _ALONE_PX


def _apart(camera: Camera, spec: RingSpec, side: int, height: float, other: float) -> float:
    """How far a rope is in the picture from the middle of another, px; at 0 cm it is the mat's edge."""
    lines = [
        rope_line(spec, side, float(h)) if h > 0 else (spec.corners()[side], spec.corners()[(side + 1) % 4])
        for h in (height, other)
    ]
    begin, end = camera.project(np.array(lines[0]))
    middle, there = camera.project(np.array([(a + b) / 2 for a, b in lines]))
    across = np.array([begin[1] - end[1], end[0] - begin[0]]) / np.linalg.norm(end - begin)
    return float(abs((there - middle) @ across))


def _ridge(lab: NDArray[np.float32], camera: Camera, spec: RingSpec, side: int, height: float) -> float:
    """How much the line at this height differs from both its neighbours, in Lab units."""
    read = read_profiles(lab, camera, *rope_line(spec, side, height), _HALF_WIDTH_PX)
    return float(np.linalg.norm(np.median(_against_neighbours(read.values, len(read.offsets) // 2), axis=0)))


def _against_neighbours(values: Array, middle: int) -> Array:
    """Per channel the smaller difference to the two ends of every profile, 0 where they disagree: (S, 3)."""
    left, right = values[:, middle] - values[:, 0], values[:, middle] - values[:, -1]
    smaller = np.where(np.abs(left) < np.abs(right), left, right)
    return np.asarray(np.where(left * right > 0, smaller, 0.0), dtype=np.float64)


def _rope_points(lab: NDArray[np.float32], camera: Camera, spec: RingSpec, side: int, height: float) -> Array:
    """The middle of the rope in every profile that shows it clearly, (N, 2)."""
    reach = _REACH_PX + _HALF_WIDTH_PX
    read = read_profiles(lab, camera, *rope_line(spec, side, height), reach)
    middle = len(read.offsets) // 2
    colour = np.median(_against_neighbours(read.values, middle), axis=0)
    strength = float(np.linalg.norm(colour))
    if strength < _LEAST_RIDGE:
        return np.empty((0, 2))
    level = read.values @ (colour / strength)
    base = np.minimum(level[:, : middle // 2].max(axis=1), level[:, -(middle // 2) :].max(axis=1))
    shift = _middles(level - base[:, None], read.offsets, 0.4 * strength)
    keep = on_one_curve(read.share, shift)
    return read.pixels(shift, keep) if keep.sum() >= LEAST_POINTS else np.empty((0, 2))


def _middles(level: Array, offsets: Array, least: float) -> Array:
    """Sub-pixel middle of the ridge of every profile: half-way between its two half-height flanks."""
    found = np.full(len(level), np.nan)
    for index, row in enumerate(level):
        top = int(np.argmax(row))
        half = row[top] / 2
        if row[top] < least:
            continue
        left = np.nonzero(row[:top] < half)[0]
        right = np.nonzero(row[top:] < half)[0]
        if len(left) == 0 or len(right) == 0:
            continue
        i, j = int(left[-1]), top + int(right[0])
        low = offsets[i] + STEP_PX * (half - row[i]) / (row[i + 1] - row[i])
        high = offsets[j - 1] + STEP_PX * (row[j - 1] - half) / (row[j - 1] - row[j])
        found[index] = (low + high) / 2
    return found
