"""Free places on the table: beside a figure, or some way off in a direction (catalogue 6.5).

All lengths in cm, angles in radians. A figure put down keeps its own shape and faces `facing`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache

from shapely.geometry.base import BaseGeometry

from rules.geometry import box_of, boxes_apart, mat_shape, moved, outline_shape, posts, table_shape, unit
from rules.scene import Figure, Ring

STEP = 0.25
"""How finely places are tried, cm."""
FAN = 24
"""How many directions are tried all around."""
CLEAR = 0.5
"""How far apart two figures are put so that nobody takes them for touching."""
GRACE = 1e-6
"""What rounding may add, cm or cm^2."""


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
    left, low, right, high = figure.extent
    across, deep = ring.width / 2, ring.depth / 2
    on_mat = left >= -across and right <= across and low >= -deep and high <= deep
    if inside and on_mat:
        return True
    if not inside and boxes_apart(figure.extent, (-across, -deep, across, deep)):
        out, off = across + ring.ringside, deep + ring.ringside
        return left >= -out and right <= out and low >= -off and high <= off
    return bool(side_of_ropes(ring, inside).covers(outline_shape(figure)))


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
    while True:
        spot = moved(figure, by.x + away * ux, by.y + away * uy, facing)
        if outline_shape(spot).distance(base) >= CLEAR:
            return spot
        away += STEP


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
    for turn in fan(half):
        ux, uy = unit(heading + turn)
        away = reach[0]
        while away <= reach[1]:
            spot = moved(figure, origin.x + away * ux, origin.y + away * uy)
            if is_free(spot, solid, ring, inside):
                return spot
            away += STEP
    return None


def post_figure(ring: Ring, number: int) -> Figure:
    """A post as a figure, for the distances and lines that are drawn from figures."""
    x, y = ring.corners[number]
    outline = tuple((float(px), float(py)) for px, py in posts(ring)[number].exterior.coords[:-1])
    return Figure(f"post {number + 1}", x, y, 0.0, outline)
