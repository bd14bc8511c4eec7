"""The Irish whip (catalogue 4.5): a pull towards the space behind the attacker, and its reversal."""

from __future__ import annotations

import math

from rules.engine.cite import cite
from rules.engine.request import Option, Procedure, Reason
from rules.geometry import unit
from rules.smackkatz.abilities import Ring, sixes
from rules.smackkatz.asking import choose
from rules.smackkatz.attacks.aiming import aim, aim_reasons
from rules.smackkatz.attacks.exchange import Exchange, declare, exchange
from rules.smackkatz.attacks.ropes import at_the_ropes
from rules.smackkatz.attacks.running import (
    Course,
    come_to_rest,
    course_of,
    on_the_way,
    palms_to_go,
    run_into,
)
from rules.smackkatz.consequences.aftermath import settle, struck
from rules.smackkatz.consequences.blow import finisher_mark
from rules.smackkatz.consequences.harm import leave_group, lose_stamina
from rules.smackkatz.consequences.landing import bodies_on_mat, put
from rules.smackkatz.legality.reasons import reason
from rules.smackkatz.movement.forced import Run, exit_point
from rules.smackkatz.movement.spots import beside
from rules.text import Text


@cite("SHEET-13", "RULING-42", "RULING-51")
def whip_reasons(table: Ring, attacker: str, target: str) -> tuple[Reason, ...]:
    """Why this rival cannot be whipped from here, beyond what bars any attack on him."""
    if table.state.wrestlers[target].at_ringside and not table.rulings["whip_at_ringside"]:
        return (reason("whip_at_ringside", "RULING-51"),)
    return aim_reasons(table, attacker, target)


@cite("WHIP-01", "WHIP-03", "WHIP-04", "WHIP-05", "RULING-41", "PROP-05", "RULING-44", "RULING-112")
def whip(table: Ring, attacker: str, target: str, step: str) -> Procedure[None]:
    """Declare, aim, roll; each surviving success is a palm, each six two."""
    if whip_reasons(table, attacker, target):
        return
    declare(table, attacker, target, "whip", "WHIP-01")
    heading = yield from aim(table, attacker, target, f"{step} D-05")
    found = yield from exchange(table, attacker, target, "irish_whip", step, defended_by="technique")
    if found.net > 0:
        yield from struck(table, attacker, target, step, None)
        palms = found.net + found.sixes
        yield from launch(table, attacker, target, heading, palms, step, technique_tried=found.tried)
    elif found.beaten:
        yield from _reversed(table, found, heading, step)


@cite("TECH-09", "COUNTER-17", "RULING-42", "RULING-48", "RULING-104")
def _reversed(table: Ring, found: Exchange, heading: float | None, step: str) -> Procedure[None]:
    """The attacker is whipped himself: a palm for each six of the defence, where the defender aims (D-29).

    In the earlier edition the whip is turned round whole, to the place it was aimed at.
    """
    attacker, defender = found.attacker, found.target
    if table.state.edition.defences.whip_reversed_whole:
        yield from _turned_round(table, found, heading, step)
        return
    palms = sixes(found.defence_faces)
    if palms == 0 or aim_reasons(table, defender, attacker):
        # Without a six, or with nothing behind him to aim at, the defender has only avoided the whip.
        return
    where = yield from aim(table, defender, attacker, f"{step} D-29", palms)
    yield from launch(table, defender, attacker, where, palms, step, technique_tried=False)


@cite("COUNTER-17", "RULING-36")
def _turned_round(table: Ring, found: Exchange, heading: float | None, step: str) -> Procedure[None]:
    """The defender takes the spot behind the attacker, who is launched to where the whip was aimed."""
    attacker, defender = found.attacker, found.target
    palms = found.successes + sixes(found.faces)
    scene = table.state.scene
    seen = heading is not None and attacker in scene.figures and defender in scene.figures
    where = heading
    if seen and heading is not None:
        victim, by = scene.figures[defender], scene.figures[attacker]
        aimed = exit_point((victim.x, victim.y), heading, scene.ring)
        where = math.atan2(aimed[1] - by.y, aimed[0] - by.x)
        others = bodies_on_mat(table, defender, but=(defender, attacker))
        back = by.facing + math.pi
        inside = not table.state.wrestlers[defender].at_ringside
        ghost = beside(victim, by, [*others, by], scene.ring, inside, back)
        if ghost is not None:
            text = Text("ask.place_behind", {"fighter": defender, "rival": attacker})
            yield from put(table, ghost, step, text, "COUNTER-17", facing_counts=False)
    yield from launch(table, defender, attacker, where, palms, step, technique_tried=False)


