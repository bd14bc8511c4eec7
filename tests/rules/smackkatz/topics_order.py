"""Worked scenarios of sheets, set-up, order and movement."""

from __future__ import annotations

from typing import Any

from rules.scene import Hand
from rules.smackkatz.abilities import speed_left
from rules.smackkatz.attacks.defence import defence_reasons
from rules.smackkatz.house_rules import catalogue
from rules.smackkatz.legality import options as legality
from rules.smackkatz.modes import table as modes
from rules.smackkatz.movement.judge import judge_move
from rules.smackkatz.movement.moving import verdict_on
from rules.smackkatz.sheet import sheet_problems
from rules.smackkatz.turn.breakaway import break_away
from rules.smackkatz.turn.lockup import _name_last, _roll_combat, detect
from rules.smackkatz.turn.order import by_successes, initiative
from tests.rules.playing import SHEET, figure
from tests.rules.smackkatz.harness import clump, drive, facts, lock, pair, table
from tests.rules.smackkatz.topics import Scenario, stats, topic

HAND = Hand(18.0, 9.0)


# ---------- sheet, setup


@topic("sheet")
def sheet(scenario: Scenario) -> None:
    given = scenario["given"]
    data = {**SHEET, **given["main"], **given.get("fighting", {})}
    problems = sheet_problems(data, catalogue().resolve())
    assert (not problems) == scenario["expect"]["valid"]
    if problems:
        assert {one.rule for one in problems} <= set(scenario["rules"]) | {"SHEET-02"}
        assert problems[0].code == "ability_too_high"


@topic("setup")
def setup_shift(scenario: Scenario) -> None:
    hand = Hand(scenario["given"]["A"]["palm"], 9.0)
    for case in scenario["cases"]:
        judged = judge_move(figure("A", 0, 0), figure("A", case["displacement"], 0), hand, allow_palms=1)
        assert (judged.verdict == "within") == case["legal"]


@topic("participants")
def participants(scenario: Scenario) -> None:
    known = {mode.name for mode in modes.MODES}
    cases = [case for case in scenario["cases"] if case["mode"] in known]
    assert cases
    for case in cases:
        assert modes.participants_allowed(case["mode"], case["wrestlers"], "by_mode") == case["accepted"]


# ---------- order


@topic("initiative")
def initiative_order(scenario: Scenario) -> None:
    dice = {f"{one}.initiative": [face] for one, face in scenario["dice"]["first"].items()}
    dice |= {f"{one}.roll_off": [face] for one, face in scenario["dice"]["reroll"].items()}
    found = table("ABCD")
    assert drive(initiative(found, list("ABCD"), "OPEN_PHASE"), dice) == scenario["expect"]["order"]


@topic("lock_up tie", "combat threshold", "melee tie for last")
def combat_order(scenario: Scenario) -> None:
    given, expect = scenario["given"], scenario["expect"]
    group = tuple(given.get("lock_up") or given["melee"])
    found = lock(table("ABC", stats(scenario), at=clump(*group)), *group)

    def fight() -> Any:
        scores = yield from _roll_combat(found, group)
        order = yield from by_successes(found, scores, "LOCKUP_PHASE")
        _name_last(found, group, order)
        return scores, order

    scores, order = drive(fight(), scenario["dice"])
    assert order == expect["order"]
    if "successes" in expect:
        assert scores == expect["successes"]
    if "cannot_attack" in expect:
        assert found.state.wrestlers[expect["cannot_attack"]].cannot_attack
        assert sum(one.cannot_attack for one in found.state.wrestlers.values()) == 1


@topic("lock_up detection")
def detection(scenario: Scenario) -> None:
    gaps = scenario["given"]["pairs"]
    b = 6 + gaps["A-B"]["gap"]
    at = {
        "A": figure("A", -20, 0, 0),
        "B": figure("B", -20 + b, 0, 180),
        "C": figure("C", -20 + b + 6 + gaps["B-C"]["gap"], 0, 180),
        "D": figure("D", 0, -20, 0),
        "E": figure("E", 6 + gaps["D-E"]["gap"], -20, 180),
    }
    found = table("ABCDE", {"E": {"knocked_down": 1}}, at=at)
    drive(detect(found))
    assert [list(group) for group in found.state.groups] == scenario["expect"]["melee"]
    for free in scenario["expect"]["free"]:
        assert found.state.group_of(free) == ()


@topic("escape tie succeeds", "escape from a melee")
def escape(scenario: Scenario) -> None:
    given, expect = scenario["given"], scenario["expect"]
    group = given.get("lock_up") or given["melee"]
    at = clump(*group) | ({"C": figure("C", 0, -7, 0)} if len(group) == 2 else {})
    found = lock(table("ABC", stats(scenario), at=at), *group)
    drive(break_away(found, "A", "LOCKUP_PHASE"), scenario["dice"])
    fact = facts(found, "escaped" if expect["escaped"] else "held")[0]
    assert fact.values["totals"] == [expect["totals"][one] for one in group]
    if not expect["escaped"]:
        assert found.state.wrestlers["A"].turn_over
        return
    back = expect["step_back_max_cm"]
    before = found.state.scene.figures["A"]
    for length, verdict in ((back, "within"), (back + 1, "beyond")):
        judged = verdict_on(found, "A", figure("A", before.x - length, before.y, 0))
        assert judged.verdict == verdict
        if verdict == "within":
            assert speed_left(found, "A") - (judged.cost or 0) == expect["speed_left"]
    for rival, allowed in expect["may_attack"].items():
        assert legality.option(found, "A", f"strike:{rival}").legal == allowed


# ---------- movement


@topic("straight move", "step back")
def straight(scenario: Scenario) -> None:
    given = scenario["given"]["A"]
    before = figure("A", *given["pos"], given["facing"])
    for case in scenario["cases"]:
        judged = judge_move(before, figure("A", *case["end"], case["facing"]), HAND, speed=given["speed"])
        assert judged.cost == case["cost"]
        assert (judged.verdict == "within") == case["legal"]


@topic("second turn")
def second_turn(scenario: Scenario) -> None:
    found = table("AB", {"A": {"speed": 4, **scenario["given"]["already"]}}, at={"A": figure("A", 0, 0, 0)})
    assert verdict_on(found, "A", figure("A", 0, 9, 90)).verdict == "beyond"
    assert verdict_on(found, "A", figure("A", 9, 0, 0)).verdict == "within"


@topic("leading edge")
def leading_edge(scenario: Scenario) -> None:
    given = scenario["given"]["A"]
    front = given["front_before_x"]
    for case in scenario["cases"]:
        before, after = figure("A", front - 3, 0, 0), figure("A", case["front_after_x"] - 3, 0, 0)
        judged = judge_move(before, after, HAND, speed=given["speed"])
        assert (judged.verdict == "within") == case["legal"]


@topic("defended first")
def defended_first(scenario: Scenario) -> None:
    found = table("ABC", stats(scenario), at=pair())
    offered = {option.id.partition(":")[0]: option for option in legality.options(found, "B")}
    found.state.wrestlers["B"].lying = True
    offered["stand_up"] = legality.option(found, "B", "get_up")
    found.state.wrestlers["B"].lying = False
    offered["turn_facing"] = offered["step_back"] = offered["move"]
    for action in scenario["expect"]["B_may_not"]:
        if action == "counter":
            assert any(one.rule == "TURN-06" for one in defence_reasons(found, "B", "counter", "strike"))
        elif action in offered:
            assert not offered[action].legal
            assert {one.rule for one in offered[action].reasons} & set(scenario["rules"])
        else:
            assert action in ("suplex", "climb_post")
