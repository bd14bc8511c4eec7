"""Worked scenarios of holds, pins, fouls, taunts and finishers."""

from __future__ import annotations

from typing import Any

from rules.engine.request import Request
from rules.scene import Hand
from rules.smackkatz.attacks.finisher import end_of_turn, finish, offer, start_of_turn
from rules.smackkatz.attacks.pin import pin, second_counts
from rules.smackkatz.attacks.strike import strike
from rules.smackkatz.attacks.submission import submission, upkeep
from rules.smackkatz.legality.options import option, options
from rules.smackkatz.turn import resting
from rules.smackkatz.turn.activation import activate
from rules.smackkatz.turn.phases import _start
from tests.rules.playing import figure
from tests.rules.smackkatz.harness import at_gap_to_far_ropes, drive, facts, give_hand, pair, table
from tests.rules.smackkatz.topics import Scenario, stats, topic


def posture(wrestler: Any) -> str:
    """How a scenario names his posture."""
    if wrestler.unconscious:
        return "unconscious"
    if wrestler.knocked_down is not None:
        return "knocked_down"
    return "lying" if wrestler.lying else "standing"


def saying(*answers: str) -> Any:
    """Answer the choices one after another; the table stays as it is when it is looked at."""
    left = list(answers)

    def choose(request: Request) -> Any:
        return {} if request.kind == "observe" else left.pop(0)

    return choose


def hold(found: Any, turns: int = 1) -> None:
    """A has B in a hold since last turn; it is the lying phase."""
    found.record("hold_began", "SUBM-04", fighter="A", target="B", turns=turns, lying=True)
    found.state.turn, found.state.phase = 2, "LYING_PHASE"


# ---------- holds


@topic("hold and tap-out check")
def tap_out_check(scenario: Scenario) -> None:
    expect = scenario["expect"]
    for key, resistance in (("by_d10", False), ("with_resistance_d10", True)):
        for face, result in expect[key].items():
            found = table(
                "ABC", stats(scenario), at=pair(), rulings={"submission_check_resistance": resistance}
            )
            drive(submission(found, "A", "B", "OPEN_PHASE"), {**scenario["dice"], "B.d10": [face]})
            a, b = found.state.wrestlers["A"], found.state.wrestlers["B"]
            (lost,) = facts(found, "stamina_lost")
            assert (lost.values["points"], b.stamina) == (expect["loss"], expect["B_stamina"])
            assert posture(a) == posture(b) == expect["both"]
            assert bool(facts(found, "tapped_out")) == (result == "tap_out")
            assert (b.held_by == "A") == (result == "survives")


@topic("accumulation")
def accumulation(scenario: Scenario) -> None:
    expect = scenario["expect"]
    found = table("ABC", {**stats(scenario), "A": {**scenario["given"]["A"], "submission": 1}}, at=pair())
    after = []
    for turn in range(1, len(expect["losses"]) + 1):
        found.state.wrestlers["A"].attacked = False
        found.state.turn, found.state.phase = turn, "LYING_PHASE"
        attack = submission(found, "A", "B", "OPEN_PHASE") if turn == 1 else upkeep(found, "LYING_PHASE")
        drive(attack, {"A.submission": [4], "B.d10": [10]}, saying("keep_hold"))
        after.append(found.state.wrestlers["B"].stamina)
    assert [one.values["points"] for one in facts(found, "stamina_lost")] == expect["losses"]
    assert after == expect["B_stamina_after"]


@topic("hold roll fails")
def hold_roll_fails(scenario: Scenario) -> None:
    expect = scenario["expect"]
    found = table("ABC", stats(scenario), at=pair())
    hold(found)
    drive(upkeep(found, "LYING_PHASE"), scenario["dice"], saying("keep_hold"))
    a, b = found.state.wrestlers["A"], found.state.wrestlers["B"]
    assert (posture(a), posture(b)) == (expect["A_status"], expect["B_status"])
    assert found.state.late == ("B",)
    # A pin needs somebody who is down: the holder is.
    allowed = {one.id.partition(":")[0] for one in options(found, "B") if one.legal}
    names = {"attack": "strike"}
    assert {names.get(one, one) for one in expect["B_may"]} <= allowed


@topic("hold broken")
def hold_broken(scenario: Scenario) -> None:
    expect = scenario["expect"]
    found = table(
        "ABC", {"A": {"counter": 2}, "C": {**scenario["given"]["C"], "strength": 1}},
        at=pair() | {"C": figure("C", 0, 7)},
    )  # fmt: skip
    hold(found)
    drive(strike(found, "C", "A", "OPEN_PHASE"), {**scenario["dice"], "C.strength": [1]})
    a, b = found.state.wrestlers["A"], found.state.wrestlers["B"]
    assert (a.holds is None) == (expect["hold"] == "broken")
    assert (posture(a), posture(b)) == (expect["A_status"], expect["B_status"])


# ---------- pins


