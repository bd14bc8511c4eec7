"""The Irish whip: aiming, palms, what is met, ropes, rebound, clash, post (WHIP-01 to -20, TECH-09)."""

from __future__ import annotations

import math
from typing import Any

import pytest

from rules.engine.request import Request
from rules.scene import Hand, Ring
from rules.smackkatz import sight
from rules.smackkatz.attacks import ropes
from rules.smackkatz.attacks.aiming import aim_reasons, aims
from rules.smackkatz.attacks.running import course_of
from rules.smackkatz.book import EARLIER
from rules.smackkatz.movement.forced import Run
from rules.smackkatz.turn.lying import lying_phase
from rules.smackkatz.turn.phases import _open
from rules.text import Text
from tests.rules.playing import figure
from tests.rules.smackkatz.harness import drive, facts, give_hand, lock, table
from tests.rules.smackkatz.whipping import answering, launched, towards_the_right, whipped

PAIR = {"A": figure("A", 0, 0, 180), "B": figure("B", -7, 0, 0)}
"""A in the middle, B on his left: straight behind A is the right."""


AT_THE_ROPES = {"D-08": "hang_on", "D-09": "ringside"}


def place(found: Any, fighter: str) -> tuple[float, float]:
    one = found.state.scene.figures[fighter]
    return round(one.x, 1), round(one.y, 1)


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


# ---------- ropes


def test_whip_11_and_12_whoever_passes_may_hold_on() -> None:
    found = table("ABC", {"B": {"speed": 2}}, at=towards_the_right(20))
    launched(found, 0.0, 3, {"B.speed": [4, 5]}, {"D-08": "hang_on"})
    assert facts(found, "ropes_reached")[0].values["needed"] == 2
    b = found.state.wrestlers["B"]
    assert (b.upright, b.stamina, b.at_ringside) == (True, 20, False)
    assert place(found, "B")[0] == pytest.approx(32, abs=0.2)


def test_whip_13_and_14_who_fails_falls_to_ringside_if_the_launcher_likes() -> None:
    found = table("ABC", {"B": {"speed": 2, "stamina": 12}}, at=towards_the_right(20))
    asked: list[Request] = []
    launched(found, 0.0, 3, {"B.speed": [4, 1]}, {"D-09": "ringside"}, asked=asked)
    b = found.state.wrestlers["B"]
    assert (b.stamina, b.knocked_down, b.at_ringside) == (8, 1, True)
    assert place(found, "B") == (38, 0)
    assert next(one.fighter for one in asked if "D-09" in one.step) == "A"


def test_whip_13_falls_over_the_ropes_he_ran_into() -> None:
    at = {"B": figure("B", 26, 24, 0), "A": figure("A", 33, 24, 180)}
    found = table("AB", {"B": {"speed": 1}}, at=at)
    launched(found, 0.0, 2, {"B.speed": [1]}, {"D-09": "ringside"})
    assert place(found, "B") == (38, 24)


@pytest.mark.parametrize(
    ("allowed", "said", "hurled"), [("allowed", "hurl", 1), ("allowed", "no", 0), ("off", "", 0)]
)
def test_whip_15_and_ruling_101_the_model_may_be_hurled_at_the_floor(
    allowed: str, said: str, hurled: int
) -> None:
    found = table("ABC", {"B": {"speed": 1}}, at=towards_the_right(5), rulings={"physical_drop": allowed})
    asked: list[Request] = []
    launched(found, 0.0, 2, {"B.speed": [1]}, {"D-09": "ringside", "D-11": said}, asked=asked)
    assert len(facts(found, "hurled")) == hurled
    assert any("D-11" in one.step for one in asked) == (allowed == "allowed")
    assert found.state.wrestlers["B"].at_ringside


def test_whip_10_technique_bars_the_check_and_the_attacker_decides() -> None:
    found = table("ABC", {"B": {"speed": 4, "combat": 3}, "A": {"combat": 2}}, at=towards_the_right(20))
    dice = {"A.combat": [4, 1, 2], "B.combat": [5, 4, 1], "B.strike": [1, 1, 1]}
    launched(found, 0.0, 3, dice, {"D-09": "rebound:launcher", "D-30": "free_strike"}, technique_tried=True)
    clash = facts(found, "clash")[0]
    assert (clash.fighter, clash.values) == ("B", {"rival": "A", "own": 2, "theirs": 1})
    assert not found.state.wrestlers["B"].attacked
    assert place(found, "B") == (12, 0)
    assert found.state.scene.figures["B"].facing == pytest.approx(math.pi)


