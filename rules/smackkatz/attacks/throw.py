"""The throw, second half of the Suplex (SUPLEX-07 to -12): declared, let fall, looked at."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from rules.engine.cite import cite
from rules.engine.request import REFEREE, Option, Procedure, Reason, Request
from rules.geometry import turn_between
from rules.questions import inside_ring
from rules.scene import Figure
from rules.smackkatz import sight
from rules.smackkatz.abilities import Ring
from rules.smackkatz.asking import choose
from rules.smackkatz.consequences import landing as placing
from rules.smackkatz.consequences.aftermath import settle
from rules.smackkatz.consequences.drops import fell_out, grounded, hard_fall, now_at
from rules.smackkatz.consequences.flight import (
    Landing,
    fall_upon,
    may_be_hit,
    take_over_body,
    take_over_others,
    touched,
    undodged,
)
from rules.smackkatz.legality.reasons import reason, scene_reason
from rules.smackkatz.movement import spots
from rules.smackkatz.movement.forced import throw_side
from rules.smackkatz.movement.moving import carry, close_block
from rules.text import Text

RINGSIDE = "ringside"
SECTORS = {"front": (0.0, math.pi / 4), "back": (math.pi, math.pi / 4)}
"""Direction and half width, radians from the holder's facing (catalogue 6.5); the sides are between."""
SIDES = ((math.pi / 2, math.pi / 4), (-math.pi / 2, math.pi / 4))


@cite("SUPLEX-07", "SUPLEX-11", "RULING-33", "RULING-54")
def directions(table: Ring, holder: str) -> tuple[Option, ...]:
    """D-13: which way the holder may throw; out to ringside only from the ropes."""
    wrestler = table.state.wrestlers[holder]
    found = [
        Option(f"throw:{side}", Text(f"option.throw_{side}"), rules=("SUPLEX-07",))
        for side in table.state.edition.suplex.throws
    ]
    if wrestler.at_ringside:
        return tuple(found)
    ropes = sight.on_ropes(table, holder)
    reasons: tuple[Reason, ...] = ()
    if not (ropes.answer or ropes.too_close):
        reasons = (scene_reason("not_at_ropes", "SUPLEX-11", ropes),)
    doubts = (ropes,) if ropes.too_close else ()
    out = Option(
        f"throw:{RINGSIDE}", Text("option.throw_ringside"), reasons, rules=("SUPLEX-11",), doubts=doubts
    )
    return (*found, out)


@cite("SUPLEX-07", "SUPLEX-08", "SUPLEX-10", "SUPLEX-11", "SUPLEX-12", "RULING-52", "RULING-53")
def throw(table: Ring, holder: str, step: str) -> Procedure[None]:
    """Declare the direction, let him fall, see whom he hits and where he lies. It needs no roll."""
    hoisted = table.state.wrestlers[holder].hoists
    assert hoisted is not None, f"{holder} holds nobody up"
    close_block(table, holder, final=not table.rulings["split_move"])
    step = f"{step} D-13"
    declared = yield from _declared(table, holder, hoisted, step)
    may_go_out = declared == RINGSIDE or table.state.wrestlers[holder].at_ringside
    carry(table, holder)
    start = table.state.scene.figures.get(hoisted)
    figures = yield from _let_fall(table, holder, hoisted, declared, step)
    table.record("thrown", "SUPLEX-07", "RULING-52", fighter=hoisted, by=holder, side=declared)
    yield from _came_down(table, holder, Landing(hoisted, start, figures), may_go_out, step)
    yield from settle(table, step)


def _declared(table: Ring, holder: str, hoisted: str, step: str) -> Procedure[str]:
    """The direction; out of the ring only once it is settled that he is at the ropes."""
    text = Text("ask.throw_where", {"fighter": holder, "target": hoisted})
    while True:
        chosen = yield from choose(
            table, holder, step, text, lambda: directions(table, holder), "SUPLEX-07", "SUPLEX-11"
        )
        side = chosen.partition(":")[2]
        if side != RINGSIDE or (yield from sight.settle(table, sight.on_ropes(table, holder), step)):
            return side


