"""Holds, pins, finishers and rests by the earlier edition (catalogue 3.16)."""

from __future__ import annotations

from typing import Any

import pytest

from rules.engine.request import Request
from rules.smackkatz.abilities import effective
from rules.smackkatz.attacks.finisher import end_of_turn, finish
from rules.smackkatz.attacks.pin import pin, woke
from rules.smackkatz.attacks.submission import loss, submission, upkeep
from rules.smackkatz.book import EARLIER
from rules.smackkatz.legality.options import option
from rules.smackkatz.turn import resting
from tests.rules.smackkatz.harness import drive, facts, pair, table


def ring(given: dict[str, Any] | None = None, **settings: Any) -> Any:
    return table("ABC", given or {}, at=pair(), book=EARLIER, **settings)


def saying(*answers: str) -> Any:
    left = list(answers)

    def choose(request: Request) -> Any:
        return {} if request.kind == "observe" else left.pop(0)

    return choose


@pytest.mark.parametrize("posture", ["standing", "lying"])
def test_subm_06_the_attacker_chooses_whether_both_stand_or_lie(posture: str) -> None:
    found = ring({"A": {"submission": 1}})
    drive(submission(found, "A", "B", "OPEN_PHASE"), {"A.submission": [4], "B.d10": [9]}, saying(posture))
    for name in "AB":
        assert found.state.wrestlers[name].lying == (posture == "lying")
    assert found.state.wrestlers["A"].holds == "B"


def test_subm_06_a_standing_hold_binds_as_a_lying_one_does() -> None:
    found = ring({"A": {"submission": 1}})
    drive(submission(found, "A", "B", "OPEN_PHASE"), {"A.submission": [4], "B.d10": [9]}, saying("standing"))
    assert "SUBM-04" in [one.rule for one in option(found, "B", "strike:A").reasons]
    assert "RULING-87" in [one.rule for one in option(found, "A", "move").reasons]


def test_subm_11_a_long_hold_costs_no_more_than_a_short_one() -> None:
    found = ring({"A": {"strength": 4}})
    assert [loss(found, "A", turns) for turns in (1, 2, 3)] == [4, 4, 4]


def test_check_05_resistance_helps_against_the_submission() -> None:
    found = ring({"A": {"submission": 1, "strength": 3}, "B": {"stamina": 0, "resistance": 2}})
    drive(submission(found, "A", "B", "OPEN_PHASE"), {"A.submission": [4], "B.d10": [1]}, saying("lying"))
    assert facts(found, "submission_survived")[0].values["total"] == 0


def test_counter_18_any_counter_that_avoids_a_hold_reverses_it() -> None:
    found = ring({"A": {"submission": 1}, "B": {"counter": 1, "strength": 2}})
    dice = {"A.submission": [4], "B.counter": [4], "A.d10": [9]}
    drive(submission(found, "A", "B", "OPEN_PHASE"), dice, saying("lying"))
    assert found.state.wrestlers["B"].holds == "A"
    assert found.state.wrestlers["A"].stamina == 18


def test_subm_13_and_14_the_ropes_save_by_default() -> None:
    assert ring().rulings["rope_break"] != "off"
    found = ring({"A": {"submission": 1}})
    found.record("hold_began", "SUBM-04", fighter="A", target="B", turns=1, lying=True)
    found.state.turn, found.state.phase = 2, "LYING_PHASE"
    asked: list[Request] = []
    drive(
        upkeep(found, "LYING_PHASE"), {"A.submission": [4], "B.d10": [9]}, saying("crawl", "keep_hold"), asked
    )
    assert asked[0].text.key == "ask.crawl"


def test_pin_01_resistance_does_not_help_against_a_pin() -> None:
    found = ring({"B": {"lying": True, "stamina": -3, "resistance": 4}})
    drive(pin(found, "A", "B", "OPEN_PHASE"), {"B.d10": [3]})
    assert found.state.wrestlers["B"].pin_failures == 1


def test_pin_11_waking_does_not_end_the_pin() -> None:
    found = ring({"A": {"pins": "B"}, "B": {"pinned_by": "A", "lying": True}})
    woke(found, "B")
    assert found.state.wrestlers["B"].pinned_by == "A"


def test_fin_02_seven_abilities_rise() -> None:
    found = ring()
    before = {name: effective(found, "A", name) for name in EARLIER.rules.form.abilities}
    found.record("finisher_activated", "FIN-01", fighter="A", target="B")
    raised = {name for name, old in before.items() if effective(found, "A", name) == old + 3}
    assert raised == {"combat", "speed", "strength", "strike", "submission", "irish_whip", "counter"}


@pytest.mark.parametrize(("form", "used"), [("strike", True), ("submission", False)])
def test_fin_06_only_a_strike_that_connects_uses_it_up(form: str, used: bool) -> None:
    found = ring({"A": {form: 1, "strength": 1}})
    found.record("finisher_activated", "FIN-01", fighter="A", target="B")
    dice: dict[str, Any] = {f"A.{form}": [4, 1, 1, 1]}
    dice |= {"A.strength": [1] * 4} if used else {"B.d10": [9]}
    drive(finish(found, "A", form, "OPEN_PHASE"), dice, saying("lying"))
    wrestler = found.state.wrestlers["A"]
    assert (wrestler.finisher_used, wrestler.must_rest) == (used, not used)
    if used:
        assert found.state.wrestlers["B"].upright, "FIN-11: nobody falls by it"


def test_fin_04_it_may_be_any_of_the_four_attacks() -> None:
    found = ring({"A": {"suplex": 1}})
    found.record("finisher_activated", "FIN-01", fighter="A", target="B")
    drive(finish(found, "A", "suplex", "OPEN_PHASE"), {"A.suplex": [4]})
    assert found.state.wrestlers["A"].hoists == "B"
    assert found.state.wrestlers["A"].must_rest


def test_fin_09_unlimited_counters_end_with_the_turn() -> None:
    found = ring()
    found.record("finisher_activated", "FIN-01", fighter="A", target="B")
    found.record("finisher_connected", "FIN-06", fighter="A", target="B")
    end_of_turn(found)
    assert not found.state.wrestlers["A"].unlimited_defence


def test_status_11_a_resting_wrestler_may_pin() -> None:
    found = ring({"A": {"resting": True}, "B": {"lying": True}})
    assert "STATUS-11" not in [one.rule for one in option(found, "A", "pin:B").reasons]


@pytest.mark.parametrize(("faces", "gain"), [([4, 4], 4), ([1, 1], 1), ([2, 5], 5)])
def test_special_14_a_taunt_knows_no_doubles(faces: list[int], gain: int) -> None:
    found = ring({"A": {"stamina": 9}}, classes={"A": "absurd"})
    drive(resting.rests(found), {"A.taunt": faces}, saying("taunt:A", "go_on"))
    assert found.state.wrestlers["A"].stamina == 9 + gain
