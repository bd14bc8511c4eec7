"""Tag matches: one legal partner a side, the swap across the ropes, what who waits is spared (MODE-13)."""

from __future__ import annotations

from typing import Any

import pytest

from rules.engine.match import Match
from rules.engine.request import Request
from rules.engine.rulebook import Table
from rules.questions import inside_ring
from rules.smackkatz.book import CURRENT
from rules.smackkatz.legality import options as legality
from rules.smackkatz.modes.endings import (
    check_endings,
    eliminate,
)
from rules.smackkatz.modes.tags import tag, tag_options
from rules.smackkatz.state import MatchState
from rules.smackkatz.turn.phases import count_ringside
from tests.rules.playing import begun, figure, roster
from tests.rules.smackkatz.harness import drive, facts, table
from tests.rules.smackkatz.matches import quietly

TEAMS = {"A": "red", "B": "blue", "C": "red", "D": "blue"}


def tag_match(**settings: Any) -> Table[MatchState]:
    """A in the ring near the far ropes, his partner C outside them; B and D the other team."""
    at = {"A": figure("A", 0, 31.5, 90), "C": figure("C", 0, 38.2, 270), "B": figure("B", 0, 0, 90),
          "D": figure("D", 0, -38.5, 90)}  # fmt: skip
    return table("ABCD", at=at, teams=TEAMS, rulings={"tag_rules": "on"} | settings, mode="elimination")


def test_mode_13_one_of_each_team_begins_and_the_others_wait_outside() -> None:
    match = Match(CURRENT, roster(4, teams=TEAMS), rulings={"tag_rules": "on"})
    waiting = {one.id: (one.legal, one.at_ringside) for one in match.state.wrestlers.values()}
    assert waiting == {"A": (True, False), "B": (True, False), "C": (False, True), "D": (False, True)}


def test_ruling_98_partners_change_places_across_the_ropes_for_one_speed() -> None:
    found = tag_match()
    assert [(one.id, one.legal) for one in tag_options(found, "A")] == [("tag:C", True)]
    assert "tag:C" in [one.id for one in legality.options(found, "A")]
    drive(tag(found, "A", "C", "OPEN_PHASE"))
    first, second = found.state.wrestlers["A"], found.state.wrestlers["C"]
    assert (first.legal, first.at_ringside, first.spent) == (False, True, 1)
    assert (second.legal, second.at_ringside, second.lying) == (True, False, True)
    assert tag_options(found, "A") == ()


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        ({"A": {"lying": True}}, "RULING-98"),
        ({"C": {"lying": True}}, "RULING-98"),
        ({"A": {"spent": 2}}, "RULING-98"),
        ({"A": {"at_ringside": True}}, "RULING-98"),
    ],
)
def test_ruling_98_why_a_swap_is_not_possible(given: dict[str, dict[str, Any]], rule: str) -> None:
    found = tag_match()
    for name, values in given.items():
        for field, value in values.items():
            setattr(found.state.wrestlers[name], field, value)
    (option,) = tag_options(found, "A")
    assert not option.legal
    assert {one.rule for one in option.reasons} == {rule}


def test_ruling_98_a_partner_out_of_reach_cannot_be_tagged() -> None:
    found = tag_match()
    found.state.scene.figures["C"] = figure("C", 20, 38, 270)
    (option,) = tag_options(found, "A")
    assert [one.code for one in option.reasons] == ["partner_far"]


def test_win_03_a_waiting_partner_is_not_counted_out() -> None:
    found = tag_match()
    for wrestler in found.state.wrestlers.values():
        wrestler.began_at_ringside = wrestler.at_ringside
    for _ in range(6):
        count_ringside(found)
    assert all(one.in_match for one in found.state.wrestlers.values())


def test_win_05_a_waiting_partner_has_not_gone_over_the_top() -> None:
    found = tag_match(over_the_top=True, count_out=False)
    check_endings(found)
    assert all(one.in_match for one in found.state.wrestlers.values())


def test_ruling_98_when_the_legal_one_goes_out_the_next_has_the_tag() -> None:
    found = tag_match()
    eliminate(found, "A", "pin", "PIN-04")
    assert found.state.wrestlers["C"].legal
    assert facts(found, "has_tag")[0].fighter == "C"


def test_ruling_98_a_member_without_the_tag_is_not_pinned() -> None:
    found = tag_match()
    found.state.wrestlers["D"].at_ringside = False
    found.state.wrestlers["D"].lying = True
    found.state.scene.figures["D"] = figure("D", 0, 24.5, 90)
    assert "pin_without_tag" in [one.code for one in legality.option(found, "A", "pin:D").reasons]


def test_mode_13_a_tag_match_is_played_from_its_start_and_replays() -> None:
    match = Match(CURRENT, roster(4, teams=TEAMS), rulings={"tag_rules": "on"})
    figures = {"A": figure("A", 0, 31, 90), "C": figure("C", 0, 38, 270), "B": figure("B", 20, 0, 90),
               "D": figure("D", 20, -38.5, 90)}  # fmt: skip
    begun(match, figures)
    calm = quietly(match)
    for _ in range(40):
        request = match.request
        assert request is not None
        if request.option("tag:C"):
            break
        match.answer(calm(request))
    match.answer("tag:C")
    while match.request is not None and match.request.kind == "place":
        match.answer("as_proposed")
    assert match.state.wrestlers["C"].legal
    assert Match.replay(match.log, CURRENT).state == match.state


def test_status_54_of_a_tag_the_one_goes_out_and_the_other_comes_in_where_their_figures_are_put() -> None:
    found = tag_match()
    asked: list[Request] = []
    drive(tag(found, "A", "C", "OPEN_PHASE"), asked=asked)
    places = {one.fighter: one for one in asked if one.kind == "place"}
    for fighter, inside in (("A", False), ("C", True)):
        ghost, check = places[fighter].proposal, places[fighter].check
        assert ghost is not None
        assert check is not None
        assert inside_ring(ghost, found.state.scene.ring).answer == inside
        assert [one.code for one in check(figure(fighter, 0, 60 if inside else 0))] == ["wrong_side"]


@pytest.mark.parametrize(
    "field", [{"held_by": "B"}, {"resting": True}, {"helpless": True}, {"unconscious": True}, {"holds": "D"}]
)
def test_ruling_98_a_partner_who_cannot_come_in_is_not_tagged(field: dict[str, Any]) -> None:
    found = tag_match()
    for name, value in field.items():
        setattr(found.state.wrestlers["C"], name, value)
    (option,) = tag_options(found, "A")
    assert [one.code for one in option.reasons] == ["partner_down"]
