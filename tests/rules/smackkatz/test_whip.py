"""The Irish whip: aiming, palms, whom it meets, who is dragged along, reversal (WHIP-01 to -09, TECH-09)."""

from __future__ import annotations

import math
from typing import Any

import pytest

from rules.engine.request import Request
from rules.scene import Hand, Ring
from rules.smackkatz.attacks.aiming import aim_reasons, aims
from rules.smackkatz.turn.lying import lying_phase
from rules.smackkatz.turn.phases import _open
from rules.text import Text
from tests.rules.playing import figure
from tests.rules.smackkatz.harness import drive, facts, give_hand, lock, table
from tests.rules.smackkatz.whipping import (
    AT_THE_ROPES,
    PAIR,
    at_a_post,
    launched,
    place,
    towards_the_right,
    whipped,
)

# ---------- the throw


@pytest.mark.parametrize(
    ("faces", "technique", "order", "palms"),
    [
        ([6, 4, 1], [5, 2], "plain_first", 2),
        ([6, 4, 1], [5, 2], "sixes_first", 1),
        ([4, 5, 1], None, "plain_first", 2),
        ([6, 6, 4], None, "plain_first", 5),
    ],
)
def test_whip_03_and_05_palms_of_the_run(faces: list[int], technique: Any, order: str, palms: int) -> None:
    found = table(
        "ABC",
        {"A": {"irish_whip": 3}, "B": {"technique": 2}},
        at=PAIR,
        rulings={"cancel_order": order},
        ring=Ring(400.0, 400.0),
    )
    dice = {"A.irish_whip": faces} | ({"B.technique": technique} if technique else {})
    whipped(found, dice, {})
    assert place(found, "B") == (-7 + 18.0 * palms, 0)
    assert [one.values["palms"] for one in facts(found, "launched")] == [palms]
    b = found.state.wrestlers["B"]
    assert (b.stamina, b.upright, b.acted) == (20, True, False)
    assert found.state.scene.figures["B"].facing == pytest.approx(0.0)
    assert found.state.wrestlers["A"].attacked
    assert found.state.flight is None


def test_whip_04_in_a_lock_up_a_three_counts() -> None:
    at = {**PAIR, "C": figure("C", 0, 30)}
    found = lock(table("ABC", {"A": {"irish_whip": 2}}, at=at, ring=Ring(400.0, 400.0)), "A", "B")
    whipped(found, {"A.irish_whip": [3, 6]}, {})
    assert place(found, "B") == (-7 + 54, 0)
    assert found.state.groups == ()


@pytest.mark.parametrize(("left", "palms"), [(1, 2), (0, 1)])
def test_ruling_44_by_house_rule_the_defender_says_which_successes_go(left: int, palms: int) -> None:
    rule = {"cancel_order": "defender_choice"}
    found = table("ABC", {"A": {"irish_whip": 2}, "B": {"technique": 1}}, at=PAIR, rulings=rule)
    whipped(found, {"A.irish_whip": [6, 4], "B.technique": [5]}, {"D-06": f"sixes:{left}"} | AT_THE_ROPES)
    assert facts(found, "launched")[0].values["palms"] == palms


def test_a_whip_without_success_and_one_that_is_equalled_move_nobody() -> None:
    found = table("ABC", {"A": {"irish_whip": 2}, "B": {"technique": 1}}, at=PAIR)
    whipped(found, {"A.irish_whip": [3, 1]}, {})
    whipped(found, {"A.irish_whip": [4, 1], "B.technique": [4]}, {})
    assert not facts(found, "launched")
    assert place(found, "B") == (-7, 0)


def test_ruling_43_by_house_rule_the_launcher_says_how_many_palms() -> None:
    found = table(
        "ABC", {"A": {"irish_whip": 1}}, at=PAIR, rulings={"whip_distance": "up_to"}, ring=Ring(400.0, 400.0)
    )
    whipped(found, {"A.irish_whip": [6]}, {"D-05": ["turn:0", "palms:1"]})
    assert place(found, "B") == (11, 0)


