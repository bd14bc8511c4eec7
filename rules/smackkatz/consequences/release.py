"""Letting go of a hold. Imports no attack, so that attacks and their aftermath may both call it."""

from __future__ import annotations

from rules.engine.cite import cite
from rules.engine.request import Procedure
from rules.smackkatz.abilities import Ring
from rules.smackkatz.consequences.rising import look_at_risen


@cite("RULING-65", "STATUS-07")
def break_hold(table: Ring, holder: str, step: str, why: str) -> Procedure[None]:
    """A third party, a fall or unconsciousness ends a hold, by rule `why`: both stay as they lie."""
    victim = table.state.wrestlers[holder].holds
    if victim is not None:
        table.record("hold_ended", why, fighter=holder, target=victim)
    return
    yield


@cite("SUBM-09", "SUBM-14", "STATUS-41", "RULING-63", "RULING-105", "RULING-114")
def free(table: Ring, holder: str, step: str, rule: str = "SUBM-09") -> Procedure[None]:
    """The holder failed or let go: he stays as he is, his turn done; the victim gets up with his intact."""
    victim = str(table.state.wrestlers[holder].holds)
    table.record("hold_ended", rule, fighter=holder, target=victim)
    table.record("turn_over", "RULING-63", fighter=holder)
    held = table.state.wrestlers[victim]
    # Whoever was knocked down or knocked out in the hold cannot get up yet (RULING-86, STATUS-05).
    if held.unconscious or held.knocked_down is not None:
        return
    if not held.upright:
        table.record("stood_up", rule, fighter=victim)
    table.record("freed", rule, "RULING-114", fighter=victim)
    yield from look_at_risen(table, [victim], step)
