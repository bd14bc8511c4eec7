"""What is drawn while somebody is held up, thrown, dropped or stands on a post."""

from __future__ import annotations

import math
from collections.abc import Generator
from typing import Any

import pytest
from shapely.geometry import Point, Polygon

from overlay import i18n
from rules.annotations import Arrow, Ghost, Region
from rules.engine.request import Request
from rules.smackkatz.abilities import Ring
from rules.smackkatz.annotate import draw, statuses
from rules.smackkatz.attacks.dive import dive
from rules.smackkatz.attacks.suplex import suplex
from rules.smackkatz.attacks.throw import throw
from rules.smackkatz.consequences.drops import drop
from tests.rules.playing import figure
from tests.rules.smackkatz.harness import pair, table
from tests.rules.smackkatz.test_dive import perched
from tests.rules.smackkatz.test_suplex import hoisting
from tests.rules.smackkatz.test_throw import at_ropes


def drawn(found: Ring, request: Request, kind: type[Any]) -> list[Any]:
    return [one for one in draw(found, request, found.state.scene.figures) if isinstance(one, kind)]


def labelled(found: Ring, request: Request, key: str) -> list[Any]:
    return [one for one in drawn(found, request, Region) if one.label is not None and one.label.key == key]


def first(procedure: Generator[Request, Any, None]) -> Request:
    return next(procedure)


def test_the_holder_has_a_ring_with_both_names_and_each_his_status() -> None:
    found = hoisting()
    rings = labelled(found, first(throw(found, "A", "OPEN_PHASE")), "label.holds_up")
    assert [one.label.values for one in rings] == [{"fighter": "A", "target": "B"}]
    assert Polygon(rings[0].exterior).contains(Point(0, 0))
    for name, key in (("A", "status.hoisting"), ("B", "status.hoisted")):
        assert key in [text.key for text in statuses(found, found.state.wrestlers[name])]


@pytest.mark.parametrize(
    ("key", "inside"),
    [("throw_front", [(10, 0)]), ("throw_back", [(-10, 0)]), ("throw_side", [(0, 10), (0, -10)])],
)
def test_suplex_07_the_sectors_of_a_throw_are_drawn(key: str, inside: list[tuple[float, float]]) -> None:
    found = hoisting()
    sectors = labelled(found, first(throw(found, "A", "OPEN_PHASE")), f"option.{key}")
    assert len(sectors) == len(inside)
    for point in inside:
        assert any(Polygon(one.exterior).contains(Point(point)) for one in sectors)


def test_suplex_11_a_doubtful_gap_to_the_ropes_is_shown() -> None:
    found = hoisting(at=at_ropes(2.1))
    arrows = drawn(found, first(throw(found, "A", "OPEN_PHASE")), Arrow)
    assert [(one.tone, one.end[1]) for one in arrows if one.label is not None] == [("doubt", 35.0)]


def test_suplex_07_where_a_throw_was_aimed_has_a_ghost_before_it_is_looked_at() -> None:
    found = hoisting()
    procedure = throw(found, "A", "OPEN_PHASE")
    next(procedure)
    request = procedure.send("throw:back")
    assert request.kind == "observe"
    (ghost,) = drawn(found, request, Ghost)
    assert ghost.figure == "B"
    assert Polygon(ghost.outline).centroid.x < -5


def test_suplex_22_a_fall_has_its_ghost_and_the_strikers_line() -> None:
    found = hoisting(at={"C": figure("C", 0, -7, 90)})
    request = first(drop(found, "B", "C", "OPEN_PHASE"))
    assert [one.figure for one in drawn(found, request, Ghost)] == ["B"]
    line = drawn(found, request, Arrow)[0]
    assert line.start == (0, -7)
    assert line.end[1] > 5


def test_suplex_04_the_region_of_the_free_palms_is_drawn() -> None:
    found = table("ABC", {"A": {"suplex": 1}}, at=pair())
    procedure = suplex(found, "A", "B", "OPEN_PHASE")
    next(procedure)
    procedure.send((6,))
    procedure.send("decline")
    request = procedure.send("walk")
    region = labelled(found, request, "region.move")
    assert any(Polygon(one.exterior).buffer(0.1).covers(Point(17, 0)) for one in region)
    assert not any(Polygon(one.exterior).covers(Point(20, 0)) for one in region)


def test_special_06_the_post_is_marked_and_the_run_up_of_the_dive_shown() -> None:
    found = perched()
    request = first(dive(found, "A", "OPEN_PHASE"))
    assert labelled(found, request, "label.on_post")
    arrow = drawn(found, request, Arrow)[0]
    assert arrow.end == (35, 35)
    assert math.dist(arrow.start, arrow.end) == pytest.approx(100)


@pytest.mark.parametrize("lang", ["es", "en"])
def test_every_label_has_its_words(lang: str) -> None:
    for found, request in (
        (held := hoisting(), first(throw(held, "A", "OPEN_PHASE"))),
        (up := perched(), first(dive(up, "A", "OPEN_PHASE"))),
    ):
        for one in draw(found, request, found.state.scene.figures):
            label = getattr(one, "label", None)
            assert label is None or "⟨" not in i18n.translate(label, lang)
