"""Attacks and their answers, rule by rule, where no other file proves them (catalogue 2.11 to 2.16, 2.20)."""

from __future__ import annotations

from typing import Any

import pytest

from rules.engine.request import Request
from rules.smackkatz.attacks.exchange import exchange
from rules.smackkatz.attacks.strike import strike
from rules.smackkatz.attacks.submission import submission, upkeep
from rules.smackkatz.attacks.whip import whip
from rules.smackkatz.book import CURRENT, EARLIER
from rules.smackkatz.legality.options import option
from rules.smackkatz.turn.actions import ACTIONS
from tests.rules.playing import figure
from tests.rules.smackkatz.harness import behind, drive, facts, lock, pair, table

STEP = "OPEN_PHASE"


def refusals(found: Any, fighter: str, name: str) -> list[str]:
    return [one.rule for one in option(found, fighter, name).reasons]


def saying(word: str) -> Any:
    def choose(request: Request) -> Any:
        return {} if request.kind == "observe" else word

    return choose


def test_atk_01_the_attacks_and_the_two_answers_to_them() -> None:
    against = CURRENT.rules.defences.against
    assert set(against) == {"strike", "irish_whip", "suplex", "submission"}
    assert set(against.values()) == {"counter", "technique"}
    assert {"strike", "whip", "suplex", "submission"} <= ACTIONS.keys()
    found = table("AB", {"A": {"attacked": True}}, at=pair())
    assert {one for name in against for one in refusals(found, "A", _action(name))} == {"TURN-04"}


def _action(ability: str) -> str:
    return f"{'whip' if ability == 'irish_whip' else ability}:B"


def test_counter_06_what_a_counter_leaves_over_is_resolved_as_ever() -> None:
    found = table("AB", {"A": {"strike": 3, "strength": 1}, "B": {"counter": 2}}, at=pair())
    dice = {"A.strike": [4, 5, 6], "B.counter": [4, 1], "A.strength": [4, 5]}
    drive(strike(found, "A", "B", STEP), dice)
    assert found.state.wrestlers["B"].stamina == 18


def test_tech_01_and_02_technique_answers_whip_and_hold_once_their_dice_are_seen() -> None:
    for ability in ("irish_whip", "submission"):
        found = table("AB", {"A": {ability: 3}, "B": {"technique": 2}}, at=pair())
        roll = exchange(found, "A", "B", ability, STEP, defended_by="technique")
        next(roll)
        asked = roll.send((4, 5, 1))
        assert asked.text.values["hits"] == 2
        assert [one.id for one in asked.options] == ["technique", "decline"]
        dice = roll.send("technique").dice
        assert (dice[0].ability, dice[0].count) == ("technique", 2)
        with pytest.raises(StopIteration) as end:
            roll.send((4, 1))
        assert end.value.value.net == 1


def test_tech_06_whoever_has_attacked_may_still_use_technique() -> None:
    found = table("AB", {"A": {"irish_whip": 1}, "B": {"attacked": True, "acted": True}}, at=pair())
    asked: list[Request] = []
    roll = exchange(found, "A", "B", "irish_whip", STEP, defended_by="technique")
    drive(roll, {"A.irish_whip": [4], "B.technique": [1, 1]}, asked=asked)
    assert facts(found, "defended")


def test_suplex_06_only_damage_to_the_holder_lets_him_slip_before_the_next_turn() -> None:
    given: dict[str, Any] = {
        "A": {"hoists": "B", "hoisted_in": 1}, "B": {"hoisted_by": "A", "hoisted_in": 1},
        "C": {"strike": 1, "strength": 1},
    }  # fmt: skip
    at = pair() | {"C": figure("C", -7, 0, 0)}
    for faces, free in (([1], False), ([4], True)):
        found = table("ABC", given, at=at, rulings={"drop_trigger": "damage"})
        assert not any(option(found, "B", name).legal for name in ("move", "strike:A"))
        dice: dict[str, Any] = {"C.strike": faces} | ({"C.strength": [4]} if free else {})
        drive(strike(found, "C", "A", STEP), dice, lambda request: "mat")
        assert (found.state.wrestlers["B"].hoisted_by is None) == free


@pytest.mark.parametrize(("face", "grabbed"), [(3, False), (4, True), (5, True), (6, True)])
def test_subm_01_one_success_from_four_is_a_grab(face: int, grabbed: bool) -> None:
    found = table("AB", {"A": {"submission": 2}}, at=pair())
    dice: dict[str, Any] = {"A.submission": [face, 1]} | ({"B.d10": [5]} if grabbed else {})
    drive(submission(found, "A", "B", STEP), dice)
    assert (found.state.wrestlers["B"].held_by == "A") == grabbed


def test_subm_02_in_a_lock_up_three_is_enough() -> None:
    found = lock(table("AB", {"A": {"submission": 1}}, at=pair()), "A", "B")
    drive(submission(found, "A", "B", STEP), {"A.submission": [3], "B.d10": [5]})
    assert found.state.wrestlers["B"].held_by == "A"


