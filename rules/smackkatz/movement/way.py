"""How far a figure can slide in many directions before it runs into something (catalogue 6.4).

All directions at once: the obstacles are turned into each direction's frame, where the figure moves
along +x, and every corner of the one is compared with every edge of the other.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import Polygon
from shapely.geometry.base import BaseGeometry

from rules.engine.cite import cite
from rules.geometry import outline_shape, posts, ropes, table_shape
from rules.scene import Figure, Ring

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SIMPLE = 0.1
"""Outlines are simplified by this much, cm, before they are compared corner by corner."""
SKIN = 0.05
"""Contact is no overlap: shapes may share so much, cm (RULING-29: touching is fine)."""


@dataclass(frozen=True)
class Obstacles:
    """Edges to keep out of, as corner pairs `start` and `end` (E, 2); `solid` numbers the closed outline an
    edge belongs to, -1 for a bare line such as a rope."""

    start: Floats
    end: Floats
    solid: Ints


def _edges(shape: BaseGeometry) -> Iterable[Floats]:
    """Corner sequences of every ring or line of a shape."""
    for part in shapely.get_parts(shape):
        rings = [part.exterior, *part.interiors] if isinstance(part, Polygon) else [part]
        for ring in rings:
            if not ring.is_empty:
                yield np.asarray(ring.coords, dtype=np.float64)


@cite("RULING-29", "ARENA-05")
def obstacles(
    figure: Figure, ring: Ring, others: Iterable[Figure], reach: float, *, at_ringside: bool = False
) -> Obstacles:
    """What is in a figure's way within `reach` cm: other figures, posts, ropes, at ringside the table's edge.

    What the figure touches or overlaps already is cut back to its outline, so that it only stops a move
    that presses into it.
    """
    lines: list[BaseGeometry] = [*ropes(ring), *([table_shape(ring).exterior] if at_ringside else [])]
    return edges_of([*(outline_shape(other) for other in others), *posts(ring)], lines, figure, reach)


def edges_of(
    solids: Iterable[BaseGeometry], lines: Iterable[BaseGeometry], figure: Figure, reach: float = math.inf
) -> Obstacles:
    """The edges of closed shapes and bare lines within `reach` cm of a figure, cut back where it touches."""
    own, skin = outline_shape(figure), _skin(figure)
    found: list[tuple[Floats, int]] = []
    for number, shape in [*enumerate(solids), *((-1, line) for line in lines)]:
        if own.distance(shape) > reach:
            continue
        rest = shape.difference(skin) if skin.intersects(shape) else shape
        found += [(corners, number) for corners in _edges(rest.simplify(SIMPLE))]
    if not found:
        nothing = np.zeros((0, 2))
        return Obstacles(nothing, nothing, np.zeros(0, dtype=np.int64))
    return Obstacles(
        np.concatenate([corners[:-1] for corners, _ in found]),
        np.concatenate([corners[1:] for corners, _ in found]),
        np.concatenate([np.full(len(corners) - 1, number) for corners, number in found]),
    )


def canonical(figure: Figure) -> Floats:
    """The outline's corners around the ground point, turned so that the figure faces +x; closed."""
    return seen_along(figure, figure.facing)


def seen_along(figure: Figure, heading: float) -> Floats:
    """The outline's corners around the ground point, turned so that `heading` becomes +x; closed."""
    c, s = np.cos(heading), np.sin(heading)
    turned: Floats = _body(figure) @ np.array([[c, -s], [s, c]])
    return turned


@lru_cache(maxsize=256)
def _skin(figure: Figure) -> BaseGeometry:
    """The outline a hair wider: what lies within it touches the figure."""
    return outline_shape(figure).buffer(SKIN, quad_segs=2, join_style="mitre")


@lru_cache(maxsize=256)
def _body(figure: Figure) -> Floats:
    """The outline's corners a hair narrower and simplified, around the ground point; closed."""
    shape = outline_shape(figure).buffer(-SKIN, quad_segs=2, join_style="mitre").simplify(SIMPLE)
    if shape.is_empty or not isinstance(shape, Polygon):
        shape = outline_shape(figure)
    corners: Floats = np.asarray(shape.exterior.coords) - (figure.x, figure.y)
    return corners


