"""Effects on the match as a whole: falls, scores, who is out, who sits out, how it ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.engine.facts import Fact
from rules.engine.request import Outcome
from rules.smackkatz.changes.registry import effect, of, sets, told
from rules.smackkatz.changes.turns import left_group, no_block

if TYPE_CHECKING:
    from rules.smackkatz.state import MatchState, Wrestler

told("disqualified", "sudden_death")
told("ring_size", "ringside_width", "far_from_ropes", "close_together")


@effect("fall")
def _fall(state: MatchState, fact: Fact) -> None:
    """The pin or hold that was lost is over; what the fall means comes as facts of its own."""
    loser = state.wrestlers[str(fact.values["loser"])]
    for winner in state.wrestlers.values():
        if winner.pins == loser.id:
            winner.pins = loser.pinned_by = None
            loser.pin_failures = 0
        if winner.holds == loser.id:
            winner.holds = loser.held_by = None
            winner.hold_turns = 0


@effect("scored")
def _scored(state: MatchState, fact: Fact) -> None:
    of(state, fact).falls += 1


@effect("sits_out")
def _sits_out(state: MatchState, fact: Fact) -> None:
    """MODE-06: a whole turn; a fall counted at a turn's start costs that turn, any other the next."""
    wrestler = of(state, fact)
    wrestler.sits_out = state.turn if state.phase == "TURN_START" else state.turn + 1
    _clear_statuses(wrestler)
    left_group(state, fact)


def _clear_statuses(wrestler: Wrestler) -> None:
    """RULING-97: statuses are cleared, wounds are kept."""
    wrestler.lying = wrestler.unconscious = wrestler.helpless = wrestler.resting = False
    wrestler.knocked_down = wrestler.lies_until = None
    wrestler.failed_checks = 0
    wrestler.rises_at_end = wrestler.must_rest = wrestler.freed = False


@effect("returned")
def _returned(state: MatchState, fact: Fact) -> None:
    wrestler = of(state, fact)
    wrestler.sits_out = None
    wrestler.stamina = int(fact.values["stamina"])


sets("made_entrance", sits_out=None)
sets("has_tag", legal=True)


@effect("tagged")
def _tagged(state: MatchState, fact: Fact) -> None:
    of(state, fact).legal = False
    state.wrestlers[str(fact.values["partner"])].legal = True


@effect("time_up")
def _time_up(state: MatchState, fact: Fact) -> None:
    state.clock_s = float(fact.values["seconds"])


@effect("eliminated")
def _eliminated(state: MatchState, fact: Fact) -> None:
    of(state, fact).out = str(fact.values["ending"])
    state.last_out = tuple(fact.values["together"])
    left_group(state, fact)


@effect("match_over")
def _match_over(state: MatchState, fact: Fact) -> None:
    state.outcome = Outcome(
        str(fact.values["ending"]), tuple(fact.values["winners"]), fact.rules[0], fact.text
    )
    state.active = None
    no_block(state)