def test_ruling_36_the_causers_hand_measures_or_by_house_rule_the_movers() -> None:
    for whose, hand in (("causer", 0), ("mover", 1)):
        found = table("ABC", at=PAIR, rulings={"forced_palm": whose}, ring=Ring(400.0, 400.0))
        give_hand(found, "AB"[hand], Hand(20.0, 9.0))
        launched(found, 0.0, 1, {}, {})
        assert place(found, "B") == (13, 0)


# ---------- aiming


def aim_ids(found: Any, legal: bool) -> set[str]:
    return {one.id for one, against in aims(found, "A", "B") if (not against) == legal}


def test_whip_02_only_what_lies_behind_the_attacker_can_be_aimed_at() -> None:
    at = {**PAIR, "C": figure("C", 20, 10), "D": figure("D", -25, 0)}
    found = table("ABCD", at=at)
    assert {"ropes:right", "post:far_right", "post:near_right", "at:C", "turn:0"} <= aim_ids(found, True)
    assert {"ropes:left", "ropes:far", "ropes:near", "post:far_left", "at:D"} <= aim_ids(found, False)
    turns = {one for one in aim_ids(found, True) if one.startswith("turn")}
    assert turns == {"turn:0", *(f"turn:{sign}{step}" for sign in "+-" for step in (15, 30, 45, 60, 75))}
    assert all(one.rule == "RULING-42" for _, against in aims(found, "A", "B") for one in against)


def test_d_05_a_direction_that_has_a_name_is_not_offered_twice() -> None:
    angle = math.radians(14)
    at = {**PAIR, "C": figure("C", -7 + 25 * math.cos(angle), 25 * math.sin(angle))}
    found = table("ABC", at=at)
    assert {"at:C", "turn:0", "turn:-15", "turn:+30"} <= aim_ids(found, True)
    assert "turn:+15" not in aim_ids(found, True)


@pytest.mark.parametrize(("off", "said"), [(2.9, True), (3.1, False), (-2.9, True), (-3.1, False)])
def test_d_05_a_direction_of_the_fan_within_three_degrees_of_a_named_one_is_that_one(
    off: float, said: bool
) -> None:
    angle = math.radians(30 + off)
    at = {**PAIR, "C": figure("C", -7 + 25 * math.cos(angle), 25 * math.sin(angle))}
    found = table("ABC", at=at, ring=Ring(400.0, 400.0))
    assert "at:C" in aim_ids(found, True)
    assert ("turn:+30" not in aim_ids(found, True)) == said


def test_d_05_straight_on_is_offered_though_somebody_stands_there() -> None:
    found = table("ABC", at={**PAIR, "C": figure("C", 20, 0)})
    assert {"at:C", "ropes:right", "turn:0"} <= aim_ids(found, True)


def test_ruling_42_axis_and_angle_by_house_rule() -> None:
    narrow = table("AB", at=PAIR, rulings={"whip_half_angle_deg": 45})
    assert {one for one in aim_ids(narrow, True) if one.startswith("turn")} == {
        "turn:0", "turn:+15", "turn:-15", "turn:+30", "turn:-30", "turn:+45", "turn:-45",
    }  # fmt: skip
    at = {**PAIR, "A": figure("A", 0, 0, 270)}
    facing = table("AB", at=at, rulings={"whip_axis": "attacker_facing"})
    assert "turn:0" not in aim_ids(facing, True)
    assert {"post:far_right"} <= aim_ids(facing, True)
    assert "post:near_right" in aim_ids(facing, False)


def test_ruling_42_an_attacker_with_nothing_behind_him_cannot_whip() -> None:
    at = {"A": figure("A", 35.5, 0, 180), "B": figure("B", 28.5, 0, 0)}
    found = table("AB", at=at)
    assert [one.code for one in aim_reasons(found, "A", "B")] == ["nowhere_behind"]
    whipped(found, {}, {})
    assert not found.facts
    assert not aim_reasons(table("AB", at=PAIR), "A", "B")