@cite("WHIP-03", "WHIP-05", "RULING-36", "RULING-42", "RULING-43", "RULING-112")
def launch(
    table: Ring,
    launcher: str,
    victim: str,
    heading: float | None,
    palms: int,
    step: str,
    *,
    technique_tried: bool,
) -> Procedure[None]:
    """Send somebody running: so many palms along `heading` (radians; None: nothing is measured)."""
    palms = yield from _palms(table, launcher, victim, palms, step)
    leave_group(table, victim, "RULING-112")
    course = course_of(table, launcher, victim, heading, palms, step, technique_tried)
    start = None if course.start is None else [round(course.start.x, 3), round(course.start.y, 3)]
    table.record(
        "launched", "WHIP-03", "WHIP-05", "RULING-36", fighter=victim, by=launcher, palms=palms, start=start,
        heading=round(course.heading, 6), cm=round(course.length.value, 2), palm=course.palm,
    )  # fmt: skip
    met = yield from on_the_way(table, course)
    yield from _resolved(table, course, met)
    table.record("run_over", "WHIP-03", fighter=victim)
    if table.state.outcome is None:
        finisher_mark(table, launcher, victim)
        yield from settle(table, step)


@cite("RULING-43")
def _palms(table: Ring, launcher: str, victim: str, palms: int, step: str) -> Procedure[int]:
    """All the palms, or by house rule as many of them as the launcher likes."""
    if table.rulings["whip_distance"] == "exact" or palms < 2:
        return palms
    options = tuple(
        Option(f"palms:{count}", Text("option.palms", {"palms": count}), rules=("RULING-43",))
        for count in range(1, palms + 1)
    )
    text = Text("ask.palms", {"fighter": launcher, "target": victim})
    chosen = yield from choose(table, launcher, f"{step} D-05", text, options, "RULING-43")
    return int(chosen.partition(":")[2])


@cite("WHIP-06", "WHIP-10", "WHIP-20", "RULING-43", "RULING-51")
def _resolved(table: Ring, course: Course, met: Run) -> Procedure[None]:
    """A wrestler, a post, the ropes, or nothing at all."""
    if met.meets == "figure":
        yield from run_into(table, course, met)
    elif met.meets == "post":
        yield from _into_the_post(table, course, met)
    elif met.meets == "ropes":
        palms = yield from palms_to_go(table, course, met)
        yield from at_the_ropes(table, course, met, palms)
    else:
        yield from come_to_rest(table, course, met.after, "ask.rest_open")


@cite("WHIP-20", "RULING-50", "RULING-33")
def _into_the_post(table: Ring, course: Course, met: Run) -> Procedure[None]:
    """Five points; he may lean on the post and look at the ring, or (house rule) lies for a turn."""
    runner = course.runner
    table.record("hit_post", "WHIP-20", fighter=runner)
    lose_stamina(table, runner, int(table.rulings["post_damage"]), "WHIP-20")
    wrestler = table.state.wrestlers[runner]
    worse = wrestler.unconscious or wrestler.knocked_down is not None
    if table.rulings["post_status"] == "lying" and not worse:
        table.record("stays_down", "RULING-50", fighter=runner, until=table.state.turn + 1)
    facing = None
    if wrestler.upright:
        options = (
            Option("lean", Text("option.lean"), rules=("WHIP-20",)),
            Option("face_post", Text("option.face_post"), rules=("RULING-50",)),
        )
        text = Text("ask.lean", {"fighter": runner})
        chosen = yield from choose(table, runner, f"{course.step} D-10", text, options, "WHIP-20")
        if chosen == "lean" and course.start is not None:
            facing = _to_the_middle(course, met.after)
    yield from come_to_rest(table, course, met.after, "ask.rest_post", facing=facing)


def _to_the_middle(course: Course, after: float) -> float:
    """The heading from where the run ends to the middle of the ring."""
    ux, uy = unit(course.heading)
    assert course.start is not None, "an unseen run has no places"
    return math.atan2(-(course.start.y + after * uy), -(course.start.x + after * ux))
