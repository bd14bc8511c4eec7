"""Scene questions under the agreed distances: what is near, on the ropes, and when the referee is asked."""

from __future__ import annotations

from typing import Any

import pytest

from rules.engine.request import Request
from rules.smackkatz import sight
from rules.smackkatz.legality.options import option
from rules.smackkatz.movement.moving import move
from tests.rules.playing import figure
from tests.rules.smackkatz.harness import at_gap_to_far_ropes, drive, facts, pair, table


@pytest.mark.parametrize(
    ("rulings", "gap", "near", "asked"),
    [({}, 1.4, True, False), ({}, 1.6, True, True), ({}, 2.4, False, True), ({}, 2.6, False, False),
     ({"ask_band_cm": 0}, 1.9, True, False), ({"ask_band_cm": 1.0}, 1.2, True, True),
     ({"adjacent_gap_cm": 4.0}, 3.0, True, False), ({"adjacent_gap_cm": 1.0}, 1.8, False, False)],
)  # fmt: skip
def test_ruling_30_how_near_is_adjacent(rulings: dict[str, Any], gap: float, near: bool, asked: bool) -> None:
    found = sight.adjacent(table("AB", at=pair(gap), rulings=rulings), "A", "B")
    assert (found.answer, found.too_close) == (near, asked)


@pytest.mark.parametrize(("limit", "legal"), [(2.0, False), (5.0, True)])
def test_ruling_33_how_near_is_on_the_ropes(limit: float, legal: bool) -> None:
    at = {"A": at_gap_to_far_ropes("A", 4.0)}
    found = table("AB", at=at, rulings={"rope_gap_cm": limit})
    assert option(found, "A", "leave_ring").legal == legal


@pytest.mark.parametrize(("limit", "legal"), [(2.0, False), (6.0, True)])
def test_ruling_33_how_near_is_in_the_corner(limit: float, legal: bool) -> None:
    at = {"A": figure("A", 29, 29, 45)}
    found = table("AB", at=at, rulings={"post_gap_cm": limit})
    assert option(found, "A", "climb_post").legal == legal


def test_ruling_31_ring_and_ringside_are_not_adjacent() -> None:
    at = {"A": figure("A", 0, 31.5, 90), "B": figure("B", 0, 38.5, 270)}
    found = table("ABC", {"B": {"at_ringside": True}}, at=at)
    assert not sight.adjacent(found, "A", "B").answer
    assert sight.across_ropes(found, "A", "B").answer


def test_the_referees_word_holds_while_nobody_concerned_moves() -> None:
    found = table("AB", at=pair(2.1))
    doubtful = sight.adjacent(found, "A", "B")
    assert drive(sight.settle(found, doubtful, "S4"), choose=lambda request: "yes")
    again = sight.adjacent(found, "A", "B")
    assert (again.answer, again.too_close) == (True, False)
    found.state.scene.figures["A"] = figure("A", 0.1, 0.0, 0)
    assert not sight.adjacent(found, "A", "B").too_close
    found.state.scene.figures["A"] = figure("A", 0.0, 0.5, 0)
    assert sight.adjacent(found, "A", "B").too_close
    assert len(facts(found, "ruled")) == 1


def test_a_figure_nobody_has_seen_is_the_referees_question() -> None:
    found = table("AB", at=pair())
    del found.state.scene.figures["B"]
    for finding in (
        sight.adjacent(found, "A", "B"), sight.back_turned(found, "B", "A"), sight.in_front(found, "A", "B"),
        sight.on_ropes(found, "B"), sight.in_corner(found, "B"),
    ):  # fmt: skip
        assert finding.too_close
        assert finding.distance is None
    assert option(found, "A", "strike:B").doubts


def test_a_clear_measurement_outweighs_what_the_referee_said_of_a_doubtful_one() -> None:
    """Within the hair's breadth that counts as not having moved the gap has become clear."""
    found = table("AB", at=pair(2.4))
    assert drive(sight.settle(found, sight.adjacent(found, "A", "B"), "S4"), choose=lambda request: "yes")
    found.state.scene.figures["A"] = figure("A", -0.2, 0.0, 0)
    after = sight.adjacent(found, "A", "B")
    assert (after.answer, after.too_close, after.told) == (False, False, False)


@pytest.mark.parametrize("speed", [0, 1, 3])
def test_special_11_of_a_run_up_nobody_saw_no_more_palms_are_told_than_there_was_speed(speed: int) -> None:
    found = table("AB", {"A": {"speed": speed}}, classes={"A": "beast"})
    found.state.scene.figures.clear()
    asked: list[Request] = []

    def says(request: Request) -> Any:
        return {} if request.kind == "observe" else "stands" if request.option("stands") else "palms:0"

    drive(move(found, "A", "OPEN_PHASE"), choose=says, asked=asked)
    told = next(one for one in asked if one.text.key == "ask.palms_advanced")
    assert [one.id for one in told.options] == [f"palms:{count}" for count in range(speed + 1)]
