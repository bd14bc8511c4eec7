"""The rope break as a house rule: crawling to the ropes, having to let go there, the foul of not doing so."""

from __future__ import annotations

import math

from rules.engine.cite import cite
from rules.engine.request import REFEREE, Option, Procedure, Reason, Request
from rules.geometry import gap, mat_shape, moved, outline_shape, unit
from rules.questions import overlap
from rules.scene import Figure, Point
from rules.smackkatz import sight
from rules.smackkatz.abilities import Ring
from rules.smackkatz.asking import choose, see
from rules.smackkatz.consequences.landing import bodies_on_mat, just_inside, nearest_sides, put
from rules.smackkatz.consequences.release import free
from rules.smackkatz.legality.reasons import reason
from rules.smackkatz.modes.fouls import called, rope_holds_are_fouls, warned
from rules.smackkatz.movement.forced import OUTWARD, run
from rules.smackkatz.movement.spots import beside
from rules.text import Text

FOUL_AFTER = 2
"""FOUL-03: two turns running."""
ON_THE_LINE = 0.1
"""Whose outline is over the ropes, or over another one, by no more than this touches them, cm."""


@cite("SUBM-13", "SUBM-14", "FOUL-03", "RULING-66")
def rope_break(table: Ring, holder: str, victim: str, step: str) -> Procedure[bool]:
    """The victim may crawl; at the ropes the holder must let go. Returns whether that was all of his slot.

    With the foul in force the holder may refuse; the second turn running of it is a DQ. Outside the ring
    there are no ropes to reach.
    """
    if table.state.wrestlers[victim].at_ringside:
        return False
    yield from _crawl(table, holder, victim, step)
    if not (yield from sight.settle(table, sight.on_ropes(table, victim), step)):
        if table.state.wrestlers[holder].hold_at_ropes:
            table.record("held_at_ropes", "FOUL-03", fighter=holder, target=victim, turns=0)
        return False
    if not (rope_holds_are_fouls(table) and (yield from warned(table, holder, victim, "rope_hold", step))):
        yield from free(table, holder, step, "SUBM-14")
        return True
    turns = table.state.wrestlers[holder].hold_at_ropes + 1
    table.record("held_at_ropes", "FOUL-03", fighter=holder, target=victim, turns=turns)
    if turns < FOUL_AFTER or not (yield from called(table, holder, victim, "rope_hold", step)):
        return False
    if table.state.outcome is None:
        yield from free(table, holder, step, "FOUL-03")
    return True


@cite("FOUL-03", "RULING-66")
def hold_at_ropes(table: Ring, holder: str, step: str) -> Procedure[None]:
    """A hold put on somebody who touches the ropes: its first turn counts towards the two."""
    victim = str(table.state.wrestlers[holder].holds)
    if table.state.wrestlers[victim].at_ringside:
        return
    if (yield from sight.settle(table, sight.on_ropes(table, victim), step)):
        table.record("held_at_ropes", "FOUL-03", fighter=holder, target=victim, turns=1)


@cite("SUBM-13", "RULING-66")
def _crawl(table: Ring, holder: str, victim: str, step: str) -> Procedure[None]:
    """At most one palm of his own hand a turn, straight to the nearest ropes, dragging the holder along."""
    one, figures = table.state.wrestlers[victim], table.state.scene.figures
    still = one.unconscious or one.helpless or one.knocked_down is not None or one.resting
    if still or victim not in figures or sight.on_ropes(table, victim).answer:
        return
    options = (
        Option("crawl", Text("option.crawl"), rules=("SUBM-13",)),
        Option("stay", Text("option.stay_put"), rules=("SUBM-13",)),
    )
    text = Text("ask.crawl", {"fighter": victim})
    if (yield from choose(table, victim, step, text, options, "SUBM-13")) == "stay":
        return
    figure, size = figures[victim], table.state.scene.ring
    nx, ny = OUTWARD[nearest_sides(figure, size)[0]]
    heading = math.atan2(ny, nx)
    others = bodies_on_mat(table, victim, but=(victim, holder))
    way = run(figure, heading, table.state.scene.hands[victim].palm, size, others).after
    ux, uy = unit(heading)
    table.record("crawled", "SUBM-13", fighter=victim, target=holder)
    text = Text("ask.place_crawled", {"fighter": victim})
    ghost = moved(figure, figure.x + way * ux, figure.y + way * uy)
    yield from put(table, ghost, step, text, "SUBM-13", facing_counts=False)
    if holder in figures:
        yield from _dragged(table, holder, victim, (way * ux, way * uy), step)


@cite("SUBM-13", "RULING-29")
def _dragged(table: Ring, holder: str, victim: str, way: Point, step: str) -> Procedure[None]:
    """The holder goes along as far (cm), not through ropes or others; any place beside his rival will do."""
    figures, size = table.state.scene.figures, table.state.scene.ring
    by, was = figures[victim], figures[holder]
    ghost = as_far = moved(was, was.x + way[0], was.y + way[1])
    others = bodies_on_mat(table, holder, but=(holder, victim))
    on_mat = mat_shape(size).buffer(ON_THE_LINE).covers(outline_shape(as_far))
    if not on_mat or any(overlap(as_far, other) > ON_THE_LINE for other in others):
        start = math.atan2(as_far.y - by.y, as_far.x - by.x)
        ghost = beside(was, by, others, size, True, start, turned=False) or just_inside(as_far, size)
    # However far apart the two lay before.
    near = float(table.rulings["adjacent_gap_cm"]) + float(table.rulings["ask_band_cm"])
    limit = max(near, *(gap(one, by)[0].value for one in (as_far, ghost)))

    def check(placed: Figure) -> tuple[Reason, ...]:
        apart = gap(placed, by)[0].value
        if apart <= limit:
            return ()
        return (
            reason(
                "not_beside", "SUBM-13", fighter=holder, holder=victim, distance=round(apart, 1), limit=limit
            ),
        )

    text = Text("ask.place_crawled", {"fighter": holder})
    placed = yield Request(
        "place", step, REFEREE, text, fighter=holder, rules=("SUBM-13",), proposal=ghost, check=check
    )
    see(table, {holder: placed}, "SUBM-13")
