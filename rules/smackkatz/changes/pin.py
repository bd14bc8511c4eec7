"""Effects of pins and of their counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.engine.facts import Fact
from rules.smackkatz.changes.registry import effect, of

if TYPE_CHECKING:
    from rules.smackkatz.state import MatchState, Wrestler


def _part(pinner: Wrestler, victim: Wrestler) -> None:
    pinner.pins, victim.pinned_by, victim.pin_failures = None, None, 0


@effect("pinned")
def _pinned(state: MatchState, fact: Fact) -> None:
    pinner, victim = of(state, fact), state.wrestlers[str(fact.values["target"])]
    pinner.pins, victim.pinned_by, victim.pin_failures = victim.id, pinner.id, 0
    pinner.pin_tried = True


@effect("pin_counted")
def _pin_counted(state: MatchState, fact: Fact) -> None:
    victim = of(state, fact)
    victim.pin_failures, victim.counted = int(fact.values["count"]), True


@effect("kicked_out")
def _kicked_out(state: MatchState, fact: Fact) -> None:
    _part(state.wrestlers[str(fact.values["by"])], of(state, fact))


@effect("pin_ended")
def _pin_ended(state: MatchState, fact: Fact) -> None:
    _part(of(state, fact), state.wrestlers[str(fact.values["target"])])


@effect("knocked_off_pin")
def _knocked_off_pin(state: MatchState, fact: Fact) -> None:
    """PIN-09: lying, and by default unable to get up before the end of the next turn."""
    pinner = of(state, fact)
    pinner.lying = pinner.lying or pinner.upright
    until = int(fact.values["until"])
    pinner.lies_until = until if until > state.turn else None
