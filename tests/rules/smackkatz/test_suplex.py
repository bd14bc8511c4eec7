"""The Suplex over turns: grab, free palms, throw, drop, upkeep, getting loose."""

from __future__ import annotations

from typing import Any

from rules.engine.request import Request
from rules.smackkatz.attacks.suplex import keep, suplex, upkeep
from rules.smackkatz.attacks.throw import directions, throw
from rules.smackkatz.consequences.drops import drop
from rules.smackkatz.state import MatchState
from tests.rules.playing import figure
from tests.rules.smackkatz.harness import drive, facts, pair, table


def hoisting(given: dict[str, Any] | None = None, **settings: Any) -> Any:
    """A holds B up since the turn before."""
    found = table("ABC", given or {}, at={**pair(), "C": figure("C", 0, -20, 90)}, **settings)
    found.record("hoisted", "SUPLEX-02", fighter="B", by="A")
    found.state.turn = 2
    return found


def test_suplex_02_one_success_is_a_grab() -> None:
    found = table("ABC", {"A": {"suplex": 2}}, at=pair())
    drive(suplex(found, "A", "B", "OPEN_PHASE"), {"A.suplex": [4, 1]})
    a, b = found.state.wrestlers["A"], found.state.wrestlers["B"]
    assert (a.hoists, b.hoisted_by, a.hoisted_in, a.attacked) == ("B", "A", 1, True)
    here, there = found.state.scene.figures["A"], found.state.scene.figures["B"]
    assert (here.x, here.y) == (there.x, there.y)
