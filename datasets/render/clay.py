"""Sculpting: lumps and rolls of clay pressed together (a smooth union of signed distances), then meshed."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from datasets.render.meshes import Array, Mesh
from datasets.render.nets import surface

# How far a finger smears one lump into the next, and how uneven clay is that fingers have formed, cm.
_BLEND_CM = 0.35
_LUMPS_CM, _LUMP_WAVES_CM, _LUMP_COUNT = 0.035, (0.9, 3.5), 10
_PRESSED_CM = 0.1  # what a figure's own weight and a thumb flatten of its soles
_FAR = 9.0


@dataclass(frozen=True, eq=False)
class Lump:
    """An ellipsoid: centre (3,), radii (3,) in cm, rotation (3, 3) of its axes."""

    centre: Array
    radii: Array
    rotation: Array

    def box(self) -> tuple[Array, Array]:
        """The lower and upper corner that hold it."""
        half = np.linalg.norm(self.rotation * self.radii, axis=1)
        return self.centre - half, self.centre + half

    def distance(self, points: Array) -> Array:
        """Signed distances (N,) of points (N, 3), exact on the surface and nearly so beside it."""
        local = (points - self.centre) @ self.rotation
        outer = np.linalg.norm(local / self.radii, axis=-1)
        inner = np.linalg.norm(local / self.radii**2, axis=-1)
        return np.asarray(outer * (outer - 1.0) / np.maximum(inner, 1e-6))


@dataclass(frozen=True, eq=False)
class Roll:
    """A roll of clay from one point (3,) to another, its radius running from one to the other, cm."""

    start: Array
    end: Array
    first: float
    last: float

    def box(self) -> tuple[Array, Array]:
        """The lower and upper corner that hold it."""
        low = np.minimum(self.start - self.first, self.end - self.last)
        return low, np.maximum(self.start + self.first, self.end + self.last)

    def distance(self, points: Array) -> Array:
        """Signed distances (N,) of points (N, 3)."""
        way = self.end - self.start
        share = np.clip((points - self.start) @ way / max(float(way @ way), 1e-9), 0.0, 1.0)
        away = np.linalg.norm(points - self.start - share[..., None] * way, axis=-1)
        return np.asarray(away - (self.first + share * (self.last - self.first)))


@dataclass
class Clay:
    """Collects parts in cm: of the figure's own colour (tint 0), of its second, or nearly black (tint 2)."""

    parts: list[tuple[Lump | Roll, int]] = field(default_factory=list)
    blend_cm: float = _BLEND_CM

    def lump(self, centre: object, radii: object, *, tint: int = 0, rotation: Array | None = None) -> None:
        """Add an ellipsoid; one radius makes a ball."""
        size = np.broadcast_to(np.asarray(radii, float), (3,))
        turned = np.eye(3) if rotation is None else rotation
        self.parts.append((Lump(np.asarray(centre, float), size, turned), tint))

    def roll(self, start: object, end: object, first: float, last: float, *, tint: int = 0) -> None:
        """Add a tapered roll."""
        self.parts.append((Roll(np.asarray(start, float), np.asarray(end, float), first, last), tint))

    def scaled(self, factor: float) -> Clay:
        """The same figure in another size."""
        return Clay([(_scaled(part, factor), tint) for part, tint in self.parts], self.blend_cm)

    def box(self) -> tuple[Array, Array]:
        """The lower and upper corner that hold all parts."""
        boxes = [part.box() for part, _ in self.parts]
        return np.min([b[0] for b in boxes], axis=0), np.max([b[1] for b in boxes], axis=0)


def sculpt(clay: Clay, rng: np.random.Generator, step: float, tints: Array, *, soled: bool = True) -> Mesh:
    """Mesh the clay with cells of `step` cm; `tints` (3, 3) are the colours of the three tints, linear RGB.

    With `soled`, what is lowest is pressed flat.
    """
    low, high = clay.box()
    margin = clay.blend_cm + 3 * step
    counts = np.ceil((high - low + 2 * margin) / step).astype(int) + 1
    grid = _Grid(low - margin, step, clay.blend_cm, np.full(tuple(counts), _FAR, np.float32))
    for part, _ in clay.parts:
        grid.unite(part)
    grid.field += _lumpiness(grid, rng)
    if soled:
        floor = low[2] + _PRESSED_CM
        heights = grid.origin[2] + step * np.arange(counts[2])
        np.maximum(grid.field, (floor - heights).astype(np.float32), out=grid.field)
    vertices, faces = surface(grid.field, grid.origin, step)
    return Mesh(vertices, faces, _tinted(clay, vertices, rng, tints))


def _scaled(part: Lump | Roll, factor: float) -> Lump | Roll:
    if isinstance(part, Lump):
        return Lump(part.centre * factor, part.radii * factor, part.rotation)
    return Roll(part.start * factor, part.end * factor, part.first * factor, part.last * factor)


@dataclass
class _Grid:
    origin: Array
    step: float
    blend: float
    field: NDArray[np.float32]

    def _around(self, part: Lump | Roll) -> tuple[tuple[slice, ...], Array]:
        """The part of the grid a part can change, and its points (X, Y, Z, 3)."""
        low, high = part.box()
        reach = self.blend + 2 * self.step
        first = np.floor((low - reach - self.origin) / self.step).astype(int).clip(0)
        last = np.ceil((high + reach - self.origin) / self.step).astype(int) + 1
        where = tuple(slice(a, min(b, n)) for a, b, n in zip(first, last, self.field.shape, strict=True))
        axes = [self.origin[k] + self.step * np.arange(s.start, s.stop) for k, s in enumerate(where)]
        return where, np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)

    def unite(self, part: Lump | Roll) -> None:
        where, points = self._around(part)
        old, new = self.field[where], part.distance(points)
        near = np.maximum(self.blend - np.abs(old - new), 0.0) / self.blend
        self.field[where] = np.minimum(old, new) - near**2 * self.blend / 4


def _lumpiness(grid: _Grid, rng: np.random.Generator) -> NDArray[np.float32]:
    """What fingers left: a sum of waves in all directions, near the surface only."""
    bumps = np.zeros_like(grid.field)
    near = np.argwhere(np.abs(grid.field) < 4 * grid.step)
    points = grid.origin + grid.step * near
    values = np.zeros(len(near))
    for _ in range(_LUMP_COUNT):
        way = rng.normal(size=3)
        way *= 2 * np.pi / rng.uniform(*_LUMP_WAVES_CM) / np.linalg.norm(way)
        values += np.sin(points @ way + rng.uniform(0, 2 * np.pi))
    bumps[tuple(near.T)] = _LUMPS_CM * values / np.sqrt(_LUMP_COUNT / 2)
    return bumps


def _tinted(clay: Clay, vertices: Array, rng: np.random.Generator, tints: Array) -> Array:
    """The colour of the nearest part at every vertex, a little uneven as kneaded clay is."""
    distances = np.stack([part.distance(vertices) for part, _ in clay.parts])
    # a part put on top of another shows its own colour
    later = np.array([0.05 * (tint > 0) for _, tint in clay.parts])
    nearest = (distances - later[:, None]).argmin(axis=0)
    tint = np.array([tint for _, tint in clay.parts])[nearest]
    way = rng.normal(size=(3, 4))
    cloud = np.sin(vertices @ way + rng.uniform(0, 6, 4)).mean(axis=1)
    return np.asarray(tints[tint] * (1.0 + 0.06 * cloud[:, None]))
