"""House rules about who may be held or pinned where."""

from __future__ import annotations

from typing import Any

import pytest

from rules.smackkatz.attacks.submission import upkeep
from rules.smackkatz.legality.options import option
from tests.rules.playing import figure
from tests.rules.smackkatz.harness import drive, pair, table


def rules(found: Any, name: str) -> set[str]:
    return {one.rule for one in option(found, "A", name).reasons}


@pytest.mark.parametrize("allowed", [False, True])
def test_ruling_66_submissions_at_ringside(allowed: bool) -> None:
    given: dict[str, Any] = {"A": {"at_ringside": True}, "B": {"at_ringside": True}}
    at = {"A": figure("A", 40, 0), "B": figure("B", 47, 0)}
    found = table("ABC", given, at=at, rulings={"submission_at_ringside": allowed})
    assert ("RULING-66" in rules(found, "submission:B")) != allowed


def test_ruling_66_at_ringside_the_ropes_are_no_help() -> None:
    given: dict[str, Any] = {"A": {"at_ringside": True, "submission": 1}, "B": {"at_ringside": True}}
    at = {"A": figure("A", 39, 0), "B": figure("B", 39, 7)}
    settings = {"submission_at_ringside": True, "rope_break": "release"}
    found = table("ABC", given, at=at, rulings=settings)
    found.record("hold_began", "SUBM-04", fighter="A", target="B", turns=1, lying=True)
    found.state.turn, found.state.phase = 2, "LYING_PHASE"
    drive(upkeep(found, "LYING_PHASE"), {"A.submission": [4], "B.d10": [9]}, lambda request: "keep_hold")
    assert found.state.wrestlers["A"].holds == "B"


@pytest.mark.parametrize("allowed", [False, True])
def test_ruling_65_a_held_wrestler_may_be_pinned_by_house_rule(allowed: bool) -> None:
    given: dict[str, Any] = {"B": {"held_by": "C", "lying": True}, "C": {"holds": "B", "lying": True}}
    found = table("ABC", given, at=pair(), rulings={"pin_held_wrestler": allowed})
    assert (rules(found, "pin:B") == set()) == allowed


@pytest.mark.parametrize("allowed", [True, False])
def test_ruling_13_pinning_after_a_defence(allowed: bool) -> None:
    found = table(
        "ABC",
        {"A": {"defended": True}, "B": {"lying": True}},
        at=pair(),
        rulings={"pin_after_defending": allowed},
    )
    assert (rules(found, "pin:B") == set()) == allowed


def test_turn_07_one_pin_attempt_a_turn_on_somebody_who_is_down() -> None:
    assert rules(table("ABC", at=pair()), "pin:B") == {"TURN-07"}
    tried = table("ABC", {"A": {"pin_tried": True}, "B": {"lying": True}}, at=pair())
    assert rules(tried, "pin:B") == {"TURN-07"}


def test_ruling_81_nobody_is_pinned_twice() -> None:
    given: dict[str, Any] = {"B": {"pinned_by": "C", "lying": True}, "C": {"pins": "B"}}
    assert "RULING-81" in rules(table("ABC", given, at=pair()), "pin:B")
