"""How a figure comes to rest on the table, and directions evenly over a sphere."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import ConvexHull

Array = NDArray[np.float64]

_GOLDEN_ANGLE = np.pi * (3 - np.sqrt(5))


def resting(points: Array, centre: Array, most_deg: float) -> Array:
    """The small rotation (3, 3) that brings a side of the hull of points (N, 3) flat onto the table, when the
    centre of mass is at `centre` (3,).

    Of the sides on which the figure would not roll on, turned by no more than `most_deg`, it is the lowest;
    where there is none the lowest of all, as if it leaned on something. Raises QhullError for flat figures.
    """
    hull = ConvexHull(points)
    normals, corners = hull.equations[:, :3], hull.points[hull.simplices]
    feet = centre + (-(normals @ centre) - hull.equations[:, 3])[:, None] * normals
    stable = _inside(corners, normals, feet) & (-normals[:, 2] >= np.cos(np.radians(most_deg)))
    chosen = np.flatnonzero(stable) if stable.any() else np.arange(len(normals))
    return _onto_table(normals[chosen[normals[chosen, 2].argmin()]])


def lattice(count: int, lowest: float, turned: float = 0.0) -> Array:
    """Directions (count, 3) evenly over the part of the sphere that is higher than `lowest` (-1 to 1), turned
    by an angle in rad (a Fibonacci lattice: Gonzalez, Mathematical Geosciences 2010)."""
    k = np.arange(count) + 0.5
    z, angle = 1 - (1 - lowest) * k / count, _GOLDEN_ANGLE * k + turned
    r = np.sqrt(1 - z**2)
    return np.column_stack([r * np.cos(angle), r * np.sin(angle), z])


def _inside(triangles: Array, normals: Array, points: Array) -> NDArray[np.bool_]:
    """Whether points (N, 3) in the planes of triangles (N, 3, 3) lie within them."""
    sides = np.roll(triangles, -1, axis=1) - triangles
    signs = np.einsum("nki,ni->nk", np.cross(sides, points[:, None] - triangles), normals)
    return np.asarray((signs >= 0).all(axis=1) | (signs <= 0).all(axis=1))


def _onto_table(normal: Array) -> Array:
    """The smallest rotation that turns a normal (3,) straight down."""
    down = np.array([0.0, 0.0, -1.0])
    axis, cosine = np.cross(normal, down), float(normal @ down)
    if cosine < -1 + 1e-9:
        return np.diag([1.0, -1.0, -1.0])
    skew = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.asarray(np.eye(3) + skew + skew @ skew / (1 + cosine))
