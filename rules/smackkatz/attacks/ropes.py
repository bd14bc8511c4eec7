"""What awaits a launched wrestler at the ropes: the Speed roll, ringside or the rebound."""

from __future__ import annotations

import math
from dataclasses import replace

from rules.engine.cite import cite
from rules.engine.request import Option, Procedure
from rules.geometry import outline_shape
from rules.measured import Measured
from rules.smackkatz import sight
from rules.smackkatz.abilities import Ring, pool, successes
from rules.smackkatz.asking import choose, lose_sight, roll
from rules.smackkatz.attacks.clash import clash
from rules.smackkatz.attacks.exchange import THRESHOLD
from rules.smackkatz.attacks.running import Course, come_to_rest, on_the_way, run_into
from rules.smackkatz.consequences.collide import hurt
from rules.smackkatz.consequences.landing import put_over
from rules.smackkatz.modes.endings import check_endings
from rules.smackkatz.movement.forced import Run, first_contact, rope_successes
from rules.text import Text

FALL_LOSS = 4
"""WHIP-14."""


@cite("WHIP-10", "WHIP-12", "WHIP-13", "RULING-47", "RULING-48")
def at_the_ropes(table: Ring, course: Course, end: Run, palms: float) -> Procedure[None]:
    """The runner has reached the ropes with so many palms to go: who passes chooses, else his launcher."""
    needed = rope_successes(palms, 1.0, str(table.rulings["rope_round"]))
    if needed == 0:
        yield from come_to_rest(table, course, end.after, "ask.rest_ropes")
        return
    table.record("ropes_reached", "WHIP-10", "RULING-47", fighter=course.runner, needed=needed)
    if (yield from _holds_on(table, course, needed)):
        chosen = yield from _asked(table, course.runner, course.runner, f"{course.step} D-08", "hang_on")
    else:
        chosen = yield from _asked(table, course.launcher, course.runner, f"{course.step} D-09", "ringside")
    if chosen == "hang_on":
        table.record("hung_on", "WHIP-12", "RULING-51", fighter=course.runner)
        yield from come_to_rest(table, course, end.after, "ask.rest_ropes")
    elif chosen == "ringside":
        yield from _over_the_ropes(table, course, end)
    else:
        decider = course.runner if chosen == "rebound:runner" else course.launcher
        yield from rebound(table, course, end, palms, decider)


@cite("WHIP-10", "WHIP-11", "STATUS-03", "STATUS-30", "RULING-47", "TECH-09")
def _holds_on(table: Ring, course: Course, needed: int) -> Procedure[bool]:
    """The Speed roll: for whoever did not try Technique against the whip and can do anything at all."""
    runner = table.state.wrestlers[course.runner]
    helpless = runner.unconscious or runner.helpless or runner.knocked_down is not None
    if course.technique_tried or helpless:
        return False
    dice = pool(table, course.runner, "speed", THRESHOLD)
    text = Text("ask.rope_check", {"fighter": course.runner, "needed": needed})
    thrown = yield from roll(table, f"{course.step} rope_check", text, (dice,), "WHIP-10", "WHIP-11")
    return successes(thrown[course.runner], THRESHOLD) >= needed


@cite("WHIP-12", "WHIP-13")
def _asked(table: Ring, decider: str, runner: str, step: str, other: str) -> Procedure[str]:
    """Rebound, or what else the one who decides may choose."""
    by = "runner" if decider == runner else "launcher"
    rule = "WHIP-12" if by == "runner" else "WHIP-13"
    options = (
        Option(other, Text(f"option.{other}", {"fighter": runner}), rules=(rule,)),
        Option(f"rebound:{by}", Text("option.rebound", {"fighter": runner}), rules=(rule,)),
    )
    text = Text("ask.at_the_ropes", {"fighter": decider, "runner": runner})
    return (yield from choose(table, decider, step, text, options, rule))


@cite("WHIP-13", "WHIP-14", "WHIP-15", "RULING-101")
def _over_the_ropes(table: Ring, course: Course, end: Run) -> Procedure[None]:
    """He falls to ringside: hurled at the floor if the launcher likes, put outside, -4 and down."""
    runner = course.runner
    table.record("fell_to_ringside", "WHIP-13", "WHIP-14", fighter=runner)
    if table.rulings["physical_drop"] == "allowed":
        options = (
            Option("hurl", Text("option.hurl", {"fighter": runner}), rules=("WHIP-15",)),
            Option("no", Text("option.no"), rules=("RULING-101",)),
        )
        text = Text("ask.hurl", {"fighter": course.launcher, "runner": runner})
        step = f"{course.step} D-11"
        if (yield from choose(table, course.launcher, step, text, options, "WHIP-15")) == "hurl":
            table.record("hurled", "WHIP-15", "RULING-101", fighter=runner, by=course.launcher)
    if course.start is not None:
        yield from put_over(table, course.place(end.after), end.what, course.step, "WHIP-13")
    else:
        lose_sight(table, runner)
    hurt(table, runner, FALL_LOSS, table.state.edition.whip.ringside_status, "WHIP-14")
    check_endings(table)


@cite("WHIP-12", "WHIP-13", "RULING-48", "WHIP-16")
def rebound(table: Ring, course: Course, end: Run, palms: float, decider: str) -> Procedure[None]:
    """Straight back to the starting place; whoever stands in between is met, the launcher is clashed with."""
    back = _way_back(table, course, end, palms)
    start = None if back.start is None else [round(back.start.x, 3), round(back.start.y, 3)]
    table.record(
        "rebounded", "WHIP-12" if decider == course.runner else "WHIP-13", "RULING-48", fighter=course.runner,
        start=start, heading=round(back.heading, 6), cm=round(back.length.value, 2), palm=course.palm,
    )  # fmt: skip
    met = yield from on_the_way(table, back)
    if met.meets == "figure":
        yield from run_into(table, back, met)
        return
    whole = back.length.value >= end.after - 1e-6
    yield from come_to_rest(table, back, back.length.value, "ask.rest_back" if whole else "ask.rest_short")
    if whole or (yield from _up_against(table, back)):
        yield from clash(table, course.launcher, course.runner, decider, course.step)


@cite("RULING-48")
def _way_back(table: Ring, course: Course, end: Run, palms: float) -> Course:
    """The rebound as a run of its own: to the starting place, or by house rule the palms that are left."""
    length = end.after
    if table.rulings["rebound_range"] == "remaining_palms":
        length = min(length, palms * course.palm)
    start = None if course.start is None else course.place(end.after)
    heading = course.heading + math.pi
    sd = course.length.sd
    return replace(course, start=start, heading=heading, length=Measured(length, sd), back=True)


@cite("WHIP-16", "RULING-48")
def _up_against(table: Ring, back: Course) -> Procedure[bool]:
    """Whether a rebound that ended early brought him up against his launcher; unseen, the referee says."""
    if back.start is None:
        return (yield from sight.settle(table, sight.adjacent(table, back.runner, back.launcher), back.step))
    launcher = outline_shape(table.state.scene.figures[back.launcher])
    return first_contact(back.start, back.heading, back.length.value, launcher) is not None
