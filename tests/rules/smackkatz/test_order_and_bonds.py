"""Turn, order, lock-ups, melees and movement, rule by rule (catalogue 2.5 to 2.10, rulings 3.3 to 3.5)."""

from __future__ import annotations

from typing import Any

import pytest

from rules.engine.request import Request
from rules.scene import Hand
from rules.smackkatz.attacks.defence import defence_reasons
from rules.smackkatz.attacks.exchange import threshold_between
from rules.smackkatz.attacks.strike import strike
from rules.smackkatz.legality.options import option
from rules.smackkatz.movement.judge import judge_move
from rules.smackkatz.movement.moving import may_step_back, verdict_on
from rules.smackkatz.turn.breakaway import break_away
from rules.smackkatz.turn.lockup import _group_order, detect, lockup_phase
from rules.smackkatz.turn.order import initiative, roll_off
from tests.rules.playing import figure
from tests.rules.smackkatz.harness import clump, drive, facts, lock, pair, table
from tests.rules.smackkatz.matches import quietly, requests, started
from tests.rules.smackkatz.test_slots import acted, idle


def refusals(found: Any, fighter: str, name: str) -> list[str]:
    return [one.rule for one in option(found, fighter, name).reasons]


def test_turn_02_whoever_is_hoisted_or_locked_up_cannot_move() -> None:
    given: dict[str, Any] = {"C": {"hoists": "B"}, "B": {"hoisted_by": "C"}}
    assert refusals(table("ABC", given), "B", "move") == ["TURN-02"]
    assert refusals(lock(table("ABC", at=pair()), "A", "B"), "A", "move") == ["LOCK-05"]
    assert refusals(table("ABC", at=pair()), "A", "move") == []


def test_turn_01_in_a_round_everybody_acts_once_in_order() -> None:
    match = started()
    slots = [r.fighter for r in requests(match, quietly(match), 12) if r.step == "OPEN_PHASE D-04"]
    assert [sorted(str(one) for one in slots[:3]), sorted(str(one) for one in slots[3:6])] == [
        ["A", "B", "C"]
    ] * 2


def test_init_04_initiative_is_rolled_again_every_turn() -> None:
    match = started()
    asked = list(requests(match, quietly(match), 18))
    rolls = [request for request in asked if request.step == "OPEN_PHASE initiative_roll"]
    snapshots = [request for request in asked if request.step == "S4"]
    assert len(rolls) == len(snapshots) == 3


def test_init_05_lock_ups_are_found_at_the_start_and_settled_before_anybody_else() -> None:
    found = table("ABC", at=pair())
    drive(detect(found))
    assert found.state.groups == (("A", "B"),)
    drive(lockup_phase(found), {"A.combat": [4, 4], "B.combat": [4, 1]}, idle)
    assert acted(found) == ["A", "B"]


def test_lock_02_both_roll_as_many_dice_as_their_combat() -> None:
    found = lock(table("ABC", {"A": {"combat": 3}, "B": {"combat": 1}}, at=pair()), "A", "B")
    request = next(lockup_phase(found))
    assert [(one.fighter, one.ability, one.count, one.threshold) for one in request.dice] == [
        ("A", "combat", 3, 4), ("B", "combat", 1, 4),
    ]  # fmt: skip


@pytest.mark.parametrize("rule", ["LOCK-11", "RULING-23"])
@pytest.mark.parametrize("allowed", [False, True])
def test_the_rival_just_left_is_no_target_unless_the_house_says_so(rule: str, allowed: bool) -> None:
    found = table("ABC", {"A": {"left": ("B",)}}, at=pair(), rulings={"attack_left_rival": allowed})
    assert option(found, "A", "strike:B").legal == allowed, rule


def test_melee_02_a_melee_is_ordered_by_combat_dice_like_a_lock_up() -> None:
    found = lock(table("ABC", at=clump("A", "B", "C")), "A", "B", "C")
    dice = {"A.combat": [1, 4], "B.combat": [4, 4], "C.combat": [1, 1]}
    drive(lockup_phase(found), dice, idle)
    assert acted(found) == ["B", "A", "C"]
    assert facts(found, "order")[0].rules == ("LOCK-03",)


@pytest.mark.parametrize("kind", ["roll", "ability"])
def test_melee_04_and_05_the_worst_attacks_nobody_but_defends_still(kind: str) -> None:
    given = {"A": {"combat": 1}, "B": {"combat": 3}, "C": {"combat": 2}}
    found = lock(table("ABC", given, at=clump("A", "B", "C"), rulings={"melee_worst": kind}), "A", "B", "C")
    dice = {"A.combat": [4], "B.combat": [4, 4, 4], "C.combat": [1, 1]}
    drive(lockup_phase(found), dice, idle)
    worst = {"roll": "C", "ability": "A"}[kind]
    # Only that he cannot attack is recorded: why so is free to tell.
    assert [(one.fighter, one.values) for one in facts(found, "cannot_attack")] == [(worst, {})]
    other = "B"
    assert "MELEE-03" in refusals(found, worst, f"strike:{other}")
    assert defence_reasons(found, worst, "counter", "strike") == ()


def test_move_03_a_palm_is_the_players_own_whatever_its_size() -> None:
    before, after = figure("A", 0, 0, 0), figure("A", 40, 0, 0)
    small, big = (judge_move(before, after, Hand(palm, palm / 2), speed=2) for palm in (15.0, 22.0))
    assert (small.verdict, big.verdict) == ("beyond", "within")


def test_move_06_statuses_limit_movement_further() -> None:
    limits = {"lying": "RULING-87", "knocked_down": "STATUS-30", "unconscious": "STATUS-03"}
    for status, rule in limits.items():
        given: dict[str, Any] = {"A": {status: 1 if status == "knocked_down" else True}}
        assert rule in refusals(table("AB", given), "A", "move")


