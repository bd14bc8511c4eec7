"""Where a figure may go (catalogue 6.3 and 6.4), as a shape and as something to draw."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import LineString, Polygon
from shapely.geometry.base import BaseGeometry

from rules.annotations import Region
from rules.engine.cite import cite
from rules.geometry import unit
from rules.scene import Figure, Hand, Ring
from rules.smackkatz.house_rules import catalogue
from rules.smackkatz.movement.stride import Stride, stride
from rules.smackkatz.movement.way import Obstacles, canonical, free_way, obstacles
from rules.text import Text

Floats = NDArray[np.float64]

LINE_WIDTH = 0.4
"""Half the width, cm, with which the straight line of a move without a turn is drawn."""
HEADINGS = np.radians(np.arange(0.0, 360.0, 5.0))
"""The final headings tried, every five degrees (6.4)."""
STARTS_PER_PALM = 4
"""Places along the old heading where the turn is tried, per palm."""


def stages(tokens: Stride, speed: int) -> list[tuple[float, float]]:
    """What a turning move may use: (longest leg before the turn, longest leg after it), cm."""
    points = speed - (1 if tokens.escape else 0)
    if not tokens.turn:
        return []
    found = []
    for before in range(points):
        after = points - 1 - before
        extra = (0.0, tokens.half) if tokens.turn_first else (tokens.half, 0.0)
        found.append((before * tokens.palm + extra[0], after * tokens.palm + extra[1]))
    return found


def straight_reach(tokens: Stride, speed: int) -> tuple[float, float]:
    """How far a move without a turn may go back and ahead, cm."""
    ahead = max(0, speed - (1 if tokens.escape else 0)) * tokens.palm
    if tokens.escape:
        return (tokens.back if speed >= 1 else 0.0), ahead
    steps = tokens.backs if tokens.back_cost == 0 else min(tokens.backs, speed // tokens.back_cost)
    # Free steps without number would have no end: one is drawn, more may be taken one by one.
    return min(steps, max(1, speed)) * tokens.back if steps else 0.0, ahead


def _earliest_turn(tokens: Stride) -> float:
    """How far behind the start a turn may happen: a step back that costs nothing, or the escape step."""
    free_step = tokens.escape or (tokens.backs > 0 and tokens.back_cost == 0)
    return -tokens.back if free_step else 0.0


@cite("MOVE-01", "MOVE-05", "FACE-01", "FACE-03", "RULING-26", "RULING-27")
def open_floor(x: float, y: float, facing: float, tokens: Stride, speed: int) -> BaseGeometry:
    """Every place the centre may reach with `speed` points and nothing in the way (6.3)."""
    ux, uy = unit(facing)

    def along(a: float) -> tuple[float, float]:
        return x + a * ux, y + a * uy

    back, ahead = straight_reach(tokens, speed)
    first = _earliest_turn(tokens)
    parts: list[BaseGeometry] = [shapely.Point(x, y)]
    if back or ahead:
        parts.append(LineString([along(-back), along(ahead)]))
    for before, after in stages(tokens, speed):
        spine = LineString([along(first), along(before)]) if before > first else shapely.Point(x, y)
        parts.append(spine.buffer(after, quad_segs=32) if after > 0 else spine)
    return shapely.union_all(parts)


@cite("MOVE-01", "MOVE-04", "MOVE-05", "FACE-01", "FACE-03", "RULING-26", "RULING-28", "RULING-29")
def legal_region(
    figure: Figure,
    hand: Hand,
    speed: int,
    *,
    ring: Ring,
    others: tuple[Figure, ...] = (),
    rulings: Mapping[str, Any] | None = None,
    may_turn: bool = True,
    may_step_back: bool = True,
    escape: bool = False,
    at_ringside: bool = False,
    final_heading: float | None = None,
) -> BaseGeometry:
    """Where the figure's ground point may end with `speed` points of Speed, among ring and figures.

    Every heading is tried in steps of five degrees, or only the final heading given (radians). Posts,
    ropes and other figures are in the way (pass_over_lying takes lying ones out); a straight move is a
    line. Under `half_palm_move: mandatory` the region is an outer bound; `judge_move` is exact.
    """
    agreed = catalogue().resolve() if rulings is None else rulings
    tokens = stride(figure, hand, agreed, may_turn=may_turn, may_step_back=may_step_back, escape=escape)
    if agreed["pass_over_lying"]:
        others = tuple(other for other in others if other.posture != "lying")
    return _among(figure, tokens, speed, ring, others, at_ringside, final_heading)


@lru_cache(maxsize=64)
def _among(
    figure: Figure,
    tokens: Stride,
    speed: int,
    ring: Ring,
    others: tuple[Figure, ...],
    at_ringside: bool,
    final_heading: float | None,
) -> BaseGeometry:
    """The region of catalogue 6.3 cut by what is in the way; kept, since it is drawn in every frame."""
    longest = speed * tokens.palm + tokens.half + tokens.back
    blocks = obstacles(figure, ring, others, longest, at_ringside=at_ringside)
    parts = _straight(figure, tokens, speed, blocks, final_heading)
    parts += _turning(figure, tokens, speed, blocks, final_heading)
    return shapely.union_all([shapely.Point(figure.x, figure.y), *parts])


def _straight(
    figure: Figure, tokens: Stride, speed: int, blocks: Obstacles, final_heading: float | None
) -> list[BaseGeometry]:
    """The line of a move that keeps its heading."""
    if final_heading is not None and abs(math.remainder(final_heading - figure.facing, math.tau)) > 1e-6:
        return []
    body, start = canonical(figure), np.array([[figure.x, figure.y]])
    back, ahead = straight_reach(tokens, speed)
    forth = float(free_way(body, start, np.array([figure.facing]), blocks, ahead)[0, 0])
    away = np.array([figure.facing + math.pi])
    back = float(free_way(body, start, away, blocks, back, backwards=True)[0, 0])
    if forth + back <= 0:
        return []
    ux, uy = unit(figure.facing)
    return [
        LineString(
            [(figure.x - back * ux, figure.y - back * uy), (figure.x + forth * ux, figure.y + forth * uy)]
        )
    ]


def _turning(
    figure: Figure, tokens: Stride, speed: int, blocks: Obstacles, final_heading: float | None
) -> list[BaseGeometry]:
    """What a move with its one turn sweeps: a fan from every place where it may turn."""
    allowed = stages(tokens, speed)
    if not allowed:
        return []
    body, here = canonical(figure), np.array([[figure.x, figure.y]])
    furthest = max(before for before, _ in allowed)
    forth = float(free_way(body, here, np.array([figure.facing]), blocks, furthest)[0, 0])
    first = _earliest_turn(tokens)
    back = -float(
        free_way(body, here, np.array([figure.facing + math.pi]), blocks, -first, backwards=True)[0, 0]
    )
    count = max(2, math.ceil((forth - back) / tokens.palm * STARTS_PER_PALM) + 1) if tokens.palm else 2
    marks = {before for before, _ in allowed if before < forth}
    places = np.array(sorted({*np.linspace(back, forth, count).tolist(), *marks, 0.0}))
    starts = here + places[:, None] * np.array(unit(figure.facing))
    headings = HEADINGS if final_heading is None else np.array([final_heading])
    reach = np.array([max(after for before, after in allowed if place <= before + 1e-9) for place in places])
    ways = np.minimum(free_way(body, starts, headings, blocks, float(reach.max())), reach[:, None])
    ends = starts[:, None] + ways[:, :, None] * np.stack([np.cos(headings), np.sin(headings)], axis=1)
    if final_heading is None:
        return [Polygon(fan).buffer(0) for fan in ends]
    return _strips(starts, ends[:, 0])


def _strips(starts: Floats, ends: Floats) -> list[BaseGeometry]:
    """The band between neighbouring legs along one final heading: as long as the shorter of the two."""
    legs = ends - starts
    parts: list[BaseGeometry] = [
        LineString([a, b]) for a, b in zip(starts, ends, strict=True) if not np.allclose(a, b)
    ]
    for one in range(len(starts) - 1):
        leg = min(legs[one], legs[one + 1], key=lambda vector: float(np.hypot(*vector)))
        corners = [starts[one], starts[one + 1], starts[one + 1] + leg, starts[one] + leg]
        band = Polygon(corners)
        if band.area > 1e-9:
            parts.append(band.buffer(0))
    return parts


def region_annotations(shape: BaseGeometry, label: Text | None = None) -> tuple[Region, ...]:
    """The shape as regions to draw; bare lines get a little width."""
    drawn = shape.buffer(LINE_WIDTH, quad_segs=4).simplify(0.02)
    return tuple(
        Region(
            tuple((float(x), float(y)) for x, y in part.exterior.coords[:-1]),
            tuple(tuple((float(x), float(y)) for x, y in hole.coords[:-1]) for hole in part.interiors),
            label=label,
        )
        for part in shapely.get_parts(drawn)
        if part.area > 0
    )
