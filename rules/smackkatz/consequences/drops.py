"""Falls from above (SUPLEX-20, RULING-93): the hoisted one dropped, the one on a post knocked off it."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable
from typing import Any

from rules.engine.cite import cite
from rules.engine.request import REFEREE, Procedure, Reason, Request
from rules.geometry import gap, mat_shape, moved, outline_shape, unit
from rules.questions import Finding, inside_ring, overlap
from rules.scene import Figure
from rules.scene import Ring as RingSize
from rules.smackkatz import sight
from rules.smackkatz.abilities import Ring
from rules.smackkatz.asking import owner, see
from rules.smackkatz.consequences import landing
from rules.smackkatz.consequences.collide import hurt
from rules.smackkatz.legality.reasons import reason
from rules.smackkatz.modes.endings import check_endings
from rules.smackkatz.movement import spots
from rules.smackkatz.movement.forced import dropped
from rules.text import Text

MAT_LOSS = 4
"""SUPLEX-10, SPECIAL-05."""
RINGSIDE_LOSS = 6
"""SUPLEX-11, STATUS-52, SPECIAL-07."""
PRESSED = 0.5
"""Outlines that overlap deeper than this, cm, stand on top of each other."""


def grounded(table: Ring, but: Collection[str] = ()) -> list[Figure]:
    """The figures on their own ground on either side of the ropes: nobody held up or on a post."""
    return [
        table.state.scene.figures[one.id]
        for one in table.state.playing
        if one.id not in but
        and one.id in table.state.scene.figures
        and one.hoisted_by is None
        and one.on_post is None
    ]


@cite("SUPLEX-10", "SUPLEX-11", "STATUS-52", "SPECIAL-05", "SPECIAL-07")
def fall_loss(table: Ring, fighter: str) -> int:
    """What a fall from above costs where he is now: falls at ringside are harder."""
    return RINGSIDE_LOSS if table.state.wrestlers[fighter].at_ringside else MAT_LOSS


@cite("SUPLEX-12", "STATUS-30", "STATUS-32", "SPECIAL-03")
def hard_fall(table: Ring, fighter: str, rule: str, loss: int | None = None) -> None:
    """He has landed: the loss (by default that of the place), and the red card."""
    points = fall_loss(table, fighter) if loss is None else loss
    hurt(table, fighter, points, "knocked_down", rule, "SUPLEX-12")
    check_endings(table)


@cite("SUPLEX-20", "SUPLEX-22", "RULING-56", "RULING-58")
def drop(table: Ring, hoisted: str, striker: str | None, step: str) -> Procedure[None]:
    """The holder was struck: the hoisted one falls straight ahead of the striker, beyond the holder.

    Without a striker (the holder can no longer hold, though nobody hit him) he is set down unhurt.
    """
    holder = table.state.wrestlers[hoisted].hoisted_by
    assert holder is not None, f"{hoisted} is not held up"
    under = table.state.scene.figures.get(holder)
    if striker is None:
        table.record("set_down", "RULING-58", "SUPLEX-17", fighter=hoisted, holder=holder)
        yield from put_beside(table, hoisted, holder, step, "RULING-58")
        return
    table.record("dropped", "SUPLEX-20", "RULING-56", fighter=hoisted, holder=holder, by=striker)
    yield from _down_the_line(table, hoisted, striker, under, step, "SUPLEX-22")
    harder = table.state.edition.suplex.drops_to_ringside
    hard_fall(table, hoisted, "SUPLEX-20", None if harder else MAT_LOSS)


@cite("RULING-93", "SPECIAL-03")
def knock_off(table: Ring, fighter: str, striker: str, step: str) -> Procedure[None]:
    """A wrestler struck on his post falls off it along the striker's line, onto the mat or to ringside."""
    number = table.state.wrestlers[fighter].on_post
    assert number is not None, f"{fighter} is on no post"
    table.record("knocked_off", "RULING-93", fighter=fighter, by=striker)
    post = spots.post_figure(table.state.scene.ring, number)
    yield from _off_the_post(table, fighter, striker, post, step)
    hard_fall(table, fighter, "RULING-93")