def free_way(
    body: Floats,
    starts: Floats,
    headings: Floats,
    obstacles: Obstacles,
    limit: float,
    *,
    backwards: bool = False,
) -> Floats:
    """How far, up to `limit` cm, a figure slides from each start (A, 2) along each heading (M,): (A, M).

    `body` is its canonical outline. It faces the heading, or away from it when it goes `backwards`.
    Where it does not even fit, facing so, the answer is 0.
    """
    shape = (len(starts), len(headings))
    if len(obstacles.start) == 0 or limit <= 0:
        return np.full(shape, max(limit, 0.0))
    outline = -body if backwards else body
    c, s = np.cos(headings)[None, :, None], np.sin(headings)[None, :, None]

    def turned(points: Floats) -> tuple[Floats, Floats]:
        x, y = (points[None, None, :, axis] - starts[:, None, None, axis] for axis in (0, 1))
        frames = len(starts) * len(headings)
        return (c * x + s * y).reshape(frames, -1), (c * y - s * x).reshape(frames, -1)

    ax, ay = turned(obstacles.start)
    bx, by = turned(obstacles.end)
    free = np.full(len(ax), limit)
    _corners_against_edges(free, outline, (ax, ay, bx, by), obstacles.solid)
    _edges_against_corners(free, outline, ax, ay, obstacles.solid)
    return free.reshape(shape)


def _corners_against_edges(
    free: Floats, body: Floats, edges: tuple[Floats, Floats, Floats, Floats], solid: Ints
) -> None:
    """The figure's corners running into obstacle edges: shortens `free`, to 0 where one is inside already."""
    ax, ay, bx, by = edges
    low, high = body.min(axis=0), body.max(axis=0)
    # Only edges that are level with the body and not wholly behind it can matter.
    level = (np.maximum(ay, by) >= low[1]) & (np.minimum(ay, by) <= high[1]) & (np.maximum(ax, bx) >= low[0])
    frame, edge = np.nonzero(level)
    ax, ay, bx, by = (one[frame, edge][:, None] for one in (ax, ay, bx, by))
    vx, vy = body[None, :-1, 0], body[None, :-1, 1]
    spans = (ay <= vy) != (by <= vy)
    slope = np.where(np.abs(by - ay) < 1e-12, 1.0, by - ay)
    gap = ax + (vy - ay) * (bx - ax) / slope - vx
    hit = spans & (gap >= 0)
    _shorten(free, frame, hit, gap)
    # A corner with an odd number of an outline's edges ahead of it is inside that outline.
    closed = np.flatnonzero(solid[edge] >= 0)
    if len(closed):
        outline = frame[closed] * (int(solid.max()) + 1) + solid[edge[closed]]
        first = np.flatnonzero(np.diff(outline, prepend=-1))
        crossings = np.add.reduceat(hit[closed].astype(np.int8), first, axis=0)
        free[frame[closed[first[(crossings % 2 == 1).any(axis=1)]]]] = 0.0


def _shorten(free: Floats, frame: Ints, hit: NDArray[np.bool_], gap: Floats) -> None:
    """Cut every frame's free way at its nearest hit; rows of a frame stand together."""
    if len(frame):
        first = np.flatnonzero(np.diff(frame, prepend=-1))
        nearest = np.minimum.reduceat(np.where(hit, gap, np.inf).min(axis=1), first)
        free[frame[first]] = np.minimum(free[frame[first]], nearest)


def _edges_against_corners(free: Floats, body: Floats, ax: Floats, ay: Floats, solid: Ints) -> None:
    """Obstacle corners met by the figure's edges: shortens `free`, to 0 where one is inside the figure."""
    low, high = body.min(axis=0), body.max(axis=0)
    frame, corner = np.nonzero((ay >= low[1]) & (ay <= high[1]) & (ax >= low[0]))
    x, y = ax[frame, corner][:, None], ay[frame, corner][:, None]
    px, py, qx, qy = body[None, :-1, 0], body[None, :-1, 1], body[None, 1:, 0], body[None, 1:, 1]
    spans = (py <= y) != (qy <= y)
    slope = np.where(np.abs(qy - py) < 1e-12, 1.0, qy - py)
    gap = x - (px + (y - py) * (qx - px) / slope)
    hit = spans & (gap >= 0)
    _shorten(free, frame, hit, gap)
    free[frame[(hit.sum(axis=1) % 2 == 1) & (solid[corner] >= 0)]] = 0.0
