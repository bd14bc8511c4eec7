"""Where a figure must be put by hand: just outside or just inside the nearest rope, and where it lands."""

from __future__ import annotations

import math
from collections.abc import Collection

from rules.engine.cite import cite
from rules.engine.request import REFEREE, Option, Procedure, Reason, Request
from rules.geometry import moved, position_variance, turn_between
from rules.measured import K95
from rules.scene import Figure
from rules.scene import Ring as RingSize
from rules.smackkatz.abilities import Ring
from rules.smackkatz.asking import choose, see
from rules.smackkatz.movement.forced import OUTWARD
from rules.smackkatz.movement.spots import is_free, solids
from rules.text import Text

SIDES = tuple(OUTWARD)
EQUALLY_NEAR_CM = 0.5
"""RULING-39: two rope sides within half a centimetre of each other are equally near."""
PLACED_CM = 1.5
"""A figure put by hand within this much of its ghost, and of what the camera may be off, stands there."""
LAID_CM = 9.0
"""A figure laid down or stood up has its middle up to half its height from where it was, cm."""
PLACED_RAD = math.radians(20)
"""... and turned no further than this from where it should look."""


@cite("RULING-29", "RULING-31", "RULING-46")
def bodies_on_mat(table: Ring, fighter: str, but: Collection[str] = ()) -> list[Figure]:
    """The figures a body can meet where `fighter` is: same side of the ropes, on their own ground."""
    return _bodies(table, table.state.wrestlers[fighter].at_ringside, but)


def _bodies(table: Ring, at_ringside: bool, but: Collection[str]) -> list[Figure]:
    return [
        table.state.scene.figures[one.id]
        for one in table.state.playing
        if one.id not in but
        and one.id in table.state.scene.figures
        and one.at_ringside == at_ringside
        and one.hoisted_by is None
        and one.on_post is None
    ]


def tolerance(placed: Figure, along: tuple[float, float]) -> float:
    """How far off, along a unit direction, a figure put by hand may be seen, cm."""
    return PLACED_CM + K95 * math.sqrt(position_variance(placed, along))


@cite("RULING-105")
def put(
    table: Ring,
    ghost: Figure,
    step: str,
    text: Text,
    *rules: str,
    facing_counts: bool = True,
    tips_over: bool = False,
) -> Procedure[None]:
    """Have a figure put where its ghost stands; a placement too far off is refused with how far.

    `tips_over`: it stood and is laid down there, or lay and is stood up.
    """
    fighter = ghost.id

    def check(placed: Figure) -> tuple[Reason, ...]:
        away = math.hypot(placed.x - ghost.x, placed.y - ghost.y)
        along = ((placed.x - ghost.x) / away, (placed.y - ghost.y) / away) if away > 0 else (1.0, 0.0)
        limit = tolerance(placed, along) + (LAID_CM if tips_over else 0.0)
        values: dict[str, float | int | str | Text] = {"fighter": fighter, "away": away, "limit": limit}
        reasons = [Reason("not_there", Text("why.not_there", values), rules[0])] if away > limit else []
        if facing_counts and turned_from(placed, ghost.facing):
            reasons.append(Reason("other_facing", Text("why.other_facing", {"fighter": fighter}), rules[0]))
        return tuple(reasons)

    placed = yield Request(
        "place", step, REFEREE, text, fighter=fighter, rules=rules, proposal=ghost, check=check
    )
    see(table, {fighter: placed}, *rules)


def turned_from(placed: Figure, facing: float) -> bool:
    """Whether a figure plainly looks another way than it should (radians)."""
    off = abs(turn_between(placed.facing, facing))
    return off > PLACED_RAD + K95 * placed.facing_sd and not placed.facing_assumed


def _half(ring: RingSize, side: str) -> float:
    return ring.depth / 2 if side in ("far", "near") else ring.width / 2


def nearest_sides(figure: Figure, ring: RingSize) -> list[str]:
    """The rope sides nearest to the figure's centre: one, or several that are equally near."""
    away = {
        side: abs(_half(ring, side) - (figure.x * nx + figure.y * ny)) for side, (nx, ny) in OUTWARD.items()
    }
    nearest = min(away.values())
    return [side for side in SIDES if away[side] <= nearest + EQUALLY_NEAR_CM]


