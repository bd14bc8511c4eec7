"""Effects of Submission holds: both sides of a hold are always set and cleared together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.engine.facts import Fact
from rules.smackkatz.changes.registry import effect, of, told

if TYPE_CHECKING:
    from rules.smackkatz.state import MatchState, Wrestler

told("submission_survived", "tapped_out", "crawled")


def _bind(state: MatchState, holder: Wrestler, victim: Wrestler, fact: Fact) -> None:
    """Put one into the hold of the other; whoever is down in a worse way stays so."""
    turns = int(fact.values["turns"])
    holder.holds, victim.held_by = victim.id, holder.id
    holder.hold_turns, holder.hold_in, holder.hold_at_ropes = turns, state.turn, 0
    for one in (holder, victim) if fact.values["lying"] else ():
        one.lying = one.lying or one.upright


def _unbind(holder: Wrestler, victim: Wrestler) -> None:
    holder.holds, victim.held_by = None, None
    holder.hold_turns, holder.hold_in, holder.hold_at_ropes = 0, 0, 0


@effect("hold_began")
def _hold_began(state: MatchState, fact: Fact) -> None:
    _bind(state, of(state, fact), state.wrestlers[str(fact.values["target"])], fact)


@effect("hold_reversed")
def _hold_reversed(state: MatchState, fact: Fact) -> None:
    holder, victim = of(state, fact), state.wrestlers[str(fact.values["target"])]
    if victim.holds == holder.id:
        _unbind(victim, holder)
    _bind(state, holder, victim, fact)


@effect("hold_ended")
def _hold_ended(state: MatchState, fact: Fact) -> None:
    _unbind(of(state, fact), state.wrestlers[str(fact.values["target"])])


@effect("keeps_hold")
def _keeps_hold(state: MatchState, fact: Fact) -> None:
    """The slot of a holder: keeping the hold up is his attack of the turn."""
    holder = of(state, fact)
    holder.acted = holder.attacked = True


@effect("hold_lasts")
def _hold_lasts(state: MatchState, fact: Fact) -> None:
    of(state, fact).hold_turns = int(fact.values["turns"])


@effect("held_at_ropes")
def _held_at_ropes(state: MatchState, fact: Fact) -> None:
    of(state, fact).hold_at_ropes = int(fact.values["turns"])


@effect("freed")
def _freed(state: MatchState, fact: Fact) -> None:
    """RULING-114: his turn is intact; he waits in the late queue."""
    wrestler = of(state, fact)
    wrestler.freed, wrestler.acted, wrestler.turn_over = True, False, False
    if wrestler.id not in state.late:
        state.late = (*state.late, wrestler.id)
