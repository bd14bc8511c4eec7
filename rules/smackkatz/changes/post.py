"""Effects of the post: climbing, the dive, climbing down and being knocked off."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.engine.facts import Fact
from rules.smackkatz.changes.registry import effect, of, sets

if TYPE_CHECKING:
    from rules.smackkatz.state import MatchState

sets("climbed_down", on_post=None, climbed_in=0)
sets("knocked_off", on_post=None, climbed_in=0)
sets("diver_rose", lying=False, rises_at_end=False, lies_until=None)


@effect("climbed")
def _climbed(state: MatchState, fact: Fact) -> None:
    """A post is the ring's, and one stands on it: whoever the referee lets climb it from ringside has come
    in, and whoever he lets climb it lying has got up."""
    wrestler = of(state, fact)
    wrestler.at_ringside, wrestler.ringside_turns = False, 0
    wrestler.lying, wrestler.rises_at_end, wrestler.lies_until = False, False, None
    wrestler.knocked_down = None
    wrestler.on_post, wrestler.climbed_in = int(fact.values["post"]), state.turn
    wrestler.attacked = wrestler.attacked or bool(fact.values["attack"])


@effect("dived")
def _dived(state: MatchState, fact: Fact) -> None:
    """SPECIAL-09: he lies until the turn is over, whether he hits somebody or not."""
    wrestler = of(state, fact)
    wrestler.on_post, wrestler.climbed_in, wrestler.attacked = None, 0, True
    if fact.values["lies"]:
        wrestler.lying = wrestler.rises_at_end = True
        wrestler.lies_until = state.turn
