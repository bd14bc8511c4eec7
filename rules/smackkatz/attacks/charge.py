"""The beast's charge (Embestida): a Strike with the palms of the run-up as extra dice."""

from __future__ import annotations

from rules.engine.cite import cite
from rules.engine.request import Modifier, Procedure
from rules.smackkatz.abilities import Ring
from rules.smackkatz.attacks.exchange import THRESHOLD, Exchange, answered, attack_roll, counter_blow, declare
from rules.smackkatz.consequences.aftermath import settle
from rules.smackkatz.consequences.blow import land
from rules.text import Text


@cite("SPECIAL-13", "LOCK-10", "RULING-23")
def charged(table: Ring, attacker: str, target: str) -> list[str]:
    """Everybody a charge at this rival attacks: his whole lock-up or melee, each member."""
    group = table.state.group_of(target)
    if not group or not table.state.edition.specials.charge_hits_group:
        return [target]
    wrestler = table.state.wrestlers[attacker]
    barred = () if table.rulings["attack_left_rival"] else wrestler.left
    return [one for one in group if one != attacker and one not in barred]


@cite("SPECIAL-10", "SPECIAL-11", "SPECIAL-12", "SPECIAL-13", "BUILD-14", "RULING-18", "RULING-95")
def charge(table: Ring, attacker: str, target: str, step: str) -> Procedure[None]:
    """One Strike roll at 4+ with the palms advanced, compared with each member's own defence.

    By house rule (`charge_rolls`) each member is rolled against separately.
    """
    declare(table, attacker, target, "charge", "SPECIAL-10")
    shared = table.rulings["charge_rolls"] == "shared"
    faces: tuple[int, ...] | None = None
    for one in charged(table, attacker, target):
        if faces is None or not shared:
            faces = yield from _run_up_roll(table, attacker, one, step)
        found = yield from answered(table, attacker, one, "strike", faces, THRESHOLD, step, "counter")
        yield from _resolve(table, found, step)
        wrestler = table.state.wrestlers[attacker]
        # A roll already made is compared with everybody; he who is down makes no further one.
        if table.state.outcome is not None or not (wrestler.playing and (shared or wrestler.upright)):
            break
    yield from settle(table, step)


@cite("SPECIAL-11", "RULING-61", "RULING-95")
def _run_up_roll(table: Ring, attacker: str, target: str, step: str) -> Procedure[tuple[int, ...]]:
    """The Strike dice and, over the fatigue cap, one for each whole palm of the run-up."""
    palms = table.state.wrestlers[attacker].palms_walked
    extra = (Modifier(Text("term.charge"), palms, "SPECIAL-11"),) if palms else ()
    return (yield from attack_roll(table, attacker, target, "strike", step, THRESHOLD, extra=extra))


@cite("SPECIAL-13", "COUNTER-10")
def _resolve(table: Ring, found: Exchange, step: str) -> Procedure[None]:
    """Damage is rolled for each one hit; whoever out-counters it strikes back."""
    target = table.state.wrestlers[found.target]
    if found.net > 0 and target.playing:
        yield from land(table, found.attacker, found.target, found.net, step, found.faces)
    yield from counter_blow(table, found, step)