@cite("RULING-54", "RULING-101", "SUPLEX-07")
def _let_fall(
    table: Ring, holder: str, hoisted: str, declared: str, step: str
) -> Procedure[dict[str, Figure]]:
    """The figure is dropped by hand and the table observed, or (house rule) put down within some palms.

    A dropped one may come down anywhere; the ghost only shows which way it was said to go.
    """
    values: dict[str, Any] = {"fighter": holder, "target": hoisted, "side": Text(f"side.{declared}")}
    ghost = _ghost(table, holder, hoisted, declared)
    if ghost is not None and table.rulings["throw_mode"] == "placed":
        check = _within(table, holder, declared)
        barred = {one.code for one in check(ghost)}
        placed = yield Request(
            "place",
            step,
            REFEREE,
            Text("ask.place_thrown", {**values, "most": reach(table, holder)}),
            fighter=hoisted,
            rules=("RULING-54",),
            proposal=ghost,
            check=lambda figure: tuple(one for one in check(figure) if one.code not in barred),
        )
        return {hoisted: placed}
    while True:
        figures: dict[str, Figure] = yield Request(
            "observe",
            step,
            REFEREE,
            Text("ask.throw", values),
            fighter=hoisted,
            rules=("RULING-54",),
            proposal=ghost,
        )
        if (yield from _as_declared(table, holder, hoisted, figures, declared, step)):
            return figures


@cite("SUPLEX-07", "RULING-53", "RULING-54")
def _as_declared(
    table: Ring, holder: str, hoisted: str, figures: dict[str, Figure], declared: str, step: str
) -> Procedure[bool]:
    """A figure that came down on another side than declared: the referee lets it stand or has it redone.

    The side is seen from the holder as he stands now: turning in place before a throw is free. No facing is
    known well enough to quarrel about the last ten degrees (as in RULING-32).
    """
    landed, under = figures.get(hoisted), figures.get(holder, table.state.scene.figures.get(holder))
    if landed is None or under is None or declared == RINGSIDE:
        return True
    bearing = math.atan2(landed.y - under.y, landed.x - under.x) - under.facing
    off = min(abs(turn_between(middle, bearing)) - half for middle, half in sectors(declared))
    if off <= math.radians(sight.BACK_BAND_DEG):
        return True
    side = throw_side(under, (landed.x, landed.y))
    options = (
        Option("stands", Text("option.throw_stands"), rules=("RULING-54",)),
        Option("again", Text("option.throw_again"), rules=("SUPLEX-07",)),
    )
    text = Text(
        "verdict.throw_side",
        {"fighter": holder, "declared": Text(f"side.{declared}"), "landed": Text(f"side.{side}")},
    )
    said = yield Request(
        "ruling", f"{step} D-28", REFEREE, text, fighter=holder, options=options, rules=("SUPLEX-07",)
    )
    return bool(said == "stands")


@cite("RULING-54", "RULING-36")
def reach(table: Ring, holder: str) -> float:
    """How far a placed throw may carry, cm: so many palms of the holder's player."""
    return float(table.rulings["placed_max_palms"]) * table.state.scene.hands[holder].palm


@cite("RULING-54")
def _ghost(table: Ring, holder: str, hoisted: str, declared: str) -> Figure | None:
    """A place for a thrown figure: free, in the direction declared, as near as there is one."""
    scene = table.state.scene
    body, under = scene.figures.get(hoisted), scene.figures.get(holder)
    if body is None or under is None:
        return None
    outside = declared == RINGSIDE or table.state.wrestlers[holder].at_ringside
    others = grounded(table, but=(hoisted, holder))
    for middle, half in sectors(declared):
        spot = spots.towards(
            body, under, under.facing + middle, half, (0.0, reach(table, holder)), others, scene.ring,
            not outside,
        )  # fmt: skip
        if spot is not None:
            return spot
    side = placing.nearest_sides(body, scene.ring)[0]
    return placing.just_outside(body, scene.ring, side) if outside else placing.just_inside(body, scene.ring)