@cite("SUPLEX-22", "RULING-56")
def _down_the_line(
    table: Ring, fighter: str, striker: str, over: Figure | None, step: str, rule: str
) -> Procedure[None]:
    """Have the fallen figure put on the striker's line, in the nearest free spot beyond `over`."""
    body = table.state.scene.figures.get(fighter)
    if body is None or over is None:
        yield from _fell_where(table, fighter, step, rule)
        return
    out = table.state.edition.suplex.drops_to_ringside
    ghost = (line_spot if out else _mat_spot)(table, body, striker, over)
    text = Text("ask.place_fall", {"fighter": fighter, "by": striker})
    yield from landing.put(table, ghost, step, text, rule, facing_counts=False, tips_over=True)
    now_at(table, fighter, not inside_ring(ghost, table.state.scene.ring).answer, rule)


@cite("RULING-93")
def _off_the_post(table: Ring, fighter: str, striker: str, post: Figure, step: str) -> Procedure[None]:
    """The one knocked off falls where he falls along that line: his place says whether inside or out."""
    body = table.state.scene.figures.get(fighter)
    if body is None:
        yield from _fell_where(table, fighter, step, "RULING-93")
        return
    placed = yield Request(
        "place",
        step,
        REFEREE,
        Text("ask.place_fall", {"fighter": fighter, "by": striker}),
        fighter=fighter,
        rules=("RULING-93",),
        proposal=line_spot(table, body, striker, post),
    )
    see(table, {fighter: placed}, "RULING-93")
    inside = yield from sight.settle(table, sight.inside_ring(table, fighter), step)
    now_at(table, fighter, not inside, "RULING-93")


def line_spot(table: Ring, body: Figure, striker: str, over: Figure) -> Figure:
    """Where he falls: just beyond `over` on the striker's line, wholly on one side of the ropes."""
    scene = table.state.scene
    hitter = scene.figures.get(striker)
    if hitter is None:
        ux, uy = unit(over.facing)
        hitter = moved(over, over.x - ux, over.y - uy)
    keep_out = [spots.post_figure(scene.ring, number) for number in range(4)]
    if table.state.wrestlers[body.id].at_ringside:
        # From outside the ropes nobody falls back in.
        keep_out.append(Figure("mat", 0.0, 0.0, 0.0, scene.ring.corners))
    keep_out += grounded(table, but=(body.id, over.id))
    spot = dropped(hitter, over, body, keep_out)
    return _on_one_side(spot, [over, *keep_out], scene.ring)


@cite("SUPLEX-20")
def _mat_spot(table: Ring, body: Figure, striker: str, over: Figure) -> Figure:
    """The same where nobody is dropped out of the ring: on the mat, as near to that line as there is room."""
    ring = table.state.scene.ring
    spot = line_spot(table, body, striker, over)
    if table.state.wrestlers[body.id].at_ringside or inside_ring(spot, ring).answer:
        return spot
    line = math.atan2(spot.y - over.y, spot.x - over.x)
    others = grounded(table, but=(body.id, over.id))
    beside = spots.beside(body, over, others, ring, True, line)
    return beside if beside is not None else landing.just_inside(spot, ring)


def _on_one_side(figure: Figure, others: Iterable[Figure], ring: RingSize) -> Figure:
    """A figure that would lie across the ropes moved wholly inside when there is room, else outside."""
    mat, shape = mat_shape(ring), outline_shape(figure)
    if mat.covers(shape) or not shape.intersection(mat).area > 0:
        return figure
    inside = landing.just_inside(figure, ring)
    taken = [outline_shape(other) for other in others]
    room = all(outline_shape(inside).intersection(other).area <= 1e-3 for other in taken)
    if room and abs(figure.x) < ring.width / 2 and abs(figure.y) < ring.depth / 2:
        return inside
    return landing.just_outside(figure, ring, landing.nearest_sides(figure, ring)[0])