def test_subm_08_whoever_passes_the_check_stays_in_the_hold_until_released() -> None:
    found = table("AB", {"A": {"submission": 1, "strength": 1}}, at=pair())
    drive(submission(found, "A", "B", STEP), {"A.submission": [4], "B.d10": [9]})
    assert facts(found, "submission_survived")
    for turn, said, held in ((2, "keep_hold", "A"), (3, "let_go", None)):
        found.state.turn, found.state.phase = turn, "LYING_PHASE"
        found.state.wrestlers["A"].begin_turn()
        dice: dict[str, Any] = {"A.submission": [4], "B.d10": [9]} if said == "keep_hold" else {}
        drive(upkeep(found, "LYING_PHASE"), dice, saying(said))
        assert found.state.wrestlers["B"].held_by == held


def test_foul_07_hitting_the_unconscious_works_like_hitting_the_knocked_down_who_is_no_foul() -> None:
    losses = {}
    for status in ("unconscious", "knocked_down"):
        given: dict[str, Any] = {
            "A": {"strength": 3},
            "B": {status: True if status == "unconscious" else 1},
        }
        found = table("AB", given, at=pair(), rulings={"disqualification": "off"})
        drive(ACTIONS["hit_downed"](found, "A", "B", STEP))
        losses[status] = 20 - found.state.wrestlers["B"].stamina
    assert losses == {"unconscious": 3, "knocked_down": 3}
    from rules.smackkatz.modes.fouls import foul_in

    down = table("AB", {"B": {"knocked_down": 1}}, at=pair())
    asleep = table("AB", {"B": {"unconscious": True}}, at=pair())
    assert foul_in(down, "A", "B") is None
    assert foul_in(asleep, "A", "B") is not None


# ---------- the earlier edition's contradictions (3.14)


def test_ruling_107_from_behind_the_earlier_counter_has_two_dice_less() -> None:
    b = figure("B", 0, 0, 90)
    found = table(
        "AB", {"A": {"strike": 1}, "B": {"counter": 3}}, at={"A": behind("A", b), "B": b}, book=EARLIER
    )
    roll = exchange(found, "A", "B", "strike", STEP, defended_by="counter")
    next(roll)
    roll.send((4,))
    (pool,) = roll.send("counter").dice
    assert pool.count == 1
    assert [(one.value, one.rule) for one in pool.modifiers if one.value < 0] == [(-2, "RULING-70")]


@pytest.mark.parametrize(("helps", "stays"), [(True, True), (False, False)])
def test_ruling_108_and_status_42_resistance_in_the_earlier_tap_out_check(helps: bool, stays: bool) -> None:
    given = {"A": {"submission": 1, "strength": 1}, "B": {"stamina": -1, "resistance": 3}}
    rulings = {"submission_check_resistance": helps}
    found = table("AB", given, at=pair(), book=EARLIER, rulings=rulings)
    roll = {"A.submission": [4], "B.d10": [1]}
    drive(submission(found, "A", "B", STEP), roll, lambda request: "lying")
    assert bool(facts(found, "submission_survived")) == stays
    assert EARLIER.catalogue.resolve()["submission_check_resistance"] is True
    assert CURRENT.catalogue.resolve()["submission_check_resistance"] is False


def test_ruling_109_the_earlier_edition_has_four_attacks_and_counter_alone() -> None:
    assert set(EARLIER.rules.defences.against) == {"strike", "irish_whip", "suplex", "submission"}
    assert set(EARLIER.rules.defences.against.values()) == {"counter"}
    assert "technique" not in EARLIER.rules.form.abilities
    found = table("AB", {"A": {"irish_whip": 1}, "B": {"counter": 1}}, at=pair(), book=EARLIER)
    asked: list[Request] = []
    drive(
        whip(found, "A", "B", STEP),
        {"A.irish_whip": [4], "B.counter": [4]},
        lambda request: next(one.id for one in request.options if one.legal),
        asked,
    )
    assert facts(found, "no_effect")


def test_ruling_110_equal_sums_are_settled_by_one_die_each() -> None:
    from rules.smackkatz.turn.lockup import lockup_phase

    found = lock(table("AB", {"A": {"combat": 2}, "B": {"combat": 1}}, at=pair(), book=EARLIER), "A", "B")
    dice = {"A.combat": [3, 3], "B.combat": [6], "A.roll_off": [2], "B.roll_off": [5]}
    drive(lockup_phase(found), dice, lambda request: "pass")
    assert facts(found, "order")[0].values["order"] == ["B", "A"]


def test_ruling_111_an_earlier_counter_from_the_mat_swaps_postures_and_deals_no_blow() -> None:
    given: dict[str, Any] = {"A": {"strike": 1}, "B": {"counter": 3, "lying": True}}
    found = table("AB", given, at=pair(), book=EARLIER)
    drive(strike(found, "A", "B", STEP), {"A.strike": [4], "B.counter": [6, 6]}, lambda request: {})
    a, b = found.state.wrestlers["A"], found.state.wrestlers["B"]
    assert (a.lying, b.upright, a.stamina) == (True, True, 20)
    assert not facts(found, "counter_blow")
