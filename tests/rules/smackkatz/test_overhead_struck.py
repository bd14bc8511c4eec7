"""What others do to a holder, a hoisted one or a climber, and what the turn makes of them."""

from __future__ import annotations

from typing import Any

import pytest

from rules.engine.request import Request
from rules.smackkatz.attacks.charge import charge
from rules.smackkatz.attacks.dive import dive
from rules.smackkatz.attacks.strike import strike
from rules.smackkatz.attacks.suplex import suplex, upkeep
from rules.smackkatz.book import EARLIER
from rules.smackkatz.legality import options as legality
from rules.smackkatz.movement.moving import blockers, move
from rules.smackkatz.sight import adjacent
from tests.rules.playing import figure
from tests.rules.smackkatz.harness import drive, facts, lock, pair, table
from tests.rules.smackkatz.matches import quietly, started, to_act
from tests.rules.smackkatz.test_dive import perched
from tests.rules.smackkatz.test_suplex import answers, hoisting

BEHIND_A = {"C": figure("C", 0, -7, 90)}


def test_suplex_20_21_and_24_a_strike_on_the_holder_cannot_be_countered_and_drops_the_rival() -> None:
    found = hoisting({"C": {"strike": 1, "strength": 1}}, at=BEHIND_A)
    asked: list[Request] = []
    drive(strike(found, "C", "A", "OPEN_PHASE"), {"C.strike": [4], "C.strength": [5]}, asked=asked)
    assert not any("D-06" in one.step for one in asked)
    assert [found.state.wrestlers[one].stamina for one in "ABC"] == [19, 16, 20]
    assert found.state.wrestlers["B"].knocked_down == 2


@pytest.mark.parametrize(("trigger", "dropped"), [("hit", True), ("damage", False)])
def test_ruling_56_whether_a_hit_without_damage_drops_him(trigger: str, dropped: bool) -> None:
    found = hoisting({"C": {"strike": 1, "strength": 1}}, at=BEHIND_A, rulings={"drop_trigger": trigger})
    drive(strike(found, "C", "A", "OPEN_PHASE"), {"C.strike": [4], "C.strength": [1]})
    assert (found.state.wrestlers["B"].hoisted_by is None) == dropped


def test_suplex_20_a_missed_strike_drops_nobody() -> None:
    found = hoisting({"C": {"strike": 1}}, at=BEHIND_A)
    drive(strike(found, "C", "A", "OPEN_PHASE"), {"C.strike": [3]})
    assert found.state.wrestlers["B"].hoisted_by == "A"


def test_ruling_58_a_charge_into_the_holder_drops_the_rival_too() -> None:
    found = hoisting(
        {"C": {"strike": 1, "strength": 1, "palms_walked": 0}}, at=BEHIND_A, classes={"C": "beast"}
    )
    found.state.wrestlers["C"].palms_walked = 1
    drive(charge(found, "C", "A", "OPEN_PHASE"), {"C.strike": [4, 1], "C.strength": [4]})
    assert found.state.wrestlers["B"].knocked_down == 2


def test_ruling_58_a_dive_onto_the_holder_drops_the_rival_along_its_line() -> None:
    at = {"B": figure("B", 10, 10), "C": figure("C", 10, 10, 0)}
    found = perched(at=at)
    found.record("hoisted", "SUPLEX-02", fighter="C", by="B")
    choose = answers("dive:mat", seen={"A": figure("A", 13, 13)})
    drive(dive(found, "A", "OPEN_PHASE"), choose=choose)
    b, c = found.state.wrestlers["B"], found.state.wrestlers["C"]
    assert (b.stamina, b.lying, b.hoists) == (16, True, None)
    assert (c.stamina, c.knocked_down) == (16, 2)
    fallen = found.state.scene.figures["C"]
    assert fallen.x < 10
    assert fallen.x == pytest.approx(fallen.y, abs=0.01)


def test_what_was_seen_before_a_drop_does_not_undo_where_the_dropped_one_was_put() -> None:
    at = {"B": figure("B", 10, 10), "C": figure("C", 10, 10, 0)}
    found = perched(at=at)
    found.record("hoisted", "SUPLEX-02", fighter="C", by="B")
    seen = {"A": figure("A", 13, 13), "B": figure("B", 9.5, 9.5), "C": figure("C", 9.5, 9.5)}
    drive(dive(found, "A", "OPEN_PHASE"), choose=answers("dive:mat", seen=seen))
    here = found.state.scene.figures
    assert here["C"].x < 7
    assert (here["A"].x, here["B"].x) == (13, 9.5)


def test_ruling_58_the_hoisted_one_is_nobodys_target_and_does_nothing() -> None:
    found = hoisting(at=BEHIND_A)
    for name in ("strike", "whip", "suplex", "submission"):
        assert "RULING-58" in [one.rule for one in legality.option(found, "C", f"{name}:B").reasons]
    assert not [one.id for one in legality.options(found, "B") if one.legal and one.id != "pass"]


def test_ruling_58_the_holder_may_only_throw_or_keep() -> None:
    found = hoisting(at=BEHIND_A)
    assert {one.id for one in legality.options(found, "A") if one.legal} - {"pass"} == {
        "throw",
        "keep_hoisting",
    }
    found.state.turn = 1
    assert {one.id for one in legality.options(found, "A") if one.legal} == {"pass"}


@pytest.mark.parametrize("walks", [False, True])
def test_ruling_53_an_ordinary_walk_of_the_holder_is_a_house_rule(walks: bool) -> None:
    found = hoisting(rulings={"holder_walks": walks})
    assert legality.option(found, "A", "move").legal == walks
    if walks:
        drive(move(found, "A", "OPEN_PHASE"), choose=answers(seen={"A": figure("A", 15, 0, 0)}))
        assert found.state.scene.figures["B"].x == 15