@pytest.mark.parametrize(
    ("rest_palms", "ruling", "needed"),
    [(0.2, "up", None), (0.3, "up", 1), (1.05, "up", 2), (1.05, "down", 1), (2.0, "up", 2)],
)
def test_ruling_47_successes_at_the_ropes(rest_palms: float, ruling: str, needed: int | None) -> None:
    palms = 3
    gap = 18.0 * (palms - rest_palms)
    found = table("ABC", {"B": {"speed": 3}}, at=towards_the_right(gap), rulings={"rope_round": ruling})
    dice = {} if needed is None else {"B.speed": [4] * needed + [1] * (3 - needed)}
    launched(found, 0.0, palms, dice, {"D-08": "hang_on"})
    assert [one.values["needed"] for one in facts(found, "ropes_reached")] == ([needed] if needed else [])
    assert found.state.wrestlers["B"].upright
    assert bool(facts(found, "hung_on")) == (needed is not None)


def test_ruling_47_a_rest_too_near_to_a_whole_palm_is_the_referees() -> None:
    at = {name: figure(name, one.x, one.y, 0, sd=0.1) for name, one in towards_the_right(18.05).items()}
    for said, needed in (("yes", 1), ("no", 2)):
        found = table("ABC", {"B": {"speed": 2}}, at=at)
        launched(found, 0.0, 2, {"B.speed": [4, 4]}, {"ruling": said, "D-08": "hang_on"})
        assert facts(found, "ropes_reached")[0].values["needed"] == needed


# ---------- the rebound


def rebounding(found: Any, dice: dict[str, Any], said: dict[str, Any], palms: int = 2) -> None:
    launched(found, 0.0, palms, {"B.speed": [6, 6]} | dice, {"D-08": "rebound:runner"} | said)


def test_ruling_48_whoever_steps_between_is_met_on_the_way_back() -> None:
    at = towards_the_right(20, C=figure("C", 22, 6.0, 0))
    found = table("ABC", {"C": {"acted": True}}, at=at)
    end = Run("ropes", 20.0, "right")

    course = course_of(found, "A", "B", 0.0, 2, "OPEN_PHASE", False)
    found.state.scene.figures["C"] = figure("C", 22, 0, 0)
    drive(ropes.rebound(found, course, end, 16 / 18, "B"), {}, answering({}))
    assert found.state.wrestlers["C"].lying
    assert place(found, "B") == (pytest.approx(28, abs=0.2), 0)
    assert not facts(found, "clash")


def test_ruling_48_remaining_palms_by_house_rule() -> None:
    rule = {"rebound_range": "remaining_palms"}
    short = table("ABC", at=towards_the_right(31), rulings=rule)
    rebounding(short, {}, {})
    assert place(short, "B") == (pytest.approx(32 - 5, abs=0.2), 0)
    assert not facts(short, "clash")
    enough = table("ABC", {"A": {"combat": 1}, "B": {"combat": 1}}, at=towards_the_right(20), rulings=rule)
    rebounding(enough, {"A.combat": [1], "B.combat": [4, 4]}, {"D-30": "no"})
    assert facts(enough, "clash")[0].fighter == "B"
    assert place(enough, "B") == (pytest.approx(25, abs=0.2), 0)


@pytest.mark.parametrize(("said", "clashes"), [("no", False), ("yes", True)])
def test_ruling_48_nobody_knows_where_an_unseen_rebound_of_the_palms_left_ended(
    said: str, clashes: bool
) -> None:
    found = table("ABC", {"A": {"combat": 1}, "B": {"combat": 1}}, at=towards_the_right(31),
                  rulings={"rebound_range": "remaining_palms"})  # fmt: skip
    del found.state.scene.figures["A"]
    dice: dict[str, Any] = {"B.speed": [6, 6]}
    if clashes:
        dice |= {"A.combat": [1], "B.combat": [4, 4]}
    asked: list[Request] = []
    answers = {"D-28": ["ropes:1", "nothing", said], "D-08": "rebound:runner", "D-30": "no"}
    launched(found, 0.0, 3, dice, answers, asked=asked)
    assert "B" not in found.state.scene.figures
    assert [one.text.key for one in asked if "D-28" in one.step][-1] == "question.adjacent.unseen"
    assert bool(facts(found, "clash")) == clashes


