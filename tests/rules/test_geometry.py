"""One definition of distance, sweeps that cover what they should, and questions with honest doubts."""

from __future__ import annotations

import json
import math
import random
from dataclasses import replace

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import questions
from rules.engine.answers import figure_from_json, figure_to_json
from rules.geometry import (
    gap,
    gap_to_ropes,
    mat_shape,
    moved,
    nearest_on_edge,
    outline_shape,
    part_on_mat,
    posts,
    ropes,
    sweep,
    turn_between,
)
from rules.measured import Measured
from rules.scene import Figure, Ring
from tests.rules.playing import figure

RING = Ring(70.0, 70.0)
coordinates = st.floats(-30, 30)
angles = st.floats(-180, 180)


def block(name: str, x: float, y: float, w: float = 4.0, d: float = 4.0) -> Figure:
    outline = ((x - w / 2, y - d / 2), (x + w / 2, y - d / 2), (x + w / 2, y + d / 2), (x - w / 2, y + d / 2))
    return Figure(name, x, y, 0.0, outline)


@settings(deadline=None)
@given(coordinates, coordinates, coordinates, coordinates)
def test_gap_is_symmetric_never_negative_and_its_points_decide_it(
    ax: float, ay: float, bx: float, by: float
) -> None:
    a, b = block("A", ax, ay), block("B", bx, by, 3.0, 6.0)
    there, (p, q) = gap(a, b)
    back, _ = gap(b, a)
    assert there.value == pytest.approx(back.value)
    assert there.value >= 0
    assert math.dist(p, q) == pytest.approx(there.value, abs=1e-9)


def test_overlapping_figures_are_at_distance_zero() -> None:
    distance, _ = gap(block("A", 0, 0), block("B", 1, 0))
    assert distance == Measured(0.0, 0.0)


def test_the_sd_of_a_gap_is_that_along_the_gap() -> None:
    a = replace(block("A", 0, 0), covariance=(0.09, 0.0, 4.0), outline_sd=0.4)
    distance, _ = gap(a, block("B", 10, 0))
    assert distance.value == pytest.approx(6.0)
    assert distance.sd == pytest.approx(0.5)


def test_an_outline_that_says_how_sure_it_is_counts_alone() -> None:
    seen = (0.25, 0.1, 0.81)
    a = replace(block("A", 0, 0), covariance=(0.09, 0.0, 4.0), outline_sd=0.4, outline_covariance=seen)
    b = replace(block("B", 10, 0), covariance=(0.16, 0.0, 0.0))
    assert gap(a, b)[0].sd == pytest.approx(math.sqrt(0.25 + 0.16))
    above = moved(b, 0.0, 10.0)
    assert gap(a, above)[0].sd == pytest.approx(0.9)
    assert moved(a, 5.0, 5.0).outline_covariance == seen
    assert a.sound
    assert not replace(a, outline_covariance=(0.1, 1.0, 0.1)).sound


@pytest.mark.parametrize("seen", [None, (0.25, 0.1, 0.81)])
def test_a_figure_written_and_read_is_the_same(seen: tuple[float, float, float] | None) -> None:
    one = replace(block("A", 1.5, 2), outline_covariance=seen)
    assert figure_from_json(json.loads(json.dumps(dict(figure_to_json(one))))) == one


@settings(deadline=None)
@given(coordinates, coordinates, angles)
def test_moving_a_figure_there_and_back_changes_nothing(x: float, y: float, facing: float) -> None:
    before = figure("A", 3.0, -2.0, 30.0, depth=3.0)
    there = moved(before, x, y, math.radians(facing))
    back = moved(there, before.x, before.y, before.facing)
    for old, new in zip(before.outline, back.outline, strict=True):
        assert math.dist(old, new) < 1e-9
    assert outline_shape(there).area == pytest.approx(outline_shape(before).area)


@settings(deadline=None)
@given(coordinates, coordinates, st.floats(0, 1))
def test_a_sweep_covers_every_place_on_its_way(dx: float, dy: float, part: float) -> None:
    shape = outline_shape(figure("A", 0, 0, 20.0, depth=2.0))
    swept = sweep(shape, dx, dy).buffer(1e-6)
    assert swept.covers(shapely.transform(shape, lambda p: p + np.array([part * dx, part * dy])))


