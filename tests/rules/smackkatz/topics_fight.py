"""Worked scenarios of Strike, Counter, the downed and ringside."""

from __future__ import annotations

from typing import Any

from rules import questions
from rules.scene import Figure, Hand, Ring
from rules.smackkatz.abilities import effective, speed_left, successes
from rules.smackkatz.attacks.defence import counter_hits
from rules.smackkatz.attacks.strike import hit_downed, strike
from rules.smackkatz.consequences.harm import gain_stamina, lose_stamina
from rules.smackkatz.legality import options as legality
from rules.smackkatz.modes.endings import check_endings
from rules.smackkatz.turn import activation, resting
from rules.smackkatz.turn.lying import lying_phase
from rules.smackkatz.turn.phases import count_ringside
from rules.smackkatz.turn.waking import wake_ups
from tests.rules.playing import figure
from tests.rules.smackkatz.harness import at_gap_to_far_ropes, drive, facts, lock, pair, table
from tests.rules.smackkatz.topics import Scenario, stats, topic

HAND = Hand(18.0, 9.0)


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
        wrestler.begin_turn()
        drive(wake_ups(found), {"B.d10": [face]})
        staminas.append(wrestler.stamina)
        totals.append(facts(found, "check_failed")[-1].values["total"])
        assert (wrestler.out is not None) == (number == expect["eliminated_after_check"])
    assert staminas == expect["stamina"]
    assert totals == expect["totals"]


@topic("attack on unconscious")
def attack_on_unconscious(scenario: Scenario) -> None:
    for case in scenario["cases"]:
        names = "AB" if case.get("one_on_one") else "ABC"
        found = table(
            names, stats(scenario), at=pair(), rulings={"disqualification": case["disqualification"]}
        )
        assert [one.rule for one in legality.option(found, "A", "strike:B").reasons] == ["FOUL-05"]
        assert legality.option(found, "A", "hit_downed:B").legal
        if case["disqualification"] == "on":
            said = {"D-04": "hit_downed:B", "D-22": "insist"}
            asked: list[Any] = []

            def choose(request: Any, said: dict[str, str] = said) -> str:
                return "confirm" if request.kind == "ruling" else said[request.step.split()[-1]]

            drive(activation.activate(found, "A", "OPEN_PHASE"), choose=choose, asked=asked)
            assert ["D-22" in one.step for one in asked] == [False, case["warned"], True]
            assert found.state.outcome.winners == ("B",)
            continue
        drive(hit_downed(found, "A", "B", "OPEN_PHASE"))
        assert found.state.wrestlers["B"].stamina == case["B_stamina"]
        found.state.wrestlers["A"].attacked = False
        assert [one.rule for one in legality.option(found, "A", "hit_downed:B").reasons] == ["STATUS-33"]


@topic("several lying")
def several_lying(scenario: Scenario) -> None:
    expect = scenario["expect"]
    at = {
        "D": figure("D", 0, 0, 0), "E": figure("E", -7, 0, 0), "F": figure("F", 0, 7, 0),
        "G": figure("G", 25, -25, 0),
    }  # fmt: skip
    found = table("DEFG", stats(scenario), at=at)
    found.state.wrestlers["F"].acted = found.state.wrestlers["G"].acted = True

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
    fields: dict[str, dict[str, Any]] = {
        "unconscious": {"unconscious": True}, "lying": {"lying": True},
        "knocked_down": {"knocked_down": 1}, "at_ringside": {"at_ringside": True}, "lock_up": {},
        "hoisted": {"hoisted_by": "B"}, "in_submission": {"held_by": "B", "lying": True},
    }  # fmt: skip
    for case in scenario["cases"]:
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
            option = legality.option(found, "A", "enter_ring")
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
    found = table("ABC", {"B": {"at_ringside": True}}, rulings={"count_out": True})
    wrestler = found.state.wrestlers["B"]
    counts = {}
    for turn in ("T", "T+1", "T+2", "T+3", "T+4"):
        wrestler.begin_turn()
        wrestler.began_at_ringside = turn != "T"
        count_ringside(found)
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
