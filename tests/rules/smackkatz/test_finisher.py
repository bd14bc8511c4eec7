"""The finisher: when it is offered, what it gives, how it is used up or lost."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.engine.request import Request
from rules.scene import Figure
from rules.smackkatz.abilities import effective, terms_of
from rules.smackkatz.attacks.clash import clash
from rules.smackkatz.attacks.finisher import (
    end_of_activation,
    end_of_turn,
    finish,
    offer,
    start_of_turn,
    trigger,
)
from rules.smackkatz.attacks.strike import hit_downed, strike
from rules.smackkatz.attacks.whip import whip
from rules.smackkatz.legality.options import option
from rules.smackkatz.turn.activation import activate
from tests.rules.playing import figure
from tests.rules.smackkatz.harness import at_gap_to_far_ropes, drive, facts, lock, pair, table
from tests.rules.smackkatz.whipping import answering


def ring(
    wanted: str = "on_ropes", given: dict[str, dict[str, Any]] | None = None,
    at: dict[str, Figure] | None = None, **settings: Any,
) -> Any:  # fmt: skip
    """A next to B, who is at the far ropes (unless placed elsewhere); A has attacked him just now."""
    b = at_gap_to_far_ropes("B", 1.0, facing=180)
    places = at or {"A": figure("A", b.x - 7, b.y, 0), "B": b}
    found = table("ABC", {"A": {"attacked": True}} | (given or {}), at=places, **settings)
    found.state.wrestlers["A"].attacked = True
    found.state.wrestlers["A"].sheet = replace(found.state.wrestlers["A"].sheet, trigger=wanted)
    return found


def active(given: dict[str, dict[str, Any]] | None = None, **settings: Any) -> Any:
    found = ring("on_ropes", given, **settings)
    found.record("finisher_activated", "FIN-01", fighter="A", target="B")
    return found


def saying(answer: str) -> Any:
    def choose(request: Request) -> str:
        assert request.option(answer) is not None, request
        return answer

    return choose


def down(found: Any) -> None:
    found.state.wrestlers["B"].knocked_down = 1


@pytest.mark.parametrize(
    ("wanted", "at"),
    [
        ("on_ropes", {"A": figure("A", -7, 31), "B": at_gap_to_far_ropes("B", 1.0)}),
        ("in_corner", {"A": figure("A", 25, 25), "B": figure("B", 31, 31)}),
        ("back_turned", {"A": figure("A", 0, 0), "B": figure("B", 7, 0, 0)}),
        ("knocked_down", pair()),
    ],
)
def test_sheet_20_each_trigger_position_is_looked_for(wanted: str, at: dict[str, Figure]) -> None:
    found = ring(wanted, at=at)
    if wanted == "knocked_down":
        assert not trigger(found, "A", "B").answer  # type: ignore[union-attr]
        down(found)
    assert trigger(found, "A", "B").answer  # type: ignore[union-attr]
    elsewhere = ring(wanted, at={"A": figure("A", 0, 0, 0), "B": figure("B", 7, 0, 180)})
    assert not trigger(elsewhere, "A", "B").answer  # type: ignore[union-attr]


def test_fin_01_the_player_may_activate_or_not() -> None:
    found = ring()
    drive(offer(found, "A", "B", "OPEN_PHASE"), {}, saying("no_finisher"))
    assert found.state.wrestlers["A"].finisher_on is None
    drive(offer(found, "A", "B", "OPEN_PHASE"), {}, saying("finisher"))
    wrestler = found.state.wrestlers["A"]
    assert (wrestler.finisher_on, wrestler.finisher_bonus, wrestler.unlimited_defence) == ("B", True, True)


@pytest.mark.parametrize(
    "fields",
    [
        {"A": {"finisher_used": True}}, {"A": {"resting": True}}, {"A": {"at_ringside": True}},
        {"A": {"lying": True}}, {"A": {"hoists": "C"}}, {"A": {"pins": "C"}}, {"B": {"unconscious": True}},
        {"B": {"at_ringside": True}}, {"B": {"hoisted_by": "C"}}, {"B": {"out": "pin"}},
    ],
    ids=str,
)  # fmt: skip
def test_fin_01_it_is_not_offered(fields: dict[str, dict[str, Any]]) -> None:
    found = ring("on_ropes", fields)
    drive(offer(found, "A", "B", "OPEN_PHASE"))
    assert not facts(found, "finisher_activated")


def test_fin_01_a_doubtful_position_is_the_referees_to_tell() -> None:
    b = at_gap_to_far_ropes("B", 2.2)
    found = ring(at={"A": figure("A", b.x - 7, b.y), "B": b})
    asked: list[Request] = []
    drive(offer(found, "A", "B", "OPEN_PHASE"), {}, saying("no"), asked)
    assert [one.kind for one in asked] == ["ruling"]


def test_fin_02_all_abilities_rise_by_three_over_the_fatigue_cap() -> None:
    found = active({"A": {"stamina": 9, "strike": 4}})
    assert effective(found, "A", "strike") == 7
    assert ("term.finisher", 3, "FIN-02") in [
        (one.text.key, one.value, one.rule) for one in terms_of(found, "A", "technique")
    ]


def test_ruling_61_the_bonus_may_be_cut_by_the_cap() -> None:
    found = active({"A": {"stamina": 9, "strike": 4}}, rulings={"finisher_over_cap": False})
    assert effective(found, "A", "strike") == 4


def test_fin_06_a_finisher_that_connects_is_used_up() -> None:
    found = active({"A": {"strike": 2, "strength": 1}})
    dice = {"A.strike": [4, 1, 1, 1, 1], "A.strength": [1, 1, 1, 1]}
    drive(finish(found, "A", "strike", "OPEN_PHASE"), dice)
    a, b = found.state.wrestlers["A"], found.state.wrestlers["B"]
    assert b.stamina == 17
    assert b.lying
    assert (a.finisher_used, a.finisher_on, a.finisher_bonus, a.unlimited_defence) == (True, None, True, True)


def test_fin_05_after_one_that_came_to_nothing_it_may_be_activated_again() -> None:
    found = active()
    found.record("finisher_failed", "FIN-07", fighter="A")
    asked: list[Request] = []
    drive(offer(found, "A", "B", "OPEN_PHASE"), {}, saying("finisher"), asked)
    assert [option.rules for option in asked[0].options][1] == ("FIN-05",)
    assert found.state.wrestlers["A"].finisher_on == "B"


def test_fin_07_a_finisher_that_misses_is_gone_and_costs_the_next_turn() -> None:
    found = active({"A": {"strike": 1}})
    drive(finish(found, "A", "strike", "OPEN_PHASE"), {"A.strike": [1, 1, 1, 1]})
    a = found.state.wrestlers["A"]
    assert (a.finisher_used, a.finisher_on, a.finisher_bonus, a.unlimited_defence) == (
        False,
        None,
        False,
        False,
    )
    assert a.must_rest


def test_fin_10_a_submission_as_finisher_bites_three_harder() -> None:
    found = active({"A": {"submission": 1, "strength": 1}})
    drive(finish(found, "A", "submission", "OPEN_PHASE"), {"A.submission": [4, 1, 1, 1], "B.d10": [9]})
    assert found.state.wrestlers["B"].stamina == 20 - (1 + 3) - 3
    assert found.state.wrestlers["A"].finisher_used


@pytest.mark.parametrize(("counted", "loss"), [("per_attack", 3), ("per_hit", 6)])
def test_ruling_73_three_points_once_or_for_each_hit(counted: str, loss: int) -> None:
    found = active({"A": {"strike": 1, "strength": 1}}, rulings={"finisher_damage": counted})
    dice = {"A.strike": [4, 4, 1, 1], "A.strength": [1] * 8}
    drive(finish(found, "A", "strike", "OPEN_PHASE"), dice)
    assert found.state.wrestlers["B"].stamina == 20 - loss


def test_fin_10_counter_blows_get_the_three_points_too() -> None:
    found = ring(at=pair(), given={"A": {"strike": 1}, "B": {"counter": 2, "strength": 1}})
    found.record("finisher_activated", "FIN-01", fighter="B", target="C")
    dice = {"A.strike": [4], "B.counter": [6, 4, 1, 1, 1], "B.strength": [1, 1, 1, 1]}
    drive(strike(found, "A", "B", "OPEN_PHASE"), dice)
    assert found.state.wrestlers["A"].stamina == 17
    assert found.state.wrestlers["A"].lying


@pytest.mark.parametrize(("rule", "used"), [("net_success", True), ("damage", False)])
def test_ruling_41_what_connecting_means(rule: str, used: bool) -> None:
    found = active({"A": {"strike": 1, "strength": 1}}, rulings={"connects": rule})
    drive(finish(found, "A", "strike", "OPEN_PHASE"), {"A.strike": [4, 1, 1, 1], "A.strength": [1] * 4})
    assert found.state.wrestlers["A"].finisher_used == used


def test_ruling_72_a_knocked_down_rival_is_struck_with_a_roll_and_cannot_defend() -> None:
    found = active({"A": {"strike": 1, "strength": 1}})
    down(found)
    asked: list[Request] = []
    dice = {"A.strike": [4, 1, 1, 1], "A.strength": [4, 1, 1, 1]}
    drive(finish(found, "A", "strike", "OPEN_PHASE"), dice, asked=asked)
    assert not any("D-06" in one.step for one in asked)
    b = found.state.wrestlers["B"]
    assert (b.stamina, b.knocked_down, b.downed_by) == (16, 1, ())


@pytest.mark.parametrize("form", ["strike", "submission"])
def test_ruling_72_by_house_rule_it_hits_him_without_dice(form: str) -> None:
    found = active({"A": {"strength": 2}}, rulings={"finisher_on_knocked_down": "auto_strength"})
    down(found)
    drive(finish(found, "A", form, "OPEN_PHASE"), {"B.d10": [9]} if form == "submission" else {})
    assert found.state.wrestlers["B"].stamina == 20 - 5 - 3
    assert found.state.wrestlers["A"].finisher_used


def test_ruling_71_not_made_by_the_end_of_the_activation_is_missed() -> None:
    found = active()
    end_of_activation(found, "A")
    assert found.state.wrestlers["A"].must_rest


def test_ruling_71_instead_of_the_next_attack_it_waits_a_turn() -> None:
    found = active(rulings={"finisher_timing": "instead_of_next_attack"})
    end_of_activation(found, "A")
    end_of_turn(found)
    start_of_turn(found)
    wrestler = found.state.wrestlers["A"]
    assert (wrestler.finisher_on, wrestler.finisher_bonus, wrestler.unlimited_defence) == ("B", True, True)
    found.state.turn = 2
    end_of_turn(found)
    assert wrestler.must_rest


def test_fin_09_unlimited_defences_last_to_the_next_turn_the_bonus_does_not() -> None:
    found = active()
    found.record("finisher_connected", "FIN-06", fighter="A", target="B")
    end_of_turn(found)
    wrestler = found.state.wrestlers["A"]
    assert (wrestler.finisher_bonus, wrestler.unlimited_defence) == (False, True)
    start_of_turn(found)
    assert not wrestler.unlimited_defence


def test_fin_03_defences_are_unlimited() -> None:
    found = ring(at=pair(), given={"A": {"strike": 1}, "B": {"counter": 1, "defended": True}})
    found.record("finisher_activated", "FIN-01", fighter="B", target="C")
    drive(strike(found, "A", "B", "OPEN_PHASE"), {"A.strike": [4], "B.counter": [4, 1, 1, 1]})
    assert facts(found, "no_effect")


def test_ruling_71_where_it_waits_it_is_offered_all_the_same_and_made_next_turn() -> None:
    found = ring(rulings={"finisher_timing": "instead_of_next_attack"})
    drive(offer(found, "A", "B", "OPEN_PHASE"), {}, saying("finisher"))
    assert [one.rule for one in option(found, "A", "finisher:strike").reasons] == ["TURN-04"]
    found.state.wrestlers["A"].begin_turn()
    assert option(found, "A", "finisher:strike").legal


def test_fin_10_a_whip_turned_round_by_a_finisher_hurts_and_fells_too() -> None:
    found = ring(at=pair(), given={"A": {"irish_whip": 1}, "B": {"technique": 1}})
    found.record("finisher_activated", "FIN-01", fighter="B", target="C")
    dice = {"A.irish_whip": [4], "B.technique": [6, 4, 1, 1]}
    drive(whip(found, "A", "B", "OPEN_PHASE"), dice, answering({"D-05": "turn:0", "D-29": "turn:0"}))
    assert found.state.wrestlers["A"].stamina == 17
    assert found.state.wrestlers["A"].lying


def test_fin_10_a_hit_on_the_downed_and_an_automatic_free_strike_get_the_three_points_too() -> None:
    given = {"A": {"strength": 1, "finisher_bonus": True}, "B": {"knocked_down": 1}}
    found = table("ABC", given, at=pair())
    drive(hit_downed(found, "A", "B", "OPEN_PHASE"))
    # Strength one and three more, and the three of FIN-10.
    assert found.state.wrestlers["B"].stamina == 20 - 4 - 3
    given = {"A": {"combat": 1, "strength": 1, "finisher_bonus": True}, "B": {"combat": 1}}
    found = table("ABC", given, at=pair(), rulings={"clash_strike": "auto_strength"})
    dice = {"A.combat": [6, 1, 1, 1], "B.combat": [1, 1]}
    drive(clash(found, "A", "B", "B", "OPEN_PHASE"), dice, answering({"D-30": "free_strike"}))
    assert found.state.wrestlers["B"].stamina == 20 - 4 - 3


def test_fin_04_a_submission_as_finisher_takes_the_pinned_one_out_of_the_pin() -> None:
    pinned: dict[str, dict[str, Any]] = {
        "B": {"lying": True, "pinned_by": "C"},
        "C": {"pins": "B"},
        "A": {"submission": 1},
    }
    found = active(pinned)
    assert option(found, "A", "finisher:submission").legal
    assert not option(found, "A", "submission:B").legal
    dice = {"A.submission": [4, 1, 1, 1], "B.d10": [9]}
    drive(finish(found, "A", "submission", "OPEN_PHASE"), dice)
    a, b, c = (found.state.wrestlers[one] for one in "ABC")
    assert (a.holds, b.held_by, b.pinned_by, c.pins) == ("B", "A", None, None)
    assert facts(found, "pin_ended")[0].rules == ("RULING-81",)
    assert a.finisher_used


def test_fin_01_it_is_offered_in_the_slot_itself_right_after_the_attack() -> None:
    found = ring("on_ropes", {"A": {"strike": 1}})
    found.state.wrestlers["A"].attacked = False
    left = ["strike:B", "no_finisher", "pass"]
    asked: list[Request] = []

    def choose(request: Request) -> str:
        return left.pop(0)

    drive(activate(found, "A", "OPEN_PHASE"), {"A.strike": [1]}, choose, asked)
    points = [one.step.rpartition(" ")[2] for one in asked if one.kind == "choose"]
    assert points == ["D-04", "D-19", "D-04"]


def test_fin_11_one_felled_in_a_lock_up_is_no_longer_in_it() -> None:
    found = lock(active({"A": {"strike": 1, "strength": 1}}), "A", "B")
    drive(finish(found, "A", "strike", "LOCKUP_PHASE"), {"A.strike": [3, 1, 1, 1], "A.strength": [1] * 4})
    assert found.state.wrestlers["B"].lying
    assert found.state.groups == ()
    assert facts(found, "left_group")[0].rules == ("FIN-11",)


def test_subm_07_a_finisher_that_makes_him_tap_out_ends_the_match_and_nothing_follows() -> None:
    found = active({"A": {"submission": 1, "strength": 1}, "B": {"stamina": 2}})
    drive(finish(found, "A", "submission", "OPEN_PHASE"), {"A.submission": [4, 1, 1, 1], "B.d10": [1]})
    assert found.state.outcome is not None
    assert found.state.outcome.ending == "tap_out"
    assert not facts(found, "finisher_connected")
    assert not facts(found, "finisher_failed")
