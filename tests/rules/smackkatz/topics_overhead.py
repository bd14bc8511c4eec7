"""Worked scenarios of the Suplex over turns, the charge and the dive."""

from __future__ import annotations

from typing import Any

from rules.scene import Figure
from rules.smackkatz.abilities import Ring, successes
from rules.smackkatz.attacks.charge import charge
from rules.smackkatz.attacks.dive import dive, divers_rise
from rules.smackkatz.attacks.strike import strike
from rules.smackkatz.attacks.suplex import suplex, upkeep
from rules.smackkatz.attacks.throw import directions, throw
from rules.smackkatz.legality import options as legality
from rules.smackkatz.turn.slots import late_queue
from tests.rules.playing import figure
from tests.rules.smackkatz.harness import at_gap_to_far_ropes, clump, drive, facts, lock, pair, table
from tests.rules.smackkatz.test_dive import OUT, cornered, perched
from tests.rules.smackkatz.test_suplex import answers, hoisting
from tests.rules.smackkatz.topics import Scenario, topic

LANDED = {"B": figure("B", 14, 0, 0)}


def status(found: Ring, fighter: str) -> str:
    """The first status of catalogue 5.1 that holds."""
    one = found.state.wrestlers[fighter]
    flags = (
        ("unconscious", one.unconscious), ("knocked_down", one.knocked_down is not None),
        ("hoisted", one.hoisted_by is not None), ("hoisting", one.hoists is not None), ("lying", one.lying),
    )  # fmt: skip
    return next((name for name, on in flags if on), "standing")


def given(scenario: Scenario) -> dict[str, dict[str, Any]]:
    """The wrestlers' abilities and fields, without what the table is set up by."""
    set_up = ("class", "forward_palms", "on_post")
    return {
        name: {key: value for key, value in values.items() if key not in set_up}
        for name, values in scenario["given"].items()
        if len(name) == 1 and isinstance(values, dict)
    }


def rolled(found: Ring, key: str) -> int:
    """Successes of the last roll of `fighter.ability`; 0 if there was none."""
    fighter, _, ability = key.partition(".")
    rolls = [
        one.values
        for one in facts(found, "rolled")
        if one.fighter == fighter and one.values["ability"] == ability
    ]
    return successes(tuple(rolls[-1]["faces"]), rolls[-1]["threshold"]) if rolls else 0


@topic("grab", "suplex countered with a blow")
def grab(scenario: Scenario) -> None:
    found = table("ABC", given(scenario), at=pair())
    asked: list[Any] = []
    drive(suplex(found, "A", "B", "OPEN_PHASE"), scenario["dice"], answers("stay"), asked)
    attack, defence = rolled(found, "A.suplex"), rolled(found, "B.counter")
    free = [one.text.values["palms"] for one in asked if "D-12" in one.step]
    blow = facts(found, "counter_blow")
    b = found.state.wrestlers["B"]
    known = {
        "attack": attack,
        "defence": defence,
        "net": max(0, attack - defence),
        "A_status": status(found, "A"),
        "B_status": status(found, "B"),
        "free_palms": free[0] if free else 0,
        "B_acts_this_turn": legality.option(found, "B", "move").legal and b.hoisted_by is None,
        "counter_hits": blow[0].values["hits"] if blow else 0,
        "damage_to_A": 20 - found.state.wrestlers["A"].stamina,
        "A_stamina": found.state.wrestlers["A"].stamina,
    }
    assert {name: known[name] for name in scenario["expect"]} == scenario["expect"]


@topic("throw to the mat")
def to_the_mat(scenario: Scenario) -> None:
    expect = scenario["expect"]
    found = hoisting(given(scenario))
    asked: list[Any] = []
    direction = f"throw:{scenario['action']['direction']}"
    drive(throw(found, "A", "OPEN_PHASE"), choose=answers(direction, seen=LANDED), asked=asked)
    b = found.state.wrestlers["B"]
    assert not [one for one in asked if one.kind == "roll"]
    assert (b.stamina, status(found, "B")) == (expect["B_stamina"], expect["B_status"])
    assert found.state.wrestlers["A"].attacked == expect["A_attack_used"]
    # The fall was in T+1 (turn 2 here): lying from the start of T+3.
    assert b.knocked_down is not None
    assert f"T+{b.knocked_down + 2 - 1}" == expect["lying_from"]


@topic("throw onto a bystander")
def onto_a_bystander(scenario: Scenario) -> None:
    expect = scenario["expect"]
    found = hoisting(given(scenario), at={"C": figure("C", 18, 0, 180)})
    choose = answers("throw:front", "dodge:left", seen=LANDED)
    drive(throw(found, "A", "OPEN_PHASE"), scenario["dice"], choose)
    known = {
        "dodged": bool(facts(found, "dodged")),
        "B_stamina": found.state.wrestlers["B"].stamina,
        "C_stamina": found.state.wrestlers["C"].stamina,
        "B_status": status(found, "B"),
        "C_status": status(found, "C"),
    }
    assert known == expect


@topic("throw to ringside")
def to_ringside(scenario: Scenario) -> None:
    for case in scenario["cases"]:
        a = at_gap_to_far_ropes("A", case["A_rope_gap"], facing=90)
        found = hoisting(given(scenario), at={"A": a, "B": figure("B", a.x, a.y)})
        option = next(one for one in directions(found, "A") if one.id == "throw:ringside")
        assert option.legal == case["legal"]
        if not case["legal"]:
            continue
        drive(
            throw(found, "A", "OPEN_PHASE"),
            choose=answers("throw:ringside", seen={"B": figure("B", 0, 42)}),
        )
        b = found.state.wrestlers["B"]
        assert (b.stamina, status(found, "B")) == (case["B_stamina"], case["B_status"])
        assert b.at_ringside == (case["B_zone"] == "ringside")


