"""Moving in a match: observed, judged, ruled on, in one block; leaving and entering the ring."""

from __future__ import annotations

import pytest

from rules.engine.request import Rejected
from rules.smackkatz.legality.options import option
from rules.smackkatz.movement.moving import carry, close_block
from tests.rules.playing import figure
from tests.rules.smackkatz.harness import at_gap_to_far_ropes, facts, pair, table
from tests.rules.smackkatz.matches import PLACES, started, to_act


def test_a_measured_move_within_the_speed_stands() -> None:
    match = started()
    to_act(match, "A")
    match.answer("move")
    facts_ = match.answer({"A": figure("A", -10, -17, -90)}, "camera")
    moved = next(fact for fact in facts_ if fact.kind == "moved")
    assert moved.values["verdict"] == "within"
    assert moved.values["cost"] == 2
    assert moved.values["by"] == "measured"
    assert "FACE-01" in moved.rules


def test_ruling_12_more_of_the_same_block_is_judged_from_its_start() -> None:
    match = started()
    to_act(match, "A")
    for x, y in ((0.0, 0.0), (8.0 - 10, 0.0)):
        assert match.request is not None
        match.answer("move")
        match.answer({"A": figure("A", x, y, 0)})
    assert match.state.block_cost == 1


def test_a_move_too_far_asks_the_referee_who_may_let_it_stand() -> None:
    match = started()
    to_act(match, "A")
    match.answer("move")
    match.answer({"A": figure("A", -10, -50 + 16, 0)})
    assert match.request is not None
    assert (match.request.kind, match.request.who) == ("ruling", "referee")
    assert match.scene.figures["A"].y == 0
    match.answer("again")
    assert match.request.kind == "observe"
    match.answer({"A": figure("A", -10, -50 + 16, 0)})
    facts_ = match.answer("stands")
    assert next(fact for fact in facts_ if fact.kind == "moved").values["by"] == "referee"
    assert match.scene.figures["A"].y == -34
    assert match.state.block_cost == 2


def test_a_move_the_camera_missed_is_the_referees() -> None:
    match = started()
    to_act(match, "A")
    match.answer("move")
    match.answer({})
    assert match.request is not None
    assert match.request.text.key == "verdict.unseen"
    match.answer("stands")
    assert match.state.block_cost == 2


def test_ruling_34_crossing_the_ropes_is_not_a_move() -> None:
    match = started(PLACES | {"A": figure("A", 0, -28, -90)})
    to_act(match, "A")
    match.answer("move")
    match.answer({"A": figure("A", 0, -42, -90)})
    assert match.request is not None
    assert match.request.text.key == "verdict.ropes.beyond"


def test_ruling_34_leaving_costs_one_and_coming_back_another() -> None:
    match = started(PLACES | {"A": figure("A", 0, -31, -90)})
    to_act(match, "A")
    match.answer("leave_ring")
    assert match.request is not None
    ghost = match.request.proposal
    assert ghost is not None
    with pytest.raises(Rejected):
        match.answer(figure("A", 0, -30, -90))
    match.answer("as_proposed")
    assert match.scene.figures["A"] == ghost
    assert match.state.wrestlers["A"].at_ringside
    match.answer("enter_ring")
    assert match.request.proposal is not None
    match.answer(match.request.proposal)
    assert match.state.wrestlers["A"].lying
    assert not match.state.wrestlers["A"].at_ringside
    paid = [f.values["speed"] for e in match.log.entries for f in e.facts if f.kind == "paid_speed"]
    assert paid == [1, 1]


def test_move_then_strike_ends_the_block() -> None:
    match = started(pair(6.0) | {"C": figure("C", 0, 25, 270)})
    to_act(match, "A")
    assert match.request is not None
    refused = match.request.option("strike:B")
    assert refused is not None
    assert [one.rule for one in refused.reasons] == ["ATK-02"]
    match.answer("move")
    match.answer({"A": figure("A", 5, 0, 0)})
    found = match.answer("strike:B")
    assert match.state.wrestlers["A"].moved
    assert match.state.wrestlers["A"].attacked
    assert match.state.wrestlers["A"].spent == 1
    assert [fact.kind for fact in found] == ["block_closed", "attacked"]
    assert "missed" in [fact.kind for fact in match.answer([1, 1, 1])]


@pytest.mark.parametrize(("cost", "legal"), [(0, True), (1, True), (2, False)])
def test_status_53_what_an_open_move_has_cost_is_not_there_for_leaving_the_ring(
    cost: int, legal: bool
) -> None:
    found = table("ABC", {"A": {"speed": 2}}, at={"A": at_gap_to_far_ropes("A", 1.0)})
    found.state.active, found.state.block_cost = "A", cost
    reasons = [one.code for one in option(found, "A", "leave_ring").reasons]
    assert reasons == ([] if legal else ["no_speed"])
    found.state.active = "B"
    assert option(found, "A", "leave_ring").legal


@pytest.mark.parametrize(
    ("walked", "moved", "final", "closed"),
    [
        (True, False, True, True),
        (True, True, True, False),
        (False, False, True, False),
        (True, False, False, False),
    ],
)
def test_ruling_12_whoever_has_come_into_the_ring_moves_no_more_once_he_has_attacked(
    walked: bool, moved: bool, final: bool, closed: bool
) -> None:
    found = table("ABC", {"A": {"walked": walked, "moved": moved}})
    close_block(found, "A", final=final)
    assert bool(facts(found, "block_closed")) == closed
    assert found.state.wrestlers["A"].moved == (moved or closed)


def test_status_14_who_is_held_up_by_one_nobody_sees_stays_where_he_was_seen() -> None:
    at = {"A": figure("A", 0, 0), "B": figure("B", 3, 0)}
    found = table("ABC", {"A": {"hoists": "B"}, "B": {"hoisted_by": "A"}}, at=at)
    del found.state.scene.figures["A"]
    carry(found, "A")
    assert found.state.scene.figures["B"].x == 3
    found.state.scene.figures["A"] = figure("A", 5, 1)
    carry(found, "A")
    assert (found.state.scene.figures["B"].x, found.state.scene.figures["B"].y) == (5, 1)
