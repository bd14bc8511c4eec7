"""Dodging an arriving body and running into one: WHIP-06 to WHIP-09, RULING-14, -15, -45, -46."""

from __future__ import annotations

import math
from typing import Any

import pytest

from rules.engine.request import Request
from rules.smackkatz.consequences.collide import collide
from rules.smackkatz.consequences.dodge import dodge, dodge_reasons
from tests.rules.playing import figure
from tests.rules.smackkatz.harness import drive, facts, table

RUN = {"B": figure("B", -20, 0, 0), "C": figure("C", 0, 0, 180), "A": figure("A", -27, 0, 0)}


def arriving(
    found: Any, dice: dict[str, Any] | None, chosen: str, asked: list[Request] | None = None
) -> bool:
    return drive(dodge(found, "C", "B", 0.0, 36.0, "OPEN_PHASE"), dice, lambda request: chosen, asked)


@pytest.mark.parametrize("side", ["left", "right"])
def test_whip_09_a_dodger_steps_aside_to_the_side_he_chooses(side: str) -> None:
    found = table("ABC", {"C": {"speed": 2}}, at=RUN)
    asked: list[Request] = []
    assert arriving(found, {"C.speed": [4, 1]}, f"dodge:{side}", asked)
    c = found.state.scene.figures["C"]
    assert c.y == pytest.approx(6.0 if side == "left" else -6.0, abs=0.1)
    assert (c.x, c.facing) == pytest.approx((0, math.pi))
    wrestler = found.state.wrestlers["C"]
    assert (wrestler.acted, wrestler.defended, wrestler.walked) == (False, False, False)
    place = asked[-1]
    assert place.check is not None
    assert not place.check(figure("C", 0, (15.0 if side == "left" else -15.0), 180))
    far = place.check(figure("C", 0, (17.0 if side == "left" else -17.0), 180))
    assert [one.code for one in far] == ["not_aside"]
    assert [one.code for one in place.check(figure("C", 6, c.y, 90))] == ["not_aside", "facing_kept"]


def test_whip_07_a_failed_roll_or_taking_it_is_no_dodge() -> None:
    found = table("ABC", {"C": {"speed": 2}}, at=RUN)
    assert not arriving(found, {"C.speed": [3, 1]}, "dodge:left")
    assert facts(found, "dodge_failed")
    assert not arriving(found, {}, "take_it")


@pytest.mark.parametrize(
    ("fields", "rule"),
    [
        ({"acted": True}, "WHIP-08"),
        ({"turn_over": True}, "WHIP-08"),
        ({"knocked_down": 1}, "STATUS-30"),
        ({"unconscious": True}, "STATUS-03"),
        ({"helpless": True}, "STATUS-03"),
        ({"resting": True}, "STATUS-11"),
        ({"hoists": "D"}, "SUPLEX-24"),
        ({"hoisted_by": "D"}, "RULING-15"),
        ({"holds": "D"}, "RULING-15"),
        ({"held_by": "D"}, "RULING-15"),
        ({"pins": "D"}, "RULING-15"),
        ({"pinned_by": "D"}, "RULING-15"),
        ({"on_post": 0}, "RULING-93"),
        ({"speed": 0}, "RULING-62"),
    ],
)
def test_ruling_15_who_may_not_dodge(fields: dict[str, Any], rule: str) -> None:
    found = table("ABCD", {"C": fields}, at=RUN)
    assert [one.rule for one in dodge_reasons(found, "C")] == [rule]
    assert not arriving(found, {}, "dodge:left")
    assert not found.facts


def test_ruling_15_the_lying_and_those_who_have_defended_may_dodge_lock_up_members_may_not() -> None:
    found = table("ABC", {"C": {"lying": True, "defended": True}}, at=RUN)
    assert not dodge_reasons(found, "C")
    near = table("ABC", at={**RUN, "A": figure("A", 7, 0, 180)})
    near.state.groups = (("A", "C"),)
    assert [one.rule for one in dodge_reasons(near, "C")] == ["LOCK-05"]


def test_whip_08_nobody_dodges_what_comes_from_behind() -> None:
    found = table("ABC", at={**RUN, "C": figure("C", 0, 0, 0)})
    assert not arriving(found, {}, "dodge:left")
    doubtful = table("ABC", {"C": {"speed": 1}}, at={**RUN, "C": figure("C", 0, 0, 40)})
    asked: list[Request] = []
    answers = {"ruling": "no", "choose": "dodge:left"}
    cleared = drive(
        dodge(doubtful, "C", "B", 0.0, 36.0, "OPEN_PHASE"),
        {"C.speed": [6]},
        lambda request: answers[request.kind],
        asked,
    )
    assert cleared
    assert asked[0].kind == "ruling"


def test_ruling_45_without_room_on_either_side_there_is_no_dodge() -> None:
    walls = {**RUN, "D": figure("D", 0, 6.5), "E": figure("E", 0, -6.5)}
    found = table("ABCDE", at=walls)
    assert not arriving(found, {}, "dodge:left")
    one_side = table("ABCD", {"C": {"speed": 1}}, at={**RUN, "D": figure("D", 0, 6.5)})
    asked: list[Request] = []
    assert arriving(one_side, {"C.speed": [5]}, "dodge:right", asked)
    left = asked[0].option("dodge:left")
    assert left is not None
    assert [one.code for one in left.reasons] == ["no_room"]