def sectors(declared: str) -> tuple[tuple[float, float], ...]:
    """Where a direction lies, seen from the holder; out of the ring is wherever the ropes are."""
    if declared == RINGSIDE:
        return ((0.0, math.pi),)
    return SIDES if declared == "side" else (SECTORS[declared],)


def _within(table: Ring, holder: str, declared: str) -> Callable[[Figure], tuple[Reason, ...]]:
    """What speaks against a placed throw: too far, another direction, the wrong side of the ropes."""
    under, ring = table.state.scene.figures[holder], table.state.scene.ring
    outside = declared == RINGSIDE or table.state.wrestlers[holder].at_ringside
    limit = reach(table, holder)

    def check(placed: Figure) -> tuple[Reason, ...]:
        away = math.hypot(placed.x - under.x, placed.y - under.y)
        reasons = []
        if away > limit + placing.PLACED_CM:
            reasons.append(
                reason("too_far_thrown", "RULING-54", holder=holder, distance=round(away, 1), limit=limit)
            )
        if declared != RINGSIDE and throw_side(under, (placed.x, placed.y)) != declared:
            reasons.append(reason("wrong_throw_side", "SUPLEX-07", side=Text(f"side.{declared}")))
        if inside_ring(placed, ring).answer == outside:
            reasons.append(reason("not_outside" if outside else "not_inside", "SUPLEX-11", fighter=placed.id))
        return tuple(reasons)

    return check


@cite("SUPLEX-08", "SUPLEX-09", "SUPLEX-10", "SUPLEX-11", "SUPLEX-12", "RULING-55")
def _came_down(table: Ring, holder: str, landing: Landing, may_go_out: bool, step: str) -> Procedure[None]:
    """Whoever he comes down on may dodge (D-14), else both are hurt; then his own fall."""
    thrown = landing.body
    among = may_be_hit(table, but=(thrown, holder))
    hit = yield from touched(table, landing, among, step, "SUPLEX-08")
    take_over_others(table, landing, hit, "SUPLEX-10")
    struck_down = hit
    if table.state.edition.suplex.bystander_dodges:
        struck_down = yield from undodged(table, landing, hit, step, "D-14")
    for one in struck_down:
        if table.state.outcome is None:
            status = table.rulings["suplex_bystander"]
            yield from fall_upon(table, landing, one, status, step, "SUPLEX-08", "RULING-55")
    take_over_body(table, landing, "SUPLEX-10")
    if table.state.outcome is None:
        yield from _where_he_lies(table, landing, may_go_out, step)


@cite("SUPLEX-10", "SUPLEX-11", "STATUS-52", "RULING-54")
def _where_he_lies(table: Ring, landing: Landing, may_go_out: bool, step: str) -> Procedure[None]:
    """On the mat or at ringside; out of the ring without the right to it he is put back inside the ropes."""
    thrown = landing.body
    was_outside = table.state.wrestlers[thrown].at_ringside
    outside = may_go_out
    if landing.end is not None and not was_outside:
        outside = not (yield from sight.settle(table, sight.inside_ring(table, thrown), step))
    elif may_go_out and not was_outside:
        outside = yield from fell_out(table, thrown, step, "SUPLEX-11")
    if outside and not may_go_out:
        ghost = placing.just_inside(table.state.scene.figures[thrown], table.state.scene.ring)
        text = Text("ask.place_back", {"fighter": thrown})
        yield from placing.put(table, ghost, step, text, "RULING-54", facing_counts=False)
        outside = False
    now_at(table, thrown, outside, "SUPLEX-11")
    hard_fall(table, thrown, "SUPLEX-11" if outside else "SUPLEX-10")
