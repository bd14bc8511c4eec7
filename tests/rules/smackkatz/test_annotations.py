"""What a match wants drawn: cards, statuses, the legal region, the verdict while a figure moves, ghosts."""

from __future__ import annotations

from typing import Any

import pytest
from shapely.geometry import Point, Polygon

from rules.annotations import Annotation, Banner, FighterTag, Ghost, Region, Ruler
from rules.engine.match import Match
from rules.scene import Scene
from rules.smackkatz.annotate import cards, draw, statuses
from rules.smackkatz.book import CURRENT
from rules.smackkatz.state import MatchState
from tests.rules.playing import RING, begun, figure, roster
from tests.rules.smackkatz.harness import lock, pair, table

PLACES = {"A": figure("A", -10, 0, 0), "B": figure("B", 12, 0, 180)}


def acting() -> Match[MatchState]:
    match = begun(Match(CURRENT, roster(2)), PLACES)
    match.answer(PLACES)
    match.answer("go_on")
    match.answer([6, 1])
    assert match.request is not None
    assert match.request.fighter == "A"
    return match


def kinds(found: tuple[Annotation, ...], kind: type[Any]) -> list[Any]:
    return [one for one in found if isinstance(one, kind)]


@pytest.mark.parametrize(
    ("given", "expected"),
    [({}, ()), ({"knocked_down": 1}, ("red",)), ({"unconscious": True}, ("green",)), ({"lying": True}, ())],
)
def test_cards_of_catalogue_5_1(given: dict[str, Any], expected: tuple[str, ...]) -> None:
    assert cards(table("AB", {"A": given}).state.wrestlers["A"]) == expected


def test_statuses_are_named_with_the_most_important_first() -> None:
    given = {"A": {"lying": True, "at_ringside": True, "stamina": 9, "wounds": {"speed": 1, "combat": 2}}}
    found = table("AB", given)
    names = [text.key for text in statuses(found, found.state.wrestlers["A"])]
    assert names == ["status.lying", "status.at_ringside", "status.fatigued", "status.wound", "status.injury"]
    locked = lock(table("AB", at=pair()), "A", "B")
    assert [text.key for text in statuses(locked, locked.state.wrestlers["A"])] == ["status.lock_up"]


def test_every_fighter_has_a_tag_where_it_stands_now() -> None:
    match = acting()
    now = Scene(RING, {"A": figure("A", -10, 0, 0), "B": figure("B", 3, 9, 90)})
    tags = {tag.figure: tag for tag in kinds(match.annotations(now), FighterTag)}
    assert tags["B"].anchor == (3, 9)
    assert tags["B"].stamina == 20
    assert (tags["A"].active, tags["B"].active) == (True, False)
    assert tags["A"].name == "Luchador A"


def test_the_region_of_the_fighter_to_act_is_drawn_from_where_its_block_began() -> None:
    match = acting()
    regions = kinds(match.annotations(), Region)
    shapes = [Polygon(region.exterior, region.holes) for region in regions]
    assert any(shape.covers(Point(-10, -17)) for shape in shapes)
    assert not any(shape.covers(Point(-10, -33)) for shape in shapes)
    assert regions[0].tone == "legal"


def test_while_the_figure_is_moved_its_ruler_says_how_far_and_whether_it_may() -> None:
    match = acting()
    match.answer("move")
    for y, tone in ((-17.0, "legal"), (-33.0, "illegal")):
        found = match.annotations(Scene(RING, PLACES | {"A": figure("A", -10, y, -90)}))
        (ruler,), (banner,) = kinds(found, Ruler), kinds(found, Banner)
        assert ruler.tone == banner.tone == tone
        assert ruler.tick == 18.0
        assert ruler.points == ((-10, 0), (-10, y))
        assert "MOVE-01" in banner.rules


def test_whoever_may_not_move_has_no_region() -> None:
    found = lock(table("ABC", at=pair()), "A", "B")
    found.state.active = "A"
    from rules.engine.request import Request
    from rules.text import Text

    request = Request("choose", "LOCKUP_PHASE D-04", "a", Text("ask.act"), fighter="A")
    assert not kinds(draw(found, request, found.state.scene.figures), Region)