@topic("pin escaped at two", "early kick-out", "pin with Stamina left")
def pins(scenario: Scenario) -> None:
    expect = scenario["expect"]
    given = stats(scenario)
    given["B"] = {**given["B"], "lying": "knocked_down" not in given["B"]}
    if given["B"].pop("knocked_down", False):
        given["B"]["knocked_down"] = 1
    found = table("ABC", given, at=pair())
    b, dice = found.state.wrestlers["B"], scenario["dice"]
    drive(pin(found, "A", "B", "OPEN_PHASE"), {"B.d10": [dice["T.d10"]]}, saying("get_up"))
    assert (b.pin_failures == 1) == (expect["first"] == "counted")
    assert bool(facts(found, "kicked_out")) == (expect["first"] == "escapes")
    totals = [b.stamina + given["B"]["resistance"] + dice["T.d10"]]
    if "T+1.d10" in dice:
        b.begin_turn()
        drive(second_counts(found), {"B.d10": [dice["T+1.d10"]]})
        totals.append(b.stamina + given["B"]["resistance"] + dice["T+1.d10"])
        assert bool(facts(found, "kicked_out")) == (expect["second"] == "escapes")
    assert totals == expect["totals"]
    assert facts(found, "kicked_out")[0].values["total"] == totals[-1]
    if "B_status" in expect:
        assert posture(b) == expect["B_status"]
    if expect.get("B_may_stand"):
        assert posture(b) == "standing"


@topic("pin broken")
def pin_broken(scenario: Scenario) -> None:
    expect = scenario["expect"]
    at = {"A": figure("A", 0, 0), "B": figure("B", 0, 6), "C": figure("C", -7, 0)}
    found = table(
        "ABC", {"A": {"counter": 1}, "B": {"lying": True}, "C": {"strike": 2, "strength": 1}}, at=at
    )
    give_hand(found, "C", Hand(float(scenario["given"]["C"]["palm"]), 9.0))
    found.record("pinned", "TURN-07", fighter="A", target="B")
    drive(strike(found, "C", "A", "OPEN_PHASE"), {**scenario["dice"], "C.strength": [1]})
    a = found.state.wrestlers["A"]
    assert (a.pins is None) == (expect["pin"] == "cancelled")
    assert abs(found.state.scene.figures["A"].x - expect["A_pushed_cm"]) < 0.1
    assert posture(a) == expect["A_status"]
    first = {1: "T+1", 2: "T+2"}[1 + (a.lies_until or 0) - found.state.turn]
    assert first == expect["A_may_stand_from"]


@topic("illegal pins")
def illegal_pins(scenario: Scenario) -> None:
    fields: dict[str, dict[str, Any]] = {
        "standing": {}, "at_ringside knocked_down": {"at_ringside": True, "knocked_down": 1},
        "hoisted": {"hoisted_by": "C"}, "lying in ring": {"lying": True},
    }  # fmt: skip
    for case in scenario["cases"]:
        given = {"B": fields[case["B"]]} if "B" in case else {"A": {"resting": True}, "B": {"lying": True}}
        if "at_ringside" in case.get("B", ""):
            given["A"] = {"at_ringside": True}
        found = table("ABC", given, at=pair())
        reasons = option(found, "A", "pin:B").reasons
        assert (not reasons) == case["legal"], case
        assert {one.rule for one in reasons} <= set(scenario["rules"])


@topic("count length")
def count_length(scenario: Scenario) -> None:
    for case in scenario["cases"]:
        found = table(
            "ABC", {"B": {**scenario["given"]["B"], "lying": True}}, at=pair(),
            rulings={"pin_failures_to_lose": case["pin_failures_to_lose"]},
        )  # fmt: skip
        for number, face in enumerate(scenario["dice"]["d10"][: len(case["totals"])]):
            found.state.wrestlers["B"].begin_turn()
            step = second_counts(found) if number else pin(found, "A", "B", "OPEN_PHASE")
            drive(step, {"B.d10": [face]})
        base = scenario["given"]["B"]["stamina"] + scenario["given"]["B"]["resistance"]
        faces = scenario["dice"]["d10"]
        assert case["totals"] == [base + face for face in faces[: len(case["totals"])]]
        if "winner" in case:
            assert facts(found, "match_over")[0].values["winners"] == [case["winner"]]
        else:
            assert facts(found, "kicked_out")


# ---------- fouls, taunts, finishers


@topic("dq with three wrestlers")
def dq_with_three(scenario: Scenario) -> None:
    given = scenario["given"]
    found = table(
        "".join(given["wrestlers"]), {"B": given["B"]}, at=pair(), rulings={"dq_multi": given["dq_multi"]}
    )
    drive(activate(found, "A", "OPEN_PHASE"), {}, saying("hit_downed:B", "insist", "confirm"))
    assert (found.state.wrestlers["A"].out is not None) == (scenario["expect"]["A"] == "eliminated")
    assert (found.state.outcome is None) == (scenario["expect"]["match"] == "continues")


