"""The finisher (catalogue 2.17): offered after an attack, made, used up or lost."""

from __future__ import annotations

from collections.abc import Callable

from rules.engine.cite import cite
from rules.engine.request import Option, Procedure
from rules.questions import Finding
from rules.smackkatz import sight
from rules.smackkatz.abilities import Ring, effective
from rules.smackkatz.asking import choose
from rules.smackkatz.attacks.exchange import declare
from rules.smackkatz.attacks.strike import blow
from rules.smackkatz.attacks.submission import attempt, grab
from rules.smackkatz.attacks.suplex import suplex
from rules.smackkatz.attacks.whip import whip
from rules.smackkatz.consequences.aftermath import settle, struck
from rules.smackkatz.consequences.blow import FINISHER_DAMAGE, fell
from rules.smackkatz.consequences.harm import lose_stamina
from rules.smackkatz.legality.actor import actor
from rules.smackkatz.legality.target import TARGET, finishing_column, rows, target_reasons
from rules.text import Text

OTHER: dict[str, Callable[[Ring, str, str, str], Procedure[None]]] = {"irish_whip": whip, "suplex": suplex}
"""What a finisher may be besides, in an edition that does not limit it (FIN-04)."""


@cite("FIN-01", "FIN-05", "FIN-06", "SHEET-20", "RULING-71", "RULING-72")
def trigger(table: Ring, fighter: str, target: str) -> Finding | None:
    """Whether this rival is where the finisher wants him; None when it cannot be activated at all."""
    wrestler, rival = table.state.wrestlers[fighter], table.state.wrestlers[target]
    if wrestler.finisher_used or wrestler.finisher_on is not None or not rival.playing:
        return None
    # The attack just made is no reason against it, also where the finisher waits for the next one.
    if any(one.rule != "TURN-04" for one in actor(table, fighter).reasons("finisher")):
        return None
    held, cells = rows(table, wrestler, rival), TARGET.under(table)
    forms = table.state.edition.finisher.attacks
    if all(target_reasons(cells, finishing_column(form), rival, held) for form in forms):
        return None
    return _position(table, wrestler.sheet.trigger, fighter, target)


@cite("SHEET-20", "FIN-01", "RULING-32", "RULING-33")
def _position(table: Ring, wanted: str, fighter: str, target: str) -> Finding:
    if wanted == "on_ropes":
        return sight.on_ropes(table, target)
    if wanted == "in_corner":
        return sight.in_corner(table, target)
    if wanted == "back_turned":
        return sight.back_turned(table, target, fighter)
    down = table.state.wrestlers[target].knocked_down is not None
    return Finding("knocked_down", down, (target,), ("SHEET-20",))


@cite("FIN-01", "FIN-02", "FIN-03", "FIN-05", "SHEET-19", "RULING-71", "RULING-73")
def offer(table: Ring, fighter: str, target: str, step: str) -> Procedure[None]:
    """D-19, right after his own attack on this rival: activate the finisher, or not."""
    found = trigger(table, fighter, target) if table.state.outcome is None else None
    if found is None or not (yield from sight.settle(table, found, f"{step} D-19")):
        return
    name = table.state.wrestlers[fighter].sheet.finisher or Text("term.finisher")
    options = (
        Option("finisher", Text("option.finisher", {"target": target}), rules=("FIN-01", "FIN-02")),
        Option("no_finisher", Text("option.no_finisher"), rules=("FIN-05",)),
    )
    text = Text("ask.finisher", {"fighter": fighter, "target": target, "name": name})
    said = yield from choose(table, fighter, f"{step} D-19", text, options, "FIN-01", "RULING-71")
    if said == "finisher":
        table.record("finisher_activated", "FIN-01", "FIN-02", "FIN-03", fighter=fighter, target=target)


@cite("FIN-04", "FIN-06", "FIN-07", "FIN-10", "RULING-41", "RULING-71", "RULING-72", "RULING-74")
def finish(table: Ring, fighter: str, form: str, step: str) -> Procedure[None]:
    """The finishing attack on that rival; it connects and is used up, or all is lost."""
    target = str(table.state.wrestlers[fighter].finisher_on)
    connected = yield from _made(table, fighter, target, form, step)
    if table.state.outcome is not None:
        return
    if connected and form in table.state.edition.finisher.used_up_by:
        table.record("finisher_connected", "FIN-06", "RULING-41", fighter=fighter, target=target)
    else:
        _fail(table, fighter)


def _made(table: Ring, fighter: str, target: str, form: str, step: str) -> Procedure[bool]:
    """Make the attack. Returns whether it connected."""
    downed = table.state.wrestlers[target].knocked_down is not None
    if downed and table.rulings["finisher_on_knocked_down"] == "auto_strength":
        yield from _automatic(table, fighter, target, form, step)
        return True
    if form == "submission":
        return (yield from attempt(table, fighter, target, step))
    if form == "strike":
        return (yield from blow(table, fighter, target, step, None if downed else "counter"))
    yield from OTHER[form](table, fighter, target, step)
    return True


@cite("RULING-72", "FIN-10", "FIN-11")
def _automatic(table: Ring, fighter: str, target: str, form: str, step: str) -> Procedure[None]:
    """By house rule the knocked-down rival is hit without dice: Strength and the finisher's three."""
    declare(table, fighter, target, form, "RULING-72")
    if form == "submission":
        yield from grab(table, fighter, target, 0, step)
        return
    damage = effective(table, fighter, "strength") + FINISHER_DAMAGE
    lose_stamina(table, target, damage, "RULING-72")
    yield from struck(table, fighter, target, step, damage)
    if table.state.outcome is None:
        fell(table, target)
        yield from settle(table, step)


@cite("FIN-07", "FIN-08", "RULING-74")
def _fail(table: Ring, fighter: str) -> None:
    """All effects are gone; the next turn is spent resting."""
    table.record("finisher_failed", "FIN-07", "FIN-08", fighter=fighter)


def _overdue(table: Ring, fighter: str) -> bool:
    """Active, and the attack should have been made by now."""
    wrestler = table.state.wrestlers[fighter]
    waits = table.rulings["finisher_timing"] == "instead_of_next_attack"
    return wrestler.finisher_on is not None and not (waits and wrestler.finisher_in == table.state.turn)


@cite("FIN-07", "RULING-71", "RULING-74")
def end_of_activation(table: Ring, fighter: str) -> None:
    """Not made by the end of the activation: missed."""
    if _overdue(table, fighter):
        _fail(table, fighter)


@cite("FIN-02", "FIN-07", "FIN-09", "RULING-73", "RULING-74")
def end_of_turn(table: Ring) -> None:
    """Z3: what was not made is missed, the bonus of a finisher that connected ends."""
    for wrestler in table.state.playing:
        if _overdue(table, wrestler.id):
            _fail(table, wrestler.id)
        elif wrestler.finisher_bonus and wrestler.finisher_on is None:
            table.record("finisher_faded", "FIN-02", "RULING-73", fighter=wrestler.id)
        if not table.state.edition.finisher.lingers:
            _limit(table, wrestler.id)


@cite("FIN-09")
def start_of_turn(table: Ring) -> None:
    """S1: the unlimited defences of last turn's finisher end."""
    for wrestler in table.state.playing:
        _limit(table, wrestler.id)


def _limit(table: Ring, fighter: str) -> None:
    wrestler = table.state.wrestlers[fighter]
    if wrestler.unlimited_defence and wrestler.finisher_on is None:
        table.record("defences_limited", "FIN-09", fighter=fighter)