def test_d_05_every_direction_says_what_it_leads_to() -> None:
    at = {**PAIR, "C": figure("C", 20, 0)}
    found = table("ABC", at=at)
    asked: list[Request] = []
    whipped(found, {"A.irish_whip": [1, 1]}, {}, asked)
    texts = {one.id: one.text for one in asked[0].options if one.legal}
    assert texts["at:C"].key == "option.aim_reached"
    assert texts["at:C"].values["palms"] == pytest.approx(21 / 18, abs=0.01)
    assert texts["post:far_right"].key == "option.aim_reached"
    assert texts["ropes:right"].key == "option.aim_first"
    straight = texts["turn:0"].values["leads"]
    assert isinstance(straight, Text)
    assert (straight.key, straight.values["what"]) == ("leads.figure", "C")
    aside = texts["turn:+15"].values["leads"]
    assert isinstance(aside, Text)
    assert aside.key == "leads.ropes"
    assert asked[0].who == "a"


def test_whip_01_the_run_goes_where_it_was_aimed() -> None:
    found = table("ABC", at=PAIR, ring=Ring(400.0, 400.0))
    whipped(found, {"A.irish_whip": [4, 4]}, {"D-05": "turn:+30"})
    x, y = place(found, "B")
    assert (x + 7, y) == pytest.approx((36 * math.cos(math.pi / 6), 18), abs=0.1)


# ---------- wrestlers on the way


def test_whip_06_the_runner_stops_at_whom_he_hits() -> None:
    found = table("ABC", {"C": {"stamina": 9, "acted": True}}, at={**PAIR, "C": figure("C", 20, 0, 180)})
    launched(found, 0.0, 3, {}, {})
    b, c = found.state.wrestlers["B"], found.state.wrestlers["C"]
    assert (b.stamina, b.lying, c.stamina, c.lying) == (17, True, 6, True)
    assert place(found, "B") == (pytest.approx(14, abs=0.2), 0)


def test_ruling_46_after_a_dodge_the_run_goes_on() -> None:
    at = {"A": figure("A", -20, 0, 180), "B": figure("B", -27, 0, 0), "C": figure("C", 0, 0, 180),
          "D": figure("D", 20, 0, 180)}  # fmt: skip
    found = table("ABCD", {"C": {"speed": 1}, "D": {"acted": True}}, at=at)
    launched(found, 0.0, 3, {"C.speed": [4]}, {"D-07": "dodge:left"})
    assert place(found, "C") == (0, pytest.approx(6, abs=0.1))
    assert place(found, "B") == (pytest.approx(14, abs=0.2), 0)
    assert found.state.wrestlers["D"].lying
    assert found.state.wrestlers["C"].upright


def test_ruling_46_bodies_on_the_mat_stop_a_run_unless_the_house_rule_lets_it_pass() -> None:
    at = {**PAIR, "C": figure("C", 14, 0, 180)}
    stopped = table("ABC", {"C": {"unconscious": True, "stamina": -12}}, at=at, ring=Ring(400.0, 400.0))
    launched(stopped, 0.0, 2, {}, {})
    assert stopped.state.wrestlers["B"].lying
    assert stopped.state.wrestlers["C"].unconscious
    over = table(
        "ABC", {"C": {"lying": True}}, at=at, rulings={"collide_with_lying": False}, ring=Ring(400.0, 400.0)
    )
    launched(over, 0.0, 2, {}, {})
    assert over.state.wrestlers["B"].upright
    assert place(over, "B") == (29, 0)


def test_a_run_that_only_just_misses_is_the_referees() -> None:
    at = {"A": figure("A", 0, 0, 180, sd=0.1), "B": figure("B", -7, 0, 0, sd=0.1),
          "C": figure("C", 14, 6.1, 180, sd=0.1)}  # fmt: skip
    for said, lying in (("yes", True), ("no", False)):
        found = table("ABC", {"C": {"acted": True}}, at=at, ring=Ring(400.0, 400.0))
        asked: list[Request] = []
        launched(found, 0.0, 2, {}, {"ruling": said}, asked=asked)
        assert asked[0].kind == "ruling"
        assert found.state.wrestlers["B"].lying == lying
    clear = table("ABC", at={**at, "C": figure("C", 14, 7, 180, sd=0.1)}, ring=Ring(400.0, 400.0))
    launched(clear, 0.0, 2, {}, {})
    assert clear.state.wrestlers["B"].upright


