"""Who lets go of whom when something has happened: a hit on one who is engaged, and one who can no longer."""

from __future__ import annotations

from typing import Any

import pytest

from rules.engine.request import Request
from rules.smackkatz.consequences.aftermath import settle, struck
from rules.smackkatz.consequences.harm import lose_stamina
from rules.smackkatz.legality.options import option, options
from tests.rules.playing import figure
from tests.rules.smackkatz.harness import drive, facts, table

AT = {"A": figure("A", 0, 0, 0), "B": figure("B", 7, 0, 180), "C": figure("C", -7, 0, 0)}
BONDS: dict[str, dict[str, dict[str, Any]]] = {
    "hoisting": {"A": {"hoists": "B"}, "B": {"hoisted_by": "A"}},
    "holding": {"A": {"holds": "B", "lying": True}, "B": {"held_by": "A", "lying": True}},
    "pinning": {"A": {"pins": "B"}, "B": {"pinned_by": "A", "lying": True}},
    "on_post": {"A": {"on_post": 0}, "B": {}},
}


def bound(bond: str, **rulings: Any) -> Any:
    return table("ABC", BONDS[bond], at=AT, rulings=rulings)


def as_wanted(request: Request) -> Any:
    return "no" if request.kind == "ruling" else request.proposal or {}


def hit(found: Any, damage: int | None) -> Any:
    drive(struck(found, "C", "A", "OPEN_PHASE", damage), choose=as_wanted)
    return found.state.wrestlers


@pytest.mark.parametrize("damage", [0, 2])
def test_suplex_20_a_strike_on_the_holder_drops_the_hoisted_even_without_damage(damage: int) -> None:
    both = hit(bound("hoisting"), damage)
    assert both["A"].hoists is None
    assert both["B"].hoisted_by is None
    assert both["B"].knocked_down == 1
    assert both["B"].stamina == 16


@pytest.mark.parametrize(("damage", "dropped"), [(0, False), (1, True)])
def test_ruling_56_by_house_rule_it_takes_damage_to_drop_him(damage: int, dropped: bool) -> None:
    both = hit(bound("hoisting", drop_trigger="damage"), damage)
    assert (both["A"].hoists is None) == dropped


@pytest.mark.parametrize(("connects", "damage", "broken"), [
    ("net_success", 0, True), ("damage", 0, False), ("damage", 1, True), ("damage", None, True),
])  # fmt: skip
def test_ruling_41_what_connects(connects: str, damage: int | None, broken: bool) -> None:
    both = hit(bound("pinning", connects=connects), damage)
    assert (both["A"].pins is None) == broken


@pytest.mark.parametrize(("value", "broken"), [(True, True), (False, False)])
def test_ruling_65_a_hit_on_the_holder_breaks_the_hold(value: bool, broken: bool) -> None:
    both = hit(bound("holding", hold_broken_by_hit=value), 1)
    assert (both["A"].holds is None) == broken
    assert both["A"].lying
    assert both["B"].lying


def test_ruling_93_a_hit_knocks_him_off_the_post() -> None:
    both = hit(bound("on_post"), 0)
    assert both["A"].on_post is None
    assert both["A"].knocked_down == 1


def test_nobody_out_cold_keeps_anybody() -> None:
    for bond, field in (("hoisting", "hoists"), ("holding", "holds"), ("pinning", "pins")):
        found = bound(bond)
        lose_stamina(found, "A", 40, "STRIKE-04")
        drive(settle(found, "OPEN_PHASE"), choose=as_wanted)
        assert getattr(found.state.wrestlers["A"], field) is None
        assert not found.state.wrestlers["B"].engaged


@pytest.mark.parametrize(("disqualification", "ends"), [("on", True), ("off", False)])
def test_status_07_a_hold_on_one_who_is_out_cold_ends_except_without_dq(
    disqualification: str, ends: bool
) -> None:
    found = bound("holding", disqualification=disqualification)
    lose_stamina(found, "B", 40, "SUBM-05")
    drive(settle(found, "OPEN_PHASE"), choose=as_wanted)
    assert (found.state.wrestlers["A"].holds is None) == ends


def test_status_51_nobody_is_pinned_standing_or_at_ringside() -> None:
    for change in ({"lying": False}, {"at_ringside": True}):
        found = bound("pinning")
        for name, value in change.items():
            setattr(found.state.wrestlers["B"], name, value)
        drive(settle(found, "OPEN_PHASE"), choose=as_wanted)
        assert facts(found, "pin_ended")


def test_suplex_13_the_holder_throws_or_keeps_there_is_no_passing() -> None:
    found = bound("hoisting")
    offered = [one.id for one in options(found, "A") if one.legal]
    assert offered == ["throw", "keep_hoisting"]
    found.state.wrestlers["A"].hoisted_in = found.state.turn
    assert [one.id for one in options(found, "A") if one.legal] == ["pass"]
    assert "SUPLEX-07" in [one.rule for one in option(found, "A", "throw").reasons]