def test_rulings_dodge_successes_dodge_step_and_dodge_uses_defence() -> None:
    two = table("ABC", {"C": {"speed": 2}}, at=RUN, rulings={"dodge_successes": 2})
    assert not arriving(two, {"C.speed": [4, 1]}, "dodge:left")
    assert arriving(two, {"C.speed": [4, 6]}, "dodge:left")
    palm = table("ABC", {"C": {"speed": 1}}, at=RUN, rulings={"dodge_step": "palm"})
    asked: list[Request] = []
    assert arriving(palm, {"C.speed": [4]}, "dodge:left", asked)
    assert asked[-1].check is not None
    assert not asked[-1].check(figure("C", 0, 23.5, 180))
    uses = table("ABC", {"C": {"speed": 1}}, at=RUN, rulings={"dodge_uses_defence": True})
    assert arriving(uses, {"C.speed": [4]}, "dodge:left")
    assert uses.state.wrestlers["C"].defended
    assert [one.rule for one in dodge_reasons(uses, "C")] == ["TURN-06"]
    uses.state.wrestlers["C"].unlimited_defence = True
    assert not dodge_reasons(uses, "C")


def test_without_a_camera_a_dodge_is_still_played() -> None:
    found = table("ABC", {"C": {"speed": 1}}, at=RUN)
    found.state.scene.figures.clear()
    asked: list[Request] = []
    answers = {"ruling": "no", "choose": "dodge:right"}
    play = dodge(found, "C", "B", None, 36.0, "OPEN_PHASE")
    assert drive(play, {"C.speed": [4]}, lambda request: answers[request.kind], asked)
    assert [one.kind for one in asked] == ["ruling", "choose", "roll"]


def test_whip_06_both_lose_three_and_lie() -> None:
    found = table("ABC", {"C": {"stamina": 9}}, at=RUN)
    found.state.groups = (("A", "C"),)
    collide(found, "B", "C")
    b, c = found.state.wrestlers["B"], found.state.wrestlers["C"]
    assert (b.stamina, c.stamina, b.lying, c.lying) == (17, 6, True, True)
    assert found.state.groups == ()


def test_ruling_46_a_worse_status_is_never_improved() -> None:
    found = table("ABC", {"C": {"knocked_down": 1}, "B": {"stamina": -8}}, at=RUN)
    collide(found, "B", "C")
    b, c = found.state.wrestlers["B"], found.state.wrestlers["C"]
    assert c.knocked_down == 1
    assert not c.lying
    assert b.unconscious
    assert not b.lying


def test_whip_06_of_the_earlier_edition_costs_four_and_knocks_down() -> None:
    found = table("ABC", {"C": {"lying": True}}, at=RUN)
    found.state.turn = 3
    collide(found, "B", "C", points=4, status="knocked_down")
    b, c = found.state.wrestlers["B"], found.state.wrestlers["C"]
    assert (b.stamina, c.stamina, b.knocked_down, c.knocked_down) == (16, 16, 3, 3)
    assert not c.lying


def test_ruling_45_a_dodge_without_room_that_the_referee_lets_stand_is_played() -> None:
    wall = {f"D{number}": figure("D", x, 9.0, 0) for number, x in enumerate((-6.0, 0.0, 6.0))}
    found = table("ABCDEF", {"C": {"speed": 2}}, at=RUN | dict(zip("DEF", wall.values(), strict=True)))
    asked: list[Request] = []
    assert arriving(found, {"C.speed": [4, 1]}, "dodge:left", asked)
    (choice,) = [request for request in asked if request.kind == "choose"]
    assert [one.id for one in choice.options if not one.legal] == ["dodge:left"]
    assert asked[-1].kind == "place"


def test_ruling_45_how_far_one_has_stepped_is_seen_from_where_one_stood() -> None:
    at = {"B": figure("B", -15, 20, 0), "C": figure("C", 5, 20, 180), "A": figure("A", -22, 20, 0)}
    found = table("ABC", {"C": {"speed": 1}}, at=at)
    asked: list[Request] = []
    assert arriving(found, {"C.speed": [4]}, "dodge:right", asked)
    check = asked[-1].check
    assert check is not None
    assert not check(figure("C", 5, 14, 180))
    assert [one.code for one in check(figure("C", 5, 20, 180))] == ["not_aside"]
    assert [one.code for one in check(figure("C", 9, 14, 180))] == ["not_aside"]


def test_ruling_29_nobody_steps_aside_through_the_ropes() -> None:
    at = {"B": figure("B", -15, 20, 0), "C": figure("C", 5, 20, 180), "A": figure("A", -22, 20, 0)}
    found = table("ABC", {"C": {"speed": 1}}, at=at)
    asked: list[Request] = []
    assert arriving(found, {"C.speed": [4]}, "dodge:left", asked)
    check = asked[-1].check
    assert check is not None
    assert not check(figure("C", 5, 26, 180))
    assert [one.code for one in check(figure("C", 5, 36, 180))] == ["other_side"]
