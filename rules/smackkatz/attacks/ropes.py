"""What awaits a launched wrestler at the ropes: the Speed roll, ringside, the rebound and the clash."""

from __future__ import annotations

import math
from dataclasses import replace

from rules.engine.cite import cite
from rules.engine.request import Modifier, Option, Procedure
from rules.geometry import outline_shape
from rules.measured import Measured
from rules.smackkatz.abilities import Ring, effective, pool, successes
from rules.smackkatz.asking import choose, roll
from rules.smackkatz.attacks.exchange import THRESHOLD, exchange
from rules.smackkatz.attacks.running import Flight, come_to_rest, on_the_way, run_into
from rules.smackkatz.consequences.aftermath import struck
from rules.smackkatz.consequences.blow import land
from rules.smackkatz.consequences.collide import hurt
from rules.smackkatz.consequences.harm import lose_stamina
from rules.smackkatz.consequences.landing import nearest_sides, put_over
from rules.smackkatz.modes.endings import check_endings
from rules.smackkatz.movement.forced import Run, first_contact, rope_successes
from rules.smackkatz.turn.order import roll_off
from rules.text import Text

FALL_LOSS = 4
"""WHIP-14."""


@cite("WHIP-10", "WHIP-12", "WHIP-13", "RULING-47", "RULING-48")
def at_the_ropes(table: Ring, flight: Flight, end: Run, palms: float) -> Procedure[None]:
    """The runner has reached the ropes with so many palms to go: who passes chooses, else his launcher."""
    needed = rope_successes(palms, 1.0, str(table.rulings["rope_round"]))
    if needed == 0:
        yield from come_to_rest(table, flight, end.after, "ask.rest_ropes")
        return
    table.record("ropes_reached", "WHIP-10", "RULING-47", fighter=flight.runner, needed=needed)
    if (yield from _holds_on(table, flight, needed)):
        chosen = yield from _asked(table, flight.runner, flight.runner, f"{flight.step} D-08", "hang_on")
    else:
        chosen = yield from _asked(table, flight.launcher, flight.runner, f"{flight.step} D-09", "ringside")
    if chosen == "hang_on":
        table.record("hung_on", "WHIP-12", "RULING-51", fighter=flight.runner)
        yield from come_to_rest(table, flight, end.after, "ask.rest_ropes")
    elif chosen == "ringside":
        yield from _over_the_ropes(table, flight, end)
    else:
        decider = flight.runner if chosen == "rebound:runner" else flight.launcher
        yield from rebound(table, flight, end, palms, decider)


@cite("WHIP-10", "WHIP-11", "STATUS-03", "STATUS-30", "RULING-47", "TECH-09")
def _holds_on(table: Ring, flight: Flight, needed: int) -> Procedure[bool]:
    """The Speed roll: for whoever did not try Technique against the whip and can do anything at all."""
    runner = table.state.wrestlers[flight.runner]
    helpless = runner.unconscious or runner.helpless or runner.knocked_down is not None
    if flight.technique_tried or helpless:
        return False
    dice = pool(table, flight.runner, "speed", THRESHOLD)
    text = Text("ask.rope_check", {"fighter": flight.runner, "needed": needed})
    thrown = yield from roll(table, f"{flight.step} rope_check", text, (dice,), "WHIP-10", "WHIP-11")
    return successes(thrown[flight.runner], THRESHOLD) >= needed


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
def _over_the_ropes(table: Ring, flight: Flight, end: Run) -> Procedure[None]:
    """He falls to ringside: hurled at the floor if the launcher likes, put outside, -4 and down."""
    runner = flight.runner
    table.record("fell_to_ringside", "WHIP-13", "WHIP-14", fighter=runner)
    if table.rulings["physical_drop"] == "allowed":
        options = (
            Option("hurl", Text("option.hurl", {"fighter": runner}), rules=("WHIP-15",)),
            Option("no", Text("option.no"), rules=("RULING-101",)),
        )
        text = Text("ask.hurl", {"fighter": flight.launcher, "runner": runner})
        step = f"{flight.step} D-11"
        if (yield from choose(table, flight.launcher, step, text, options, "WHIP-15")) == "hurl":
            table.record("hurled", "WHIP-15", "RULING-101", fighter=runner, by=flight.launcher)
    if flight.start is not None:
        reached = flight.place(end.after)
        side = end.what or nearest_sides(reached, table.state.scene.ring)[0]
        yield from put_over(table, reached, side, flight.step, "WHIP-13")
    hurt(table, runner, FALL_LOSS, table.state.edition.whip.ringside_status, "WHIP-14")
    check_endings(table)