def now_at(table: Ring, fighter: str, outside: bool, rule: str) -> None:
    """Take over on which side of the ropes he has come down."""
    if outside != table.state.wrestlers[fighter].at_ringside:
        table.record("fell_to_ringside" if outside else "placed_in_ring", rule, fighter=fighter)


@cite("RULING-56")
def _fell_where(table: Ring, fighter: str, step: str, rule: str) -> Procedure[None]:
    """Nobody saw the figures: whoever may fall out of the ring did so if the referee says it."""
    may_go_out = rule == "RULING-93" or table.state.edition.suplex.drops_to_ringside
    if may_go_out and not table.state.wrestlers[fighter].at_ringside:
        now_at(table, fighter, (yield from fell_out(table, fighter, step, rule)), rule)


@cite("RULING-56", "RULING-54")
def fell_out(table: Ring, fighter: str, step: str, rule: str) -> Procedure[bool]:
    """Nobody saw where he came down: the referee says whether it was at ringside."""
    found = Finding("fell_out", False, (fighter,), (rule,), too_close=True)
    return (yield from sight.settle(table, found, step))


@cite("SUPLEX-17", "COUNTER-12", "RULING-105")
def put_beside(table: Ring, fighter: str, holder: str, step: str, rule: str) -> Procedure[None]:
    """He lands on his feet next to the holder: any free spot, even behind him, and any facing (D-16)."""
    scene = table.state.scene
    body, by = scene.figures.get(fighter), scene.figures.get(holder)
    if body is None or by is None:
        return
    outside = table.state.wrestlers[fighter].at_ringside
    others = grounded(table, but=(fighter, holder))
    free = bool(table.rulings["free_facing_on_rise"])
    back = by.facing + math.pi
    ghost = spots.beside(body, by, others, scene.ring, not outside, back, turned=free) or body
    check = _beside(table, by, others, outside, rule, None if free else body.facing)
    # In a crowd there may be no free spot at all: what speaks against the ghost itself is not asked for.
    barred = {one.code for one in check(ghost)}
    placed = yield Request(
        "place",
        f"{step} D-16",
        owner(table, fighter),
        Text("ask.place_loose" if free else "ask.place_loose_kept", {"fighter": fighter, "holder": holder}),
        fighter=fighter,
        rules=(rule, "RULING-105"),
        proposal=ghost,
        check=lambda placed: tuple(one for one in check(placed) if one.code not in barred),
    )
    see(table, {fighter: placed}, rule)


def _beside(
    table: Ring, by: Figure, others: list[Figure], outside: bool, rule: str, facing: float | None
) -> Callable[[Figure], tuple[Reason, ...]]:
    """What speaks against a place next to `by`: too far, over the ropes, on top of somebody, turned."""
    limit = float(table.rulings["adjacent_gap_cm"]) + float(table.rulings["ask_band_cm"])
    ring = table.state.scene.ring

    def check(placed: Figure) -> tuple[Reason, ...]:
        values: dict[str, Any] = {"fighter": placed.id, "holder": by.id}
        reasons = []
        apart = gap(placed, by)[0].value
        if apart > limit:
            reasons.append(reason("not_beside", rule, **values, distance=round(apart, 1), limit=limit))
        if inside_ring(placed, ring).answer == outside:
            reasons.append(reason("not_outside" if outside else "not_inside", rule, fighter=placed.id))
        for other in (by, *others):
            if overlap(placed, other) > PRESSED:
                reasons.append(reason("on_top_of", "RULING-29", fighter=placed.id, other=other.id))
        if facing is not None and landing.turned_from(placed, facing):
            reasons.append(reason("other_facing", "RULING-105", fighter=placed.id))
        return tuple(reasons)

    return check