def test_ruling_48_an_unseen_rebound_all_the_way_ends_where_the_run_began() -> None:
    found = table("ABC", {"A": {"combat": 1}, "B": {"combat": 1}}, at=towards_the_right(31))
    del found.state.scene.figures["A"]
    dice = {"B.speed": [6, 6], "A.combat": [1], "B.combat": [4, 4]}
    answers = {"D-28": ["ropes:1", "nothing"], "D-08": "rebound:runner", "D-30": "no"}
    launched(found, 0.0, 3, dice, answers)
    assert place(found, "B") == (1.0, 0.0)
    assert facts(found, "clash")


def test_whip_17_the_one_who_decided_has_a_die_more_and_ties_are_rolled_off() -> None:
    found = table("ABC", {"A": {"combat": 2}, "B": {"combat": 1}}, at=towards_the_right(20))
    dice = {"A.combat": [4, 2], "B.combat": [1, 5], "roll_off": {"A": 3, "B": 4}}
    rebounding(found, dice, {"D-30": "no"})
    assert facts(found, "clash")[0].fighter == "B"
    tied = table("ABC", {"A": {"combat": 2}, "B": {"combat": 1}}, at=towards_the_right(20),
                 rulings={"clash_tie": "nobody"})  # fmt: skip
    rebounding(tied, {"A.combat": [4, 2], "B.combat": [1, 5]}, {})
    assert facts(tied, "clash_tied")
    assert not facts(tied, "clash")


def test_whip_19_the_winner_strikes_for_free_and_nobody_counters() -> None:
    found = table(
        "ABC",
        {"A": {"combat": 2, "strike": 2, "strength": 1, "attacked": True}, "B": {"combat": 1, "counter": 4}},
        at=towards_the_right(20),
    )
    asked: list[Request] = []
    dice = {"B.speed": [6, 6], "A.combat": [4, 4], "B.combat": [1, 1], "A.strike": [4, 3], "A.strength": [5]}
    launched(found, 0.0, 2, dice, {"D-08": "rebound:runner", "D-30": "free_strike"}, asked=asked)
    assert found.state.wrestlers["B"].stamina == 19
    assert not any("D-06" in one.step for one in asked)


def test_ruling_49_by_house_rule_the_free_strike_is_an_automatic_hit() -> None:
    found = table("ABC", {"A": {"combat": 1, "strength": 3}, "B": {"combat": 1}}, at=towards_the_right(20),
                  rulings={"clash_strike": "auto_strength"})  # fmt: skip
    rebounding(found, {"A.combat": [4], "B.combat": [1, 1]}, {"D-30": "free_strike"})
    assert found.state.wrestlers["B"].stamina == 17


def test_whip_19_a_winner_who_rests_or_lies_does_not_strike() -> None:
    for status in ("resting", "lying"):
        found = table("ABC", {"B": {"combat": 1, status: True}, "A": {"combat": 1}}, at=towards_the_right(20))
        rebounding(found, {"A.combat": [1], "B.combat": [4, 4]}, {})
        assert facts(found, "clash")[0].fighter == "B"
        assert not facts(found, "free_strike")


# ---------- the post


def at_a_post() -> dict[str, Any]:
    return {"B": figure("B", 20, 20, 0), "A": figure("A", 25, 25, 225)}


@pytest.mark.parametrize(("said", "facing"), [("lean", 225.0), ("face_post", 45.0)])
def test_whip_20_five_points_and_he_may_lean_on_the_post(said: str, facing: float) -> None:
    found = table("AB", {"B": {"stamina": 14}}, at=at_a_post())
    launched(found, math.pi / 4, 2, {}, {"D-10": said})
    b = found.state.wrestlers["B"]
    assert (b.stamina, b.upright, b.at_ringside) == (9, True, False)
    assert math.degrees(found.state.scene.figures["B"].facing) % 360 == pytest.approx(facing)

    assert sight.in_corner(found, "B").answer


