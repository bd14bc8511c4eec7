"""The mat's straight edges in the picture, to a fraction of a pixel.

Every edge is predicted from a first camera; across it, profiles of the picture are read along the normal and
the place where mat turns into table is the half-way crossing of a colour step. The lens is in how these
points bend.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array, Camera
from calibration.profiles import LEAST_POINTS, STEP_PX, on_one_curve, read_profiles
from calibration.remarks import Remark
from calibration.ring import RingSpec

SIDE_NAMES = ("far", "right", "near", "left")
_SHOULDER_PX = 3.0  # how far inside and outside the plain colours are read
_LEAST_CONTRAST = 12.0  # grey levels between mat and table along the colour axis
_LEAST_STEP = 0.5  # of the usual contrast


@dataclass(frozen=True, eq=False)
class EdgeFinds:
    """pixels (N, 2) on the mat's edges, side (N,) 0 far, 1 right, 2 near, 3 left, and what was dropped."""

    pixels: Array
    side: NDArray[np.intp]
    notes: tuple[Remark, ...]


def find_edges(
    image: NDArray[np.uint8],
    camera: Camera,
    spec: RingSpec,
    reach_px: float,
    sides: Sequence[int] = (0, 1, 2, 3),
) -> EdgeFinds:
    """Points of the mat's edges within reach_px of where the camera predicts them, in a BGR picture."""
    pixels, found_on = [np.empty((0, 2))], [np.empty(0, dtype=np.intp)]
    notes: list[Remark] = []
    for side in sides:
        found = _one_edge(image, camera, spec, side, reach_px)
        if len(found) < LEAST_POINTS:
            notes.append(Remark("edge_missing", names={"side": SIDE_NAMES[side]}))
            continue
        pixels.append(found)
        found_on.append(np.full(len(found), side, dtype=np.intp))
    return EdgeFinds(np.concatenate(pixels), np.concatenate(found_on), tuple(notes))


def _one_edge(image: NDArray[np.uint8], camera: Camera, spec: RingSpec, side: int, reach: float) -> Array:
    corners = spec.corners()
    read = read_profiles(image, camera, corners[side], corners[(side + 1) % 4], reach + _SHOULDER_PX)
    shift = _crossings(read.values, read.offsets)
    return read.pixels(shift, on_one_curve(read.share, shift))


def _crossings(profiles: Array, offsets: Array) -> Array:
    """Where every profile (S, L, 3) steps from mat to table; NaN where there is no clean step."""
    shoulder = round(_SHOULDER_PX / STEP_PX)
    inside = np.median(profiles[:, :shoulder].reshape(-1, 3), axis=0)
    outside = np.median(profiles[:, -shoulder:].reshape(-1, 3), axis=0)
    axis = inside - outside
    contrast = float(np.linalg.norm(axis))
    if contrast < _LEAST_CONTRAST:
        return np.full(len(profiles), np.nan)
    level = (profiles - outside) @ axis / contrast**2
    # Distance to the line between both colours tells a rope or a figure that lies across the edge.
    stray = np.linalg.norm(profiles - outside - level[..., None] * axis, axis=2) > 0.5 * contrast
    return np.array([_crossing(row, off, offsets) for row, off in zip(level, stray, strict=True)])


def _crossing(level: Array, stray: NDArray[np.bool_], offsets: Array) -> float:
    """The strongest fall of a profile through the middle between its own two shoulders, or NaN."""
    width = round(_SHOULDER_PX / STEP_PX)
    best, place = _LEAST_STEP, float("nan")
    for fall in np.nonzero((level[:-1] >= 0.5) & (level[1:] < 0.5))[0]:
        low, high = (
            max(int(fall) - width + 1, 0),
            min(int(fall) + width + 1, len(level)),
        )
        if stray[low:high].any():
            continue
        mat = float(np.median(level[low : low + width // 2]))
        table = float(np.median(level[high - width // 2 : high]))
        cut = level[low:high] - (mat + table) / 2
        passes = np.nonzero((cut[:-1] >= 0) & (cut[1:] < 0))[0]
        if mat - table > best and len(passes) == 1:
            at = int(passes[0])
            place = float(offsets[low + at] + STEP_PX * cut[at] / (cut[at] - cut[at + 1]))
            best = mat - table
    return place
