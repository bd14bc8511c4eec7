"""A finished figure: its mesh, what of it is near the table, its outlines, and how it lies after a fall."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from scipy.spatial import ConvexHull, QhullError

from datasets.figures import SOLE_CM
from datasets.render.absurds import absurd
from datasets.render.beasts import beast
from datasets.render.clay import Clay, sculpt
from datasets.render.colours import linear
from datasets.render.humanoids import humanoid
from datasets.render.meshes import Array, Mesh
from datasets.resting import resting

MAKERS: dict[str, Callable[[np.random.Generator], Clay]] = {
    "humanoid": humanoid, "beast": beast, "absurd": absurd,
}  # fmt: skip
_STEPS_PER_HEIGHT = 62
_LEAST_STEP_CM = 0.14
# Clay that barely balances is pressed together anew.
_BALANCE_CM, _ATTEMPTS = 0.35, 50
_ON_ITS_FACE_DEG = 65.0
_EYES = (0.012, 0.011, 0.011)


class FigureError(ValueError):
    """A figure that cannot be made to stand: one sentence."""


@dataclass(frozen=True, eq=False)
class Figure:
    """A figure in its own frame: front along +x, the table at z = 0, centimetres."""

    kind: str
    mesh: Mesh

    @property
    def height(self) -> float:
        """How high it reaches, cm."""
        return float(self.mesh.vertices[:, 2].max())

    @cached_property
    def sole_hull(self) -> Array:
        """The outline (N, 2) of what is near the table."""
        return outline(self.mesh.vertices[self.mesh.vertices[:, 2] < SOLE_CM])

    @cached_property
    def plan_hull(self) -> Array:
        """The convex outline (N, 2) seen straight down."""
        return outline(self.mesh.vertices)

    @property
    def sole_middle(self) -> Array:
        """The middle (2,) of the sole's bounding box: the ground point."""
        return middle(self.sole_hull)

    @property
    def balance_cm(self) -> float:
        """How far inside the sole the centre of mass stands; negative: it would fall."""
        hull = ConvexHull(self.sole_hull)
        point = self.mesh.centre_of_mass[:2]
        return float(-(hull.equations[:, :2] @ point + hull.equations[:, 2]).max())

    @cached_property
    def fallen(self) -> tuple[Array, Mesh]:
        """How it lies on its face: the rotation (3, 3), and the mesh so turned, resting on the table.

        The facing stays the facing: the head now points along +x.
        """
        rotation = _resting(self.mesh) @ _TIPPED
        turned = self.mesh.vertices @ rotation.T
        return rotation, self.mesh.moved(rotation, np.array([0.0, 0.0, -turned[:, 2].min()]))


# Forward by a right angle: what looked ahead looks down.
_TIPPED = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])


@lru_cache(maxsize=64)
def make_figure(kind: str, seed: int, height: float, colour: str, second: str) -> Figure:
    """A figure of a class that stands by itself; the same seed makes the same one. Raises FigureError."""
    tints = np.array([linear(colour), linear(second), _EYES])
    for attempt in range(_ATTEMPTS):
        rng = np.random.default_rng([seed, attempt, sorted(MAKERS).index(kind)])
        clay = MAKERS[kind](rng)
        low, high = clay.box()
        clay = clay.scaled(height / (high[2] - low[2]))
        mesh = sculpt(clay, rng, max(height / _STEPS_PER_HEIGHT, _LEAST_STEP_CM), tints)
        figure = Figure(kind, _standing(mesh, height))
        try:
            if figure.balance_cm > _BALANCE_CM:
                # asked for once, they turn with the figure
                _ = figure.mesh.normals
                return figure
        except QhullError:
            continue
    raise FigureError(f"no {kind} of seed {seed} stands by itself: choose another seed")


def outline(points: Array) -> Array:
    """The convex outline (N, 2) of points (M, 2 or 3) seen straight down, counter-clockwise."""
    flat = np.asarray(points[:, :2])
    return np.asarray(flat[ConvexHull(flat).vertices])


def middle(points: Array) -> Array:
    """The middle (2,) of the bounding box of points (N, 2)."""
    return np.asarray((points.min(axis=0) + points.max(axis=0)) / 2)


def _standing(mesh: Mesh, height: float) -> Mesh:
    """Exactly as high as wanted and on the table."""
    low, high = mesh.vertices[:, 2].min(), mesh.vertices[:, 2].max()
    factor = height / (high - low)
    vertices = (mesh.vertices - [0.0, 0.0, low]) * factor
    return Mesh(vertices, mesh.faces, mesh.colours)


def _resting(mesh: Mesh) -> Array:
    """The small rotation after the tip that lets it rest on the side nearest to its front on which it can."""
    return resting(mesh.vertices @ _TIPPED.T, _TIPPED @ mesh.centre_of_mass, _ON_ITS_FACE_DEG)