def test_ruling_50_by_house_rule_four_points_and_a_turn_on_the_mat() -> None:
    found = table("AB", at=at_a_post(), rulings={"post_damage": 4, "post_status": "lying"})
    launched(found, math.pi / 4, 2, {}, {})
    b = found.state.wrestlers["B"]
    assert (b.stamina, b.lying, b.lies_until) == (16, True, 2)


def test_whip_20_the_post_knocks_out_and_nobody_is_asked_to_lean() -> None:
    found = table("AB", {"B": {"stamina": -6}}, at=at_a_post())
    launched(found, math.pi / 4, 2, {}, {})
    assert found.state.wrestlers["B"].unconscious


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


# ---------- the earlier edition (3.16)


def earlier(names: str = "ABC", given: Any = None, **settings: Any) -> Any:
    return table(names, given, book=EARLIER, **settings)


def test_counter_17_of_the_earlier_edition_turns_the_whole_whip_round() -> None:
    found = earlier("ABC", {"A": {"irish_whip": 2}, "B": {"counter": 4}}, at=PAIR, ring=Ring(400.0, 400.0))
    dice = {"A.irish_whip": [6, 1], "B.counter": [4, 4, 1, 1]}
    asked: list[Request] = []
    whipped(found, dice, {}, asked)
    assert not any("D-29" in one.step for one in asked)
    assert place(found, "A") == (36, 0)
    behind = found.state.scene.figures["B"]
    assert (behind.x, behind.y) == (pytest.approx(7, abs=1), pytest.approx(0, abs=0.5))


def test_whip_06_07_and_14_in_the_numbers_of_the_earlier_edition() -> None:
    hit = earlier("ABC", {"C": {"acted": True}}, at={**PAIR, "C": figure("C", 20, 0, 180)})
    launched(hit, 0.0, 3, {}, {})
    b, c = hit.state.wrestlers["B"], hit.state.wrestlers["C"]
    assert (b.stamina, b.knocked_down, c.stamina, c.knocked_down) == (16, 1, 16, 1)
    dodging = earlier("ABC", {"C": {"counter": 1}}, at={**PAIR, "C": figure("C", 20, 0, 180)})
    launched(dodging, 0.0, 2, {"C.counter": [4]}, {"D-07": "dodge:left"})
    assert dodging.state.wrestlers["B"].upright
    outside = earlier("ABC", {"B": {"speed": 1}}, at=towards_the_right(20))
    launched(outside, 0.0, 3, {"B.speed": [1]}, {"D-09": "ringside"})
    b = outside.state.wrestlers["B"]
    assert (b.at_ringside, b.lying, b.knocked_down, b.stamina) == (True, True, None, 16)


def test_whip_18_of_the_earlier_edition_goes_by_the_higher_total() -> None:
    found = earlier("ABC", {"A": {"combat": 2}, "B": {"combat": 1}}, at=towards_the_right(20))
    rebounding(found, {"A.combat": [3, 3], "B.combat": [4, 1]}, {"D-30": "no"})
    clash = facts(found, "clash")[0]
    assert (clash.fighter, clash.values["own"], clash.values["theirs"]) == ("A", 6, 5)


def test_whip_20_of_the_earlier_edition_costs_four_and_a_turn_on_the_mat() -> None:
    found = earlier("AB", at=at_a_post())
    launched(found, math.pi / 4, 2, {}, {})
    b = found.state.wrestlers["B"]
    assert (b.stamina, b.lying, b.lies_until) == (16, True, 2)


def test_status_30_the_knocked_down_of_the_earlier_edition_cannot_hold_on_and_stay_knocked_down() -> None:
    found = earlier("ABC", {"B": {"knocked_down": 1}}, at=towards_the_right(20))
    launched(found, 0.0, 3, {}, {"D-09": "ringside"})
    b = found.state.wrestlers["B"]
    assert (b.at_ringside, b.knocked_down, b.lying) == (True, 1, False)
    post = earlier("AB", {"B": {"knocked_down": 1}}, at=at_a_post())
    launched(post, math.pi / 4, 2, {}, {})
    assert (post.state.wrestlers["B"].knocked_down, post.state.wrestlers["B"].lying) == (1, False)


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
