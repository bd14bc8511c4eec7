"""Movement nobody chose: runs, ropes, posts, dodges, drops and pushes of catalogue 6.5."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from shapely.geometry import LineString

from rules.geometry import mat_shape, moved, outline_shape, sweep
from rules.scene import Ring
from rules.smackkatz.house_rules import catalogue
from rules.smackkatz.movement import forced
from tests.rules.playing import RING, figure

DEFAULT = catalogue().resolve()
angles = st.floats(-180, 180)


@pytest.mark.parametrize(
    ("heading", "legal"),
    [(0, True), (60, True), (80, False), (91, False), (180, False), (-60, True), (-85, False)],
)
def test_ruling_42_a_whip_pulls_into_the_space_behind_the_attacker(heading: float, legal: bool) -> None:
    victim, attacker = figure("B", 0, 0), figure("A", 7, 0, 180)
    assert forced.may_launch(victim, attacker, math.radians(heading), RING, DEFAULT) == legal


def test_ruling_42_house_rules_for_axis_and_angle() -> None:
    victim, attacker = figure("B", 0, 0), figure("A", 7, 0, 90)
    narrow = catalogue().resolve({"whip_half_angle_deg": 45})
    assert not forced.may_launch(victim, attacker, math.radians(60), RING, narrow)
    facing = catalogue().resolve({"whip_axis": "attacker_facing"})
    assert forced.may_launch(victim, attacker, math.radians(-45), RING, facing)
    assert not forced.may_launch(victim, attacker, math.radians(45), RING, facing)


@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("turned", [0, 30, 135, 250])
def test_ruling_42_a_right_angle_is_no_longer_behind_and_half_of_one_still_is(side: int, turned: int) -> None:
    c, s = math.cos(math.radians(turned)), math.sin(math.radians(turned))
    victim, attacker = figure("B", 0, 45), figure("A", 7 * c, 45 + 7 * s)
    narrow = catalogue().resolve({"whip_half_angle_deg": 45})
    for rulings, edge, itself in ((DEFAULT, 90.0, False), (narrow, 45.0, True)):
        for off, legal in ((edge - 0.01, True), (edge, itself), (edge + 0.01, False)):
            heading = math.radians(turned + side * off)
            told = forced.may_launch(victim, attacker, heading, RING, rulings, at_ringside=True)
            assert told == legal


@pytest.mark.parametrize(("x", "legal"), [(34.9, True), (35.0, False), (35.1, False)])
def test_ruling_42_what_is_aimed_at_lies_beyond_the_attackers_middle(x: float, legal: bool) -> None:
    victim, attacker = figure("B", 28, 0), figure("A", x, 0, 180)
    assert forced.may_launch(victim, attacker, 0.0, RING, DEFAULT) == legal


def test_whip_06_the_first_body_on_the_way_stops_the_run() -> None:
    others = [figure("C", 20, 1), figure("D", 12, 0), figure("E", -12, 0)]
    met = forced.run(figure("B", 0, 0), 0.0, 30.0, RING, others)
    assert (met.meets, met.what) == ("figure", "D")
    assert met.after == pytest.approx(6.0, abs=0.15)


def test_whip_10_and_20_ropes_posts_and_open_mat() -> None:
    victim = figure("B", 20, 0)
    ropes = forced.run(victim, 0.0, 36.0, RING, [])
    assert ropes.meets == "ropes"
    assert ropes.after == pytest.approx(12.0, abs=0.1)
    assert forced.run(victim, math.pi, 36.0, RING, []).meets == "nothing"
    post = forced.run(figure("B", 20, 20), math.pi / 4, 36.0, RING, [])
    assert (post.meets, post.what) == ("post", "1")


def test_a_victim_whipped_away_from_the_post_it_leans_on_does_not_hit_it() -> None:
    leaning = figure("B", 35 - 4.5 / math.sqrt(2), 35 - 4.5 / math.sqrt(2))
    assert forced.run(leaning, math.radians(225), 20.0, RING, []).meets == "nothing"
    assert forced.run(leaning, math.radians(45), 20.0, RING, []).after < 0.5


@pytest.mark.parametrize(
    ("palms", "up", "down"), [(0.2, 0, 0), (0.25, 1, 1), (1.0, 1, 1), (1.05, 2, 1), (1.89, 2, 1), (2.0, 2, 2)]
)
def test_ruling_47_successes_needed_at_the_ropes(palms: float, up: int, down: int) -> None:
    assert forced.rope_successes(palms * 18, 18.0, "up") == up
    assert forced.rope_successes(palms * 18, 18.0, "down") == down


@settings(max_examples=60, deadline=None)
@given(st.floats(8, 20), st.floats(-4, 4), angles)
def test_ruling_45_a_dodge_just_clears_the_corridor(along: float, across: float, heading: float) -> None:
    angle = math.radians(heading)
    c, s = math.cos(angle), math.sin(angle)
    runner = figure("B", 0, 0, heading)
    dodger = figure("C", along * c - across * s, along * s + across * c, 50.0, depth=4.0)
    room = forced.dodge_room(dodger, runner, angle, 25.0, RING, [])
    assert set(room) == {"left", "right"}
    corridor = sweep(outline_shape(runner), 25.0 * c, 25.0 * s)
    for side, shift in room.items():
        sign = 1 if side == "left" else -1
        away = moved(dodger, dodger.x - sign * shift * s, dodger.y + sign * shift * c)
        assert outline_shape(away).intersection(corridor).area < 1e-6
        assert outline_shape(away).distance(corridor) < 0.6


def test_ruling_45_no_room_on_a_side_that_is_taken_or_beyond_the_ropes() -> None:
    room = forced.dodge_room(figure("C", 10, 30), figure("B", 0, 30), 0.0, 20.0, RING, [])
    assert set(room) == {"right"}
    taken = forced.dodge_room(figure("C", 10, 30), figure("B", 0, 30), 0.0, 20.0, RING, [figure("D", 10, 22)])
    assert not taken


@pytest.mark.parametrize(
    ("landing", "side"),
    [((10, 0), "front"), ((10, 10), "front"), ((0, 10), "side"), ((-10, 9), "back"), ((-10, 0), "back"),
     ((-9, 10), "side")],
)  # fmt: skip
def test_suplex_07_throw_sides(landing: tuple[float, float], side: str) -> None:
    assert forced.throw_side(figure("A", 0, 0, 0.0), landing) == side


@settings(max_examples=30, deadline=None)
@given(angles)
def test_suplex_22_the_hoisted_falls_on_the_strikers_line_beyond_the_holder(heading: float) -> None:
    angle = math.radians(heading)
    holder = figure("A", 0, 0)
    striker = figure("C", -7 * math.cos(angle), -7 * math.sin(angle))
    spot = forced.dropped(striker, holder, figure("B", 0, 0), [])
    assert math.hypot(spot.x, spot.y) == pytest.approx(6.0, abs=0.25)
    assert math.cos(math.atan2(spot.y, spot.x) - angle) == pytest.approx(1.0)
    taken = forced.dropped(striker, holder, figure("B", 0, 0), [spot])
    assert math.hypot(taken.x, taken.y) > 11


def test_pin_08_the_pinner_is_pushed_one_palm_and_stops_at_bodies_and_ropes() -> None:
    attacker, pinner = figure("C", -7, 0), figure("A", 0, 0)
    assert forced.pushed(pinner, attacker, 20.0, RING, []).x == pytest.approx(20.0)
    assert forced.pushed(pinner, attacker, 20.0, RING, [figure("D", 15, 0)]).x == pytest.approx(9.0, abs=0.15)
    near = forced.pushed(figure("A", 25, 0), figure("C", 18, 0), 20.0, RING, [])
    assert near.x == pytest.approx(32.0, abs=0.1)


@pytest.mark.parametrize(
    ("before", "after", "palms"),
    [(17.9, 0, 1), (16.3, 0, 1), (16.0, 0, 0), (36, 8, 2), (18, 19, 2), (-5, 0, 0)],
)
def test_ruling_95_whole_palms_before_a_charge(before: float, after: float, palms: int) -> None:
    assert forced.charge_palms(before, after, 18.0, 9.0) == palms


@settings(max_examples=60, deadline=None)
@given(st.floats(-25, 25), st.floats(-25, 25), angles, angles)
def test_first_contact_keeps_the_orientation_of_the_body(
    x: float, y: float, facing: float, heading: float
) -> None:
    one, other = figure("A", 0, 0, facing, depth=2.0), figure("B", x, y)
    angle = math.radians(heading)
    assume(outline_shape(one).distance(outline_shape(other)) > 0.3)
    found = forced.first_contact(one, angle, 40.0, outline_shape(other))
    length = 40.0 if found is None else found
    swept = sweep(outline_shape(one), (length - 0.3) * math.cos(angle), (length - 0.3) * math.sin(angle))
    assert length < 0.3 or swept.intersection(outline_shape(other)).area < 0.1
    if found is not None:
        further = sweep(outline_shape(one), (found + 0.3) * math.cos(angle), (found + 0.3) * math.sin(angle))
        assert further.distance(outline_shape(other)) < 0.1


@pytest.mark.parametrize("seed", range(10))
def test_where_a_ray_leaves_the_ring_is_where_shapely_says(seed: int) -> None:
    rng = random.Random(seed)
    ring = Ring(70.0, 60.0)
    for heading in (0.0, math.pi / 2, *(rng.uniform(-4, 4) for _ in range(30))):
        start = rng.uniform(-45, 45), rng.uniform(-40, 40)
        end = start[0] + 300 * math.cos(heading), start[1] + 300 * math.sin(heading)
        path = LineString([start, end]).intersection(mat_shape(ring))
        x, y = start if path.is_empty else path.coords[-1]
        assert forced.exit_point(start, heading, ring) == pytest.approx((x, y), abs=1e-6)
