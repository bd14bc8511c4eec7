"""From a field of signed distances to a mesh: one vertex in every cell the surface runs through.

Surface nets (Gibson 1998): smoother than marching cubes on the same grid, and without a table of cases.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from datasets.render.meshes import Array, Faces

_CORNERS = np.array([[i, j, k] for i in (0, 1) for j in (0, 1) for k in (0, 1)])


def surface(field: NDArray[np.float32], origin: Array, step: float) -> tuple[Array, Faces]:
    """Vertices (N, 3) in cm and outward faces (M, 3) of the surface where a field (X, Y, Z) is 0.

    The field is negative inside and positive all over its border; its first point lies at `origin`,
    its points are `step` cm apart.
    """
    cells = np.argwhere(_mixed(field < 0))
    values = np.stack([field[tuple((cells + corner).T)] for corner in _CORNERS], axis=1).astype(float)
    sums, counts = np.zeros((len(cells), 3)), np.zeros(len(cells))
    for a, b in _edges():
        one, two = values[:, a], values[:, b]
        crossed = (one < 0) != (two < 0)
        share = np.where(crossed, one / np.where(crossed, one - two, 1.0), 0.0)
        point = _CORNERS[a] + share[:, None] * (_CORNERS[b] - _CORNERS[a])
        sums += crossed[:, None] * point
        counts += crossed
    vertices = origin + step * (cells + sums / counts[:, None])
    return vertices, _faces(field < 0, cells)


def _edges() -> list[tuple[int, int]]:
    return [(a, b) for a in range(8) for b in range(a + 1, 8) if np.abs(_CORNERS[a] - _CORNERS[b]).sum() == 1]


def _mixed(inside: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which cells (X-1, Y-1, Z-1) have corners on both sides."""
    x, y, z = (n - 1 for n in inside.shape)
    count = np.zeros((x, y, z), np.int8)
    for i, j, k in _CORNERS:
        count += inside[i : i + x, j : j + y, k : k + z]
    return (count > 0) & (count < 8)


def _faces(inside: NDArray[np.bool_], cells: NDArray[np.int64]) -> Faces:
    """Two triangles around every edge of the grid that the surface crosses."""
    numbers = np.full(np.array(inside.shape) - 1, -1, np.int64)
    numbers[tuple(cells.T)] = np.arange(len(cells))
    found = []
    for axis in range(3):
        first, second = np.eye(3, dtype=int)[[(axis + 1) % 3, (axis + 2) % 3]]
        along = np.moveaxis(inside, axis, 0)
        edges = np.argwhere(np.moveaxis(along[1:] != along[:-1], 0, axis))
        quad = [numbers[tuple((edges - shift).T)] for shift in (0 * first, first, first + second, second)]
        leaving = inside[tuple(edges.T)]
        corners = np.stack(quad, axis=1)
        corners = np.where(leaving[:, None], corners, corners[:, ::-1])
        found += [corners[:, [0, 1, 2]], corners[:, [0, 2, 3]]]
    return np.concatenate(found)
