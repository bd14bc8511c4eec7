"""How the light falls on a figure, as an upright picture shows it: what shading tells beside a silhouette.

Every cell's ray is met with every ellipsoid; a sky that part of the figure hides, what the mat throws back
and one or two lamps with their cast shadows light what it meets. Lamps, clay, paint and grain are anybody's:
what is to be learned of shading must hold under all of them.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.figures import Figure
from datasets.resting import lattice
from datasets.shape_samples import waves
from vision.shape.upright import CELLS, Stand, grid, relief

Array = NDArray[np.float64]
Picture = NDArray[np.float32]

_SKY, _LAMP_SAMPLES = 12, 3
# Points start this far outside of their surface, in heights, so that nothing hides itself.
_CLEAR = 0.02
_PAINTED = 0.4


def shaded(rng: np.random.Generator, figure: Figure, stand: Stand, centre: Array, cover: Picture) -> Picture:
    """The relief (CELLS, CELLS) that a camera at centre (3,) sees of a figure under random light; `cover`
    (CELLS, CELLS) is its upright silhouette."""
    rows, columns = np.nonzero(cover > 0.02)
    places = grid(CELLS)
    rays = stand.points(places[columns], places[rows]) - centre
    surface = Surface(figure)
    reached, part = surface.first(centre, rays)
    met = np.isfinite(reached)
    light = np.full(cover.shape, np.nan, np.float32)
    if met.sum() < 10:
        return np.zeros(cover.shape, np.float32)
    points = centre + reached[met, None] * rays[met]
    normals = surface.normals(points, part[met])
    clear = points + _CLEAR * stand.height_cm * normals
    light[rows[met], columns[met]] = _light(rng, surface, clear, normals)
    return relief(_photographed(rng, light), cover)


class Surface:
    """Ellipsoids that rays are met with."""

    def __init__(self, figure: Figure) -> None:
        self._centres = figure.centres
        self._forms = np.einsum("nki,nkj->nij", figure.shapes, figure.shapes)
        self._to = np.einsum("nij,nj->ni", self._forms, self._centres)
        self._own = np.einsum("ni,ni->n", self._to, self._centres)
        self._squares = _pairs_of(self._forms).astype(np.float32)

    def first(self, origin: Array, rays: Array) -> tuple[Array, NDArray[np.int64]]:
        """How far along each ray (N, 3) the surface is, inf where it is missed, and whose surface that is."""
        square = _pairs(rays).astype(np.float32) @ self._squares.T
        gap = np.einsum("nij,nj->ni", self._forms, origin - self._centres)
        along = rays.astype(np.float32) @ gap.T.astype(np.float32)
        rest = (np.einsum("ni,ni->n", gap, origin - self._centres) - 1).astype(np.float32)
        inside = along**2 - square * rest
        reached = np.where(inside > 0, (-along - np.sqrt(np.maximum(inside, 0))) / square, np.inf)
        part = reached.argmin(axis=1)
        return np.asarray(reached[np.arange(len(rays)), part], np.float64), part

    def normals(self, points: Array, part: NDArray[np.int64]) -> Array:
        """Unit normals (N, 3) at points (N, 3) of the ellipsoids (N,)."""
        out = np.einsum("nij,nj->ni", self._forms[part], points - self._centres[part])
        return np.asarray(out / np.linalg.norm(out, axis=1, keepdims=True))

    def open_to(self, points: Array, ways: Array) -> Picture:
        """Which points (N, 3) are open to which directions (M, 3): (M, N) 0 or 1."""
        to = self._to.T.astype(np.float32)
        near = points.astype(np.float32)
        rest = _pairs(points).astype(np.float32) @ self._squares.T - 2 * near @ to + (self._own - 1)
        rest = rest.astype(np.float32)
        out = np.ones((len(ways), len(points)), np.float32)
        for free, way in zip(out, ways, strict=True):
            towards = self._forms @ way
            square = (towards @ way).astype(np.float32)
            along = near @ towards.T.astype(np.float32) - np.einsum("ni,ni->n", towards, self._centres)
            free[((along < 0) & (rest > 0) & (along**2 > square * rest)).any(axis=1)] = 0
        return out


def _pairs(vectors: Array) -> Array:
    x, y, z = vectors.T
    return np.column_stack([x * x, y * y, z * z, x * y, x * z, y * z])


def _pairs_of(forms: Array) -> Array:
    f = forms
    return np.column_stack(
        [f[:, 0, 0], f[:, 1, 1], f[:, 2, 2], 2 * f[:, 0, 1], 2 * f[:, 0, 2], 2 * f[:, 1, 2]]
    )


def _light(rng: np.random.Generator, surface: Surface, points: Array, normals: Array) -> Picture:
    """How much light (N,) points with normals (N, 3) get."""
    up = normals[:, 2]
    sky = lattice(_SKY, 0.0, rng.uniform(0, 2 * np.pi))
    share = np.maximum(normals @ sky.T, 0)
    ambient = (share * surface.open_to(points, sky).T).sum(axis=1) / (_SKY / 2)
    # what the mat throws back
    back = rng.uniform(0.05, 0.6) * (0.5 - 0.5 * up)
    total = rng.uniform(0.3, 1.0) * (ambient + back)
    for _ in range(rng.integers(1, 3)):
        lamp = _lamp(rng)
        size = rng.uniform(0.02, 0.25)
        ways = lamp + rng.normal(0, size, (_LAMP_SAMPLES, 3))
        ways /= np.linalg.norm(ways, axis=1, keepdims=True)
        got = (np.maximum(ways @ normals.T, 0) * surface.open_to(points, ways)).mean(axis=0)
        total = total + rng.uniform(0.2, 1.2) * got
    return np.asarray(total, np.float32)


def _lamp(rng: np.random.Generator) -> Array:
    low, angle = np.radians(rng.uniform(20, 90)), rng.uniform(0, 2 * np.pi)
    return np.array([np.cos(low) * np.cos(angle), np.cos(low) * np.sin(angle), np.sin(low)])


def _photographed(rng: np.random.Generator, light: Picture) -> Picture:
    """Grey levels 0-255 as a camera may give them, of clay dark or bright, painted, grained, blurred; NaN
    where nothing is near."""
    met = np.isfinite(light)
    filled = np.where(met, light, np.float32(0))
    near = cv2.GaussianBlur(met.astype(np.float32), (0, 0), 1.5)
    around = cv2.GaussianBlur(filled, (0, 0), 1.5) / np.maximum(near, 1e-3)
    filled = np.where(met, light, around)
    filled = filled * np.exp(rng.uniform(0, 0.08) * waves(rng, light.shape, rng.uniform(0.5, 3.0)))
    if rng.random() < _PAINTED:
        filled = _painted(rng, filled, met)
    bright = rng.uniform(25, 190) / max(float(np.quantile(filled[met], 0.8)), 1e-3)
    gamma = rng.uniform(0.45, 0.85)
    grey = 255 * (np.clip(bright * filled / 255, 0, 1.0)) ** gamma
    grey = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), rng.uniform(0.3, 0.8))
    grey = grey + rng.uniform(0.3, 2.0) * rng.standard_normal(grey.shape).astype(np.float32)
    return np.where(near > 0.05, grey, np.nan).astype(np.float32)


def _painted(rng: np.random.Generator, light: Picture, met: NDArray[np.bool_]) -> Picture:
    """Eyes, belts, mouths: small parts of another brightness."""
    rows, columns = np.nonzero(met)
    out = light.copy()
    for _ in range(rng.integers(1, 5)):
        at = rng.integers(len(rows))
        spot = np.zeros(light.shape, np.uint8)
        size = (int(rng.integers(1, 5)), int(rng.integers(1, 3)))
        cv2.ellipse(spot, (int(columns[at]), int(rows[at])), size, rng.uniform(0, 180), 0, 360, 1, -1)
        out = np.where(spot > 0, out * np.float32(np.exp(rng.normal(0, 0.6))), out)
    return out
