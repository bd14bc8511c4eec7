"""Kind of fact -> what it does to the state. Nothing else changes a match."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rules.engine.facts import Fact

if TYPE_CHECKING:
    from rules.smackkatz.state import MatchState, Wrestler

Effect = Callable[["MatchState", Fact], None]
APPLY: dict[str, Effect] = {}
"""Kind of fact -> its effect."""


def of(state: MatchState, fact: Fact) -> Wrestler:
    """The wrestler a fact is about."""
    assert fact.fighter is not None, f"the fact {fact.kind} names no fighter"
    return state.wrestlers[fact.fighter]


def effect(kind: str) -> Callable[[Effect], Effect]:
    """Register a function as the effect of facts of this kind."""

    def register(function: Effect) -> Effect:
        assert kind not in APPLY, f"two effects for {kind}"
        APPLY[kind] = function
        return function

    return register


def sets(kind: str, **values: object) -> None:
    """A kind of fact that sets fields of its wrestler to fixed values."""

    @effect(kind)
    def change(state: MatchState, fact: Fact) -> None:
        wrestler = of(state, fact)
        for name, value in values.items():
            setattr(wrestler, name, value)


def told(*kinds: str) -> None:
    """Kinds of facts kept for the commentary only."""
    for kind in kinds:
        effect(kind)(_nothing)


def _nothing(state: MatchState, fact: Fact) -> None:
    """A fact that changes nothing."""
