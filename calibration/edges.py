"""The mat's straight edges in the picture, to a fraction of a pixel.

Every edge is predicted from a first camera; across it, profiles of the picture are read along the normal and
the place where mat turns into table is the half-way crossing of a colour step. The lens is in how these
points bend.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array, Camera
from calibration.lens_model import project_with_derivatives
from calibration.ring import RingSpec

SIDE_NAMES = ("far", "right", "near", "left")
_SAMPLES = 96  # profiles per edge
_MARGIN = 0.06  # share of an edge next to its corners that a post may hide
_STEP_PX = 0.25
_SHOULDER_PX = 3.0  # how far inside and outside the plain colours are read
_LEAST_CONTRAST = 12.0  # grey levels between mat and table along the colour axis
_LEAST_POINTS = 12
_SAME_CURVE_PX = 0.5
_LARGEST_SCATTER_PX = 1.0
_LEAST_STEP = 0.5  # of the usual contrast
_STRAIGHT_SHARE = 0.3  # share of profiles that must agree


@dataclass(frozen=True, eq=False)
class EdgeFinds:
    """pixels (N, 2) on the mat's edges, side (N,) 0 far, 1 right, 2 near, 3 left, and what was dropped."""

    pixels: Array
    side: NDArray[np.intp]
    notes: tuple[str, ...]


def find_edges(image: NDArray[np.uint8], camera: Camera, spec: RingSpec, reach_px: float) -> EdgeFinds:
    """Points of the mat's edges within reach_px of where the camera predicts them, in a BGR picture."""
    pixels, sides, notes = [], [], []
    for side, name in enumerate(SIDE_NAMES):
        found = _one_edge(image, camera, spec, side, reach_px)
        if len(found) < _LEAST_POINTS:
            notes.append(f"the {name} edge of the mat was not found clearly in the picture and is not used")
            continue
        pixels.append(found)
        sides.append(np.full(len(found), side, dtype=np.intp))
    if not pixels:
        return EdgeFinds(np.empty((0, 2)), np.empty(0, dtype=np.intp), tuple(notes))
    return EdgeFinds(np.concatenate(pixels), np.concatenate(sides), tuple(notes))


def _one_edge(image: NDArray[np.uint8], camera: Camera, spec: RingSpec, side: int, reach: float) -> Array:
    corners = spec.corners()
    begin, end = corners[side], corners[(side + 1) % 4]
    share = np.linspace(_MARGIN, 1 - _MARGIN, _SAMPLES)[:, None]
    centres, _, by_point = project_with_derivatives(camera, begin + share * (end - begin))
    tangent = by_point @ (end - begin)
    # On the screen the ring is walked clockwise, so the table lies to the left of the walk: (v, -u).
    outward = np.column_stack([tangent[:, 1], -tangent[:, 0]])
    outward /= np.linalg.norm(outward, axis=1, keepdims=True)
    offsets = np.arange(-reach - _SHOULDER_PX, reach + _SHOULDER_PX + _STEP_PX / 2, _STEP_PX)
    where = (centres[:, None, :] + offsets[None, :, None] * outward[:, None, :]).astype(np.float32)
    profiles = cv2.remap(
        image, where[..., 0], where[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    shift = _crossings(profiles.astype(np.float64), offsets)
    keep = _agreeing(share[:, 0], shift)
    return np.asarray(centres[keep] + shift[keep, None] * outward[keep], dtype=np.float64)


def _crossings(profiles: Array, offsets: Array) -> Array:
    """Where every profile (S, L, 3) steps from mat to table; NaN where there is no clean step."""
    shoulder = round(_SHOULDER_PX / _STEP_PX)
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
    width = round(_SHOULDER_PX / _STEP_PX)
    best, place = _LEAST_STEP, float("nan")
    for fall in np.nonzero((level[:-1] >= 0.5) & (level[1:] < 0.5))[0]:
        low, high = max(int(fall) - width + 1, 0), min(int(fall) + width + 1, len(level))
        if stray[low:high].any():
            continue
        mat = float(np.median(level[low : low + width // 2]))
        table = float(np.median(level[high - width // 2 : high]))
        cut = level[low:high] - (mat + table) / 2
        passes = np.nonzero((cut[:-1] >= 0) & (cut[1:] < 0))[0]
        if mat - table > best and len(passes) == 1:
            at = int(passes[0])
            place = float(offsets[low + at] + _STEP_PX * cut[at] / (cut[at] - cut[at + 1]))
            best = mat - table
    return place


def _agreeing(share: Array, shift: Array) -> NDArray[np.bool_]:
    """Which profiles lie on one smooth curve (a parabola along the edge); none when too few agree."""
    keep = np.isfinite(shift)
    if keep.sum() < _LEAST_POINTS:
        return np.zeros_like(keep)
    keep &= np.abs(shift - _modal_parabola(share, shift, keep)) < _LARGEST_SCATTER_PX
    for _ in range(5):
        if keep.sum() < max(_LEAST_POINTS, _STRAIGHT_SHARE * len(share)):
            return np.zeros_like(keep)
        curve = np.polynomial.Polynomial.fit(share[keep], shift[keep], 2)
        away = np.abs(shift - curve(share))
        scatter = 1.4826 * float(np.median(away[keep]))
        keep = np.isfinite(shift) & (away < max(3.0 * scatter, 0.15))
    return keep


def _modal_parabola(share: Array, shift: Array, usable: NDArray[np.bool_]) -> Array:
    """Among parabolas through three profiles, one per third of the edge, the one most profiles lie on."""
    index = np.nonzero(usable)[0]
    combs = (third[np.linspace(0, len(third) - 1, 7).astype(int)] for third in np.array_split(index, 3))
    trios = np.stack(np.meshgrid(*combs, indexing="ij"), axis=-1).reshape(-1, 3)
    coefficients = np.linalg.solve(
        np.vander(share[trios].ravel(), 3).reshape(-1, 3, 3), shift[trios][..., None]
    )
    curves = coefficients[..., 0] @ np.vander(share, 3).T
    agree = (np.abs(shift[index] - curves[:, index]) < _SAME_CURVE_PX).sum(axis=1)
    return np.asarray(curves[int(np.argmax(agree))], dtype=np.float64)
