"""An attack roll and its reaction window: thresholds, defences, what is cancelled, what a tie gives."""

from __future__ import annotations

from typing import Any

import pytest

from rules.engine.request import Request
from rules.smackkatz.attacks.defence import defence_reasons
from rules.smackkatz.attacks.exchange import Exchange, counter_blow, exchange
from tests.rules.playing import figure
from tests.rules.smackkatz.harness import behind, drive, facts, lock, pair, table

STEP = "OPEN_PHASE"
GIVEN = {"A": {"irish_whip": 3, "submission": 3, "strike": 3}, "B": {"technique": 2, "counter": 2}}


def whip_roll(found: Any, dice: dict[str, Any], **more: Any) -> Exchange:
    return drive(exchange(found, "A", "B", "irish_whip", STEP, defended_by="technique", **more), dice)


def fresh(**settings: Any) -> Any:
    return table("ABC", GIVEN, at=pair(), **settings)


def test_tech_03_each_success_of_the_technique_stops_one() -> None:
    found = whip_roll(fresh(), {"A.irish_whip": [4, 5, 1], "B.technique": [4, 1]})
    assert (found.successes, found.stopped, found.net, found.tried, found.beaten) == (2, 1, 1, True, False)


def test_tech_05_and_07_a_tie_stops_it_and_gives_a_die_in_a_lock_up() -> None:
    dice = {"A.irish_whip": [3, 1, 1], "B.technique": [3, 1]}
    locked = lock(fresh(), "A", "B")
    assert whip_roll(locked, dice).net == 0
    assert facts(locked, "tie_die")[0].rules == ("TECH-07",)
    free = fresh()
    assert whip_roll(free, {"A.irish_whip": [4, 1, 1], "B.technique": [4, 1]}).net == 0
    assert not facts(free, "tie_die")


def test_tech_04_three_counts_for_both_inside_the_lock_up_only() -> None:
    locked = lock(fresh(), "A", "B")
    assert whip_roll(locked, {"A.irish_whip": [3, 3, 1], "B.technique": [3, 2]}).net == 1
    assert drive(
        exchange(fresh(), "A", "B", "irish_whip", STEP, defended_by="technique"), {"A.irish_whip": [3, 3, 1]}
    ).net == 0  # fmt: skip


def test_ruling_18_the_roll_that_keeps_a_hold_up_counts_from_four() -> None:
    locked = lock(table("ABC", GIVEN | {"A": {"submission": 1}}, at=pair()), "A", "B")
    kept = exchange(locked, "A", "B", "submission", STEP, defended_by="technique", declared=False)
    found = drive(kept, {"A.submission": [3]})
    assert (found.threshold, found.net) == (4, 0)
    assert not facts(locked, "missed")


@pytest.mark.parametrize(
    ("order", "left"),
    [("plain_first", 2), ("sixes_first", 1), ("defender_choice", 1), ("defender_choice", 2)],
)
def test_ruling_44_which_successes_a_defence_takes_away(order: str, left: int) -> None:
    found = fresh(rulings={"cancel_order": order})
    asked: list[Request] = []

    def choose(request: Request) -> str:
        assert [one.id for one in request.options] == ["sixes:1", "sixes:2"]
        return f"sixes:{left}"

    roll = exchange(found, "A", "B", "irish_whip", STEP, defended_by="technique")
    done = drive(roll, {"A.irish_whip": [6, 6, 4], "B.technique": [4, 1]}, choose, asked)
    assert (done.net, done.sixes) == (2, left)
    assert any(one.text.key == "ask.cancel" for one in asked) == (order == "defender_choice")


def test_ruling_44_nobody_is_asked_where_nothing_hangs_on_it() -> None:
    strike = fresh(rulings={"cancel_order": "defender_choice"})
    roll = exchange(strike, "A", "B", "strike", STEP, defended_by="counter")
    assert drive(roll, {"A.strike": [6, 4, 1], "B.counter": [4, 1]}).net == 1


def test_ruling_104_where_nothing_answers_nobody_is_asked() -> None:
    asked: list[Request] = []
    found = drive(
        exchange(fresh(), "A", "B", "strike", STEP, defended_by=None), {"A.strike": [4, 4, 1]}, asked=asked
    )
    assert (found.net, found.tried) == (2, False)
    assert len(asked) == 1


def test_ruling_14_one_defence_or_one_of_each() -> None:
    for value, left in ((1, False), ("2_one_each", True)):
        found = fresh(rulings={"defences_per_turn": value})
        drive(
            exchange(found, "A", "B", "strike", STEP, defended_by="counter"),
            {"A.strike": [4, 1, 1], "B.counter": [1, 1]},
        )
        assert (not defence_reasons(found, "B", "technique", "irish_whip")) == left
        assert [one.rule for one in defence_reasons(found, "B", "counter", "strike")] == ["TURN-06"]


