"""The pin: put on, counted over the turns, escaped, broken."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.engine.request import Request
from rules.scene import Hand
from rules.smackkatz.attacks.pin import (
    break_pin,
    count_at_slot,
    counts_at_slot,
    last_counts,
    pin,
    release,
    second_counts,
)
from tests.rules.playing import figure
from tests.rules.smackkatz.harness import drive, facts, give_hand, pair, table


def ring(given: dict[str, Any] | None = None, apart: float = 1.0, **settings: Any) -> Any:
    return table("ABC", given or {}, at=pair(apart), **settings)


def pinned(
    given: dict[str, dict[str, Any]] | None = None, failures: int = 1, apart: float = 0.0, **settings: Any
) -> Any:
    """A pins B since last turn."""
    down = {"pinned_by": "A", "lying": True, "pin_failures": failures}
    found = ring({"A": {"pins": "B"}, "B": down | (given or {}).get("B", {})}, apart, **settings)
    found.state.turn = 2
    return found


def getting_up(request: Request) -> Any:
    return {} if request.kind == "observe" else "get_up"


def staying(request: Request) -> Any:
    assert request.kind != "observe"
    return "stay"


def test_pin_03_and_ruling_81_seen_apart_the_referee_says_whether_the_pinner_still_touches() -> None:
    for said, kinds in (("yes", ["pin_counted"]), ("no", ["pin_ended"])):
        found = pinned({"B": {"stamina": -9, "resistance": 1}}, apart=1.2)
        asked: list[Request] = []
        dice = {"B.d10": [3]} if said == "yes" else {}
        drive(second_counts(found), dice, lambda request, said=said: said, asked)
        assert asked[0].text.key == "question.still_pinning"
        assert asked[0].finding is not None
        assert asked[0].finding.distance is not None
        assert asked[0].finding.distance.value == pytest.approx(1.2, abs=0.05)
        assert [one.rules[0] for one in facts(found, "ruled")] == ["PIN-03"]
        assert [fact.kind for fact in found.facts if fact.kind.startswith("pin_")] == kinds
        assert bool(facts(found, "fall")) == (said == "yes")
        assert found.state.wrestlers["A"].pins is None


def test_pin_03_nobody_is_asked_about_the_touch_where_it_is_seen_or_cannot_be_or_does_not_count() -> None:
    unseen = pinned({"B": {"stamina": -9, "resistance": 1}}, apart=5.0)
    unseen.state.scene = replace(unseen.state.scene, figures={})
    free = pinned({"B": {"stamina": -9, "resistance": 1}}, apart=5.0, rulings={"pin_needs_touch": False})
    half_seen = pinned({"B": {"stamina": -9, "resistance": 1}}, apart=5.0)
    del half_seen.state.scene.figures["A"]
    for found in (pinned({"B": {"stamina": -9, "resistance": 1}}, apart=0.4), unseen, half_seen, free):
        asked: list[Request] = []
        drive(second_counts(found), {"B.d10": [3]}, staying, asked)
        assert [one.kind for one in asked] == ["roll"]
        assert facts(found, "pin_counted")


def test_ruling_81_at_the_pinners_own_slot_the_touch_is_asked_about_too() -> None:
    found = pinned({"B": {"stamina": -9}}, apart=1.5, rulings={"second_count": "pinner_activation"})
    drive(count_at_slot(found, "A", "OPEN_PHASE"), {}, lambda request: "no")
    assert [fact.kind for fact in found.facts] == ["turn_over", "ruled", "pin_ended"]


def test_ruling_81_the_pinner_is_put_on_touching_and_refused_elsewhere() -> None:
    found = ring({"B": {"lying": True, "stamina": -5}})
    asked: list[Request] = []
    drive(pin(found, "A", "B", "OPEN_PHASE"), {"B.d10": [1]}, asked=asked)
    place = next(one for one in asked if one.kind == "place")
    ghost, check = place.proposal, place.check
    assert ghost is not None
    assert check is not None
    assert abs(ghost.x - 1.0) < 1e-6
    assert check(ghost) == ()
    assert [one.code for one in check(figure("A", -3, 0))] == ["not_touching"]
    a, b = found.state.wrestlers["A"], found.state.wrestlers["B"]
    assert (a.pins, b.pinned_by, b.pin_failures, a.turn_over, a.pin_tried) == ("B", "A", 1, True, True)


def test_ruling_81_by_house_rule_a_pinner_need_not_touch() -> None:
    found = ring({"B": {"lying": True, "stamina": -5}}, rulings={"pin_needs_touch": False})
    asked: list[Request] = []
    drive(pin(found, "A", "B", "OPEN_PHASE"), {"B.d10": [1]}, asked=asked)
    assert not any(one.kind == "place" for one in asked)


def test_pin_01_resistance_helps_and_zero_does_not_escape() -> None:
    for resistance, escapes in ((1, False), (2, True)):
        found = ring({"B": {"lying": True, "stamina": -4, "resistance": resistance}})
        drive(pin(found, "A", "B", "OPEN_PHASE"), {"B.d10": [3]}, staying)
        assert bool(facts(found, "kicked_out")) == escapes


def test_pin_05_out_at_the_first_count_he_may_get_up() -> None:
    found = ring({"B": {"lying": True}})
    drive(pin(found, "A", "B", "OPEN_PHASE"), {"B.d10": [1]}, getting_up)
    b = found.state.wrestlers["B"]
    assert b.upright
    assert b.pinned_by is None
    assert not b.turn_over
    assert found.state.wrestlers["A"].pins is None


@pytest.mark.parametrize("up", [True, False])
def test_ruling_80_a_kick_out_clears_knocked_down_but_gives_no_activation(up: bool) -> None:
    found = ring({"B": {"knocked_down": 1}})
    drive(pin(found, "A", "B", "OPEN_PHASE"), {"B.d10": [1]}, getting_up if up else staying)
    b = found.state.wrestlers["B"]
    assert b.knocked_down is None
    assert b.upright == up
    assert b.turn_over


def test_ruling_80_by_house_rule_he_stays_knocked_down() -> None:
    found = ring({"B": {"knocked_down": 1}}, rulings={"kickout_clears_knocked_down": False})
    drive(pin(found, "A", "B", "OPEN_PHASE"), {"B.d10": [1]})
    assert found.state.wrestlers["B"].knocked_down == 1
    assert found.state.wrestlers["B"].pinned_by is None


def test_pin_06_out_at_the_second_count_he_stays_lying() -> None:
    found = pinned({"B": {"knocked_down": 1, "lying": False}})
    drive(second_counts(found), {"B.d10": [1]})
    b = found.state.wrestlers["B"]
    assert b.lying
    assert b.knocked_down is None
    assert b.pinned_by is None


def test_pin_04_the_second_failure_is_the_fall() -> None:
    found = pinned({"B": {"stamina": -9}})
    drive(second_counts(found), {"B.d10": [1]})
    assert found.state.outcome.ending == "pin"
    assert found.state.outcome.winners == ("A",)


def test_ruling_113_three_failures_are_a_house_rule() -> None:
    found = pinned({"B": {"stamina": -9}}, rulings={"pin_failures_to_lose": 3})
    drive(second_counts(found), {"B.d10": [1]})
    assert found.state.outcome is None
    assert found.state.wrestlers["B"].pin_failures == 2
    found.state.wrestlers["B"].begin_turn()
    drive(second_counts(found), {"B.d10": [1]})
    assert facts(found, "match_over")[0].values["ending"] == "pin"


def test_pin_07_the_unconscious_are_counted_without_dice() -> None:
    found = ring({"B": {"unconscious": True, "stamina": 5}})
    drive(pin(found, "A", "B", "OPEN_PHASE"))
    assert found.state.wrestlers["B"].pin_failures == 1
    assert found.state.outcome is None
    found.state.wrestlers["B"].begin_turn()
    drive(second_counts(found))
    assert facts(found, "match_over")[0].values["ending"] == "pin"


def test_ruling_78_an_unconscious_wrestler_may_lose_at_once() -> None:
    found = ring({"B": {"unconscious": True}}, rulings={"pin_on_unconscious": "instant_win"})
    drive(pin(found, "A", "B", "OPEN_PHASE"))
    assert found.state.outcome.rule == "MODE-03"
    assert facts(found, "fall")[0].rules[0] == "PIN-07"


def test_ruling_79_the_later_counts_may_come_at_the_end_of_the_turn() -> None:
    found = pinned({"B": {"stamina": -9}}, rulings={"second_count": "end_of_turn"})
    drive(second_counts(found))
    assert found.facts == []
    found.state.wrestlers["B"].counted = True
    drive(last_counts(found))
    assert found.facts == [], "a pin of this turn is not counted twice in it"
    found.state.wrestlers["B"].begin_turn()
    drive(last_counts(found), {"B.d10": [1]})
    assert found.state.outcome is not None


def test_ruling_79_the_later_counts_may_come_in_the_pinners_slot() -> None:
    found = pinned({"B": {"stamina": -9}}, rulings={"second_count": "pinner_activation"})
    drive(second_counts(found))
    assert found.facts == []
    assert counts_at_slot(found, "A")
    assert not counts_at_slot(found, "C")
    drive(count_at_slot(found, "A", "OPEN_PHASE"), {"B.d10": [1]})
    assert found.state.outcome is not None


def test_pin_11_whoever_wakes_is_no_longer_pinned() -> None:
    found = pinned()
    release(found, "A", "PIN-11")
    assert found.state.wrestlers["A"].pins is None
    assert found.state.wrestlers["B"].pinned_by is None
    release(found, "A", "PIN-11")
    assert len(found.facts) == 1


def test_pin_08_a_broken_pin_pushes_the_pinner_one_palm_of_the_attackers_hand() -> None:
    found = table(
        "ABC", {"A": {"pins": "B"}, "B": {"pinned_by": "A", "lying": True}},
        at={"A": figure("A", 0, 0), "B": figure("B", 0, 6), "C": figure("C", -7, 0)},
    )  # fmt: skip
    drive(break_pin(found, "A", "C", "OPEN_PHASE"))
    a = found.state.wrestlers["A"]
    assert abs(found.state.scene.figures["A"].x - 18.0) < 0.1
    assert a.lying
    assert a.pins is None
    assert a.lies_until == 2
    assert found.state.wrestlers["B"].pinned_by is None


def test_ruling_82_by_house_rule_the_pinner_may_get_up_again_as_usual() -> None:
    found = pinned(rulings={"broken_pin_lying": "normal"})
    drive(break_pin(found, "A", None, "OPEN_PHASE"))
    assert found.state.wrestlers["A"].lying
    assert found.state.wrestlers["A"].lies_until is None


def test_pin_09_whoever_must_lie_is_not_asked_to_get_up_after_a_kick_out() -> None:
    found = ring({"B": {"lying": True, "lies_until": 2}})
    drive(pin(found, "A", "B", "OPEN_PHASE"), {"B.d10": [1]})
    assert found.state.wrestlers["B"].lying
    assert facts(found, "kicked_out")


def test_pin_03_nobody_is_counted_twice_in_a_turn_that_is_taken_up_again() -> None:
    found = pinned({"B": {"stamina": -9}}, rulings={"pin_failures_to_lose": 3})
    drive(second_counts(found), {"B.d10": [1]})
    drive(second_counts(found))
    assert found.state.wrestlers["B"].pin_failures == 2


@pytest.mark.parametrize(("measure", "palm"), [("causer", 18.0), ("mover", 12.0)])
def test_ruling_36_whose_hand_measures_the_push(measure: str, palm: float) -> None:
    found = table(
        "ABC", {"A": {"pins": "B"}, "B": {"pinned_by": "A", "lying": True}},
        at={"A": figure("A", 0, 0), "B": figure("B", 0, 6), "C": figure("C", -7, 0)},
        rulings={"forced_palm": measure},
    )  # fmt: skip
    give_hand(found, "A", Hand(12.0, 6.0))
    drive(break_pin(found, "A", "C", "OPEN_PHASE"))
    assert abs(found.state.scene.figures["A"].x - palm) < 0.1


@pytest.mark.parametrize(("sd", "apart", "near"), [(0.0, 0.4, True), (0.0, 0.6, False), (0.1, 0.6, True)])
def test_ruling_81_a_pinner_is_refused_only_where_he_surely_does_not_touch(
    sd: float, apart: float, near: bool
) -> None:
    found = ring({"B": {"lying": True, "stamina": -5}})
    asked: list[Request] = []
    drive(pin(found, "A", "B", "OPEN_PHASE"), {"B.d10": [1]}, asked=asked)
    check = next(one for one in asked if one.kind == "place").check
    assert check is not None
    placed = figure("A", 7.0 - 6.0 - apart, 0, sd=sd)
    assert [one.code for one in check(placed)] == ([] if near else ["not_touching"])


def test_pin_04_and_07_the_fall_names_the_rule_it_is_by() -> None:
    counted = pinned({"B": {"stamina": -9}})
    drive(second_counts(counted), {"B.d10": [1]})
    at_once = ring(
        {"B": {"lying": True, "unconscious": True, "stamina": -12}},
        rulings={"pin_on_unconscious": "instant_win"},
    )
    drive(pin(at_once, "A", "B", "OPEN_PHASE"))
    auto = pinned({"B": {"unconscious": True, "stamina": -12}})
    drive(second_counts(auto))
    for found, rule in ((counted, "PIN-04"), (at_once, "PIN-07"), (auto, "PIN-04")):
        assert facts(found, "fall")[0].rules == (rule, "WIN-01")
        assert found.state.outcome is not None
