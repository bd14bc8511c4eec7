"""Worked scenarios of the Irish whip, ropes, rebound, collision, dodge and post."""

from __future__ import annotations

import math
from typing import Any

import pytest

from rules.engine.request import Request
from rules.scene import Ring
from rules.smackkatz import sight
from rules.smackkatz.abilities import fatigued, successes
from rules.smackkatz.attacks.exchange import threshold_between
from rules.smackkatz.attacks.whip import launch, whip
from rules.smackkatz.consequences.dodge import dodge, dodge_reasons
from rules.smackkatz.legality import options as legality
from tests.rules.playing import figure
from tests.rules.smackkatz.harness import drive, facts, lock, table
from tests.rules.smackkatz.topics import Scenario, stats, topic
from tests.rules.smackkatz.whipping import answering, launched, towards_the_right, whipped

OPEN = Ring(400.0, 400.0)
"""So wide that no run meets anything."""
BESIDE = {"A": figure("A", 0, 0, 180), "B": figure("B", -7, 0, 0)}


def status(found: Any, fighter: str) -> str:
    one = found.state.wrestlers[fighter]
    names = {"unconscious": one.unconscious, "knocked_down": one.knocked_down, "lying": one.lying}
    return next((name for name, on in names.items() if on), "standing")


def score(found: Any, fighter: str, ability: str) -> int:
    rolls = [
        one for one in facts(found, "rolled") if one.fighter == fighter and one.values["ability"] == ability
    ]
    return successes(tuple(rolls[0].values["faces"]), int(rolls[0].values["threshold"]))


@topic("whip palms after technique", "whip in lock_up")
def palms(scenario: Scenario) -> None:
    expect = scenario["expect"]
    for order in ("plain_first", "sixes_first"):
        at = {**BESIDE, "C": figure("C", 0, 100)}
        found = table("ABC", stats(scenario), at=at, rulings={"cancel_order": order}, ring=OPEN)
        if scenario["given"]["lock_up"]:
            lock(found, "A", "B")
        whipped(found, scenario["dice"], {})
        run = facts(found, "launched")[0].values
        assert score(found, "A", "irish_whip") == expect["attack"]
        if "defence" in expect:
            assert score(found, "B", "technique") == expect["defence"]
        if order == "sixes_first":
            assert run["palms"] == expect.get("with_sixes_first", expect["palms"])
        else:
            assert (run["palms"], run["cm"]) == (expect["palms"], expect["distance_cm"])
            assert found.state.scene.figures["B"].x == pytest.approx(expect["distance_cm"] - 7)


@topic("rope check failed")
def rope_check(scenario: Scenario) -> None:
    given, expect = scenario["given"], scenario["expect"]
    found = table("ABC", {"B": given["B"]}, at=towards_the_right(given["contact_cm"]))
    said = {"D-09": scenario["choice"].get("A", "ringside")}
    launched(found, 0.0, given["palms"], scenario["dice"], said, technique_tried=given["technique_tried"])
    b = found.state.wrestlers["B"]
    reached = facts(found, "ropes_reached")
    facts_of = {
        "needed": reached[0].values["needed"] if reached else 0,
        "successes": score(found, "B", "speed") if reached else 0,
        "passed": bool(facts(found, "hung_on")),
        "B_stamina": b.stamina,
        "B_status": status(found, "B"),
        "B_zone": "ringside" if b.at_ringside else "ring",
        "B_fatigued": fatigued(found, b),
    }
    assert {name: facts_of[name] for name in expect} == expect


@topic("technique bars the check", "victim rebounds")
def clashes(scenario: Scenario) -> None:
    given, expect = scenario["given"], scenario["expect"]
    found = table(
        "ABC", {name: given[name] for name in "AB"}, at=towards_the_right(given.get("contact_cm", 20))
    )
    passed, tried = given.get("passed", False), given.get("technique_tried", False)
    asked: list[Request] = []
    dice = dict(scenario["dice"])
    if passed:
        dice["B.speed"] = [[6, 6]]
    free = expect.get("free_strike_by")
    if free:
        dice[f"{free}.strike"] = [1] * found.state.wrestlers[free].sheet.scores["strike"]
    said = {"D-08": "rebound:runner", "D-09": "rebound:launcher", "D-30": "free_strike" if free else "no"}
    launched(found, 0.0, given.get("palms", 3), dice, said, technique_tried=tried, asked=asked)
    decided = next(one for one in asked if "D-08" in one.step or "D-09" in one.step)
    clash = facts(found, "clash")[0]
    own, theirs = clash.values["own"], clash.values["theirs"]
    scores = {clash.fighter: own, clash.values["rival"]: theirs}
    rolled = any(one.fighter == "B" and one.values["ability"] == "speed" for one in facts(found, "rolled"))
    strikes = facts(found, "free_strike")
    facts_of = {
        "speed_roll": "rolled" if rolled else "none",
        "decider": decided.fighter,
        "successes": dict(sorted(scores.items())),
        "clash_winner": clash.fighter,
        "free_strike_by": strikes[0].fighter if strikes else None,
        "defence_allowed": any("D-06" in one.step for one in asked),
    }
    assert {name: facts_of[name] for name in expect} == expect


