"""Worked scenarios of modes, endings and the earlier edition."""

from __future__ import annotations

import math
from typing import Any

from rules.smackkatz.attacks.defence import counter_hits
from rules.smackkatz.attacks.strike import strike
from rules.smackkatz.book import CURRENT, EARLIER
from rules.smackkatz.legality.options import option
from rules.smackkatz.modes.endings import disqualify, eliminate_together, fall, settle_endings
from rules.smackkatz.turn.lockup import lockup_phase
from rules.smackkatz.turn.waking import wake_ups
from tests.rules.playing import figure
from tests.rules.smackkatz.harness import at_gap_to_far_ropes, drive, facts, lock, pair, table
from tests.rules.smackkatz.topics import Scenario, stats, topic
from tests.rules.smackkatz.topics_holds import posture
from tests.rules.smackkatz.whipping import launched

BOOKS = {"current": CURRENT, "earlier": EARLIER}


@topic("rumble")
def rumble(scenario: Scenario) -> None:
    given = scenario["given"]
    at = {"B": at_gap_to_far_ropes("B", given["B"]["rope_gap"]), "A": figure("A", 0, 24.5, 90)}
    stands = {"A": {"strike": 1, "strength": 2}}
    rulings = {"participant_cap": "always_8"}
    found = table("ABC", stands, at=at, mode=given["mode"], rulings=rulings)
    dice = {"A.strike": [4], "A.strength": [6, 6]}
    drive(strike(found, "A", "B", "OPEN_PHASE"), dice, lambda request: "decline")
    b = found.state.wrestlers["B"]
    zone = "ringside" if b.at_ringside else "ring"
    out = "in" if b.in_match else "eliminated"
    assert {"B_zone": zone, "B": out} == scenario["expect"]


@topic("earlier edition")
def earlier_edition(scenario: Scenario) -> None:
    (whip, order, counter, post, wake) = scenario["cases"]
    _collision(whip["whip_collision"])
    _order(order["lock_up"])
    reading = str(EARLIER.catalogue.resolve()["counter_hits"])
    faces = tuple(counter["counter"]["B.counter"])
    spare = counter_hits(reading, faces, len(faces), counter["counter"]["attack"])
    assert spare == counter["counter"]["excess_hits"]
    _post(post["post"])
    _wake(wake["wake"])


def _collision(expect: dict[str, Any]) -> None:
    at = {"A": figure("A", -7, 0, 0), "B": figure("B", 0, 0, 0), "C": figure("C", 20, 0, 180)}
    found = table("ABC", {"C": {"acted": True}}, at=at, book=EARLIER)
    launched(found, 0.0, 2, {}, {})
    for one in "BC":
        assert found.state.wrestlers[one].stamina == 20 - expect["loss_each"]
        assert posture(found.state.wrestlers[one]) == expect["both"]


def _order(case: dict[str, Any]) -> None:
    given = {one: {"combat": len(case[f"{one}.combat"])} for one in "AB"}
    found = lock(table("ABC", given, at=pair(), book=EARLIER), "A", "B")
    dice = {f"{one}.combat": case[f"{one}.combat"] for one in "AB"}
    drive(lockup_phase(found), dice, lambda request: "pass")
    assert {one: sum(case[f"{one}.combat"]) for one in "AB"} == case["totals"]
    assert facts(found, "order")[0].values["order"][0] == case["first"]


def _post(expect: dict[str, Any]) -> None:
    at = {"B": figure("B", 20, 20, 0), "A": figure("A", 25, 25, 225)}
    found = table("AB", at=at, book=EARLIER)
    launched(found, math.pi / 4, 2, {}, {"D-10": "lean"})
    b = found.state.wrestlers["B"]
    assert (20 - b.stamina, posture(b)) == (expect["loss"], expect["status"])


def _wake(case: dict[str, Any]) -> None:
    given = {"B": {"unconscious": True, "stamina": case["stamina"] - 2, "spirit": 2}}
    found = table("AB", given, book=EARLIER)
    drive(wake_ups(found), {"B.d10": [case["d10"]]})
    (woke,) = facts(found, "woke")
    assert (woke.values["total"], found.state.wrestlers["B"].unconscious) == (case["total"], not case["woke"])


# ---------- our own: every ending of every mode


@topic("ending")
def ending(scenario: Scenario) -> None:
    """What a fall, a foul or a going out means in a mode."""
    given, expect = scenario["given"], scenario["expect"]
    rulings = {"participant_cap": "always_8", **given.get("rulings", {})}
    names, teams = given.get("wrestlers", "ABC"), given.get("teams", {})
    book = BOOKS[given.get("edition", "current")]
    found = table(names, stats(scenario), mode=given["mode"], rulings=rulings, teams=teams, book=book)
    for event in scenario["events"]:
        ((kind, who),) = event.items()
        if kind in ("pin", "tap_out"):
            fall(found, who[0], who[1], kind, "PIN-04" if kind == "pin" else "SUBM-07")
        elif kind == "disqualification":
            disqualify(found, who[0], who[1], "FOUL-01")
        else:
            eliminate_together(found, list(who), kind, "WIN-03")
            drive(settle_endings(found), {}, lambda request: scenario["referee"])
    outcome = found.state.outcome
    facts_of = {
        "ending": None if outcome is None else outcome.ending,
        "winners": [] if outcome is None else list(outcome.winners),
        "out": [one.id for one in found.state.wrestlers.values() if not one.in_match],
        "falls": [one.falls for one in found.state.wrestlers.values()],
    }
    assert {name: facts_of[name] for name in expect} == expect


# ---------- our own: what somebody may do, status by status


@topic("may do")
def may_do(scenario: Scenario) -> None:
    """Which of some actions are legal, and by which rules the others are not."""
    given = scenario["given"]
    rulings = given.get("rulings", {})
    found = table("ABC", stats(scenario), at=pair(), rulings=rulings)
    for action, rules in scenario["expect"].items():
        refused = sorted({one.rule for one in option(found, "A", action).reasons})
        assert refused == rules, action