@topic("upkeep countered")
def upkeep_countered(scenario: Scenario) -> None:
    expect = scenario["expect"]
    found = hoisting(given(scenario))
    drive(upkeep(found, "Z1"), scenario["dice"])
    attack, defence = rolled(found, "A.suplex"), rolled(found, "B.counter")
    assert (attack, defence, max(0, attack - defence)) == (
        expect["attack"], expect["defence"], expect["net"],
    )  # fmt: skip
    assert status(found, "B") == expect["B_status"]
    assert found.state.wrestlers["A"].turn_over == expect["A_turn_over"]
    offered: list[Any] = []

    def choose(request: Any) -> Any:
        offered.extend(one.id.partition(":")[0] for one in request.options if one.legal)
        return "pass"

    assert expect["B_acts"] == "after everyone"
    assert found.state.late == ("B",)
    drive(late_queue(found, "Z2"), choose=choose)
    attacks = {"strike", "whip", "suplex", "submission"}
    may = ["move"] * ("move" in offered) + ["attack"] * bool(attacks & set(offered))
    # Nobody is down here; what counts is that his defence does not bar a pin.
    found.state.wrestlers["A"].lying = True
    may += ["pin"] * legality.option(found, "B", "pin:A").legal
    assert may == expect["B_may"]


@topic("protected holder")
def protected_holder(scenario: Scenario) -> None:
    found = hoisting(at={"C": figure("C", 0, -7, 90)})
    for case in scenario["cases"]:
        name = {"irish_whip": "whip"}.get(case["do"], case["do"])
        option = legality.option(found, "C", f"{name}:A")
        assert option.legal == case["legal"]
        assert {one.rule for one in option.reasons} <= set(scenario["rules"])


@topic("charge into a lock_up")
def charge_into(scenario: Scenario) -> None:
    expect, palms = scenario["expect"], scenario["given"]["A"]["forward_palms"]
    found = table("ABC", given(scenario), at=clump("A", "B", "C"), classes={"A": "beast"})
    found.state.wrestlers["A"].palms_walked = palms
    lock(found, *scenario["given"]["lock_up"])
    dice = {**scenario["dice"], "A.strength": [1, 1, 1, 1]}
    drive(charge(found, "A", "B", "OPEN_PHASE"), dice)
    attack = rolled(found, "A.strike")
    thresholds = {one.values["threshold"] for one in facts(found, "rolled")}
    assert (attack, thresholds) == (expect["attack"], {expect["threshold"]})
    assert max(0, attack - rolled(found, "B.counter")) == expect["B_net"]
    assert max(0, attack - rolled(found, "C.counter")) == expect["C_net"]


@topic("dive")
def dives(scenario: Scenario) -> None:
    assert scenario["expect"]["no_dive_in"] == "T"
    climbing = cornered()
    climbing.record("climbed", "SPECIAL-02", fighter="A", post=1, attack=True)
    assert not legality.option(climbing, "A", "dive").legal
    for case in scenario["cases"]:
        outside = case["landing"] == "ringside"
        landed = OUT["A"] if outside else figure("A", 10, 10, 0)
        # Whoever is touched stands right where the diver comes down, one on each side.
        places = [figure(one, landed.x + 3 - 7 * number, landed.y) for number, one in enumerate("BC")]
        at: dict[str, Figure] = {one.id: one for one in places if one.id in case["touched"]}
        stamina = {name: {"stamina": value} for name, value in case["touched"].items()}
        found = perched({**given(scenario), **stamina}, at=at)
        for one in found.state.wrestlers.values():
            one.acted, one.at_ringside = True, outside and one.id in case["touched"]
        choose = answers(f"dive:{case['landing']}", seen={"A": landed})
        drive(dive(found, "A", "OPEN_PHASE"), choose=choose)
        assert {name: found.state.wrestlers[name].stamina for name in case["after"]} == case["after"]
        assert status(found, "A") == "lying"
        drive(divers_rise(found, "Z3"), choose=answers())
        assert status(found, "A") == "standing"


@topic("knocked off the post")
def knocked_off(scenario: Scenario) -> None:
    expect = scenario["expect"]
    found = perched(given(scenario), at={"B": figure("B", 30, 30, 45)})
    asked: list[Any] = []
    procedure = strike(found, "B", "A", "OPEN_PHASE")
    left = {key: list(faces) for key, faces in scenario["dice"].items()}
    answer: Any = None
    try:
        while True:
            request = procedure.send(answer)
            asked.append(request)
            if request.kind == "roll":
                answer = tuple(left.pop(f"{request.dice[0].fighter}.{request.dice[0].ability}"))
            else:
                assert request.kind == "place"
                answer = figure("A", 20, 28)
    except StopIteration:
        pass
    assert not left
    lost = [one.values["points"] for one in facts(found, "stamina_lost")]
    assert lost == [expect["damage"], expect["fall"]]
    assert any("D-06" in one.step for one in asked) == expect["A_may_counter"]
    assert found.state.wrestlers["A"].stamina == expect["A_stamina"]
    assert status(found, "A") == expect["A_status"]