@topic("collision")
def collision(scenario: Scenario) -> None:
    expect = scenario["expect"]
    found = table("ABC", stats(scenario), at={**BESIDE, "C": figure("C", 20, 0, 180)})
    assert (not dodge_reasons(found, "C")) == expect["C_may_dodge"]
    launched(found, 0.0, 2, {}, {})
    facts_of = {f"{one}_stamina": found.state.wrestlers[one].stamina for one in "BC"}
    facts_of |= {f"{one}_status": status(found, one) for one in "BC"} | {"C_may_dodge": expect["C_may_dodge"]}
    assert {name: facts_of[name] for name in expect} == expect


@topic("dodge")
def dodges(scenario: Scenario) -> None:
    given, expect = scenario["given"]["C"], scenario["expect"]
    values = {name: value for name, value in given.items() if name != "bearing_of_arrival"}
    # B comes from the left, so seen from C he is at 180 degrees; C looks so much past that.
    facing = 180.0 - given["bearing_of_arrival"]
    at = {"A": figure("A", -20, 0, 180), "B": figure("B", -27, 0, 0), "C": figure("C", 0, 0, facing)}
    found = table("ABC", {"C": values}, at=at)
    asked: list[Request] = []
    cleared = drive(
        dodge(found, "C", "B", 0.0, 36.0, "OPEN_PHASE"),
        scenario["dice"],
        answering({"D-07": "dodge:left"}),
        asked,
    )
    c = found.state.wrestlers["C"]
    facts_of = {
        "C_may_dodge": any(one.kind == "choose" for one in asked),
        "successes": score(found, "C", "speed") if facts(found, "rolled") else 0,
        "dodged": cleared,
        "C_acted": c.acted,
        "C_defended": c.defended,
    }
    assert {name: facts_of[name] for name in expect if name != "run_continues"} == {
        name: value for name, value in expect.items() if name != "run_continues"
    }
    found.state.wrestlers["C"].acted = True
    drive(launch(found, "A", "B", 0.0, 2, "OPEN_PHASE", technique_tried=False))
    assert found.state.wrestlers["B"].upright == expect["run_continues"]


@topic("post")
def post(scenario: Scenario) -> None:
    expect = scenario["expect"]
    at = {"B": figure("B", 20, 20, 0), "A": figure("A", 25, 25, 225)}
    found = table("AB", stats(scenario), at=at)
    launched(found, math.pi / 4, 2, {}, {"D-10": scenario["choice"]["B"]})
    b, stands = found.state.wrestlers["B"], found.state.scene.figures["B"]
    to_middle = math.atan2(-stands.y, -stands.x)
    facts_of = {
        "B_stamina": b.stamina,
        "B_status": status(found, "B"),
        "in_corner": sight.in_corner(found, "B").answer,
        "facing": "ring centre" if math.cos(stands.facing - to_middle) > 0.999 else "elsewhere",
        "B_fatigued": fatigued(found, b),
    }
    assert {name: facts_of[name] for name in expect} == expect


@topic("whip reversed")
def reversed_whip(scenario: Scenario) -> None:
    expect = scenario["expect"]
    found = table("ABC", stats(scenario), at={**BESIDE, "C": figure("C", 0, 100)}, ring=OPEN)
    if scenario["given"]["lock_up"]:
        lock(found, "A", "B")
    whipped(found, scenario["dice"], {"D-29": "turn:0"})
    run = facts(found, "launched")[0]
    facts_of = {
        "attack": score(found, "A", "irish_whip"),
        "defence": score(found, "B", "technique"),
        "launched": run.fighter,
        "palms": run.values["palms"],
    }
    assert {name: facts_of[name] for name in expect} == expect


@topic("whipped out of the lock_up")
def out_of_the_lock_up(scenario: Scenario) -> None:
    expect = scenario["expect"]
    for technique in (False, True):
        at = {**BESIDE, "C": figure("C", -7, 100), "D": figure("D", 36, 0, 180)}
        given = {"A": {"irish_whip": 1}, "B": {"technique": 1}, "D": {"lying": True}}
        found = table("ABCD", given, at=at, ring=OPEN, rulings={"collide_with_lying": False})
        lock(found, "A", "B")
        dice = {"A.irish_whip": [6]} | ({"B.technique": [1]} if technique else {})
        drive(whip(found, "A", "B", "LOCKUP_PHASE"), dice, answering({"D-05": "turn:0"}))
        b = found.state.wrestlers["B"]
        may = {one.id.partition(":")[0] for one in legality.options(found, "B") if one.legal}
        if technique:
            assert not may & {"move", "strike", "whip", "suplex", "submission"}
            assert "pin" in may
            continue
        assert b.can_act == expect["B_keeps_slot"]
        assert threshold_between(found, "B", "A") == expect["threshold_against_A"]
        assert {"move", "strike", "pin"} <= may
