"""Mat and table as pictures of their colour (linear RGB), the same for both kinds of rendering."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.render.colours import linear
from datasets.render.meshes import Array
from datasets.render.scene_file import Mat, Scene

_MAT_CM, _TABLE_CM = 0.06, 0.12
TABLE_Z_CM = -0.05
"""The table lies just below the mat, whose upper side is z = 0."""
FLOOR_Z_CM, FLOOR = -75.0, (0.12, 0.12, 0.13)


@dataclass(frozen=True, eq=False)
class Ground:
    """Colours (H, W, 3) over a rectangle (width, depth) in cm about the origin; the first row is far."""

    size_cm: tuple[float, float]
    colours: NDArray[np.float32]

    def at(self, points: Array) -> tuple[NDArray[np.bool_], NDArray[np.float32]]:
        """Which points (N, 2) lie on it, and the colour (N, 3) under each."""
        rows, columns = self.colours.shape[:2]
        u = (points[:, 0] / self.size_cm[0] + 0.5) * columns - 0.5
        v = (0.5 - points[:, 1] / self.size_cm[1]) * rows - 0.5
        on = (np.abs(points[:, 0]) <= self.size_cm[0] / 2) & (np.abs(points[:, 1]) <= self.size_cm[1] / 2)
        u, v = u.clip(0, columns - 1.001), v.clip(0, rows - 1.001)
        left, top = u.astype(int), v.astype(int)
        right, down = (u - left).astype(np.float32)[:, None], (v - top).astype(np.float32)[:, None]
        c = self.colours
        above = c[top, left] * (1 - right) + c[top, left + 1] * right
        below = c[top + 1, left] * (1 - right) + c[top + 1, left + 1] * right
        return on, np.asarray(above * (1 - down) + below * down, np.float32)


def mat_and_table(scene: Scene) -> tuple[Ground, Ground]:
    """The two surfaces of a scene."""
    rng = np.random.default_rng([scene.seed, 1])
    ring, table = scene.ring, scene.table
    mat_size, table_size = (ring.width_cm, ring.depth_cm), (table.width_cm, table.depth_cm)
    mat = _mat(ring.mat, _points(mat_size, _MAT_CM), rng)
    return Ground(mat_size, mat), Ground(table_size, _table(scene, rng))


def _points(size: tuple[float, float], step: float) -> Array:
    """The middles (H, W, 2) of the cells of a surface, in ring cm."""
    columns, rows = (max(4, round(side / step)) for side in size)
    x = ((np.arange(columns) + 0.5) / columns - 0.5) * size[0]
    y = (0.5 - (np.arange(rows) + 0.5) / rows) * size[1]
    return np.stack(np.meshgrid(x, y), axis=-1)


def _mat(mat: Mat, points: Array, rng: np.random.Generator) -> NDArray[np.float32]:
    first, second = linear(mat.colour), linear(mat.second)
    x, y = points[..., 0], points[..., 1]
    shape = (points.shape[0], points.shape[1])
    share = np.zeros(shape)
    if mat.kind == "checked":
        share = ((np.floor(x / mat.cell_cm) + np.floor(y / mat.cell_cm)) % 2).astype(float)
    elif mat.kind == "striped":
        share = (np.floor((x + y) / mat.cell_cm) % 2).astype(float)
    elif mat.kind == "logo":
        away = np.hypot(x, y)
        ring = np.abs(away - 1.5 * mat.cell_cm) < 0.1 * mat.cell_cm
        cross = (np.minimum(np.abs(x), np.abs(y)) < 0.08 * mat.cell_cm) & (away < 1.5 * mat.cell_cm)
        share = (ring | cross).astype(float)
    elif mat.kind == "felt":
        share = np.clip(0.5 + 0.6 * _cloud(rng, shape, 3.0 / _MAT_CM), 0, 1) * 0.5
    colours = first + share[..., None] * (second - first)
    grain = 1.0 + 0.05 * _cloud(rng, shape, 0.25 / _MAT_CM) + 0.04 * _cloud(rng, shape, 6.0 / _MAT_CM)
    return np.asarray(np.clip(colours * grain[..., None], 0.01, 0.9), np.float32)


def _table(scene: Scene, rng: np.random.Generator) -> NDArray[np.float32]:
    table = scene.table
    points = _points((table.width_cm, table.depth_cm), _TABLE_CM)
    colour = linear(table.colour)
    shape = (points.shape[0], points.shape[1])
    if table.kind == "wood":
        boards = np.floor(points[..., 1] / 14.0 + 0.37)
        wave = points[..., 1] + 0.7 * boards + 1.1 * _cloud(rng, shape, 14 / _TABLE_CM, (9.0, 1.0))
        rings = 0.5 + 0.5 * np.sin(2 * np.pi * wave / 1.7)
        fibre = _cloud(rng, shape, 0.25 / _TABLE_CM, (16.0, 1.0))
        shade = 1.0 - 0.13 * rings**3 + 0.06 * fibre + 0.05 * np.sin(boards * 2.4)
        seam = np.abs(points[..., 1] / 14.0 + 0.37 - np.round(points[..., 1] / 14.0 + 0.37)) < 0.006
        shade = np.where(seam, 0.5, shade)
    elif table.kind == "cloth":
        cells = (np.floor(points / 4.0) % 2).sum(axis=-1)
        shade = (1.0 - 0.18 * cells) * (1 + 0.04 * _cloud(rng, shape, 0.3 / _TABLE_CM))
    else:
        shade = 1.0 + 0.03 * _cloud(rng, shape, 8.0 / _TABLE_CM)
    return np.asarray(np.clip(colour * shade[..., None], 0.01, 0.9), np.float32)


def _cloud(
    rng: np.random.Generator, shape: tuple[int, int], grain: float, stretch: tuple[float, float] = (1.0, 1.0)
) -> Array:
    """Smooth noise of mean 0 and sd about 1, its grains so many cells large, stretched along x and y."""
    rows = max(3, int(shape[0] / (grain * stretch[1])))
    columns = max(3, int(shape[1] / (grain * stretch[0])))
    coarse = rng.normal(size=(rows, columns)).astype(np.float32)
    fine = cv2.resize(coarse, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)
    return np.asarray(fine / max(float(fine.std()), 1e-6), float)
