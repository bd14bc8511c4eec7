"""The dodge (esquivar): a Speed roll to get out of the way of a body that arrives, and the step aside."""

from __future__ import annotations

import math

from rules import questions
from rules.engine.cite import cite
from rules.engine.request import REFEREE, Option, Procedure, Reason, Request
from rules.geometry import moved, turn_between, unit
from rules.questions import Finding
from rules.scene import Figure
from rules.smackkatz import sight
from rules.smackkatz.abilities import Ring, pool, successes
from rules.smackkatz.asking import choose, roll, see
from rules.smackkatz.consequences.landing import PLACED_RAD, bodies_on_mat, inside, tolerance
from rules.smackkatz.legality.actor import actor
from rules.smackkatz.legality.reasons import reason
from rules.smackkatz.movement.forced import Side, dodge_room
from rules.text import Text

THRESHOLD = 4
"""WHIP-07: dodges are read at 4 and more, in a lock-up too (RULING-18)."""


@cite("WHIP-07", "WHIP-08", "TURN-06", "LOCK-05", "SUPLEX-24", "RULING-14", "RULING-15", "RULING-62")
def dodge_reasons(table: Ring, fighter: str) -> tuple[Reason, ...]:
    """Why he may not dodge an arriving body now (nothing: he may, unless his back is turned)."""
    one = actor(table, fighter)
    found = one.reasons("dodge")
    if (one.wrestler.acted or one.wrestler.turn_over) and all(had.rule != "WHIP-08" for had in found):
        found.append(reason("acted", "WHIP-08"))
    if table.rulings["dodge_uses_defence"] and not _defence_left(table, fighter):
        found.append(reason("defended", "TURN-06"))
    if pool(table, fighter, table.state.edition.whip.dodge).count < 1:
        found.append(reason("no_dice", "RULING-62"))
    return tuple(found)


@cite("RULING-14", "FIN-03")
def _defence_left(table: Ring, fighter: str) -> bool:
    wrestler = table.state.wrestlers[fighter]
    return wrestler.unlimited_defence or not wrestler.defended


@cite("STATUS-61", "WHIP-08", "RULING-32")
def _turned(table: Ring, fighter: str, runner: str, start: Figure | None) -> Finding:
    """Whether the arriving body comes from behind, judged where its flight starts."""
    figure = table.state.scene.figures.get(fighter)
    if start is None or figure is None:
        return sight.back_turned(table, fighter, runner)
    arc = float(table.rulings["back_arc_deg"])
    return questions.back_turned(figure, start, arc, sight.BACK_BAND_DEG)


@cite("WHIP-07", "WHIP-08", "WHIP-09", "SUPLEX-09", "RULING-14", "RULING-45", "RULING-94")
def dodge(
    table: Ring,
    fighter: str,
    runner: str,
    heading: float | None,
    length: float,
    step: str,
    *,
    start: Figure | None = None,
    decision: str = "D-07",
) -> Procedure[bool]:
    """Let `fighter` dodge a body that comes along `heading` (radians) over `length` cm; True if he is clear.

    The body starts where `runner` stands, or at `start` (a rebound, a throw). Without a heading or without
    figures on the table nothing is measured: he may go to either side, and nobody is put anywhere.
    """
    if dodge_reasons(table, fighter):
        return False
    body = start if start is not None else table.state.scene.figures.get(runner)
    room = _room(table, fighter, body, heading, length)
    if not room or (yield from sight.settle(table, _turned(table, fighter, runner, start), step)):
        return False
    text = Text("ask.dodge", {"fighter": fighter, "runner": runner})
    chosen = yield from choose(
        table, fighter, f"{step} {decision}", text, _options(room), "WHIP-07", "WHIP-09", "RULING-45"
    )
    if chosen == "take_it":
        return False
    cleared = yield from _roll(table, fighter, runner, f"{step} {decision}")
    side: Side = "left" if chosen == "dodge:left" else "right"
    if cleared and body is not None and heading is not None and fighter in table.state.scene.figures:
        # Where the referee lets a dodge stand that has no room, any place to that side will do.
        needed = room.get(side, 0.0)
        yield from _step_aside(table, fighter, heading, side, needed, f"{step} {decision}")
    return cleared


