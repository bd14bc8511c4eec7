"""Where a whip ends: ropes, rebound, clash and post (WHIP-10 to -20)."""

from __future__ import annotations

import math
from typing import Any

import pytest

from rules.engine.request import Request
from rules.scene import Ring
from rules.smackkatz import sight
from rules.smackkatz.attacks import ropes
from rules.smackkatz.attacks.running import course_of
from rules.smackkatz.book import EARLIER
from rules.smackkatz.movement.forced import Run
from tests.rules.playing import figure
from tests.rules.smackkatz.harness import drive, facts, table
from tests.rules.smackkatz.whipping import (
    PAIR,
    answering,
    at_a_post,
    launched,
    place,
    towards_the_right,
    whipped,
)

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


@pytest.mark.parametrize("unseen", ["ABC", "C", "A", "B"])
def test_counter_17_of_the_earlier_edition_unseen_the_attacker_runs_and_the_referee_says_into_what(
    unseen: str,
) -> None:
    at = {**PAIR, "C": figure("C", 20, 0, 180)}
    found = earlier("ABC", {"A": {"irish_whip": 2}, "B": {"counter": 4}, "C": {"acted": True}}, at=at)
    for one in unseen:
        del found.state.scene.figures[one]
    b = found.state.scene.figures.get("B")
    dice = {"A.irish_whip": [6, 1], "B.counter": [4, 4, 1, 1]}
    asked: list[Request] = []
    said = {"D-05": "ropes:right", "ruling": ["no"] * ("A" in unseen or "B" in unseen) + ["figure:C"]}
    whipped(found, dice, said, asked)
    assert not any(one.kind == "place" for one in asked)
    met = next(one for one in asked if "D-28" in one.step and one.option("figure:C"))
    assert (met.fighter, met.option("figure:A"), met.option("figure:B")) == ("A", None, None)
    launched_one = facts(found, "launched")[0]
    assert (launched_one.fighter, launched_one.values["by"], launched_one.values["palms"]) == ("A", "B", 2)
    assert launched_one.values["start"] is None
    assert [found.state.wrestlers[one].stamina for one in "ABC"] == [16, 20, 16]
    assert "A" not in found.state.scene.figures
    assert found.state.scene.figures.get("B") == b


def test_counter_17_of_the_earlier_edition_the_run_leads_to_the_place_that_was_aimed_at() -> None:
    found = earlier("ABC", {"A": {"irish_whip": 2}, "B": {"counter": 4}}, at=PAIR, ring=Ring(400.0, 400.0))
    dice = {"A.irish_whip": [6, 1], "B.counter": [4, 4, 1, 1]}
    whipped(found, dice, {"D-05": "turn:+60"})
    # Aimed from (-7, 0) at 60 degrees, that is at a place of the far ropes, 200 cm up.
    way = math.atan2(200.0, -7 + 200.0 / math.tan(math.radians(60)))
    assert place(found, "A") == pytest.approx((36 * math.cos(way), 36 * math.sin(way)), abs=0.1)


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