def test_face_02_a_half_palm_is_the_hand_with_its_fingers_closed() -> None:
    before, after = figure("A", 0, 0, 0), figure("A", 0, 9, 90)
    verdicts = [judge_move(before, after, Hand(20.0, half), speed=1).verdict for half in (7.5, 10.0)]
    assert verdicts == ["beyond", "within"]


@pytest.mark.parametrize(("method", "first"), [("best_roll", "C"), ("random", "A"), ("referee", "C")])
def test_ruling_10_which_of_several_groups_goes_first(method: str, first: str) -> None:
    found = table("ABCD", rulings={"group_order": method})
    groups: list[tuple[str, ...]] = [("A", "B"), ("C", "D")]
    scores = {"A": 1, "B": 0, "C": 2, "D": 0}
    dice = {"A.roll_off": [5], "C.roll_off": [2]} if method == "random" else {}
    asked: list[Request] = []
    order = drive(_group_order(found, groups, scores), dice, lambda request: "C+D", asked)
    assert order[0][0] == first
    assert [one.kind for one in asked] == {"best_roll": [], "random": ["roll"], "referee": ["ruling"]}[method]


def test_ruling_10_equal_best_rollers_are_settled_by_one_die_each() -> None:
    found = table("ABCD")
    groups: list[tuple[str, ...]] = [("A", "B"), ("C", "D")]
    scores = {"A": 2, "B": 0, "C": 2, "D": 1}
    order = drive(_group_order(found, groups, scores), {"A.roll_off": [2], "C.roll_off": [5]})
    assert order == [("C", "D"), ("A", "B")]


def test_ruling_19_a_roll_off_that_ties_is_rolled_until_it_does_not() -> None:
    found = table("ABC")
    dice = {"A.roll_off": [[3], [4], [1]], "B.roll_off": [[3], [4], [2]], "C.roll_off": [[6]]}
    assert drive(roll_off(found, ["A", "B", "C"], "OPEN_PHASE", "INIT-02"), dice) == ["C", "B", "A"]


@pytest.mark.parametrize(("method", "order"), [("reroll", "BA"), ("by_speed", "AB"), ("referee", "BA")])
def test_ruling_8_equal_initiative(method: str, order: str) -> None:
    found = table("AB", {"A": {"speed": 3}, "B": {"speed": 2}}, rulings={"initiative_tie": method})
    dice: dict[str, Any] = {"A.initiative": [4], "B.initiative": [4]}
    if method == "reroll":
        dice |= {"A.roll_off": [1], "B.roll_off": [2]}
    assert drive(initiative(found, "AB", "OPEN_PHASE"), dice, lambda request: "B") == list(order)


@pytest.mark.parametrize("kept", [True, False])
def test_ruling_22_what_a_failed_escape_costs(kept: bool) -> None:
    found = lock(table("ABC", at=pair(), rulings={"failed_escape_keeps_defence": kept}), "A", "B")
    drive(break_away(found, "A", "LOCKUP_PHASE"), {"A.speed": [1, 1], "B.speed": [3, 3]})
    for name in ("move", "strike:B", "pin:B"):
        assert not option(found, "A", name).legal
    assert (defence_reasons(found, "A", "counter", "strike") == ()) == kept


def test_ruling_24_the_step_out_of_a_lock_up_goes_back_half_a_palm_and_is_the_turns_step_back() -> None:
    found = lock(table("ABC", at=pair()), "A", "B")
    drive(break_away(found, "A", "LOCKUP_PHASE"), {"A.speed": [6, 6], "B.speed": [1, 1]})
    assert found.state.groups == ()
    for back, verdict in ((8.5, "within"), (11.0, "beyond")):
        judged = verdict_on(found, "A", figure("A", -back, 0, 0))
        assert judged.verdict == verdict
    # It was this turn's step back: another one is beyond him.
    found.state.wrestlers["A"].stepped_back = True
    assert not may_step_back(found, "A")
    assert verdict_on(found, "A", figure("A", -8.5, 0, 0)).verdict == "beyond"


def test_ruling_103_whoever_rests_for_a_failed_finisher_is_in_no_lock_up() -> None:
    found = table("ABC", {"A": {"must_rest": True}}, at=pair())
    drive(detect(found))
    assert found.state.groups == ()
    free = table("ABC", at=pair())
    drive(detect(free))
    assert free.state.groups == (("A", "B"),)


def test_ruling_106_between_a_locked_up_wrestler_and_an_outsider_it_is_four() -> None:
    found = lock(table("ABC", {"C": {"strike": 1}}, at=clump("A", "B", "C")), "A", "B")
    assert option(found, "C", "strike:A").legal
    assert (threshold_between(found, "A", "B"), threshold_between(found, "C", "A")) == (3, 4)
    drive(strike(found, "C", "A", "OPEN_PHASE"), {"C.strike": [3]})
    assert facts(found, "missed")


def test_counter_08_and_ruling_25_the_die_earned_is_one_die_and_is_rolled_once() -> None:
    given = {"A": {"combat": 2}, "B": {"combat": 2, "tie_die": ("A",)}}
    found = lock(table("AB", given, at=pair()), "A", "B")
    asked: list[Request] = []
    calm = {"A.combat": [4, 5], "B.combat": [4, 1, 1]}

    def passing(request: Request) -> str:
        return "pass"

    drive(lockup_phase(found), calm, passing, asked)
    assert [(one.fighter, one.count) for one in asked[0].dice] == [("A", 2), ("B", 3)]
    assert ("term.tie_die", 1, "COUNTER-08") in [
        (one.text.key, one.value, one.rule) for one in asked[0].dice[1].modifiers
    ]
    assert found.state.wrestlers["B"].tie_die == ()