@topic("taunt")
def taunt(scenario: Scenario) -> None:
    for case in scenario["cases"]:
        given = {"B": {k: v for k, v in scenario["given"]["B"].items() if k != "class"}}
        found = table("AB", given, classes={"B": scenario["given"]["B"]["class"]})
        drive(resting.rests(found), {"B.taunt": case["dice"]}, saying("taunt:B", "go_on"))
        assert found.state.wrestlers["B"].stamina == case["stamina"] == given["B"]["stamina"] + case["gain"]


@topic("finisher connects")
def finisher_connects(scenario: Scenario) -> None:
    given, expect = scenario["given"], scenario["expect"]
    b = at_gap_to_far_ropes("B", given["B"]["rope_gap"])
    found = table(
        "ABC", {"A": {k: given["A"][k] for k in ("strike", "strength")} | {"attacked": True},
                "B": {"stamina": given["B"]["stamina"], "counter": given["B"]["counter"]}},
        at={"A": figure("A", b.x, b.y - 7, 90), "B": b},
    )  # fmt: skip
    with_trigger(found, "A", given["A"]["trigger"])
    drive(offer(found, "A", given["A"]["just_attacked"], "OPEN_PHASE"), {}, saying("finisher"))
    drive(finish(found, "A", "strike", "OPEN_PHASE"), scenario["dice"])
    a, target = found.state.wrestlers["A"], found.state.wrestlers["B"]
    rolled = {one.values["ability"]: one.values for one in facts(found, "rolled")}
    lost = sum(one.values["points"] for one in facts(found, "stamina_lost"))
    end_of_turn(found)
    assert {
        "attack_dice": rolled["strike"]["dice"],
        "net": sum(face >= 4 for face in rolled["strike"]["faces"]),
        "strength_dice": rolled["strength"]["dice"],
        "damage": lost,
        "criticals": rolled["strength"]["faces"].count(6),
        "B_stamina": target.stamina,
        "B_status": posture(target),
        "finisher": "used" if a.finisher_used else "available",
        "A_unlimited_defence_until": "start of T+1" if a.unlimited_defence else "now",
    } == expect
    start_of_turn(found)
    assert not a.unlimited_defence


def with_trigger(found: Any, fighter: str, wanted: str) -> None:
    """Give him this trigger position."""
    wrestler = found.state.wrestlers[fighter]
    old = wrestler.sheet
    wrestler.sheet = type(old)(**{**old.__dict__, "trigger": wanted})


@topic("finisher fails")
def finisher_fails(scenario: Scenario) -> None:
    given, expect = scenario["given"], scenario["expect"]
    found = table("ABC", given, at=pair())
    found.record("finisher_activated", "FIN-01", fighter="A", target="B")
    drive(finish(found, "A", "strike", "OPEN_PHASE"), {"A.strike": scenario["dice"]["A.strike"]})
    a = found.state.wrestlers["A"]
    rolled = facts(found, "rolled")[0].values
    assert rolled["dice"] == expect["attack_dice"]
    assert sum(face >= 4 for face in rolled["faces"]) == expect["net"]
    assert a.finisher_used != (expect["finisher"] == "available again")
    a.begin_turn()
    resting.force_rests(found)
    drive(resting.rests(found), {"A.rest": [scenario["dice"]["T+1.rest"]]}, saying("go_on"))
    assert a.resting == (expect["A_status_T1"] == "resting")
    assert a.stamina == expect["A_stamina_T1"]
    asked: list[Request] = []
    found.state.wrestlers["B"].sheet = type(a.sheet)({**a.sheet.scores, "strike": 1, "strength": 1})
    drive(strike(found, "B", "A", "OPEN_PHASE"), {"B.strike": [4], "B.strength": [1]}, asked=asked)
    assert any("D-06" in one.step for one in asked) == expect["A_may_defend_T1"]


@topic("start-of-turn order")
def start_of_turn_order(scenario: Scenario) -> None:
    b = {"unconscious": True, "stamina": -12, "resistance": 4, "pinned_by": "A", "pin_failures": 1}
    found = table("ABC", {"A": {"pins": "B"}, "B": b}, classes={"C": "absurd"})
    dice = {"B.d10": [scenario["dice"]["B.d10"]], "C.taunt": scenario["dice"]["C.taunt"]}
    found.state.wrestlers["C"].stamina = 10
    drive(_start(found), dice, saying("taunt:C", "go_on"))
    kinds = [one.kind for one in found.facts]
    order = [kinds.index(one) for one in ("stamina_gained", "woke", "pin_ended", "seen", "taunts")]
    assert order == sorted(order)
    assert [one.values["to"] for one in facts(found, "stamina_gained")] == [-7, 15]
    assert facts(found, "woke")[0].values["total"] == 2
    assert posture(found.state.wrestlers["B"]) == scenario["expect"]["B_status"]