@cite("WHIP-09", "RULING-45")
def _options(room: dict[Side, float]) -> tuple[Option, ...]:
    sides: tuple[Side, ...] = ("left", "right")
    found = [
        Option(
            f"dodge:{side}",
            Text(f"option.dodge_{side}"),
            () if side in room else (reason("no_room", "RULING-45"),),
            rules=("WHIP-09",),
        )
        for side in sides
    ]
    return (*found, Option("take_it", Text("option.take_it"), rules=("WHIP-07",)))


@cite("WHIP-09", "RULING-45")
def _room(
    table: Ring, fighter: str, body: Figure | None, heading: float | None, length: float
) -> dict[Side, float]:
    """How far he must go to be clear, for each side that has the room."""
    figure = table.state.scene.figures.get(fighter)
    if body is None or figure is None or heading is None:
        return {"left": 0.0, "right": 0.0}
    others = bodies_on_mat(table, fighter, but=(fighter, body.id))
    at_ringside = table.state.wrestlers[fighter].at_ringside
    ring = table.state.scene.ring
    return dodge_room(figure, body, heading, length, ring, others, at_ringside=at_ringside)


@cite("WHIP-07", "RULING-14", "RULING-45")
def _roll(table: Ring, fighter: str, runner: str, step: str) -> Procedure[bool]:
    """The Speed roll (Counter in the earlier edition); by house rule two successes, or his one defence."""
    ability = table.state.edition.whip.dodge
    needed = int(table.rulings["dodge_successes"])
    if table.rulings["dodge_uses_defence"]:
        table.record("defended", "RULING-14", fighter=fighter, ability=ability)
    values: dict[str, float | int | str | Text] = {"fighter": fighter, "runner": runner, "needed": needed}
    text = Text("ask.dodge_roll", values | {"ability": Text(f"ability.{ability}")})
    dice = pool(table, fighter, ability, THRESHOLD)
    thrown = yield from roll(table, f"{step} dodge", text, (dice,), "WHIP-07", "RULING-45")
    cleared = successes(thrown[fighter], THRESHOLD) >= needed
    table.record("dodged" if cleared else "dodge_failed", "WHIP-07", fighter=fighter, runner=runner)
    return cleared


@cite("WHIP-09", "RULING-45", "RULING-36")
def _step_aside(
    table: Ring, fighter: str, heading: float, side: Side, needed: float, step: str
) -> Procedure[None]:
    """Have the dodger put aside: at least clear, at most half a palm of his own hand further."""
    figure = table.state.scene.figures[fighter]
    hand = table.state.scene.hands[fighter]
    more = hand.half_palm if table.rulings["dodge_step"] == "clear_or_half_palm" else hand.palm
    angle = heading + (math.pi / 2 if side == "left" else -math.pi / 2)
    ux, uy = unit(angle)
    ghost = moved(figure, figure.x + needed * ux, figure.y + needed * uy)

    def check(placed: Figure) -> tuple[Reason, ...]:
        dx, dy = placed.x - figure.x, placed.y - figure.y
        aside, along = dx * ux + dy * uy, abs(dx * uy - dy * ux)
        across, onward = tolerance(placed, (ux, uy)), tolerance(placed, (-uy, ux))
        within = needed - across <= aside <= needed + more + across and along <= onward
        values: dict[str, float | int | str | Text] = {
            "needed": needed, "most": needed + more, "aside": aside
        }  # fmt: skip
        reasons = [] if within else [Reason("not_aside", Text("why.not_aside", values), "RULING-45")]
        if inside(placed, table.state.scene.ring) == table.state.wrestlers[fighter].at_ringside:
            reasons.append(reason("other_side", "RULING-29"))
        if abs(turn_between(figure.facing, placed.facing)) > PLACED_RAD and not placed.facing_assumed:
            reasons.append(reason("facing_kept", "RULING-45"))
        return tuple(reasons)

    placed = yield Request(
        "place",
        step,
        REFEREE,
        Text(f"ask.place_aside_{side}", {"fighter": fighter, "needed": needed, "most": needed + more}),
        fighter=fighter,
        rules=("WHIP-09", "RULING-45"),
        proposal=ghost,
        check=check,
    )
    see(table, {fighter: placed}, "WHIP-09")
