"""The humanoid's dive (Salto desde Cuerdas): up a post in one turn, down on somebody in the next."""

from __future__ import annotations

import math
from collections.abc import Callable

from rules.engine.cite import cite
from rules.engine.request import REFEREE, Option, Procedure, Reason, Request
from rules.geometry import moved
from rules.questions import inside_ring
from rules.scene import Figure
from rules.smackkatz import sight
from rules.smackkatz.abilities import Ring
from rules.smackkatz.asking import choose
from rules.smackkatz.consequences import landing as placing
from rules.smackkatz.consequences.aftermath import settle
from rules.smackkatz.consequences.collide import Fallen, hurt
from rules.smackkatz.consequences.drops import fall_loss, fell_out, grounded, now_at
from rules.smackkatz.consequences.flight import (
    Landing,
    fall_upon,
    may_be_hit,
    take_over_body,
    take_over_others,
    touched,
    undodged,
)
from rules.smackkatz.consequences.harm import leave_group
from rules.smackkatz.consequences.rising import look_at_risen
from rules.smackkatz.legality.reasons import reason
from rules.smackkatz.modes.endings import check_endings
from rules.smackkatz.movement import spots
from rules.smackkatz.movement.moving import close_block
from rules.text import Text

TARGET_STATUS: dict[str, Fallen] = {"lying": "lying", "none": "standing", "knocked_down": "knocked_down"}
"""RULING-94: `dive_target_status`."""


def nearest_post(table: Ring, fighter: str) -> int:
    """Number of the post he is at; without a camera all corners are alike."""
    figure = table.state.scene.figures.get(fighter)
    corners = table.state.scene.ring.corners
    if figure is None:
        return 0
    return min(range(4), key=lambda one: math.dist(corners[one], (figure.x, figure.y)))


@cite("SPECIAL-02", "SPECIAL-03", "BUILD-13", "RULING-93")
def climb(table: Ring, fighter: str, step: str) -> Procedure[None]:
    """D-23: up the post he stands at; it costs his attack (by house rule a point of Speed instead)."""
    step = f"{step} D-23"
    if not (yield from sight.settle(table, sight.in_corner(table, fighter), step)):
        return
    close_block(table, fighter, final=not table.rulings["split_move"])
    for_attack = table.rulings["climb_cost"] == "attack"
    if not for_attack:
        table.record("paid_speed", "RULING-93", fighter=fighter, speed=1)
    number = nearest_post(table, fighter)
    table.record("climbed", "SPECIAL-02", "RULING-93", fighter=fighter, post=number, attack=for_attack)
    leave_group(table, fighter, "RULING-93")
    figure = table.state.scene.figures.get(fighter)
    if figure is not None:
        post = spots.post_figure(table.state.scene.ring, number)
        ghost = moved(figure, post.x, post.y)
        text = Text("ask.place_on_post", {"fighter": fighter})
        yield from placing.put(table, ghost, step, text, "SPECIAL-02", facing_counts=False)


@cite("RULING-93", "RULING-105")
def climb_down(table: Ring, fighter: str, step: str) -> Procedure[None]:
    """Down into the corner again for one Speed, facing any way."""
    number = int(table.state.wrestlers[fighter].on_post or 0)
    table.record("paid_speed", "RULING-93", fighter=fighter, speed=1)
    table.record("climbed_down", "RULING-93", fighter=fighter)
    figure, ring = table.state.scene.figures.get(fighter), table.state.scene.ring
    if figure is None:
        return
    post = spots.post_figure(ring, number)
    inwards = math.atan2(-post.y, -post.x)
    free = bool(table.rulings["free_facing_on_rise"])
    others = grounded(table, but=(fighter,))
    ghost = spots.beside(figure, post, others, ring, True, inwards, turned=False)
    text = Text("ask.climb_down", {"fighter": fighter})
    ghost = ghost if ghost is not None else placing.just_inside(figure, ring)
    yield from placing.put(table, ghost, step, text, "RULING-93", "RULING-105", facing_counts=not free)


@cite("SPECIAL-03", "SPECIAL-06", "SPECIAL-07", "SPECIAL-08", "SPECIAL-09", "LOG-11", "RULING-94")
def dive(table: Ring, fighter: str, step: str) -> Procedure[None]:
    """D-24: down from the post onto the mat or to ringside, on whoever is there."""
    step = f"{step} D-24"
    options = tuple(
        Option(f"dive:{where}", Text(f"option.dive_{where}"), rules=(rule,))
        for where, rule in (("mat", "SPECIAL-05"), ("ringside", "SPECIAL-07"))
    )
    text = Text("ask.dive_where", {"fighter": fighter})
    chosen = yield from choose(table, fighter, step, text, options, "SPECIAL-03", "SPECIAL-07")
    outside = chosen == "dive:ringside"
    start = table.state.scene.figures.get(fighter)
    figures = yield from _jump(table, fighter, outside, step)
    lies = table.state.edition.specials.diver_lies
    table.record("dived", "SPECIAL-03", "SPECIAL-09", fighter=fighter, lies=lies)
    landing = Landing(fighter, start, figures)
    hit = yield from _hits(table, landing, step)
    if table.state.outcome is None:
        yield from _lands(table, landing, outside, hit, step)
    yield from settle(table, step)