@settings(deadline=None)
@given(angles, angles)
def test_the_turn_between_two_headings_is_the_shorter_one(a: float, b: float) -> None:
    turn = turn_between(math.radians(a), math.radians(b))
    assert -math.pi <= turn <= math.pi + 1e-12
    assert math.isclose(math.cos(turn), math.cos(math.radians(b - a)), abs_tol=1e-9)


@pytest.mark.parametrize(
    ("apart", "sd", "answer", "close"),
    [(1.0, 0.05, True, False), (1.6, 0.05, True, True), (2.4, 0.05, False, True), (3.0, 0.05, False, False),
     (3.0, 0.6, False, True), (0.0, 0.1, True, False)],
)  # fmt: skip
def test_ruling_30_adjacent_within_two_centimetres_and_doubtful_near_the_limit(
    apart: float, sd: float, answer: bool, close: bool
) -> None:
    a = replace(block("A", 0, 0), covariance=(sd**2, 0.0, sd**2))
    found = questions.adjacent(a, block("B", 4 + apart, 0), 2.0, 0.5)
    assert (found.answer, found.too_close) == (answer, close)
    assert found.rules == ("RULING-30",)
    assert found.points is not None


@pytest.mark.parametrize(
    ("bearing", "behind", "close"),
    [(0, False, False), (120, False, False), (128, False, True), (134, False, True), (136, True, True),
     (150, True, False), (180, True, False), (-150, True, False), (-90, False, False)],
)  # fmt: skip
def test_ruling_32_the_back_quadrant_begins_at_135_degrees(bearing: float, behind: bool, close: bool) -> None:
    defender = figure("B", 0, 0, 40.0)
    other = figure(
        "A", *(20 * c for c in (math.cos(math.radians(40 + bearing)), math.sin(math.radians(40 + bearing))))
    )
    found = questions.back_turned(defender, other, 90.0, 10.0)
    assert (found.answer, found.too_close) == (behind, close)
    assert found.unit == "deg"


def test_an_assumed_facing_is_always_doubtful() -> None:
    defender = replace(figure("B", 0, 0, 0.0), facing_assumed=True)
    assert questions.back_turned(defender, figure("A", 10, 0), 90.0).too_close


@pytest.mark.parametrize(
    ("centre", "inside", "ropes", "corner"),
    [((0, -31), True, True, False), ((0, -27), True, False, False), ((-31, -31), True, True, True),
     ((0, -41), False, None, None)],
)  # fmt: skip
def test_ruling_33_zones_ropes_and_corners_of_scenario_98(
    centre: tuple[float, float], inside: bool, ropes: bool | None, corner: bool | None
) -> None:
    one = figure("A", *centre)
    assert questions.inside_ring(one, RING).answer is inside
    if ropes is not None:
        assert questions.on_ropes(one, RING, 2.0).answer is ropes
        assert questions.in_corner(one, RING, 2.0).answer is corner


def test_ruling_33_astride_the_ropes_is_for_the_referee() -> None:
    assert questions.inside_ring(figure("A", 0, 34.0), RING).too_close
    assert not questions.inside_ring(figure("A", 0, 30.0), RING).too_close


def test_ruling_29_a_path_through_somebody_is_blocked_and_names_him() -> None:
    others = {"B": outline_shape(figure("B", 10, 0)), "C": outline_shape(figure("C", 0, 20))}
    found = questions.path_blocked(figure("A", 0, 0), (20, 0), others)
    assert found.answer
    assert found.figures == ("A", "B")
    assert not questions.path_blocked(figure("A", 0, 0), (0, -20), others).answer


def test_ruling_29_touching_at_the_start_blocks_only_what_presses_in() -> None:
    others = {"B": outline_shape(figure("B", 6.0, 0))}
    assert not questions.path_blocked(figure("A", 0, 0), (-10, 0), others).answer
    assert not questions.path_blocked(figure("A", 0.05, 0), (0.05, 10), others, slack=0.2).answer
    assert questions.path_blocked(figure("A", 0, 0), (10, 0), others).answer