# ---------- lying victims, ringside, engaged ones


def test_ruling_51_a_lying_victim_is_dragged_and_stands_only_at_the_ropes() -> None:
    open_mat = table("ABC", {"B": {"lying": True}}, at=PAIR, ring=Ring(400.0, 400.0))
    launched(open_mat, 0.0, 1, {}, {})
    assert open_mat.state.wrestlers["B"].lying
    ropes_end = table("ABC", {"B": {"lying": True, "speed": 1}}, at=towards_the_right(20))
    launched(ropes_end, 0.0, 2, {"B.speed": [4]}, {"D-08": "hang_on"})
    assert ropes_end.state.wrestlers["B"].upright
    post = table("AB", {"B": {"lying": True}}, at=at_a_post())
    launched(post, math.pi / 4, 2, {}, {})
    assert post.state.wrestlers["B"].lying


def test_ruling_51_at_ringside_by_house_rule_the_edge_only_stops_him() -> None:
    at = {"A": figure("A", 0, 45, 180), "B": figure("B", -7, 45, 0)}
    fields = {"A": {"at_ringside": True}, "B": {"at_ringside": True}}
    barred = table("ABC", fields, at=at)
    whipped(barred, {}, {})
    assert not barred.facts
    found = table("ABC", fields, at=at, rulings={"whip_at_ringside": True})
    whipped(found, {"A.irish_whip": [6, 6]}, {})
    assert place(found, "B") == (pytest.approx(57, abs=0.2), 45)
    assert found.state.wrestlers["B"].stamina == 20
    assert not facts(found, "ropes_reached")


def test_ruling_46_a_runner_who_hits_a_holder_makes_him_let_go() -> None:
    fields = {"C": {"hoists": "D", "hoisted_in": 1}, "D": {"hoisted_by": "C", "hoisted_in": 1}}
    at = {**PAIR, "C": figure("C", 20, 0, 180), "D": figure("D", 20, 0, 180)}
    found = table("ABCD", fields, at=at, ring=Ring(400.0, 400.0))
    launched(found, 0.0, 2, {}, {})
    c, d = found.state.wrestlers["C"], found.state.wrestlers["D"]
    assert (c.stamina, c.lying, c.hoists) == (17, True, None)
    assert (d.hoisted_by, d.knocked_down, d.stamina) == (None, 1, 16)


# ---------- reversal


def test_tech_09_the_attacker_runs_a_palm_for_each_six_of_the_defence() -> None:
    found = table("ABC", {"A": {"irish_whip": 2}, "B": {"technique": 3}}, at=PAIR, ring=Ring(400.0, 400.0))
    asked: list[Request] = []
    dice = {"A.irish_whip": [4, 1], "B.technique": [6, 6, 5]}
    whipped(found, dice, {"D-29": "turn:0"}, asked)
    aimed = next(one for one in asked if "D-29" in one.step)
    assert (aimed.fighter, aimed.who) == ("B", "b")
    assert place(found, "A") == (-36, 0)
    assert place(found, "B") == (-7, 0)
    assert found.state.wrestlers["B"].defended


def test_tech_09_without_a_six_the_whip_is_only_avoided() -> None:
    found = table("ABC", {"A": {"irish_whip": 1}, "B": {"technique": 2}}, at=PAIR)
    whipped(found, {"A.irish_whip": [4], "B.technique": [5, 5]}, {})
    assert not facts(found, "launched")


