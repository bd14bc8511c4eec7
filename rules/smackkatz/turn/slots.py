"""Who gets a slot in which part of the turn (RULING-9, RULING-112, RULING-114)."""

from __future__ import annotations

from rules.engine.cite import cite
from rules.engine.request import Procedure
from rules.smackkatz.abilities import Ring
from rules.smackkatz.attacks.pin import count_at_slot, counts_at_slot
from rules.smackkatz.state import Wrestler
from rules.smackkatz.turn.activation import activate


@cite("RULING-9", "RULING-112", "STATUS-11", "STATUS-24", "SUPLEX-05", "SUBM-04", "RULING-79")
def may_act(table: Ring, wrestler: Wrestler) -> bool:
    """Standing and free to act: he may hold a rival up or stand on a post, but nothing binds him else.

    Where a resting wrestler may pin (an edition) he has his slot for that.
    """
    bound = (wrestler.hoisted_by, wrestler.holds, wrestler.held_by, wrestler.pins, wrestler.pinned_by)
    resting = wrestler.resting and table.state.edition.checks.resting_may_pin
    able = wrestler.able if resting else wrestler.can_act
    return able and not wrestler.freed and all(one is None for one in bound)


def slot(table: Ring, fighter: str, step: str) -> Procedure[None]:
    """His slot has come: he acts, unless his status has taken it from him (he is skipped then)."""
    wrestler = table.state.wrestlers[fighter]
    if wrestler.acted or not wrestler.playing or table.state.outcome is not None:
        return
    if counts_at_slot(table, fighter):
        table.record("activated", "RULING-79", fighter=fighter)
        yield from count_at_slot(table, fighter, step)
        if table.state.outcome is None:
            table.record("activation_ended", "RULING-79", fighter=fighter)
    elif may_act(table, wrestler):
        yield from activate(table, fighter, step)


@cite("SUPLEX-18", "SUBM-09", "RULING-57", "RULING-63", "RULING-114")
def late_queue(table: Ring, step: str = "LATE_QUEUE") -> Procedure[None]:
    """A full activation for each wrestler freed with his turn intact, in the order of freeing."""
    while table.state.late and table.state.outcome is None:
        fighter = table.state.late[0]
        table.record("late_turn", "RULING-114", fighter=fighter)
        wrestler = table.state.wrestlers[fighter]
        if wrestler.can_act and not (wrestler.acted or wrestler.engaged):
            yield from activate(table, fighter, step)
