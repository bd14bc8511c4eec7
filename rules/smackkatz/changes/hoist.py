"""Effects of the suplex over turns (who holds whom up, is thrown, dropped or gets loose) and of advancing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.engine.facts import Fact
from rules.smackkatz.changes.registry import effect, of, sets, told

if TYPE_CHECKING:
    from rules.smackkatz.state import MatchState, Wrestler

told("kept_up", "fell_upon")

sets("keeps_hoisting", attacked=True, turn_over=True)


def _part(state: MatchState, hoisted: Wrestler) -> None:
    """Both sides of the pair let go of each other."""
    if hoisted.hoisted_by is not None:
        holder = state.wrestlers[hoisted.hoisted_by]
        holder.hoists, holder.hoisted_in = None, 0
    hoisted.hoisted_by, hoisted.hoisted_in = None, 0


@effect("hoisted")
def _hoisted(state: MatchState, fact: Fact) -> None:
    hoisted, holder = of(state, fact), state.wrestlers[str(fact.values["by"])]
    hoisted.hoisted_by, holder.hoists = holder.id, hoisted.id
    hoisted.hoisted_in = holder.hoisted_in = state.turn
    hoisted.at_ringside = holder.at_ringside
    # Lifted off the mat he is down no longer (where the edition lets the downed be lifted at all).
    hoisted.lying, hoisted.knocked_down, hoisted.lies_until = False, None, None


@effect("thrown")
def _thrown(state: MatchState, fact: Fact) -> None:
    """The throw is the holder's one attack of the turn."""
    state.wrestlers[str(fact.values["by"])].attacked = True
    _part(state, of(state, fact))


@effect("dropped")
@effect("got_loose")
@effect("set_down")
def _let_go(state: MatchState, fact: Fact) -> None:
    _part(state, of(state, fact))


@effect("fell_to_ringside")
def _fell_to_ringside(state: MatchState, fact: Fact) -> None:
    """Whoever falls out of the ring is out of the hands of one who stays in it."""
    fallen = of(state, fact)
    fallen.at_ringside = True
    if fallen.hoisted_by is not None and not state.wrestlers[fallen.hoisted_by].at_ringside:
        _part(state, fallen)


@effect("carried")
def _carried(state: MatchState, fact: Fact) -> None:
    """Free palms may hold the turn's one facing change and step back."""
    wrestler = of(state, fact)
    wrestler.facing_changed = wrestler.facing_changed or bool(fact.values["turned"])
    wrestler.stepped_back = wrestler.stepped_back or bool(fact.values["stepped_back"])


@effect("advanced")
def _advanced(state: MatchState, fact: Fact) -> None:
    """SPECIAL-11: the palms of the open block count anew with each look at it."""
    wrestler, palms = of(state, fact), int(fact.values["palms"])
    wrestler.palms_walked += palms - state.block_palms
    state.block_palms = palms
