"""Profiles of a picture read across a straight line of the ring, and which of them lie on one curve."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array, Camera
from calibration.lens_model import project_with_derivatives

STEP_PX = 0.25
LEAST_POINTS = 12
_SAMPLES = 96  # profiles per line
_MARGIN = 0.06  # share of a line next to its ends that a post may hide
_SAME_CURVE_PX = 0.5
_LARGEST_SCATTER_PX = 1.0
_LEAST_SHARE = 0.3  # of the profiles must agree


@dataclass(frozen=True, eq=False)
class Profiles:
    """S profiles across a line: where they sit on it and what the picture shows.

    share (S,) from 0 at the line's begin to 1 at its end, centres (S, 2) px, outward (S, 2) unit normals,
    offsets (L,) px along the normal, values (S, L, 3) colours.
    """

    share: Array
    centres: Array
    outward: Array
    offsets: Array
    values: Array

    def pixels(self, shift: Array, keep: NDArray[np.bool_]) -> Array:
        """The points at the kept profiles' shifts (S,) along their normals, (K, 2)."""
        return np.asarray(self.centres[keep] + shift[keep, None] * self.outward[keep], dtype=np.float64)


def read_profiles(
    image: NDArray[np.uint8] | NDArray[np.float32], camera: Camera, begin: Array, end: Array, reach_px: float
) -> Profiles:
    """Profiles over +-reach_px across the ring line from begin to end (3,), positive to the left of the walk.

    The ring is walked clockwise on the screen, so that left is away from the mat.
    """
    share = np.linspace(_MARGIN, 1 - _MARGIN, _SAMPLES)
    centres, _, by_point = project_with_derivatives(camera, begin + share[:, None] * (end - begin))
    tangent = by_point @ (end - begin)
    outward = np.column_stack([tangent[:, 1], -tangent[:, 0]])
    outward /= np.linalg.norm(outward, axis=1, keepdims=True)
    offsets = np.arange(-reach_px, reach_px + STEP_PX / 2, STEP_PX)
    where = (centres[:, None, :] + offsets[None, :, None] * outward[:, None, :]).astype(np.float32)
    values = cv2.remap(image, where[..., 0], where[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return Profiles(share, centres, outward, offsets, values.astype(np.float64))


def on_one_curve(share: Array, shift: Array) -> NDArray[np.bool_]:
    """Which profiles lie on one smooth curve (a parabola along the edge); none when too few agree."""
    keep = np.isfinite(shift)
    if keep.sum() < LEAST_POINTS:
        return np.zeros_like(keep)
    keep &= np.abs(shift - _modal_parabola(share, shift, keep)) < _LARGEST_SCATTER_PX
    for _ in range(5):
        if keep.sum() < max(LEAST_POINTS, _LEAST_SHARE * len(share)):
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