@cite("SPECIAL-06", "RULING-94")
def _jump(table: Ring, fighter: str, outside: bool, step: str) -> Procedure[dict[str, Figure]]:
    """The figure is thrown from behind the corner and the table observed, or (house rule) put down."""
    figure = table.state.scene.figures.get(fighter)
    if table.rulings["dive_mode"] == "physical" or figure is None:
        text = Text("ask.dive", {"fighter": fighter})
        figures: dict[str, Figure] = yield Request(
            "observe",
            step,
            REFEREE,
            text,
            fighter=fighter,
            rules=("SPECIAL-06",),
            proposal=None if figure is None else _ghost(table, figure, outside),
        )
        return figures
    placed = yield Request(
        "place",
        step,
        REFEREE,
        Text("ask.place_dive", {"fighter": fighter}),
        fighter=fighter,
        rules=("RULING-94",),
        proposal=_ghost(table, figure, outside),
        check=_on_side(table, outside),
    )
    return {fighter: placed}


def _ghost(table: Ring, figure: Figure, outside: bool) -> Figure:
    """A free place to come down on, towards the middle of the ring or away from it."""
    ring = table.state.scene.ring
    post = spots.post_figure(ring, nearest_post(table, figure.id))
    heading = math.atan2(-post.y, -post.x) + (math.pi if outside else 0.0)
    far = math.hypot(ring.width, ring.depth)
    others = grounded(table, but=(figure.id,))
    spot = spots.towards(figure, post, heading, math.pi / 2, (0.0, far), others, ring, not outside)
    if spot is not None:
        return spot
    if outside:
        return placing.just_outside(figure, ring, placing.nearest_sides(figure, ring)[0])
    return placing.just_inside(figure, ring)


def _on_side(table: Ring, outside: bool) -> Callable[[Figure], tuple[Reason, ...]]:
    ring = table.state.scene.ring

    def check(placed: Figure) -> tuple[Reason, ...]:
        wrong = inside_ring(placed, ring).answer == outside
        code = "not_outside" if outside else "not_inside"
        return (reason(code, "RULING-94", fighter=placed.id),) if wrong else ()

    return check


@cite("SPECIAL-04", "SPECIAL-07", "SPECIAL-08", "RULING-83", "RULING-94", "STATUS-07")
def _hits(table: Ring, landing: Landing, step: str) -> Procedure[list[str]]:
    """Whoever was touched and did not dodge (D-25) is hurt; out cold or not, it is no foul."""
    everybody = table.state.edition.specials.dive_hits_all
    among = may_be_hit(table, but=(landing.body,))
    met = yield from touched(table, landing, among, step, "SPECIAL-08", in_flight=everybody)
    if not everybody:
        met = _nearest(table, landing, met)
    take_over_others(table, landing, met, "SPECIAL-06")
    hit = yield from undodged(table, landing, met, step, "D-25")
    status = TARGET_STATUS[str(table.rulings["dive_target_status"])]
    for one in hit:
        if table.state.outcome is None:
            yield from fall_upon(table, landing, one, status, step, "SPECIAL-04", "RULING-94")
    take_over_body(table, landing, "SPECIAL-06")
    return hit


@cite("SPECIAL-04")
def _nearest(table: Ring, landing: Landing, met: list[str]) -> list[str]:
    """Where a dive falls on one wrestler only: the one he lies nearest to."""
    end, figures = landing.end, table.state.scene.figures
    if end is None:
        return met[:1]
    away = {one: math.dist((end.x, end.y), (figures[one].x, figures[one].y)) for one in met if one in figures}
    return sorted(met, key=lambda one: away.get(one, math.inf))[:1]


@cite("SPECIAL-05", "SPECIAL-07", "SPECIAL-09", "SUPLEX-12", "RULING-94", "RULING-99")
def _lands(table: Ring, landing: Landing, outside: bool, hit: list[str], step: str) -> Procedure[None]:
    """Where the diver lies; if he hit nobody the fall is his own."""
    diver = landing.body
    if landing.end is not None:
        outside = not (yield from sight.settle(table, sight.inside_ring(table, diver), step))
    elif table.rulings["dive_mode"] == "physical":
        outside = yield from fell_out(table, diver, step, "SPECIAL-07")
    now_at(table, diver, outside, "SPECIAL-07")
    if not hit:
        # Where no rule has him lie, a fall that hits nobody is a fall like any other.
        status: Fallen = "standing" if table.state.edition.specials.diver_lies else "knocked_down"
        rules = ("SPECIAL-07" if outside else "SPECIAL-05", "SUPLEX-12")
        hurt(table, diver, fall_loss(table, diver), status, *rules)
    check_endings(table)


@cite("SPECIAL-09", "RULING-94", "RULING-105")
def divers_rise(table: Ring, step: str) -> Procedure[None]:
    """Z3: divers stand up by themselves, unless something worse has come over them meanwhile."""
    risen = [
        one.id
        for one in table.state.playing
        if one.rises_at_end and one.lying and not (one.unconscious or one.pinned_by or one.held_by)
    ]
    for fighter in risen:
        table.record("diver_rose", "SPECIAL-09", fighter=fighter)
    if risen:
        yield from look_at_risen(table, risen, step)
