"""Who has a slot when: displaced, put on their feet, freed with their turn intact."""

from __future__ import annotations

from typing import Any

import pytest

from rules.engine.request import Request
from rules.smackkatz.attacks.exchange import threshold_between
from rules.smackkatz.legality.options import option
from rules.smackkatz.turn.lockup import lockup_phase
from rules.smackkatz.turn.lying import lying_phase
from rules.smackkatz.turn.phases import _open, _snapshot, _upkeep
from rules.smackkatz.turn.slots import late_queue, slot
from tests.rules.playing import figure
from tests.rules.smackkatz.harness import drive, facts, lock, pair, table


def idle(request: Request) -> Any:
    """Whoever is asked does nothing."""
    if request.kind == "observe":
        return {}
    if request.kind == "place":
        return request.proposal
    left = [one.id for one in request.options if one.id in ("pass", "stay", "decline")]
    return left[0]


def acted(found: Any) -> list[str]:
    return [one.fighter for one in facts(found, "activated")]


DICE = {"A.combat": [4, 4], "B.combat": [1, 1]}


def locked(**state: dict[str, Any]) -> Any:
    return lock(table("ABC", state, at=pair()), "A", "B")


def test_ruling_112_a_member_displaced_before_his_slot_acts_as_a_free_wrestler() -> None:
    found = locked()
    away = figure("B", 30, 0, 180)
    found.state.scene.figures["B"] = away
    assert option(found, "B", "move").legal
    assert threshold_between(found, "B", "A") == 4
    drive(lockup_phase(found), DICE, idle)
    assert acted(found) == ["A", "B"]


@pytest.mark.parametrize(
    "status",
    [{"lying": True}, {"knocked_down": 1}, {"unconscious": True}, {"hoisted_by": "C"}, {"held_by": "C"}],
)
def test_ruling_112_a_member_downed_lifted_or_held_does_not_act_in_his_slot(status: dict[str, Any]) -> None:
    found = locked(B=status)
    drive(lockup_phase(found), DICE, idle)
    assert acted(found) == ["A"]


def test_ruling_9_holders_and_climbers_act_in_the_open_phase_the_bound_do_not() -> None:
    given: dict[str, dict[str, Any]] = {
        "A": {"hoists": "B", "hoisted_in": 1}, "B": {"hoisted_by": "A", "hoisted_in": 1},
        "C": {"on_post": 1, "climbed_in": 1}, "D": {"pins": "E"}, "E": {"pinned_by": "D", "lying": True},
    }  # fmt: skip
    found = table("ABCDE", given)
    drive(_open(found), {"A.initiative": [3], "C.initiative": [5]}, idle)
    assert acted(found) == ["C", "A"]


def test_ruling_80_who_stands_again_before_his_slot_acts_in_the_lying_phase() -> None:
    found = table("AB", {"B": {"acted": True}})
    drive(lying_phase(found), {}, idle)
    assert acted(found) == ["A"]


def test_ruling_114_the_late_queue_comes_in_the_order_of_freeing() -> None:
    found = table("ABC", {"A": {"freed": True}, "B": {"freed": True, "acted": True}, "C": {"freed": True}})
    found.state.late = ("C", "B", "A")
    drive(slot(found, "A", "OPEN_PHASE"), {}, idle)
    assert acted(found) == []
    drive(late_queue(found), {}, idle)
    assert acted(found) == ["C", "A"]
    assert not found.state.late


@pytest.mark.parametrize(("value", "legal"), [(True, True), (False, False)])
def test_ruling_57_the_freed_act_in_full_though_they_have_defended(value: bool, legal: bool) -> None:
    given = {"B": {"freed": True, "defended": True}}
    found = table("ABC", given, at=pair(), rulings={"freed_turn_full": value})
    for name in ("move", "strike:A"):
        assert option(found, "B", name).legal == legal


def test_suplex_18_freed_by_the_upkeep_roll_he_acts_last_of_all() -> None:
    given: dict[str, dict[str, Any]] = {"A": {"hoists": "B", "suplex": 1}, "B": {"hoisted_by": "A"}}
    found = table("ABC", given, at=pair())
    drive(_upkeep(found), {"A.suplex": [1]}, idle)
    assert acted(found) == ["B"]
    assert found.state.wrestlers["A"].turn_over


def test_pin_09_knocked_off_a_pin_he_lies_through_the_next_turn() -> None:
    found = table("AB", {"A": {"lying": True, "lies_until": 2}})
    for turn, legal in ((1, False), (2, False), (3, True)):
        found.state.turn = turn
        assert option(found, "A", "get_up").legal == legal


def test_ruling_33_whoever_is_held_up_is_where_his_holder_is() -> None:
    outside = figure("A", 0, 45, 270)
    given: dict[str, dict[str, Any]] = {"A": {"hoists": "B"}, "B": {"hoisted_by": "A"}}
    found = table("ABC", given, at={"A": outside, "B": figure("B", 0, 45, 270)})

    def choose(request: Request) -> Any:
        return dict(found.state.scene.figures) if request.kind == "observe" else "no"

    asked: list[Request] = []
    drive(_snapshot(found), {}, choose, asked)
    assert sum(one.kind == "ruling" for one in asked) == 1
    assert found.state.wrestlers["A"].at_ringside
    assert found.state.wrestlers["B"].at_ringside


@pytest.mark.parametrize(("y", "outside"), [(0.0, False), (40.0, True)])
def test_arena_05_and_status_50_what_lies_beyond_the_ropes_is_ringside(y: float, outside: bool) -> None:
    found = table("AB", at={"A": figure("A", 0, y), "B": figure("B", 20, -20)})
    found.state.phase = "TURN_START"
    asked: list[Request] = []

    def say(request: Request) -> Any:
        return dict(found.state.scene.figures) if request.kind == "observe" else "no"

    drive(_snapshot(found), {}, say, asked)
    assert found.state.wrestlers["A"].at_ringside == outside
    assert any(one.text.key.startswith("question.inside_ring") for one in asked) == outside