def test_ruling_29_the_hoisted_one_is_in_nobodys_way() -> None:
    found = hoisting(at=BEHIND_A)
    assert "B" not in blockers(found, "C")
    assert "A" in blockers(found, "C")


def test_pin_10_the_grab_ends_a_pin_and_the_pinner_goes_up() -> None:
    found = table("ABC", {"A": {"suplex": 1}, "C": {"lying": True}}, at=pair())
    found.state.wrestlers["B"].pins, found.state.wrestlers["C"].pinned_by = "C", "B"
    drive(suplex(found, "A", "B", "OPEN_PHASE"), {"A.suplex": [4]})
    b, c = found.state.wrestlers["B"], found.state.wrestlers["C"]
    assert (b.pins, c.pinned_by, b.hoisted_by) == (None, None, "A")


def test_suplex_23_and_24_in_the_earlier_edition_the_holder_is_not_protected() -> None:
    found = hoisting({"C": {"suplex": 1}}, at=BEHIND_A, book=EARLIER)
    assert legality.option(found, "C", "suplex:A").legal
    drive(suplex(found, "C", "A", "OPEN_PHASE"), {"C.suplex": [4]})
    a, b = found.state.wrestlers["A"], found.state.wrestlers["B"]
    assert (a.hoisted_by, a.hoists, b.hoisted_by) == ("C", None, None)


def test_who_is_lifted_himself_holds_nobody_up_whatever_the_drop_hangs_on() -> None:
    found = hoisting({"C": {"suplex": 1}}, at=BEHIND_A, book=EARLIER, rulings={"drop_trigger": "damage"})
    drive(suplex(found, "C", "A", "OPEN_PHASE"), {"C.suplex": [4]})
    a, b = found.state.wrestlers["A"], found.state.wrestlers["B"]
    assert (a.hoisted_by, a.hoists, b.hoisted_by, b.stamina) == ("C", None, None, 20)


def test_ruling_87_nobody_lifts_a_rival_while_he_lies() -> None:
    found = table("ABC", {"A": {"lying": True}}, at=pair(), rulings={"lying_may_attack": True})
    assert legality.option(found, "A", "strike:B").legal
    assert [one.rule for one in legality.option(found, "A", "suplex:B").reasons] == ["RULING-87"]


def test_ruling_93_a_strike_on_the_post_hurts_then_knocks_off_and_cannot_be_countered() -> None:
    found = perched(
        {"A": {"stamina": 12}, "B": {"strike": 1, "strength": 2}}, at={"B": figure("B", 30, 30, 45)}
    )
    asked: list[Request] = []
    drive(strike(found, "B", "A", "OPEN_PHASE"), {"B.strike": [6], "B.strength": [4, 1]}, asked=asked)
    assert not any("D-06" in one.step for one in asked)
    assert found.state.wrestlers["A"].on_post is None
    assert [one.values["points"] for one in facts(found, "stamina_lost")] == [1, 6]


def test_ruling_93_only_strikes_reach_the_one_on_the_post() -> None:
    found = perched(at={"B": figure("B", 30, 30, 45)})
    assert legality.option(found, "B", "strike:A").legal
    for name in ("whip", "suplex", "submission"):
        assert "RULING-93" in [one.rule for one in legality.option(found, "B", f"{name}:A").reasons]
    assert adjacent(found, "A", "B").answer


@pytest.mark.parametrize("full", [True, False])
def test_ruling_57_what_the_freed_one_may_do_after_his_defence(full: bool) -> None:
    found = hoisting({"A": {"suplex": 1}, "B": {"counter": 1}}, rulings={"freed_turn_full": full})
    drive(upkeep(found, "Z1"), {"A.suplex": [4], "B.counter": [4]})
    assert legality.option(found, "B", "move").legal == full
    assert legality.option(found, "B", "strike:A").legal == full


# ---------- the turn


def test_suplex_05_to_19_over_the_turns_of_a_match() -> None:
    at = {"A": figure("A", -3.5, 0, 0), "B": figure("B", 3.5, 0, 180), "C": figure("C", 0, 25, 270)}
    match = started(at)
    calm = quietly(match)
    slots: list[tuple[int, str, str]] = []
    dice: dict[str, list[int]] = {"first": [6], "second": [1]}

    def answer(request: Request) -> Any:
        state = match.state
        if request.kind == "choose" and "D-04" in request.step:
            slots.append((state.turn, str(request.fighter), request.step.split()[0]))
            if request.fighter == "A" and state.turn == 1:
                return "suplex:B"
            if request.fighter == "A" and request.option("keep_hoisting"):
                return "keep_hoisting"
        if request.kind == "roll" and request.dice[0].ability == "suplex":
            return dice["first" if state.turn == 1 else "second"]
        if "D-12" in request.step and request.kind == "choose":
            return "stay"
        if request.kind == "place":
            return request.proposal
        return calm(request)

    to_act(match, "A")
    for _ in range(80):
        request = match.request
        if request is None or match.state.turn > 2:
            break
        match.answer(answer(request))
    assert [one for one in slots if one[0] == 1 and one[1] == "B"] == []
    second = [one[1:] for one in slots if one[0] == 2]
    assert second[-1] == ("B", "Z2")
    assert ("A", "OPEN_PHASE") in second
    assert match.state.wrestlers["A"].hoists is None


def test_lock_up_ends_when_one_of_the_two_is_lifted() -> None:
    found = lock(table("ABC", {"A": {"suplex": 1}}, at=pair()), "A", "B")
    drive(suplex(found, "A", "B", "LOCKUP_PHASE"), {"A.suplex": [3]})
    assert found.state.group_of("A") == ()