def test_a_placement_shows_its_ghost_and_a_doubt_its_question() -> None:
    match = begun(Match(CURRENT, roster(2)), {"A": figure("A", 0, -31, -90), "B": figure("B", 0, 10, 90)})
    match.answer(dict(match.scene.figures))
    match.answer("go_on")
    match.answer([6, 1])
    match.answer("leave_ring")
    (ghost,) = kinds(match.annotations(), Ghost)
    assert ghost.figure == "A"
    assert max(y for _, y in ghost.outline) <= -35.0 + 1e-9
    doubtful = begun(Match(CURRENT, roster(2)), pair(2.2))
    doubtful.answer(dict(doubtful.scene.figures))
    assert [one.tone for one in kinds(doubtful.annotations(), Banner)] == ["doubt"]


def test_the_end_is_announced() -> None:
    match = acting()
    match.answer({"end_match": ["B"]})
    (banner,) = kinds(match.annotations(), Banner)
    assert banner.text.values["winners"] == "B"
    assert not kinds(match.annotations(), Region)


@pytest.mark.parametrize(
    ("given", "names"),
    [
        ({"out": "pin"}, ["out"]),
        ({"sits_out": 1}, ["sits_out"]),
        ({"sits_out": 1, "out": "pin"}, ["out"]),
        ({"legal": False}, ["no_tag"]),
        ({"legal": False, "out": "pin"}, ["out"]),
        ({"unconscious": True}, ["unconscious"]),
        ({"helpless": True}, ["helpless"]),
        ({"knocked_down": 1}, ["knocked_down"]),
        ({"hoisted_by": "B"}, ["hoisted"]),
        ({"hoists": "B"}, ["hoisting"]),
        ({"on_post": 0}, ["on_post"]),
        ({"held_by": "B"}, ["in_submission"]),
        ({"pinned_by": "B"}, ["pinned"]),
        ({"resting": True}, ["resting"]),
        ({"resting": True, "taunting": True}, ["taunting"]),
        ({"holds": "B"}, ["applying_submission"]),
        ({"pins": "B"}, ["pinning"]),
        ({"lying": True}, ["lying"]),
        ({"at_ringside": True}, ["at_ringside"]),
        ({"finisher_bonus": True}, ["finisher_active"]),
        ({"unlimited_defence": True}, ["finisher_active"]),
        ({"stamina": 10}, ["fatigued"]),
        ({"stamina": 11}, []),
        ({"stamina": 10, "out": "pin"}, ["out"]),
        ({"wounds": {"speed": 1}}, ["wound"]),
        ({"wounds": {"speed": 2}}, ["injury"]),
        ({"defended": True}, ["defended"]),
        ({}, []),
    ],
)
def test_each_status_is_named_and_no_other(given: dict[str, Any], names: list[str]) -> None:
    found = table("ABC", {"A": given})
    assert [one.key for one in statuses(found, found.state.wrestlers["A"])] == [
        f"status.{one}" for one in names
    ]


def test_three_in_a_group_are_a_melee() -> None:
    found = lock(table("ABC"), "A", "B", "C")
    assert [one.key for one in statuses(found, found.state.wrestlers["B"])] == ["status.melee"]


def test_who_only_defends_himself_has_no_region_to_move_in() -> None:
    match = begun(Match(CURRENT, roster(2)), pair())
    match.answer(dict(match.scene.figures))
    while match.request is not None and "D-06" not in match.request.step:
        request = match.request
        if request.kind == "roll":
            match.answer([6 - (one.fighter == "B") for one in request.dice for _ in range(one.count)])
        else:
            match.answer("strike:B" if request.option("strike:B") else "go_on")
    assert match.request is not None
    assert (match.request.fighter, match.state.active) == ("B", "A")
    match.state.groups = ()
    assert not kinds(match.annotations(), Region)
