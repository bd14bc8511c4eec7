"""How far a figure can slide in many directions before it runs into something (catalogue 6.4).

All directions at once: the obstacles are turned into each direction's frame, where the figure moves
along +x, and every corner of the one is compared with every edge of the other.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

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
            yield np.asarray(ring.coords, dtype=np.float64)


@cite("RULING-29", "ARENA-05")
def obstacles(
    figure: Figure, ring: Ring, others: Iterable[Figure], reach: float, *, at_ringside: bool = False
) -> Obstacles:
    """What is in a figure's way within `reach` cm: other figures, posts, ropes, at ringside the table's edge.

    What the figure touches or overlaps already is cut back to its outline, so that it only stops a move
    that presses into it.
    """
    own = outline_shape(figure)
    skin = own.buffer(SKIN, quad_segs=2, join_style="mitre")
    near = own.buffer(reach + 2 * SKIN, quad_segs=4)
    solids = [*(outline_shape(other) for other in others), *posts(ring)]
    found: list[tuple[Floats, int]] = []
    for number, solid in enumerate(solids):
        if not near.intersects(solid):
            continue
        rest = solid.difference(skin) if skin.intersects(solid) else solid
        found += [(corners, number) for corners in _edges(rest.simplify(SIMPLE))]
    lines: list[BaseGeometry] = [*ropes(ring), *([table_shape(ring).exterior] if at_ringside else [])]
    for line in lines:
        rest = line.difference(skin) if skin.intersects(line) else line
        found += [(corners, -1) for corners in _edges(rest) if near.intersects(rest)]
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
    shape = outline_shape(figure).buffer(-SKIN, quad_segs=2, join_style="mitre").simplify(SIMPLE)
    if shape.is_empty or not isinstance(shape, Polygon):
        shape = outline_shape(figure)
    corners = np.asarray(shape.exterior.coords) - (figure.x, figure.y)
    c, s = np.cos(figure.facing), np.sin(figure.facing)
    turned: Floats = corners @ np.array([[c, -s], [s, c]])
    return turned


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
    found = np.full((len(starts), len(headings)), limit)
    if len(obstacles.start) == 0 or limit <= 0:
        return found
    outline = -body if backwards else body
    for row, start in enumerate(starts):
        found[row] = _from_start(outline, start, headings, obstacles, limit)
    return found


def _from_start(body: Floats, start: Floats, headings: Floats, obstacles: Obstacles, limit: float) -> Floats:
    c, s = np.cos(headings)[:, None], np.sin(headings)[:, None]

    def turned(points: Floats) -> tuple[Floats, Floats]:
        x, y = points[:, 0] - start[0], points[:, 1] - start[1]
        return c * x + s * y, c * y - s * x

    ax, ay = turned(obstacles.start)
    bx, by = turned(obstacles.end)
    inner = body[:-1]
    ahead, inside = _corners_against_edges(inner, ax, ay, bx, by, obstacles.solid)
    behind, within = _edges_against_corners(body, ax, ay, obstacles.solid)
    free = np.minimum(np.minimum(ahead, behind), limit)
    free[inside | within] = 0.0
    result: Floats = np.maximum(free, 0.0)
    return result


def _corners_against_edges(
    body: Floats, ax: Floats, ay: Floats, bx: Floats, by: Floats, solid: Ints
) -> tuple[Floats, NDArray[np.bool_]]:
    """The figure's corners running into obstacle edges: distance, and whether one is inside at once."""
    vx, vy = body[:, 0][:, None, None], body[:, 1][:, None, None]
    spans = (ay <= vy) != (by <= vy)
    slope = np.where(np.abs(by - ay) < 1e-12, 1.0, by - ay)
    gap = np.where(spans, ax + (vy - ay) * (bx - ax) / slope - vx, np.inf)
    ahead = np.where(gap >= 0, gap, np.inf).min(axis=(0, 2), initial=np.inf)
    inside = np.zeros(ax.shape[0], dtype=bool)
    for number in np.unique(solid[solid >= 0]):
        crossings = (spans & (gap >= 0))[:, :, solid == number].sum(axis=2)
        inside |= (crossings % 2 == 1).any(axis=0)
    return ahead, inside


def _edges_against_corners(
    body: Floats, ax: Floats, ay: Floats, solid: Ints
) -> tuple[Floats, NDArray[np.bool_]]:
    """Obstacle corners met by the figure's edges: distance, and whether one is inside the figure."""
    px, py, qx, qy = (one[:, None, None] for one in (body[:-1, 0], body[:-1, 1], body[1:, 0], body[1:, 1]))
    spans = (py <= ay) != (qy <= ay)
    slope = np.where(np.abs(qy - py) < 1e-12, 1.0, qy - py)
    gap = np.where(spans, ax - (px + (ay - py) * (qx - px) / slope), np.inf)
    ahead = np.where(gap >= 0, gap, np.inf).min(axis=(0, 2), initial=np.inf)
    crossings = (spans & (gap >= 0)).sum(axis=0)
    return ahead, ((crossings % 2 == 1) & (solid >= 0)).any(axis=1)
