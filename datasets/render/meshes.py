"""Triangle meshes in centimetres: what figures, hands, posts and ropes are made of before any light falls."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Faces = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Mesh:
    """vertices (N, 3) in cm, faces (M, 3) counter-clockwise from outside, colours (N, 3) linear RGB 0-1.

    `smooth` meshes are shaded with normals that run on over the edges, others show every facet.
    """

    vertices: Array
    faces: Faces
    colours: Array
    smooth: bool = True

    @cached_property
    def normals(self) -> Array:
        """Outward unit normals at the vertices (N, 3), weighted by the area of the faces around."""
        corners = self.vertices[self.faces]
        across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        sums = np.zeros_like(self.vertices)
        for k in range(3):
            for axis in range(3):
                sums[:, axis] += np.bincount(self.faces[:, k], across[:, axis], minlength=len(sums))
        return np.asarray(sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-12))

    @cached_property
    def centre_of_mass(self) -> Array:
        """The middle of the volume, (3,)."""
        a, b, c = np.moveaxis(self.vertices[self.faces], 1, 0)
        volumes = np.einsum("ij,ij->i", a, np.cross(b, c)) / 6
        return np.asarray((volumes[:, None] * (a + b + c) / 4).sum(axis=0) / volumes.sum())

    def moved(self, rotation: Array, offset: Array) -> Mesh:
        """The mesh turned by a (3, 3) rotation about the origin, then shifted by (3,) cm."""
        moved = Mesh(self.vertices @ rotation.T + offset, self.faces, self.colours, self.smooth)
        if "normals" in self.__dict__:
            # turning known normals is much cheaper than finding them anew
            moved.__dict__["normals"] = self.normals @ rotation.T
        return moved


def joined(meshes: list[Mesh]) -> Mesh:
    """Several meshes as one."""
    starts = np.cumsum([0, *(len(m.vertices) for m in meshes)])
    faces = [m.faces + start for m, start in zip(meshes, starts, strict=False)]
    whole = Mesh(
        np.concatenate([m.vertices for m in meshes]),
        np.concatenate(faces),
        np.concatenate([m.colours for m in meshes]),
        all(m.smooth for m in meshes),
    )
    if all("normals" in m.__dict__ for m in meshes):
        whole.__dict__["normals"] = np.concatenate([m.normals for m in meshes])
    return whole


def turn(degrees: float) -> Array:
    """The (3, 3) rotation about the vertical, counter-clockwise from above."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def box(size: Array, colour: Array, piece_cm: float = 1.0) -> Mesh:
    """A box standing on the origin, size (3,) in cm, its sides cut into pieces a lens can bend."""
    sides = []
    for axis in range(3):
        first, second = (axis + 1) % 3, (axis + 2) % 3
        for sign in (-1.0, 1.0):
            counts = [max(1, int(np.ceil(size[k] / piece_cm))) for k in (first, second)]
            us, vs = np.meshgrid(
                *(np.linspace(-0.5, 0.5, n + 1) for n in (counts[0], counts[1])), indexing="ij"
            )
            points = np.empty((us.size, 3))
            points[:, first], points[:, second] = us.ravel() * size[first], vs.ravel() * size[second]
            points[:, axis] = sign * size[axis] / 2
            faces = grid_faces(counts[0] + 1, counts[1] + 1)
            sides.append(Mesh(points, faces if sign > 0 else faces[:, ::-1], _same(colour, us.size), False))
    whole = joined(sides)
    return whole.moved(np.eye(3), np.array([0.0, 0.0, size[2] / 2]))


def tube(points: Array, radius: float, colour: Array, around: int = 8) -> Mesh:
    """A round rope through points (N, 3) that lie nearly on a line."""
    way = points[-1] - points[0]
    way = way / np.linalg.norm(way)
    side = np.cross(way, [0.0, 0.0, 1.0] if abs(way[2]) < 0.9 else [1.0, 0.0, 0.0])
    side /= np.linalg.norm(side)
    up = np.cross(side, way)
    angles = np.arange(around + 1) * 2 * np.pi / around
    circle = radius * (np.cos(angles)[:, None] * side + np.sin(angles)[:, None] * up)
    vertices = (points[:, None] + circle).reshape(-1, 3)
    faces = grid_faces(len(points), around + 1)
    return Mesh(vertices, faces, _same(colour, len(vertices)))


def cylinder(radius: float, height: float, colour: Array, around: int = 40) -> Mesh:
    """A round solid standing on the origin, with a top."""
    angles = np.arange(around + 1) * 2 * np.pi / around
    rings = [(radius, 0.0), (radius, height / 2), (radius, height), (radius * 0.5, height), (0.0, height)]
    vertices = np.concatenate(
        [np.column_stack([r * np.cos(angles), r * np.sin(angles), np.full(around + 1, z)]) for r, z in rings]
    )
    faces = grid_faces(len(rings), around + 1)[:, ::-1]
    return Mesh(vertices, faces, _same(colour, len(vertices)), False)


def grid_faces(rows: int, columns: int) -> Faces:
    """The triangles between the points of a (rows, columns) grid numbered row by row."""
    index = np.arange(rows * columns).reshape(rows, columns)
    a, b, c, d = index[:-1, :-1], index[1:, :-1], index[1:, 1:], index[:-1, 1:]
    return np.concatenate([np.stack([a, b, c], -1).reshape(-1, 3), np.stack([a, c, d], -1).reshape(-1, 3)])


def _same(colour: Array, count: int) -> Array:
    return np.tile(np.asarray(colour, float), (count, 1))