def just_outside(figure: Figure, ring: RingSize, side: str) -> Figure:
    """The figure touching a rope from outside, straight across from where it is."""
    nx, ny = OUTWARD[side]
    depth = -min((x - figure.x) * nx + (y - figure.y) * ny for x, y in figure.outline)
    shift = _half(ring, side) + depth - (figure.x * nx + figure.y * ny)
    return moved(figure, figure.x + shift * nx, figure.y + shift * ny)


def just_inside(figure: Figure, ring: RingSize) -> Figure:
    """The figure pushed in until all of it is on the mat, touching the rope it comes over."""
    xs, ys = zip(*figure.outline, strict=True)

    def into(centre: float, low: float, high: float, half: float) -> float:
        return max(-half + centre - low, min(half + centre - high, centre))

    x = into(figure.x, min(xs), max(xs), ring.width / 2)
    y = into(figure.y, min(ys), max(ys), ring.depth / 2)
    return moved(figure, x, y)


def inside(figure: Figure, ring: RingSize) -> bool:
    """Whether a figure's middle is within the ropes."""
    return abs(figure.x) < ring.width / 2 and abs(figure.y) < ring.depth / 2


@cite("RULING-29", "RULING-35", "RULING-39")
def _along(table: Ring, ghost: Figure, side: str, outside: bool) -> Figure:
    """The free place nearest to a ghost along its side's ropes; where there is none, the ghost itself."""
    ring, (nx, ny) = table.state.scene.ring, OUTWARD[side]
    solid = solids(ring, _bodies(table, outside, (ghost.id,)))
    for number in range(int(ring.width + ring.depth)):
        for away in (number, -number):
            spot = moved(ghost, ghost.x - away * ny, ghost.y + away * nx) if away else ghost
            if is_free(spot, solid, ring, not outside):
                return spot
    return ghost


def _place(table: Ring, figure: Figure, side: str, outside: bool, step: str, rule: str) -> Procedure[None]:
    """Have a figure put across a side's ropes from where it is; its outline is measured anew."""
    scene, fighter = table.state.scene, figure.id
    ghost = just_outside(figure, scene.ring, side) if outside else just_inside(figure, scene.ring)
    ghost = _along(table, ghost, side, outside)
    word = "outside" if outside else "inside"

    def check(placed: Figure) -> tuple[Reason, ...]:
        if inside(placed, scene.ring) != outside:
            return ()
        return (Reason("wrong_side", Text(f"why.not_{word}", {"fighter": fighter}), rule),)

    placed = yield Request(
        "place",
        step,
        REFEREE,
        Text(f"ask.place_{word}", {"fighter": fighter, "side": Text(f"side.{side}")}),
        fighter=fighter,
        rules=(rule,),
        proposal=ghost,
        check=check,
    )
    see(table, {fighter: placed}, rule)


@cite("STRIKE-07", "RULING-39")
def put_outside(table: Ring, fighter: str, causer: str, step: str) -> Procedure[None]:
    """Have a fallen wrestler put just outside the nearest rope; at a corner the causer chooses (D-27)."""
    figure = table.state.scene.figures.get(fighter)
    if figure is None:
        return
    sides = nearest_sides(figure, table.state.scene.ring)
    side = sides[0]
    if len(sides) > 1:
        options = tuple(Option(one, Text(f"side.{one}"), rules=("RULING-39",)) for one in sides)
        text = Text("ask.which_side", {"fighter": fighter})
        side = yield from choose(table, causer, f"{step} D-27", text, options, "STRIKE-07", "RULING-39")
    yield from _place(table, figure, side, True, step, "RULING-39")


@cite("WHIP-13", "WHIP-15", "RULING-101")
def put_over(table: Ring, at: Figure, side: str, step: str, rule: str) -> Procedure[None]:
    """Have a wrestler who went over a side's ropes `at` put just outside."""
    yield from _place(table, at, side, True, step, rule)


@cite("STATUS-54", "RULING-35", "RULING-34")
def cross_ropes(table: Ring, fighter: str, outside: bool, step: str) -> Procedure[None]:
    """Have a wrestler who leaves or enters on his own put on the other side of the nearest rope."""
    figure = table.state.scene.figures.get(fighter)
    if figure is None:
        return
    side = nearest_sides(figure, table.state.scene.ring)[0]
    yield from _place(table, figure, side, outside, step, "RULING-34" if outside else "STATUS-54")
