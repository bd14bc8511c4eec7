"""Effects of whips, runs, dodges and collisions (2.12)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.engine.facts import Fact
from rules.smackkatz.changes.registry import effect, of, sets, told
from rules.smackkatz.movement.forced import Flight

if TYPE_CHECKING:
    from rules.smackkatz.state import MatchState

told(
    "collided", "dodged", "dodge_failed", "ropes_reached", "hit_post", "hurled", "clash", "clash_tied",
    "free_strike",
)  # fmt: skip

sets("went_down", lying=True)
sets("acts_last", acts_last=True)


@effect("hung_on")
def _hung_on(state: MatchState, fact: Fact) -> None:
    wrestler = of(state, fact)
    # Dragged there lying he stands now, but his slot is still the one of those who lie (RULING-80).
    wrestler.acts_last, wrestler.lying = wrestler.acts_last or wrestler.lying, False


@effect("stays_down")
def _stays_down(state: MatchState, fact: Fact) -> None:
    wrestler = of(state, fact)
    wrestler.lying, wrestler.lies_until = True, int(fact.values["until"])


@effect("launched")
@effect("rebounded")
def _launched(state: MatchState, fact: Fact) -> None:
    at = fact.values.get("start")
    if at is not None:
        heading, length, palm = (float(fact.values[name]) for name in ("heading", "cm", "palm"))
        state.flight = Flight(str(fact.fighter), (float(at[0]), float(at[1])), heading, length, palm)


@effect("run_over")
def _run_over(state: MatchState, fact: Fact) -> None:
    state.flight = None
