"""Free places on the table: beside a figure, or some way off in a direction (catalogue 6.5).

All lengths in cm, angles in radians. A figure put down keeps its own shape and faces `facing`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache

from shapely.geometry.base import BaseGeometry

from rules.geometry import (
    Box,
    Disc,
    box_of,
    boxes_apart,
    core_of,
    mat_shape,
    moved,
    outline_shape,
    posts,
    table_shape,
    unit,
    within,
)
from rules.scene import Figure, Point, Ring

STEP = 0.25
"""How finely places are tried, cm."""
FAN = 24
"""How many directions are tried all around."""
CLEAR = 0.5
"""How far apart two figures are put so that nobody takes them for touching."""
GRACE = 1e-6
"""What rounding may add, cm or cm^2."""
HAIR = 0.01
"""What is clear by so much, cm, is clear before anything is measured."""


def solids(ring: Ring, others: Iterable[Figure]) -> list[BaseGeometry]:
    """What a place must keep clear of: the others' outlines and the posts."""
    return [*(outline_shape(other) for other in others), *posts(ring)]


@lru_cache(maxsize=64)
def side_of_ropes(ring: Ring, inside: bool) -> BaseGeometry:
    """The mat, or the ringside around it, with a hair's breadth of grace."""
    mat = mat_shape(ring)
    return mat.buffer(GRACE) if inside else table_shape(ring).difference(mat.buffer(-GRACE))


def is_free(figure: Figure, solid: Sequence[BaseGeometry], ring: Ring, inside: bool) -> bool:
    """Whether a figure stands clear of everything, wholly on its side of the ropes."""
    if not _on_its_side(figure, ring, inside):
        return False
    near = [other for other in solid if not boxes_apart(figure.extent, box_of(other))]
    return all(outline_shape(figure).intersection(other).area <= GRACE for other in near)


def _on_its_side(figure: Figure, ring: Ring, inside: bool) -> bool:
    """Whether the figure is wholly on the mat, or wholly beside it; its box says so nearly always."""
    told = _box_on_its_side(figure.extent, ring, inside)
    return bool(side_of_ropes(ring, inside).covers(outline_shape(figure))) if told is None else told


def _box_on_its_side(box: Box, ring: Ring, inside: bool) -> bool | None:
    """Whether what fills a box is wholly on the mat, or wholly beside it; None where the box cannot tell."""
    mat = _box_around(ring.width / 2, ring.depth / 2)
    if inside:
        return True if within(box, mat) else None if within(box, _wider(mat, GRACE)) else False
    table = _box_around(ring.width / 2 + ring.ringside, ring.depth / 2 + ring.ringside)
    if not within(box, _wider(table, GRACE)):
        return False
    if boxes_apart(box, mat):
        return True if within(box, table) else None
    # What sticks out of the mat's box over a corner may be clear of the mat itself.
    level = mat[0] <= box[0] and box[2] <= mat[2], mat[1] <= box[1] and box[3] <= mat[3]
    return False if any(level) and not boxes_apart(box, _wider(mat, -2 * GRACE)) else None


def _box_around(across: float, deep: float) -> Box:
    return -across, -deep, across, deep


def _wider(box: Box, by: float) -> Box:
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


def beside(
    figure: Figure,
    by: Figure,
    others: Iterable[Figure],
    ring: Ring,
    inside: bool,
    start: float,
    *,
    turned: bool = True,
) -> Figure | None:
    """The figure put down next to another in the free place nearest to the direction `start`.

    It looks at the other one, or keeps its facing when it is not to be `turned`. None: no room all around.
    """
    solid = solids(ring, others)
    for turn in fan(math.pi):
        heading = start + turn
        spot = _next_to(figure, by, heading, heading + math.pi if turned else figure.facing)
        if is_free(spot, solid, ring, inside):
            return spot
    return None


def fan(half: float) -> list[float]:
    """Directions from the middle outwards to both sides, up to `half` radians off."""
    count = max(1, round(FAN * half / (2 * math.pi)))
    steps = [half * number / count for number in range(count + 1)]
    return [0.0, *(sign * step for step in steps[1:] for sign in (1, -1))]


def _next_to(figure: Figure, by: Figure, heading: float, facing: float) -> Figure:
    ux, uy = unit(heading)
    away, base = 0.0, outline_shape(by)
    core = _carried_core(figure, facing - figure.facing)
    while True:
        x, y = by.x + away * ux, by.y + away * uy
        if _cores_apart(core, (x, y), core_of(base)) >= CLEAR - HAIR:
            spot = moved(figure, x, y, facing)
            if outline_shape(spot).distance(base) >= CLEAR:
                return spot
        away += STEP


def _carried_core(figure: Figure, turn: float = 0.0) -> Disc:
    """The disc that lies in a figure, seen from its ground point, the figure turned by an angle."""
    x, y, radius = core_of(outline_shape(figure))
    (ux, uy), dx, dy = unit(turn), x - figure.x, y - figure.y
    return ux * dx - uy * dy, uy * dx + ux * dy, radius


def _cores_apart(core: Disc, place: Point, other: Disc) -> float:
    """How far a core carried to a place is from another one: two shapes are never farther apart."""
    centre = place[0] + core[0], place[1] + core[1]
    return math.dist(centre, other[:2]) - core[2] - other[2]


def towards(
    figure: Figure,
    origin: Figure,
    heading: float,
    half: float,
    reach: tuple[float, float],
    others: Iterable[Figure],
    ring: Ring,
    inside: bool,
) -> Figure | None:
    """A free place in a sector around `heading` (`half` radians to each side), its centre between
    `reach` cm from the origin's, nearest to the sector's middle; None when there is none."""
    solid = [*solids(ring, others), outline_shape(origin)]
    cores = [core_of(other) for other in solid]
    core, (left, low, right, high) = _carried_core(figure), figure.extent
    left, low, right, high = left - figure.x, low - figure.y, right - figure.x, high - figure.y

    def surely_taken(x: float, y: float) -> bool:
        """Whether a place is out of the question: seen without making the figure that would stand there."""
        there = x + left, y + low, x + right, y + high
        if _box_on_its_side(there, ring, inside) is False:
            return True
        return any(_cores_apart(core, (x, y), one) < -HAIR for one in cores)

    for turn in fan(half):
        ux, uy = unit(heading + turn)
        away = reach[0]
        while away <= reach[1]:
            x, y = origin.x + away * ux, origin.y + away * uy
            if not surely_taken(x, y):
                spot = moved(figure, x, y)
                if is_free(spot, solid, ring, inside):
                    return spot
            away += STEP
    return None


def post_figure(ring: Ring, number: int) -> Figure:
    """A post as a figure, for the distances and lines that are drawn from figures."""
    x, y = ring.corners[number]
    outline = tuple((float(px), float(py)) for px, py in posts(ring)[number].exterior.coords[:-1])
    return Figure(f"post {number + 1}", x, y, 0.0, outline)