@cite("WHIP-12", "WHIP-13", "RULING-48", "WHIP-16")
def rebound(table: Ring, flight: Flight, end: Run, palms: float, decider: str) -> Procedure[None]:
    """Straight back to the starting place; whoever stands in between is met, the launcher is clashed with."""
    back = _way_back(table, flight, end, palms)
    start = None if back.start is None else [round(back.start.x, 3), round(back.start.y, 3)]
    table.record(
        "rebounded", "WHIP-12" if decider == flight.runner else "WHIP-13", "RULING-48", fighter=flight.runner,
        start=start, heading=round(back.heading, 6), cm=round(back.length.value, 2), palm=flight.palm,
    )  # fmt: skip
    met = yield from on_the_way(table, back)
    if met.meets == "figure":
        yield from run_into(table, back, met)
        return
    yield from come_to_rest(table, back, back.length.value, "ask.rest_back")
    if _came_back(table, end, back):
        yield from clash(table, flight.launcher, flight.runner, decider, flight.step)


@cite("RULING-48")
def _way_back(table: Ring, flight: Flight, end: Run, palms: float) -> Flight:
    """The rebound as a run of its own: to the starting place, or by house rule the palms that are left."""
    length = end.after
    if table.rulings["rebound_range"] == "remaining_palms":
        length = min(length, palms * flight.palm)
    start = None if flight.start is None else flight.place(end.after)
    heading = flight.heading + math.pi
    sd = flight.length.sd
    return replace(flight, start=start, heading=heading, length=Measured(length, sd), back=True)


@cite("WHIP-16", "RULING-48")
def _came_back(table: Ring, end: Run, back: Flight) -> bool:
    """Whether the rebound brought him back to his launcher: all the way, or up against him."""
    length = back.length.value
    if back.start is None or length >= end.after - 1e-6:
        return length >= end.after - 1e-6
    launcher = outline_shape(table.state.scene.figures[back.launcher])
    return first_contact(back.start, back.heading, length, launcher) is not None


@cite("WHIP-16", "WHIP-17", "WHIP-18", "WHIP-19", "RULING-49")
def clash(table: Ring, launcher: str, runner: str, decider: str, step: str) -> Procedure[None]:
    """The clash (envite): both roll Combat, one die more for whoever decided the rebound."""
    both = (launcher, runner)
    one_more = (Modifier(Text("term.decided_rebound"), 1, "WHIP-17"),)
    pools = tuple(pool(table, one, "combat", THRESHOLD, one_more if one == decider else ()) for one in both)
    text = Text("ask.clash", {"fighter": launcher, "runner": runner})
    thrown = yield from roll(table, f"{step} clash", text, pools, "WHIP-16", "WHIP-17")
    scores = {one: table.state.edition.whip.clash(thrown[one]) for one in both}
    winner = max(both, key=lambda one: scores[one])
    if scores[launcher] == scores[runner]:
        if table.rulings["clash_tie"] == "nobody":
            table.record("clash_tied", "RULING-49", fighter=runner, rival=launcher)
            return
        winner = (yield from roll_off(table, both, step, "RULING-49"))[0]
    loser = launcher if winner == runner else runner
    table.record("clash", "WHIP-18", fighter=winner, rival=loser, own=scores[winner], theirs=scores[loser])
    if _may_strike(table, winner):
        yield from _free_strike(table, winner, loser, step)


@cite("WHIP-19", "STATUS-11", "RULING-87")
def _may_strike(table: Ring, winner: str) -> bool:
    """Whether the winner's posture lets him attack at all."""
    wrestler = table.state.wrestlers[winner]
    down = not wrestler.upright and not (wrestler.lying and table.rulings["lying_may_attack"])
    return not (down or wrestler.resting or wrestler.helpless)


@cite("WHIP-19", "RULING-49", "RULING-104")
def _free_strike(table: Ring, winner: str, loser: str, step: str) -> Procedure[None]:
    """D-30: a Strike at 4+ without defence that costs no attack; by house rule an automatic hit."""
    options = (
        Option("free_strike", Text("option.free_strike", {"target": loser}), rules=("WHIP-19",)),
        Option("no", Text("option.no"), rules=("WHIP-19",)),
    )
    text = Text("ask.free_strike", {"fighter": winner, "target": loser})
    if (yield from choose(table, winner, f"{step} D-30", text, options, "WHIP-19", "RULING-49")) == "no":
        return
    table.record("free_strike", "WHIP-19", "RULING-49", fighter=winner, target=loser)
    if table.rulings["clash_strike"] == "auto_strength":
        points = effective(table, winner, "strength")
        lose_stamina(table, loser, points, "RULING-49")
        check_endings(table)
        if table.state.outcome is None:
            yield from struck(table, winner, loser, step, points)
        return
    found = yield from exchange(table, winner, loser, "strike", step, defended_by=None, threshold=THRESHOLD)
    if found.net > 0:
        yield from land(table, winner, loser, found.net, step, found.faces)
