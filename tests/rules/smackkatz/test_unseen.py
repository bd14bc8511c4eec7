"""What is not on the table's picture: the referee is asked, nothing is measured and nothing drawn."""

from __future__ import annotations

from typing import Any

import pytest

from rules.annotations import Arrow, Region
from rules.engine.request import REFEREE, Request
from rules.smackkatz.annotate import draw
from rules.smackkatz.annotations.overhead import draw_overhead
from rules.smackkatz.attacks.pin import break_pin
from rules.smackkatz.attacks.strike import strike
from rules.smackkatz.attacks.suplex import suplex
from rules.smackkatz.attacks.throw import throw
from rules.smackkatz.attacks.whip import whip
from rules.smackkatz.consequences.drops import drop
from rules.smackkatz.consequences.flight import Landing
from rules.smackkatz.modes.tags import tag
from rules.smackkatz.turn.setup import setup
from rules.text import Text
from tests.rules.playing import figure
from tests.rules.smackkatz.harness import drive, facts, pair, table
from tests.rules.smackkatz.test_dive import perched
from tests.rules.smackkatz.test_suplex import answers, hoisting
from tests.rules.smackkatz.test_tags import tag_match


def saying(**words: Any) -> Any:
    """Answer by the key of the question or, failing that, by its kind."""

    def answer(request: Request) -> Any:
        key = request.text.key.rpartition(".")[2]
        return words[key] if key in words else words[request.kind]

    return answer


def drawn(found: Any, request: Request, kind: type[Any]) -> list[Any]:
    return [one for one in draw(found, request, found.state.scene.figures) if isinstance(one, kind)]


def test_whip_02_nothing_is_drawn_of_directions_for_one_nobody_sees() -> None:
    found = table("ABC", at=pair())
    del found.state.scene.figures["B"]
    request = next(whip(found, "A", "B", "OPEN_PHASE"))
    assert "D-05" in request.step
    assert not drawn(found, request, Arrow)


def test_suplex_04_the_free_palms_of_a_holder_nobody_sees_have_no_region() -> None:
    found = table("ABC", {"A": {"suplex": 1}, "B": {"counter": 0}}, at=pair())
    for name in "AB":
        del found.state.scene.figures[name]
    grab = suplex(found, "A", "B", "OPEN_PHASE")
    request, said = next(grab), {"roll": (6,), "choose": "walk", "ruling": "no"}
    while request.text.key != "ask.free_palms":
        request = grab.send(said[request.kind])
    assert not drawn(found, request, Region)


def test_suplex_07_the_throw_of_a_holder_nobody_sees_has_no_sectors() -> None:
    found = hoisting()
    del found.state.scene.figures["A"]
    request = next(throw(found, "A", "OPEN_PHASE"))
    assert request.text.key == "ask.throw_where"
    assert not drawn(found, request, Region)


@pytest.mark.parametrize("seen", [True, False])
def test_suplex_22_without_the_striker_he_falls_in_front_of_the_holder_and_no_line_is_drawn(
    seen: bool,
) -> None:
    found = hoisting(at={"A": figure("A", 0, 0, 90), "B": figure("B", 0, 0, 90), "C": figure("C", 7, 0, 180)})
    if not seen:
        del found.state.scene.figures["C"]
    request = next(drop(found, "B", "C", "OPEN_PHASE"))
    assert request.text.key == "ask.place_fall"
    ghost = request.proposal
    assert ghost is not None
    x, y = (-6.0, 0.0) if seen else (0.0, 6.0)
    assert (ghost.x, ghost.y) == (pytest.approx(x, abs=0.2), pytest.approx(y, abs=0.2))
    line = [one for one in drawn(found, request, Arrow) if one.end == (ghost.x, ghost.y)]
    assert [one.start for one in line] == ([(7.0, 0.0)] if seen else [])


@pytest.mark.parametrize(("said", "outside", "stamina"), [("mat", False, 15), ("out", True, 13)])
def test_ruling_93_of_one_knocked_off_unseen_the_referee_says_where_he_fell(
    said: str, outside: bool, stamina: int
) -> None:
    found = perched({"B": {"strike": 1, "strength": 1}}, at={"B": figure("B", 30, 30, 45)})
    del found.state.scene.figures["A"]
    asked: list[Request] = []
    words = saying(ruling={"mat": "no", "out": "yes"}[said])
    drive(strike(found, "B", "A", "OPEN_PHASE"), {"B.strike": [4], "B.strength": [4]}, words, asked)
    assert [one.kind for one in asked if one.kind in ("ruling", "place")] == ["ruling"]
    a = found.state.wrestlers["A"]
    assert (a.on_post, a.at_ringside, a.stamina, a.knocked_down) == (None, outside, stamina, 2)


