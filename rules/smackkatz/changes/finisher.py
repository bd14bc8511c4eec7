"""Effects of the finisher (catalogue 2.17)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.engine.facts import Fact
from rules.smackkatz.changes.registry import effect, of, sets

if TYPE_CHECKING:
    from rules.smackkatz.state import MatchState

sets("finisher_connected", finisher_on=None, finisher_used=True)
sets("finisher_failed", finisher_on=None, finisher_bonus=False, unlimited_defence=False, must_rest=True)
sets("finisher_faded", finisher_bonus=False)
sets("defences_limited", unlimited_defence=False)


@effect("finisher_activated")
def _finisher_activated(state: MatchState, fact: Fact) -> None:
    wrestler = of(state, fact)
    wrestler.finisher_on, wrestler.finisher_in = str(fact.values["target"]), state.turn
    wrestler.finisher_bonus = wrestler.unlimited_defence = True