def test_reach_counts_the_uncertain_palm() -> None:
    near = questions.reach(figure("A", 0, 0), (17, 0), Measured(18.0, 0.1))
    assert (near.answer, near.too_close) == (True, False)
    assert questions.reach(figure("A", 0, 0), (17.9, 0), Measured(18.0, 0.1)).too_close
    assert not questions.reach(figure("A", 0, 0), (19, 0), Measured(18.0, 0.1)).answer


@settings(max_examples=30, deadline=None)
@given(coordinates, coordinates)
def test_posts_and_figures_use_the_same_distance(x: float, y: float) -> None:
    one = figure("A", x, y)
    found = questions.in_corner(one, RING, 2.0)
    assert found.distance is not None
    assert found.distance.value == pytest.approx(
        min(outline_shape(one).distance(post) for post in posts(RING))
    )


def anywhere(rng: random.Random) -> Figure:
    """A figure somewhere on the table: well inside, astride the ropes or outside; round, oval or dented."""
    placed = figure(
        "A",
        rng.uniform(-45, 45),
        rng.uniform(-45, 45),
        rng.uniform(0, 360),
        depth=rng.choice([None, 3.0, 9.0]),
    )
    if rng.random() < 0.5:
        return placed
    dented = list(placed.outline)
    dented[5] = ((placed.x + dented[5][0]) / 2, (placed.y + dented[5][1]) / 2)
    return replace(placed, outline=tuple(dented))


@pytest.mark.parametrize("seed", range(40))
def test_what_is_worked_out_without_shapely_is_the_same_as_with_it(seed: int) -> None:
    rng = random.Random(seed)
    ring = Ring(70.0, 60.0)
    for _ in range(20):
        one = anywhere(rng)
        shape, mat = outline_shape(one), mat_shape(ring)
        slow = min(float(shapely.distance(shape, rope)) for rope in ropes(ring))
        distance, (corner, rope) = gap_to_ropes(one, ring)
        assert distance.value == pytest.approx(slow, abs=1e-9)
        assert math.dist(corner, rope) == pytest.approx(slow, abs=1e-9)
        centre = shapely.Point(one.x, one.y)
        away = float(shapely.distance(centre, mat.exterior))
        assert math.dist((one.x, one.y), nearest_on_edge((one.x, one.y), ring)) == pytest.approx(away)
        assert questions.inside_ring(one, ring).answer == mat.covers(centre)
        part = shape.intersection(mat).area / shape.area
        assert part_on_mat(one, ring) == pytest.approx(part, abs=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_a_sweep_covers_what_the_figure_covers_on_its_way(seed: int) -> None:
    rng = random.Random(seed)
    one = anywhere(rng)
    dx, dy = rng.uniform(-20, 20), rng.uniform(-20, 20)
    shape = outline_shape(one)
    steps = [shapely.transform(shape, lambda p, k=k: p + np.array([dx, dy]) * k / 60) for k in range(61)]
    swept, stepped = sweep(shape, dx, dy), shapely.union_all(steps)
    assert swept.buffer(1e-6).covers(stepped)
    assert swept.area == pytest.approx(stepped.area, rel=0.01)


@pytest.mark.parametrize("seed", range(20))
def test_only_what_cannot_matter_is_left_out_of_a_way(seed: int) -> None:
    rng = random.Random(seed)
    mover = anywhere(rng)
    others = {str(n): outline_shape(replace(anywhere(rng), id=str(n))) for n in range(6)}
    end = (mover.x + rng.uniform(-20, 20), mover.y + rng.uniform(-20, 20))
    swept = sweep(outline_shape(mover), end[0] - mover.x, end[1] - mover.y)
    near = {name: shape for name, shape in others.items() if shapely.distance(swept, shape) <= 0}
    assert questions.path_blocked(mover, end, others) == questions.path_blocked(mover, end, near)


def test_equal_figures_are_one_key_and_a_moved_one_another() -> None:
    one, same = figure("A", 1, 2, 30), figure("A", 1, 2, 30)
    assert (one, hash(one)) == (same, hash(same))
    assert len({one, same, figure("A", 1, 2.5, 30)}) == 2
    assert replace(one, x=9.0).extent == one.extent
    assert one.extent == pytest.approx((-2.0, -1.0, 4.0, 5.0), abs=0.01)
