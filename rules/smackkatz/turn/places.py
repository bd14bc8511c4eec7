"""Where wrestlers should stand before the first turn, and what is said of a set-up that is otherwise."""

from __future__ import annotations

import math
from itertools import combinations

from rules.engine.cite import cite
from rules.geometry import gap, gap_to, moved, ropes
from rules.scene import Figure, Point
from rules.scene import Ring as RingSize
from rules.smackkatz.abilities import Ring

FROM_ROPES_CM = 6.0
"""How far from the ropes a figure's middle is proposed."""
FIGURE_CM = 3.0
"""Radius of the footprint drawn for a figure not seen yet."""
RINGSIDE_CM = (20.0, 30.0)
"""ARENA-06."""
_CORNERS = 16


@cite("SETUP-01", "SETUP-02")
def starting_places(ring: RingSize, count: int) -> list[Point]:
    """One in each corner, opposite ones first, the rest along the sides; cm in the ring frame."""
    w, d = ring.width / 2 - FROM_ROPES_CM, ring.depth / 2 - FROM_ROPES_CM
    corners = [(-w, d), (w, -d), (w, d), (-w, -d)]
    rest = max(count - 4, 0)
    per_side = [rest // 4 + (side < rest % 4) for side in range(4)]
    sides = []
    for side, many in enumerate(per_side):
        for step in range(many):
            along = 2 * (step + 1) / (many + 1) - 1
            sides.append([(along * w, d), (along * w, -d), (w, along * d), (-w, along * d)][side])
    return [*corners[:count], *sides]


@cite("SETUP-01", "SETUP-02", "RULING-98", "RULING-99")
def proposed(table: Ring) -> dict[str, Figure]:
    """Where everybody should stand, facing the middle: partners without the tag outside their corner."""
    ring, wrestlers = table.state.scene.ring, table.state.wrestlers.values()
    inside = [one.id for one in wrestlers if one.playing and not one.at_ringside]
    places = dict(zip(inside, starting_places(ring, len(inside)), strict=True))
    outside = 2 * FROM_ROPES_CM
    for one in wrestlers:
        legal = next((mate.id for mate in wrestlers if one.team and mate.team == one.team and mate.legal), "")
        if one.playing and one.at_ringside and legal in places:
            x, y = places[legal]
            places[one.id] = (x, y + math.copysign(outside, y))
            outside += 2 * FROM_ROPES_CM
    return {
        name: _standing(table.state.scene.figures.get(name), name, *place) for name, place in places.items()
    }


def _standing(figure: Figure | None, name: str, x: float, y: float) -> Figure:
    facing = math.atan2(-y, -x)
    if figure is not None:
        return moved(figure, x, y, facing)
    turns = [2 * math.pi * step / _CORNERS for step in range(_CORNERS)]
    outline = tuple((x + FIGURE_CM * math.cos(a), y + FIGURE_CM * math.sin(a)) for a in turns)
    return Figure(name, x, y, facing, outline)


@cite("SETUP-01", "SETUP-02")
def advise(table: Ring) -> None:
    """Say who stands far from the ropes or close to another: advice, nobody is kept from it."""
    figures = {
        one.id: table.state.scene.figures[one.id]
        for one in table.state.playing
        if one.id in table.state.scene.figures
    }
    for name, figure in figures.items():
        away = min(gap_to(figure, rope)[0].value for rope in ropes(table.state.scene.ring))
        palm = table.state.scene.hands[name].palm
        if away > palm:
            table.record("far_from_ropes", "SETUP-01", fighter=name, cm=round(away, 1), palm=palm)
    least = _room(table, len(figures))
    for a, b in combinations(figures, 2):
        apart = gap(figures[a], figures[b])[0].value
        mates = table.state.wrestlers[a].team is not None
        mates = mates and table.state.wrestlers[a].team == table.state.wrestlers[b].team
        if apart < least and not mates:
            table.record("close_together", "SETUP-01", fighter=a, other=b, cm=round(apart, 1))


def _room(table: Ring, count: int) -> float:
    """Half the smallest distance between neighbours of the ideal layout, cm."""
    places = starting_places(table.state.scene.ring, count)
    return min((math.dist(a, b) for a, b in combinations(places, 2)), default=0.0) / 2 - FIGURE_CM


@cite("ARENA-03", "ARENA-06", "RULING-5")
def warn_of_sizes(table: Ring) -> None:
    """Say so when the ring or the strip around it has other measures than the rulebook's."""
    ring = table.state.scene.ring
    low, high = table.rulings["ring_size_warning_cm"]
    if not (low <= ring.width <= high and low <= ring.depth <= high):
        table.record(
            "ring_size", "ARENA-03", "RULING-5", width=ring.width, depth=ring.depth, low=low, high=high
        )
    narrow, wide = RINGSIDE_CM
    if not narrow <= ring.ringside <= wide:
        table.record("ringside_width", "ARENA-06", cm=ring.ringside, low=narrow, high=wide)
