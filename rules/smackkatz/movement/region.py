"""Where a figure may go (catalogue 6.3 and 6.4), as a shape and as something to draw."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import shapely
from shapely.geometry import LineString
from shapely.geometry.base import BaseGeometry

from rules.annotations import Region
from rules.engine.cite import cite
from rules.geometry import unit
from rules.scene import Figure, Hand, Ring
from rules.smackkatz.house_rules import catalogue
from rules.smackkatz.movement.stride import Stride, stride
from rules.text import Text

LINE_WIDTH = 0.4
"""Half the width, cm, with which the straight line of a move without a turn is drawn."""


@cite("MOVE-01", "MOVE-05", "FACE-01", "FACE-03", "RULING-26", "RULING-27")
def open_floor(x: float, y: float, facing: float, tokens: Stride, speed: int) -> BaseGeometry:
    """Every place the centre may reach with `speed` points and no obstacle (6.3): straight line and turns."""
    ux, uy = unit(facing)
    escape = 1 if tokens.escape else 0
    back = tokens.back if tokens.escape or (tokens.backs and speed >= tokens.back_cost) else 0.0
    ahead = (speed - escape) * tokens.palm
    parts: list[BaseGeometry] = [shapely.Point(x, y)]
    if speed >= 1 or back > 0:
        parts.append(LineString([(x - back * ux, y - back * uy), (x + ahead * ux, y + ahead * uy)]))
    if tokens.turn:
        for palms in range(speed - escape):
            start = LineString([(x, y), (x + palms * tokens.palm * ux, y + palms * tokens.palm * uy)])
            rest = tokens.half + (speed - escape - 1 - palms) * tokens.palm
            parts.append(
                start.buffer(rest, quad_segs=16) if palms else shapely.Point(x, y).buffer(rest, quad_segs=16)
            )
    return shapely.union_all(parts)


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
) -> BaseGeometry:
    """Where the figure's ground point may end with `speed` points of Speed, among ring and figures."""
    agreed = catalogue().resolve() if rulings is None else rulings
    tokens = stride(figure, hand, agreed, may_turn=may_turn, may_step_back=may_step_back, escape=escape)
    return open_floor(figure.x, figure.y, figure.facing, tokens, speed)


def region_annotations(shape: BaseGeometry, label: Text | None = None) -> tuple[Region, ...]:
    """The shape as regions to draw; bare lines get a little width."""
    drawn = shape.buffer(LINE_WIDTH, quad_segs=4)
    parts = getattr(drawn, "geoms", [drawn])
    return tuple(
        Region(
            tuple((float(x), float(y)) for x, y in part.exterior.coords[:-1]),
            tuple(tuple((float(x), float(y)) for x, y in hole.coords[:-1]) for hole in part.interiors),
            label=label,
        )
        for part in parts
        if not part.is_empty and not math.isclose(part.area, 0.0)
    )
