"""Before the first turn: where to stand, what is warned of, and that nobody is kept from playing."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import pytest

from rules.annotations import Ghost
from rules.engine.match import Match
from rules.engine.rulings import RulingError
from rules.scene import Ring
from rules.smackkatz.book import CURRENT
from rules.smackkatz.turn.places import advise, proposed, starting_places, warn_of_sizes
from rules.smackkatz.weigh_in import reminders, same_colours
from tests.rules.playing import figure, roster
from tests.rules.smackkatz.harness import facts, table

RING = Ring(70.0, 70.0)


@pytest.mark.parametrize("count", [2, 4, 7, 8, 20])
def test_setup_02_one_in_each_corner_and_the_rest_along_the_sides(count: int) -> None:
    places = starting_places(RING, count)
    assert len(set(places)) == count
    assert places[:2] == [(-29.0, 29.0), (29.0, -29.0)]
    assert all(max(abs(x), abs(y)) == 29.0 for x, y in places)
    apart = min(abs(a[0] - b[0]) + abs(a[1] - b[1]) for a, b in combinations(places, 2))
    assert apart > 8


def test_setup_01_a_good_layout_is_not_commented_on() -> None:
    found = table("ABCD")
    found.state.scene.figures.update(proposed(found))
    advise(found)
    warn_of_sizes(found)
    assert found.facts == []


def test_setup_01_standing_far_from_the_ropes_or_close_together_is_said_and_allowed() -> None:
    match = Match(CURRENT, roster(3))
    told = match.answer({"A": figure("A", 0, 0), "B": figure("B", 8, 0), "C": figure("C", -29, 29)})
    assert [(fact.kind, fact.fighter) for fact in told if fact.kind != "seen"] == [
        ("far_from_ropes", "A"), ("far_from_ropes", "B"), ("close_together", "A"),
    ]  # fmt: skip
    assert match.request is not None


def test_setup_01_partners_may_stand_together() -> None:
    at = {"A": figure("A", -29, 29), "B": figure("B", -20, 29)}
    alone, mates = table("ABC", at=at), table("ABC", at=at, teams={"A": "red", "B": "red"})
    for found, told in ((alone, 1), (mates, 0)):
        advise(found)
        assert len(facts(found, "close_together")) == told


def test_setup_01_ghosts_show_where_those_should_stand_who_do_not() -> None:
    match = Match(CURRENT, roster(3))
    ghosts = [one.figure for one in match.annotations() if isinstance(one, Ghost)]
    assert ghosts == ["A", "B", "C"]
    match.answer({"A": figure("A", -28, 28), "B": figure("B", 0, 0), "C": figure("C", 28, 28)})
    ghosts = [one.figure for one in match.annotations() if isinstance(one, Ghost)]
    assert ghosts == ["B"]


def test_setup_01_who_was_not_seen_yet_is_drawn_round_and_facing_the_middle() -> None:
    found = table("AB", ring=Ring(70.0, 60.0))
    found.state.scene.figures.clear()
    for name, place in proposed(found).items():
        assert (place.x, place.y) == {"A": (-29.0, 24.0), "B": (29.0, -24.0)}[name]
        assert [math.dist(point, (place.x, place.y)) for point in place.outline] == pytest.approx([3.0] * 16)
        angles = [math.atan2(y - place.y, x - place.x) for x, y in place.outline]
        assert len({round(math.degrees(angle) % 360, 3) for angle in angles}) == 16
        middle = math.hypot(place.x, place.y)
        ahead = place.x + middle * math.cos(place.facing), place.y + middle * math.sin(place.facing)
        assert ahead == pytest.approx((0.0, 0.0))


def test_setup_01_who_was_seen_keeps_his_outline_where_he_should_stand() -> None:
    seen = figure("A", 3.0, 4.0, 90.0, radius=5.0, depth=2.0)
    place = proposed(table("AB", at={"A": seen}))["A"]
    assert math.dist(place.outline[0], (place.x, place.y)) == pytest.approx(1.0)
    nose = math.atan2(place.outline[0][1] - place.y, place.outline[0][0] - place.x)
    assert (place.facing, nose) == pytest.approx((math.radians(-45), math.radians(-45)))


def test_ruling_98_a_partner_who_waits_is_placed_outside_his_corner() -> None:
    found = table("ABC", teams={"A": "red", "C": "red"}, rulings={"tag_rules": "on"}, ring=RING)
    place = proposed(found)["C"]
    assert abs(place.y) > RING.depth / 2
    assert (place.x, place.y * proposed(found)["A"].y > 0) == (proposed(found)["A"].x, True)


@pytest.mark.parametrize(
    ("ring", "kinds"),
    [
        (Ring(60.0, 80.0), []),
        (Ring(59.0, 70.0), ["ring_size"]),
        (Ring(70.0, 81.0), ["ring_size"]),
        (Ring(70.0, 70.0, ringside=15.0), ["ringside_width"]),
        (Ring(70.0, 70.0, ringside=31.0), ["ringside_width"]),
    ],
)
def test_arena_03_and_06_other_measures_are_warned_of(ring: Ring, kinds: list[str]) -> None:
    found = table("AB", ring=ring)
    warn_of_sizes(found)
    assert [fact.kind for fact in found.facts] == kinds


def test_ruling_5_what_is_warned_of_is_a_house_rule() -> None:
    found = table("AB", ring=Ring(100.0, 100.0), rulings={"ring_size_warning_cm": [90, 110]})
    warn_of_sizes(found)
    assert found.facts == []


def test_build_02_two_of_one_colour_are_found() -> None:
    assert same_colours({"F1": "#aa0000", "F2": "#00aa00", "F3": "#AA0000"}) == [("F1", "F3")]


def test_the_weigh_in_has_the_time_and_every_reminder_its_rules() -> None:
    assert all(rules for _, rules in reminders())
    assert any(text.values.get("minutes") == 15 for text, _ in reminders())


@pytest.mark.parametrize(("width", "depth", "told"), [(60, 80, 0), (80, 60, 0), (59.9, 80, 1), (60, 80.1, 1)])
def test_arena_03_the_limits_themselves_are_within(width: float, depth: float, told: int) -> None:
    found = table("AB", ring=Ring(width, depth))
    warn_of_sizes(found)
    assert len(facts(found, "ring_size")) == told


@pytest.mark.parametrize(
    "given", [[60, 60], [80, 60], [0, 80], [-1, 80], [60], [60, 70, 80], ["60", 80], [True, 80], 60, "60-80"]
)
def test_ruling_5_what_is_no_pair_of_sizes_is_refused_with_its_rule(given: Any) -> None:
    with pytest.raises(RulingError, match=r"ring_size_warning_cm.*RULING-5"):
        CURRENT.catalogue.resolve({"ring_size_warning_cm": given})
    assert CURRENT.catalogue.resolve({"ring_size_warning_cm": [59.5, 80]})["ring_size_warning_cm"] == [
        59.5,
        80,
    ]