def test_fin_03_an_active_finisher_defends_as_often_as_it_likes() -> None:
    found = fresh()
    found.state.wrestlers["B"].unlimited_defence = True
    for _ in range(2):
        drive(
            exchange(found, "A", "B", "strike", STEP, defended_by="counter"),
            {"A.strike": [4, 1, 1], "B.counter": [4, 1]},
        )
    assert len(facts(found, "defended")) == 2


@pytest.mark.parametrize(("allowed", "offered"), [(False, False), (True, True)])
def test_prop_11_technique_from_behind_is_a_house_rule(allowed: bool, offered: bool) -> None:
    b = figure("B", 0, 0, 90)
    found = table("ABC", GIVEN, at={"A": behind("A", b), "B": b}, rulings={"technique_from_behind": allowed})
    asked: list[Request] = []
    dice = {"A.irish_whip": [4, 1, 1]} | ({"B.technique": [1, 1]} if offered else {})
    drive(exchange(found, "A", "B", "irish_whip", STEP, defended_by="technique"), dice, asked=asked)
    assert any("D-06" in one.step for one in asked) == offered


def test_prop_04_by_house_rule_resistance_answers_a_submission() -> None:
    found = table(
        "ABC", GIVEN | {"B": {"resistance": 3}}, at=pair(), rulings={"submission_defence": "resistance"}
    )
    roll = exchange(found, "A", "B", "submission", STEP, defended_by="technique")
    next(roll)
    request = roll.send((6, 1, 1))
    assert [one.id for one in request.options] == ["technique", "decline"]
    request = roll.send("technique")
    assert (request.dice[0].ability, request.dice[0].count) == ("resistance", 3)
    with pytest.raises(StopIteration) as end:
        roll.send((4, 1, 1))
    assert end.value.value.net == 0
    assert found.state.wrestlers["B"].techniques == 1


def test_counter_11_a_suplex_out_countered_is_paid_with_a_blow() -> None:
    given = {"A": {"suplex": 1}, "B": {"counter": 2, "strength": 1}}
    found = table("ABC", given, at=pair())
    done = drive(
        exchange(found, "A", "B", "suplex", STEP, defended_by="counter"),
        {"A.suplex": [4], "B.counter": [6, 4]},
    )
    assert done.beaten
    drive(counter_blow(found, done, STEP), {"B.strength": [6]})
    assert facts(found, "counter_blow")[0].rules[0] == "COUNTER-11"
    assert found.state.wrestlers["A"].stamina == 18


@pytest.mark.parametrize(("value", "blow"), [(True, True), (False, False)])
def test_ruling_68_the_blow_of_one_who_was_lying_is_a_house_rule(value: bool, blow: bool) -> None:
    given = {"A": {"strike": 1}, "B": {"counter": 3, "lying": True, "strength": 1}}
    found = table("ABC", given, at=pair(), rulings={"lying_counter_blow": value})
    done = drive(
        exchange(found, "A", "B", "strike", STEP, defended_by="counter"),
        {"A.strike": [4], "B.counter": [6, 5]},
        lambda request: dict(found.state.scene.figures),
    )
    drive(counter_blow(found, done, STEP), {"B.strength": [1]} if blow else {})
    assert bool(facts(found, "counter_blow")) == blow
    assert found.state.wrestlers["B"].turn_over


RULES = {
    "strike": ("STRIKE-01", "STRIKE-02", "STRIKE-01"), "irish_whip": ("WHIP-03", "WHIP-04", "WHIP-03"),
    "suplex": ("SUPLEX-02", "SUPLEX-03", "SUPLEX-14"), "submission": ("SUBM-01", "SUBM-02", "SUBM-09"),
}  # fmt: skip


@pytest.mark.parametrize("ability", list(RULES))
def test_an_attack_roll_names_its_rule_at_four_in_the_lock_up_and_when_it_keeps_somebody(
    ability: str,
) -> None:
    free = table("AB", at=pair())
    locked = lock(table("AB", at=pair()), "A", "B")
    asked = [
        next(exchange(found, "A", "B", ability, "OPEN_PHASE", defended_by=None, declared=declared))
        for found, declared in ((free, True), (locked, True), (locked, False))
    ]
    assert [one.rules for one in asked] == [(rule,) for rule in RULES[ability]]
    assert [one.dice[0].threshold for one in asked] == [4, 3, 4]