def test_ruling_104_the_reversed_attacker_has_no_technique_but_his_speed_roll() -> None:
    at = {"A": figure("A", -10, 0, 180), "B": figure("B", -17, 0, 0)}
    found = table("ABC", {"A": {"irish_whip": 1, "speed": 1}, "B": {"technique": 2}}, at=at)
    dice = {"A.irish_whip": [4], "B.technique": [6, 6], "A.speed": [4]}
    asked: list[Request] = []
    whipped(found, dice, {"D-29": "turn:0", "D-08": "hang_on"}, asked)
    assert found.state.wrestlers["A"].upright
    assert [one.fighter for one in asked if "D-08" in one.step] == ["A"]


# ---------- no camera


def test_without_figures_the_referee_says_what_is_met() -> None:
    found = table("ABC", {"C": {"speed": 1}, "B": {"speed": 1}})
    found.state.scene.figures.clear()
    answers = {"D-05": "ropes:right", "ruling": ["no", "figure:C", "no", "ropes:1"], "D-07": "dodge:left",
               "D-08": "hang_on"}  # fmt: skip
    whipped(found, {"A.irish_whip": [6, 1], "C.speed": [4], "B.speed": [4]}, answers)
    assert facts(found, "dodged")
    assert facts(found, "hung_on")
    post = table("ABC")
    post.state.scene.figures.clear()
    whipped(
        post, {"A.irish_whip": [6, 1]}, {"D-05": "post:far_left", "ruling": ["no", "post"], "D-10": "lean"}
    )
    assert post.state.wrestlers["B"].stamina == 15
    ringside = table("ABC", {"B": {"speed": 1}})
    ringside.state.scene.figures.clear()
    said = {"D-05": "at:C", "ruling": ["no", "ropes:2"], "D-09": "ringside"}
    whipped(ringside, {"A.irish_whip": [6, 1], "B.speed": [4]}, said)
    assert ringside.state.wrestlers["B"].at_ringside


def test_pin_10_a_pinner_who_is_whipped_lets_go_and_is_dragged() -> None:
    at = {"A": figure("A", 0, 0, 180), "B": figure("B", -7, 0, 0), "C": figure("C", -13, 0, 0)}
    fields = {"A": {"irish_whip": 1}, "B": {"pins": "C"}, "C": {"pinned_by": "B", "lying": True}}
    found = table("ABC", fields, at=at, ring=Ring(400.0, 400.0))
    whipped(found, {"A.irish_whip": [4]}, {})
    b, c = found.state.wrestlers["B"], found.state.wrestlers["C"]
    assert (b.pins, c.pinned_by) == (None, None)
    assert (b.lying, b.lies_until, b.stamina) == (True, 2, 20)
    assert place(found, "B") == (11, 0)


def test_ruling_80_dragged_to_the_ropes_in_the_lock_up_phase_he_still_acts_among_the_lying() -> None:
    at = {**towards_the_right(20), "C": figure("C", -20, -20, 0)}
    found = table("ABC", {"B": {"lying": True, "speed": 1}, "A": {"acted": True}}, at=at)
    launched(found, 0.0, 2, {"B.speed": [4]}, {"D-08": "hang_on"})
    b = found.state.wrestlers["B"]
    assert (b.upright, b.acts_last) == (True, True)
    acted: list[str] = []

    def passes(request: Request) -> str:
        acted.append(f"{request.fighter} {request.step.split()[0]}")
        return "pass"

    drive(_open(found), {}, passes)
    found.record("phase_began", "RULING-114", phase="LYING_PHASE")
    drive(lying_phase(found), {}, passes)
    assert acted == ["C OPEN_PHASE", "B LYING_PHASE"]


def test_whoever_is_laid_down_may_lie_to_either_side_of_where_he_ran_into_somebody() -> None:
    at = {**PAIR, "C": figure("C", 20, 0, 180)}
    found = table("ABC", {"C": {"acted": True}}, at=at)
    asked: list[Request] = []
    launched(found, 0.0, 2, {}, {}, asked=asked)
    check = asked[-1].check
    assert check is not None
    assert not check(figure("B", 14, 8, 90))
    assert [one.code for one in check(figure("B", 14, 12, 90))] == ["not_there"]
