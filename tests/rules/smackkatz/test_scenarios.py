"""The worked scenarios of the rule catalogue, run from their YAML."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from rules import questions
from rules.scene import Figure, Hand, Ring
from rules.smackkatz import activation, legality, modes, resting
from rules.smackkatz.abilities import effective, speed_left, successes
from rules.smackkatz.breakaway import break_away
from rules.smackkatz.counter import counter_hits, counter_reasons
from rules.smackkatz.endings import check_endings
from rules.smackkatz.harm import gain_stamina, lose_stamina
from rules.smackkatz.house_rules import catalogue
from rules.smackkatz.lockup import _name_last, _roll_combat, detect
from rules.smackkatz.lying import lying_phase
from rules.smackkatz.movement.judge import judge_move
from rules.smackkatz.moving import verdict_on
from rules.smackkatz.order import by_successes, initiative
from rules.smackkatz.sheet import ABILITIES, sheet_problems
from rules.smackkatz.strike import hit_downed, strike
from rules.smackkatz.turn import _count_ringside, _wake_ups
from tests.rules.playing import SHEET, figure
from tests.rules.smackkatz.harness import at_gap_to_far_ropes, clump, drive, facts, lock, pair, table

FOLDER = Path(__file__).resolve().parents[2] / "scenarios"
SCENARIOS = [
    one for path in sorted(FOLDER.glob("smackkatz*.yaml")) for one in yaml.safe_load(path.read_text())
]
HAND = Hand(18.0, 9.0)
Scenario = dict[str, Any]
HANDLERS: dict[str, Callable[[Scenario], None]] = {}


def topic(*names: str) -> Callable[[Callable[[Scenario], None]], Callable[[Scenario], None]]:
    def register(function: Callable[[Scenario], None]) -> Callable[[Scenario], None]:
        for name in names:
            HANDLERS[name] = function
        return function

    return register


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda one: one["id"])
def test_scenario(scenario: Scenario) -> None:
    HANDLERS[scenario["topic"]](scenario)


def stats(scenario: Scenario) -> dict[str, dict[str, Any]]:
    """What the scenario gives for the wrestlers, by name, without geometry."""
    return {
        name: {k: v for k, v in values.items() if k not in ("rope_gap", "pos", "facing", "used", "wounds")}
        for name, values in scenario["given"].items()
        if len(name) == 1 and isinstance(values, dict)
    }


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
        assert legality.strike_option(found, "A", rival).legal == allowed


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
    offered = {option.id.partition(":")[0]: option for option in activation.options(found, "B")}
    found.state.wrestlers["B"].lying = True
    offered["stand_up"] = activation._rise_option(found, "B")
    found.state.wrestlers["B"].lying = False
    offered["turn_facing"] = offered["step_back"] = offered["move"]
    for action in scenario["expect"]["B_may_not"]:
        if action == "counter":
            assert any(one.rule == "TURN-06" for one in counter_reasons(found, "B", False))
        elif action in offered:
            assert not offered[action].legal
            assert {one.rule for one in offered[action].reasons} & set(scenario["rules"])
        else:
            assert action in ("suplex", "climb_post")


# ---------- Strike and Counter


def fight_table(scenario: Scenario) -> Any:
    given = scenario["given"]
    given.setdefault("A", {})
    gap = given["B"].get("rope_gap")
    at = {"A": figure("A", 0, 0, 0), "B": figure("B", 7, 0, 180)}
    if gap is not None:
        b = at_gap_to_far_ropes("B", gap)
        at = {"A": figure("A", b.x, b.y - 7, 90), "B": b}
    found = table("ABC", stats(scenario), at=at, one_on_one=bool(given.get("one_on_one")))
    return lock(found, "A", "B") if given.get("lock_up") else found


@topic("strike with counter", "ten dice cap", "knockdown", "wound", "equalled in lock_up", "counter blow",
       "defence window", "counter while lying", "knockdown at the ropes", "automatic back")  # fmt: skip
def strikes(scenario: Scenario) -> None:
    expect = scenario["expect"]
    dice = {k: v for k, v in scenario["dice"].items() if k != "wound_d10"}
    if "wound_d10" in scenario["dice"]:
        dice["B.wound"] = [scenario["dice"]["wound_d10"]]
    found = fight_table(scenario)
    asked: list[Any] = []
    drive(strike(found, "A", "B", "OPEN_PHASE"), dice, asked=asked)
    a, b = found.state.wrestlers["A"], found.state.wrestlers["B"]
    rolls = {f"{one.fighter}.{one.values['ability']}": one.values for one in facts(found, "rolled")}
    lost = {one.fighter: one.values["points"] for one in facts(found, "stamina_lost")}
    attack = successes(tuple(rolls["A.strike"]["faces"]), rolls["A.strike"]["threshold"])
    defence = 0
    if "B.counter" in rolls:
        defence = successes(tuple(rolls["B.counter"]["faces"]), rolls["B.counter"]["threshold"])
    blow = facts(found, "counter_blow")
    hitter = "B" if blow else "A"
    dice_rolled = rolls.get(f"{hitter}.strength", {"faces": [], "dice": 0})
    status = (
        "unconscious"
        if b.unconscious
        else "knocked_down"
        if b.knocked_down
        else "lying"
        if b.lying
        else "standing"
    )
    facts_of = {
        "attack": attack,
        "defence": defence,
        "net": max(0, attack - defence),
        "damage": lost.get("B", 0),
        "damage_to_A": lost.get("A", 0),
        "criticals": dice_rolled["faces"].count(6),
        "strength_dice": dice_rolled["dice"],
        "counter_hits": blow[0].values["hits"] if blow else 0,
        "counter_dice": rolls.get("B.counter", {}).get("dice"),
        "A_stamina": a.stamina,
        "B_stamina": b.stamina,
        "B_status": status,
        "B_defended": b.defended,
        "B_zone": "ringside" if b.at_ringside else "ring",
        "card": "red" if b.knocked_down else "none",
        "wound": next(iter(b.wounds), None),
        "B_counter_effective": effective(found, "B", "counter"),
        "defence_offered": any("D-06" in one.step for one in asked),
        "B_combat_dice_next_turn": effective(found, "B", "combat") + bool(b.tie_die),
        "B_turn": "over" if b.turn_over else "open",
    }
    assert {name: facts_of[name] for name in expect} == expect


@topic("injury")
def injury(scenario: Scenario) -> None:
    found = table("AB", stats(scenario), at=pair())
    wrestler = found.state.wrestlers["B"]
    wrestler.wounds = dict.fromkeys(scenario["given"]["B"]["wounds"], 1)
    found.record("wounded", "STATUS-62", fighter="B", ability="counter")
    assert effective(found, "B", "counter") == scenario["expect"]["B_counter_effective"]
    carried = table("AB", {"B": {"counter": 4}}, at=pair())
    old = carried.state.wrestlers["B"].sheet
    carried.state.wrestlers["B"].sheet = type(old)(old.scores, carry_malus={"counter": -1})
    assert effective(carried, "B", "counter") == scenario["expect"]["next_match_counter"]


@topic("counter blow variants")
def blow_variants(scenario: Scenario) -> None:
    faces = tuple(scenario["dice"]["B.counter"])
    for reading, hits in scenario["expect"]["hits"].items():
        attack = scenario["given"]["attack_successes"]
        assert counter_hits(reading, faces, successes(faces, 4), attack) == hits


@topic("one_on_one decay")
def decay(scenario: Scenario) -> None:
    pools = []
    found = table("AB", {"A": {"strike": 2}, **stats(scenario)}, at=pair(), one_on_one=True)
    for step in scenario["sequence"]:
        pools.append(effective(found, "B", "counter"))
        attack = [4] * step["attack"] + [1] * (2 - step["attack"])
        dice = {"A.strike": attack, "B.counter": step["B.counter"]}
        if step["result"] == "failed":
            dice["A.strength"] = [1, 1]
        drive(strike(found, "A", "B", "OPEN_PHASE"), dice)
        assert bool(facts(found, "no_effect")) == (step["result"] == "avoided")
        found.facts.clear()
        found.state.wrestlers["B"].defended = False
    assert pools == scenario["expect"]["pools"]
    assert effective(found, "B", "counter") == scenario["expect"]["pool_after"]


@topic("decay reset by rival")
def decay_reset(scenario: Scenario) -> None:
    given = stats(scenario) | {"A": {"counter": 2}}
    given["B"] |= {"strike": 1, "counters_used": scenario["given"]["B"]["used"]}
    found = table("AB", given, at=pair(), one_on_one=True)
    assert effective(found, "B", "counter") == scenario["expect"]["B_pool_before"]
    drive(strike(found, "B", "A", "OPEN_PHASE"), {"B.strike": [4], "A.counter": [4, 1]})
    assert effective(found, "B", "counter") == scenario["expect"]["B_pool_after"]


# ---------- down and out


@topic("knock-out threshold")
def knockout_threshold(scenario: Scenario) -> None:
    for case in scenario["cases"]:
        found = table("ABC", {"B": {"stamina": case["stamina"]}})
        lose_stamina(found, "B", case["loss"], "STRIKE-04")
        assert found.state.wrestlers["B"].stamina == case["after"]
        assert found.state.wrestlers["B"].unconscious == case["unconscious"]


@topic("knock-out count")
def knockout_count(scenario: Scenario) -> None:
    expect = scenario["expect"]
    found = table("ABC", stats(scenario), mode=scenario["given"]["mode"])
    wrestler = found.state.wrestlers["B"]
    staminas, totals = [], []
    for number, face in enumerate(scenario["dice"]["d10"], 1):
        drive(_wake_ups(found), {"B.d10": [face]})
        staminas.append(wrestler.stamina)
        totals.append(facts(found, "check_failed")[-1].values["total"])
        assert (wrestler.out is not None) == (number == expect["eliminated_after_check"])
    assert staminas == expect["stamina"]
    assert totals == expect["totals"]


@topic("attack on unconscious")
def attack_on_unconscious(scenario: Scenario) -> None:
    for case in scenario["cases"]:
        found = table(
            "ABC", stats(scenario), at=pair(), rulings={"disqualification": case["disqualification"]}
        )
        option = legality.hit_downed_option(found, "A", "B")
        assert option.legal == (case["disqualification"] == "off")
        if not option.legal:
            assert [one.rule for one in option.reasons] == ["FOUL-05"]
            continue
        hit_downed(found, "A", "B")
        assert found.state.wrestlers["B"].stamina == case["B_stamina"]
        found.state.wrestlers["A"].attacked = False
        assert [one.rule for one in legality.hit_downed_option(found, "A", "B").reasons] == ["STATUS-33"]


@topic("several lying")
def several_lying(scenario: Scenario) -> None:
    expect = scenario["expect"]
    at = {
        "D": figure("D", 0, 0, 0), "E": figure("E", -7, 0, 0), "F": figure("F", 0, 7, 0),
        "G": figure("G", 25, -25, 0),
    }  # fmt: skip
    found = table("DEFG", stats(scenario), at=at)
    found.state.wrestlers["F"].acted = True

    def choose(request: Any) -> Any:
        if request.kind == "observe":
            return {}
        if "D-26" in request.step:
            return "get_up"
        assert "D-04" in request.step
        if request.fighter == "D":
            for rival, allowed in [("E", True), ("F", True), ("G", False)]:
                reasons = request.option(f"strike:{rival}").reasons
                assert ("STATUS-27" in [one.rule for one in reasons]) != allowed
        return "pass"

    dice = {f"{one}.initiative": [face] for one, face in scenario["dice"].items()}
    drive(lying_phase(found), dice, choose)
    assert [one.fighter for one in facts(found, "stood_up")] == expect["rise_together"]
    assert facts(found, "order")[0].values["order"] == expect["order"]
    assert speed_left(found, "D") == expect["D_speed_left"]
    assert speed_left(found, "E") == expect["E_speed_left"]


@topic("rest barred")
def rest_barred(scenario: Scenario) -> None:
    fields = {
        "unconscious": {"unconscious": True}, "lying": {"lying": True},
        "knocked_down": {"knocked_down": 1}, "at_ringside": {"at_ringside": True}, "lock_up": {},
    }  # fmt: skip
    cases = [case for case in scenario["cases"] if case["status"] in fields]
    assert len(cases) == 5
    for case in cases:
        found = table("ABC", {"A": fields[case["status"]]}, at=pair())
        if case["status"] == "lock_up":
            lock(found, "A", "B")
        reasons = resting.rest_reasons(found, "A")
        assert (not reasons) == case["legal"]
        assert {one.rule for one in reasons} <= set(scenario["rules"])


@topic("ceiling")
def ceiling(scenario: Scenario) -> None:
    found = table("AB", stats(scenario))
    gain_stamina(found, "B", scenario["dice"]["rest"], "STATUS-12")
    assert found.state.wrestlers["B"].stamina == scenario["expect"]["B_stamina"]


# ---------- ringside, zones


@topic("re-entering")
def re_entering(scenario: Scenario) -> None:
    for case in scenario["cases"]:
        outside = figure("A", 0, 35 + 3 + case["rope_gap"], 270)
        found = table("ABC", {"A": {"speed": case["speed"], "at_ringside": True}}, at={"A": outside})
        if not case.get("legal", True):
            option = legality.enter_option(found, "A")
            assert [one.rule for one in option.reasons] == ["RULING-33"]
            continue
        plan = {"enter_ring": "enter_ring", "stand_up": "get_up"}
        todo = [plan[one] for one in case["spends"]]

        def choose(request: Any, todo: list[str] = todo, found: Any = found) -> Any:
            if request.kind == "observe":
                return dict(found.state.scene.figures)
            return todo.pop(0) if todo else "pass"

        drive(activation.activate(found, "A", "OPEN_PHASE"), choose=choose)
        assert not todo
        wrestler = found.state.wrestlers["A"]
        assert speed_left(found, "A") == case["speed_left"]
        assert wrestler.lying == (case["status"] == "lying")
        assert not wrestler.at_ringside


@topic("count-out")
def count_out(scenario: Scenario) -> None:
    found = table("ABC", {"B": {"at_ringside": True}})
    wrestler = found.state.wrestlers["B"]
    counts = {}
    for turn in ("T", "T+1", "T+2", "T+3", "T+4"):
        wrestler.began_at_ringside = turn != "T"
        _count_ringside(found, "B")
        counts[turn] = wrestler.ringside_turns
        assert (wrestler.out == "count_out") == (turn == scenario["expect"]["eliminated_at_end_of"])
    assert counts == scenario["expect"]["counts"]
    check_endings(found)
    assert found.state.outcome is None


@topic("zones and flags")
def zones(scenario: Scenario) -> None:
    given = scenario["given"]
    size = float(given["ring"][1][0])
    ring = Ring(size, size, given["post_radius"])
    for case in scenario["cases"]:
        x, y = (value - size / 2 for value in case["centre"])
        one: Figure = figure("A", x, y, 0, radius=given["figure_radius"])
        assert questions.inside_ring(one, ring).answer == (case["zone"] == "ring")
        if "on_ropes" in case:
            assert questions.on_ropes(one, ring, 2.0).answer == case["on_ropes"]
            assert questions.in_corner(one, ring, 2.0).answer == case["in_corner"]


def test_every_ability_of_a_scenario_is_a_known_one() -> None:
    names = {
        key
        for one in SCENARIOS
        for values in one.get("given", {}).values()
        if isinstance(values, dict)
        for key in values
    }
    assert names & set(ABILITIES)