def test_special_06_nobody_runs_up_who_is_on_no_post() -> None:
    found = perched()
    found.state.wrestlers["A"].on_post = None
    request = Request("observe", "OPEN_PHASE", REFEREE, Text("ask.dive", {"fighter": "A"}), fighter="A")
    assert not [one for one in draw_overhead(found, request, {}) if isinstance(one, Arrow)]


@pytest.mark.parametrize("gone", ["A", "C"])
def test_pin_08_who_is_not_seen_is_pushed_off_without_being_put_anywhere(gone: str) -> None:
    given: dict[str, Any] = {"A": {"pins": "B"}, "B": {"pinned_by": "A", "lying": True}}
    found = table("ABC", given, at=pair(0.0))
    del found.state.scene.figures[gone]
    asked: list[Request] = []
    drive(break_pin(found, "A", "C", "OPEN_PHASE"), asked=asked)
    assert not asked
    a = found.state.wrestlers["A"]
    assert (a.pins, a.lying, a.lies_until) == (None, True, 2)


@pytest.mark.parametrize("said", ["yes", "no"])
def test_suplex_08_whom_a_seen_body_hit_of_those_nobody_saw_the_referee_says(said: str) -> None:
    found = hoisting({"C": {"knocked_down": 1}})
    del found.state.scene.figures["C"]
    asked: list[Request] = []
    seen = {"B": figure("B", 14, 0, 0)}

    def answer(request: Request) -> Any:
        if request.finding is not None and request.finding.question == "touched_in_flight":
            return said
        return answers("throw:front", "stands", seen=seen)(request)

    drive(throw(found, "A", "OPEN_PHASE"), choose=answer, asked=asked)
    doubts = [one.finding.figures for one in asked if one.finding is not None]
    assert doubts == [("B", "C")]
    assert found.state.wrestlers["C"].stamina == (16 if said == "yes" else 20)


@pytest.mark.parametrize("said", ["yes", "no"])
def test_ruling_98_partners_nobody_sees_swap_when_the_referee_says_they_reach_each_other(said: str) -> None:
    found = tag_match()
    del found.state.scene.figures["C"]
    asked: list[Request] = []
    drive(tag(found, "A", "C", "OPEN_PHASE"), choose=saying(ruling=said), asked=asked)
    assert asked[0].kind == "ruling"
    assert (found.state.wrestlers["C"].legal, found.state.wrestlers["A"].spent) == (
        (True, 1) if said == "yes" else (False, 0)
    )
    assert bool(facts(found, "tagged")) == (said == "yes")


def test_setup_03_whoever_comes_on_the_table_with_the_shift_is_not_measured() -> None:
    found = table("ABC")
    start = dict(found.state.scene.figures)
    asked: list[Request] = []
    shows = [{"A": start["A"], "B": start["B"]}, {**start, "C": figure("C", 0, 0)}]
    found.state.scene.figures.clear()
    drive(setup(found), choose=lambda request: shows.pop(0), asked=asked)
    assert [one.kind for one in asked] == ["observe", "observe"]
    assert found.state.scene.figures["C"].x == 0


def test_suplex_09_a_bystander_nobody_sees_may_dodge_and_is_put_nowhere() -> None:
    found = hoisting({"C": {"speed": 1}})
    del found.state.scene.figures["C"]
    asked: list[Request] = []
    seen = {"B": figure("B", 14, 0, 0)}

    def answer(request: Request) -> Any:
        if request.finding is not None:
            return "yes" if request.finding.question == "touched_in_flight" else "no"
        return answers("throw:front", "stands", "dodge:left", seen=seen)(request)

    drive(throw(found, "A", "OPEN_PHASE"), {"C.speed": [5]}, answer, asked)
    assert any("D-14" in one.step and one.option("dodge:right") for one in asked)
    assert not [one for one in asked if one.kind == "place"]
    c = found.state.wrestlers["C"]
    assert (c.stamina, c.upright, "C" in found.state.scene.figures) == (20, True, False)


@pytest.mark.parametrize(
    ("start", "end", "heading", "length"),
    [(True, True, 0.0, 5.0), (True, False, None, 0.0), (False, True, None, 0.0), (False, False, None, 0.0)],
)
def test_a_flight_has_a_direction_only_where_both_ends_were_seen(
    start: bool, end: bool, heading: float | None, length: float
) -> None:
    flown = Landing("B", figure("B", 0, 0) if start else None, {"B": figure("B", 5, 0)} if end else {})
    assert (flown.heading, flown.length) == (heading, length)
