"""Movement geometry: tokens, cheapest explanation, verdicts and regions against random token sequences."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import numpy as np
import pytest
import shapely
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from overlay.i18n import translate
from rules.geometry import moved, outline_shape, posts, sweep
from rules.measured import Measured
from rules.scene import Figure, Hand, Ring
from rules.smackkatz.house_rules import catalogue
from rules.smackkatz.movement.explain import explain
from rules.smackkatz.movement.judge import displacement, judge_move
from rules.smackkatz.movement.region import legal_region, open_floor, straight_reach
from rules.smackkatz.movement.stride import Stride, stride
from rules.smackkatz.movement.way import canonical, free_way, obstacles
from tests.rules.playing import figure

PALM, HALF = 18.0, 9.0
HAND = Hand(PALM, HALF)
TOKENS = Stride(PALM, HALF, HALF)
WIDE = Ring(2000.0, 2000.0)
RING = Ring(70.0, 70.0)

fractions = st.floats(0, 1)
headings = st.floats(-180, 180)


def walk(
    steps: list[tuple[str, float, float]], x: float = 0.0, y: float = 0.0, facing: float = 0.0
) -> tuple[float, float, float, int]:
    """Carry out tokens (kind, part of its length, new heading in degrees); returns the pose and the cost."""
    for kind, part, heading in steps:
        if kind == "T":
            facing = math.radians(heading)
        length = part * {"F": PALM, "T": HALF, "B": -HALF}[kind]
        x, y = x + length * math.cos(facing), y + length * math.sin(facing)
    return x, y, facing, len(steps)


@st.composite
def sequences(
    draw: st.DrawFn, backs: bool = True, always_turned: bool = False
) -> list[tuple[str, float, float]]:
    """Up to four tokens with at most one turn (exactly one with `always_turned`) and one step back."""
    steps = [("F", draw(fractions), 0.0) for _ in range(draw(st.integers(0, 3)))]
    if always_turned or draw(st.booleans()):
        steps.insert(draw(st.integers(0, len(steps))), ("T", draw(fractions), draw(headings)))
    if backs and draw(st.booleans()):
        steps.insert(draw(st.integers(0, len(steps))), ("B", draw(fractions), 0.0))
    return steps


@settings(max_examples=400, deadline=None)
@given(sequences())
def test_move_01_every_legal_sequence_is_explained_at_no_more_than_its_cost(
    steps: list[tuple[str, float, float]],
) -> None:
    x, y, facing, cost = walk(steps)
    found = explain((x, y), 0.0, facing, TOKENS, drift=1e-3)
    assert found.cost is not None
    assert found.cost <= cost


@settings(max_examples=400, deadline=None)
@given(st.floats(-60, 60), st.floats(-60, 60), headings)
def test_every_explanation_can_be_walked_at_its_cost(x: float, y: float, heading: float) -> None:
    found = explain((x, y), 0.0, math.radians(heading), TOKENS, drift=1e-6)
    assume(found.cost is not None)
    assert found.cost is not None
    reached = np.zeros(2)
    cost = 0
    for number, (angle, length) in enumerate(found.legs):
        reached += length * np.array([math.cos(angle), math.sin(angle)])
        rest = max(0.0, length - (HALF if number == 1 else 0.0))
        cost += math.ceil(rest / PALM - 1e-6) + number
        if length < -1e-4:
            assert length >= -HALF - 1e-4
            cost += 1
    assert cost <= found.cost
    if abs(math.sin(math.radians(heading))) > math.sin(math.radians(3)):
        assert np.allclose(reached, (x, y), atol=1e-6)


@settings(max_examples=400, deadline=None)
@given(sequences())
def test_legal_sequences_end_inside_the_open_floor_region(steps: list[tuple[str, float, float]]) -> None:
    x, y, _, cost = walk(steps)
    region = open_floor(0.0, 0.0, 0.0, TOKENS, cost)
    # The discs of the region are polygons of 128 corners: 0.03 % short of round.
    assert region.distance(shapely.Point(x, y)) < 0.02


@settings(max_examples=300, deadline=None)
@given(st.floats(-80, 80), st.floats(-80, 80), headings, st.integers(0, 4))
def test_poses_outside_the_region_are_never_explained(x: float, y: float, heading: float, speed: int) -> None:
    outside = open_floor(0.0, 0.0, 0.0, TOKENS, speed).distance(shapely.Point(x, y)) > 0.02
    found = explain((x, y), 0.0, math.radians(heading), TOKENS, drift=1e-6)
    if outside:
        assert found.cost is None or found.cost > speed


@settings(max_examples=60, deadline=None)
@given(sequences(backs=False, always_turned=True))
def test_the_region_for_one_final_heading_holds_every_sequence_that_ends_so(
    steps: list[tuple[str, float, float]],
) -> None:
    x, y, facing, cost = walk(steps)
    region = legal_region(figure("A", 0, 0), HAND, cost, ring=WIDE, final_heading=facing)
    assert region.distance(shapely.Point(x, y)) < 0.02


@pytest.mark.parametrize("speed", [1, 2, 3, 4])
def test_without_anything_in_the_way_the_region_is_the_open_floor(speed: int) -> None:
    one = figure("A", 0, 0, 30.0)
    region = legal_region(one, HAND, speed, ring=WIDE)
    floor = open_floor(0.0, 0.0, math.radians(30.0), TOKENS, speed)
    assert floor.buffer(0.1).covers(region)
    assert region.buffer(0.5).covers(floor)


@pytest.mark.parametrize("option", ["center", "trailing_edge"])
def test_ruling_28_other_thumb_origins_cost_big_figures_their_depth(option: str) -> None:
    agreed = catalogue().resolve({"palm_origin": option})
    tokens = stride(figure("A", 0, 0, radius=3.0), HAND, agreed)
    assert tokens.palm == pytest.approx(PALM - {"center": 3.0, "trailing_edge": 6.0}[option])
    assert stride(figure("A", 0, 0), HAND, catalogue().resolve()).palm == PALM


def test_ruling_26_house_rules_of_the_half_palm() -> None:
    mandatory = replace(TOKENS, half_mandatory=True)
    assert explain((0.0, 0.0), 0.0, math.pi / 2, TOKENS).cost == 1
    assert explain((0.0, 0.0), 0.0, math.pi / 2, mandatory).cost is None
    assert explain((0.0, HALF), 0.0, math.pi / 2, mandatory).cost == 1
    last = replace(TOKENS, turn_first=False)
    assert explain((HALF, 0.0), 0.0, math.pi / 2, last).cost == 1
    assert explain((0.0, HALF), 0.0, math.pi / 2, last).cost == 2


def test_ruling_27_step_back_options() -> None:
    assert explain((-HALF, 0.0), 0.0, 0.0, replace(TOKENS, back_cost=0)).cost == 0
    assert explain((-2 * HALF, 0.0), 0.0, 0.0, TOKENS).cost is None
    assert explain((-2 * HALF, 0.0), 0.0, 0.0, replace(TOKENS, backs=1000)).cost == 2
    assert explain((-HALF, 0.0), 0.0, 0.0, replace(TOKENS, backs=0)).cost is None


def test_lock_08_the_escape_step_is_paid_before_anything_else() -> None:
    escape = replace(TOKENS, escape=True, backs=0)
    assert explain((-HALF, 0.0), 0.0, 0.0, escape).cost == 1
    assert explain((PALM - HALF, 0.0), 0.0, 0.0, escape).cost == 2
    assert explain((-HALF, HALF), 0.0, math.pi / 2, escape).cost == 2
    assert explain((-HALF - 1, 0.0), 0.0, 0.0, escape).cost is None


def test_face_03_a_second_turn_has_no_shape() -> None:
    assert explain((0.0, 5.0), 0.0, math.pi / 2, replace(TOKENS, turn=False)).cost is None


@pytest.mark.parametrize(
    ("end", "sd", "verdict", "cost"),
    [(54.0, 0.0, "within", 3), (56.0, 0.0, "beyond", 4), (20.0, 0.0, "within", 2),
     (53.9, 0.2, "too_close", 3), (54.1, 0.2, "too_close", 3), (53.0, 0.2, "within", 3),
     (55.2, 0.2, "beyond", 4)],
)  # fmt: skip
def test_move_01_a_straight_move_against_three_speed(end: float, sd: float, verdict: str, cost: int) -> None:
    before, after = figure("A", 0, 0, sd=sd), figure("A", end, 0, sd=sd)
    judged = judge_move(before, after, HAND, speed=3)
    assert judged.verdict == verdict
    assert judged.cost == cost
    assert "MOVE-01" in judged.rules
    assert judged.palms.value == pytest.approx(end / PALM)


def test_move_02_an_uncertain_hand_makes_long_moves_doubtful() -> None:
    before, after = figure("A", 0, 0), figure("A", 53.0, 0)
    assert judge_move(before, after, HAND, speed=3).verdict == "within"
    assert judge_move(before, after, Hand(PALM, HALF, palm_sd=0.3), speed=3).verdict == "too_close"


def test_allowing_palms_compares_the_straight_displacement() -> None:
    before, hand = figure("A", 0, 0), Hand(20.0, 8.0, 0.1)
    assert judge_move(before, figure("A", 30, 20), hand, allow_palms=2).verdict == "within"
    assert judge_move(before, figure("A", 41.5, 0), hand, allow_palms=2).verdict == "beyond"
    judged = judge_move(before, figure("A", 40.2, 0), hand, allow_palms=2)
    assert judged.verdict == "too_close"
    assert judged.palms.sd == pytest.approx(40.2 * 0.1 / 400)


@pytest.mark.parametrize("limits", [{}, {"speed": 1, "allow_palms": 1.0}])
def test_a_move_is_judged_against_exactly_one_limit(limits: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="either a Speed or a number of palms"):
        judge_move(figure("A", 0, 0), figure("A", 1, 0), HAND, **limits)  # type: ignore[arg-type]


def test_ruling_29_a_move_through_somebody_is_beyond_and_says_who() -> None:
    blockers = {"B": outline_shape(figure("B", 15, 0))}
    through = judge_move(figure("A", 0, 0), figure("A", 30, 0), HAND, speed=4, blockers=blockers)
    assert through.verdict == "beyond"
    assert through.text.values["by"] == "B"
    assert "RULING-29" in through.rules
    past = judge_move(figure("A", 0, 0), figure("A", 0, 30, 90.0), HAND, speed=4, blockers=blockers)
    assert past.verdict == "within"


def test_an_assumed_facing_makes_a_move_a_question() -> None:
    after = replace(figure("A", 0, 30, 90.0), facing_assumed=True)
    assert judge_move(figure("A", 0, 0), after, HAND, speed=4).verdict == "too_close"


@pytest.mark.parametrize("seed", range(3))
def test_noisy_legal_moves_are_hardly_ever_called_beyond(seed: int) -> None:
    rng = random.Random(seed)
    wrong = 0
    for _ in range(120):
        steps = [("F", 1.0, 0.0)] * rng.randint(1, 2) + [("T", 1.0, rng.uniform(-180, 180))]
        x, y, facing, cost = walk(steps)
        noise = [rng.gauss(0, 0.2) for _ in range(2)]
        seen = replace(
            figure("A", x + noise[0], y + noise[1], math.degrees(facing) + rng.gauss(0, 2.0), sd=0.2),
            facing_sd=math.radians(2.0),
        )
        before = replace(figure("A", 0, 0, rng.gauss(0, 2.0), sd=0.2), facing_sd=math.radians(2.0))
        wrong += judge_move(before, seen, HAND, speed=cost).verdict == "beyond"
    assert wrong <= 6


# ---------- obstacles


def first_contact(one: Figure, heading: float, length: float, others: list[shapely.Geometry]) -> float:
    """The slow twin: bisect the length at which the swept outline begins to overlap something."""
    shape = outline_shape(one)
    direction = math.cos(heading), math.sin(heading)

    def hit(distance: float) -> bool:
        swept = sweep(shape, distance * direction[0], distance * direction[1])
        return any(swept.intersection(other).area > 1e-3 for other in others)

    if not hit(length):
        return length
    low, high = 0.0, length
    while high - low > 1e-3:
        middle = (low + high) / 2
        low, high = (low, middle) if hit(middle) else (middle, high)
    return high


@settings(max_examples=80, deadline=None)
@given(st.floats(-25, 25), st.floats(-25, 25), headings, st.floats(2, 5), st.floats(2, 8))
def test_the_free_way_is_that_of_bisected_sweeps(
    x: float, y: float, heading: float, radius: float, depth: float
) -> None:
    angle = math.radians(heading)
    one = figure("A", 0, 0, heading, radius=2.5, depth=4.0)
    other = figure("B", x, y, 33.0, radius=radius, depth=depth)
    assume(outline_shape(one).distance(outline_shape(other)) > 0.3)
    blocks = obstacles(one, WIDE, [other], 40.0)
    fast = free_way(canonical(one), np.array([[0.0, 0.0]]), np.array([angle]), blocks, 40.0)[0, 0]
    shape = outline_shape(other)
    loose, tight = (first_contact(one, angle, 40.0, [shape.buffer(grow)]) for grow in (-0.25, 0.25))
    assert tight - 0.3 <= fast <= loose + 0.3


@pytest.mark.parametrize("seed", range(6))
def test_sequences_that_touch_nobody_end_inside_the_region_among_obstacles(seed: int) -> None:
    rng = random.Random(seed)
    one = figure("A", rng.uniform(-20, 20), rng.uniform(-20, 20), rng.uniform(-180, 180), depth=4.0)
    others = [
        figure(name, rng.uniform(-30, 30), rng.uniform(-30, 30), rng.uniform(0, 360)) for name in "BCDE"
    ]
    others = [other for other in others if outline_shape(other).distance(outline_shape(one)) > 1.0]
    solid = [outline_shape(other) for other in others] + list(posts(RING))
    mat = shapely.box(-35, -35, 35, 35)
    region = legal_region(one, HAND, 3, ring=RING, others=tuple(others))
    inside = 0
    for _ in range(150):
        place = one
        fits = True
        for kind, part, heading in (
            [("F", rng.random(), 0.0)] * rng.randint(0, 1)
            + [("T", rng.random(), rng.uniform(-180, 180))]
            + [("F", rng.random(), 0.0)] * rng.randint(0, 1)
        ):
            if kind == "T":
                place = moved(place, place.x, place.y, math.radians(heading))
            length = part * (HALF if kind == "T" else PALM)
            dx, dy = length * math.cos(place.facing), length * math.sin(place.facing)
            swept = sweep(outline_shape(place), dx, dy)
            fits = fits and mat.covers(swept) and not any(swept.intersects(other) for other in solid)
            place = moved(place, place.x + dx, place.y + dy)
        if fits:
            inside += 1
            assert region.distance(shapely.Point(place.x, place.y)) < 1.0
    assert inside > 5


@pytest.mark.parametrize("seed", range(6))
def test_nobody_fits_where_the_region_does_not_reach(seed: int) -> None:
    rng = random.Random(seed)
    one = figure("A", 0, 0, rng.uniform(-180, 180))
    others = tuple(figure(name, rng.uniform(-30, 30), rng.uniform(-30, 30)) for name in "BCD")
    others = tuple(other for other in others if outline_shape(other).distance(outline_shape(one)) > 0.5)
    region = legal_region(one, HAND, 3, ring=RING, others=others)
    low, right, high, top = region.bounds
    checked = 0
    while checked < 60:
        point = shapely.Point(rng.uniform(low, high), rng.uniform(right, top))
        if not region.contains(point):
            continue
        checked += 1
        place = outline_shape(moved(one, point.x, point.y))
        assert shapely.box(-35.2, -35.2, 35.2, 35.2).covers(place)
        for other in others:
            assert place.intersection(outline_shape(other)).area < 1.5


def test_a_figure_that_touches_another_may_still_walk_away() -> None:
    one, other = figure("A", 0, 0, 180.0), figure("B", 5.9, 0)
    region = legal_region(one, HAND, 2, ring=RING, others=(other,))
    assert region.distance(shapely.Point(-30, 0)) < 0.1
    facing = legal_region(figure("A", 0, 0, 0.0), HAND, 1, ring=RING, others=(other,), may_turn=False)
    assert facing.distance(shapely.Point(9, 0)) > 8


def test_a_figure_that_covers_a_whole_rope_still_has_a_region() -> None:
    small = Ring(2.0, 2.0, 0.2)
    assert not legal_region(figure("A", 0, 0, radius=5.0), HAND, 2, ring=small).is_empty


@pytest.mark.parametrize("turned", [0, 37, 90, 200])
def test_ruling_29_nobody_turns_off_beyond_what_stops_him(turned: int) -> None:
    """A wall right across the mat, whole palms ahead: no turn begins on its far side."""
    one, wall = figure("A", -20, 0), _wall(0.0)
    c, s = math.cos(math.radians(turned)), math.sin(math.radians(turned))
    region = legal_region(one, HAND, 4, ring=Ring(70.0, 70.0), others=(wall,), final_heading=math.atan2(s, c))
    assert region.bounds[2] <= -1.0 - 3.0 + 0.1
    assert legal_region(one, HAND, 4, ring=RING, others=(wall,)).bounds[2] <= -1.0 - 3.0 + 0.1


def _wall(x: float) -> Figure:
    """A figure two cm thick from rope to rope."""
    return Figure("W", x, 0.0, 0.0, ((x - 1, -35.0), (x + 1, -35.0), (x + 1, 35.0), (x - 1, 35.0)))


@pytest.mark.parametrize("over", [False, True])
def test_ruling_29_by_house_rule_the_region_leads_over_those_who_lie(over: bool) -> None:
    agreed = catalogue().resolve({"pass_over_lying": over})
    for posture, passes in (("lying", over), ("standing", False)):
        wall = replace(_wall(0.0), posture=posture)
        region = legal_region(
            figure("A", -20, 0), HAND, 3, ring=RING, others=(wall,), rulings=agreed, may_turn=False
        )
        assert (region.bounds[2] > 20) == passes


def test_ruling_27_one_step_back_is_drawn_where_only_that_can_be_paid_for() -> None:
    for speed, cost, reach in ((0, 0, HALF), (0, 1, 0.0), (1, 1, HALF), (3, 0, HALF)):
        agreed = catalogue().resolve({"step_back_cost": cost})
        back, _ = straight_reach(stride(figure("A", 0, 0), HAND, agreed), speed)
        assert back == pytest.approx(reach)
    for speed, steps in ((0, 1), (1, 1), (3, 3)):
        agreed = catalogue().resolve({"step_back_cost": 0, "step_back_max": "unlimited"})
        back, _ = straight_reach(stride(figure("A", 0, 0), HAND, agreed), speed)
        assert back == pytest.approx(steps * HALF)


def test_ruling_28_where_the_figure_takes_up_the_whole_palm_it_stays_where_it_is() -> None:
    agreed = catalogue().resolve({"palm_origin": "trailing_edge"})
    big = figure("A", 0, 0, radius=10.0)
    tokens = stride(big, HAND, agreed)
    assert (tokens.palm, tokens.half) == (0.0, 0.0)
    assert explain((0.0, 0.0), 0.0, 0.0, tokens).cost == 0
    assert explain((3.0, 0.0), 0.0, 0.0, tokens).cost is None
    assert judge_move(big, moved(big, 5.0, 0.0), HAND, speed=4, rulings=agreed).verdict == "beyond"


@pytest.mark.parametrize("hand", [Hand(0.0, 9.0), Hand(18.0, 0.0), Hand(-1.0, 9.0)])
def test_move_02_a_hand_of_no_length_measures_nothing(hand: Hand) -> None:
    with pytest.raises(ValueError, match="palm_cm"):
        judge_move(figure("A", 0, 0), figure("A", 5, 0), hand, speed=2)


def test_a_figure_thinner_than_a_hair_keeps_its_outline() -> None:
    thin = Figure("A", 0.0, 0.0, 0.0, ((-1.0, -0.001), (1.0, -0.001), (1.0, 0.001), (-1.0, 0.001)))
    assert canonical(thin)[:, 0].max() == pytest.approx(1.0)
    region = legal_region(thin, HAND, 1, ring=RING, others=(_wall(10.0),), may_turn=False)
    assert region.bounds[2] == pytest.approx(8.0, abs=0.1)


def test_the_sd_of_a_way_is_that_along_it_however_short_it_was() -> None:
    before = replace(figure("A", 0, 0, 90), covariance=(0.0, 0.0, 0.25))
    for x, y, sd in ((0.5, 0.0, 0.0), (0.0, 0.5, 0.5), (0.0, 0.0, 0.5)):
        found = displacement(before, figure("A", x, y))
        assert (found.value, found.sd) == (pytest.approx(math.hypot(x, y)), pytest.approx(sd))
    sideways = replace(figure("A", 0, 0, 0), covariance=(0.0, 0.0, 0.25))
    assert displacement(sideways, figure("A", 0, 0)).sd == pytest.approx(0.0)


@pytest.mark.parametrize(("speed", "back", "ahead"), [(0, 0.0, 0.0), (1, HALF, 0.0), (3, HALF, 2 * PALM)])
def test_lock_08_the_way_out_of_a_lock_up_is_drawn_with_its_first_point_spent(
    speed: int, back: float, ahead: float
) -> None:
    tokens = stride(figure("A", 0, 0), HAND, catalogue().resolve(), escape=True)
    assert straight_reach(tokens, speed) == pytest.approx((back, ahead))
    region = legal_region(figure("A", 0, 0), HAND, speed, ring=WIDE, escape=True, may_turn=False)
    if back or ahead:
        assert (region.bounds[0], region.bounds[2]) == pytest.approx((-back, ahead), abs=0.01)


@pytest.mark.parametrize("gap", [0.2, 0.5, 0.9, 5.0])
@pytest.mark.parametrize("turned", [0, 50, 180])
def test_the_free_way_ends_at_a_corner_however_near_it_is(gap: float, turned: int) -> None:
    """A wedge that points at a flat front, and a wedge-shaped figure that runs into a flat wall."""
    flat = Figure("A", 0.0, 0.0, 0.0, ((-2.0, -4.0), (2.0, -4.0), (2.0, 4.0), (-2.0, 4.0)))
    tip = 2.0 + gap
    wedge = Figure("B", tip + 3, 0.0, 0.0, ((tip, 0.5), (tip + 6, -4.0), (tip + 6, 4.0)))
    angle = math.radians(turned)
    for runner, wall in (
        (flat, wedge),
        (moved(wedge, -tip - 3, 0.0, math.pi), moved(flat, gap - tip + 2.0, 0.0)),
    ):
        one, other = (_about_the_middle(each, angle) for each in (runner, wall))
        blocks = obstacles(one, WIDE, [other], 40.0)
        facing = replace(one, facing=angle)
        way = free_way(canonical(facing), np.array([[one.x, one.y]]), np.array([angle]), blocks, 40.0)[0, 0]
        assert way == pytest.approx(gap, abs=0.12)


def _about_the_middle(one: Figure, angle: float) -> Figure:
    """The figure turned about the middle of the mat."""
    c, s = math.cos(angle), math.sin(angle)
    points = tuple((c * x - s * y, s * x + c * y) for x, y in one.outline)
    return replace(one, x=c * one.x - s * one.y, y=s * one.x + c * one.y, outline=points)


@pytest.mark.parametrize(("cost", "inside"), [(0, True), (1, False)])
def test_ruling_27_a_step_back_that_costs_nothing_may_come_before_the_turn(cost: int, inside: bool) -> None:
    agreed = catalogue().resolve({"step_back_cost": cost})
    region = legal_region(figure("A", 0, 0), HAND, 1, ring=WIDE, rulings=agreed)
    assert (region.distance(shapely.Point(-HALF, HALF - 0.5)) < 0.2) == inside


def test_ruling_28_a_doubt_is_not_rounded_away() -> None:
    """0.98 ± 0.02 palms would read as within one palm."""
    away = Measured(0.9802 * PALM, 0.0122 * PALM)
    judged = judge_move(figure("A", 0, 0), figure("A", away.value, 0), HAND, allow_palms=1, distance=away)
    assert judged.verdict == "too_close"
    assert translate(judged.text, "en").startswith("Too close to call: 0.980 ± 0.024 palms")
    wide = Measured(0.98 * PALM, 0.08 * PALM)
    judged = judge_move(figure("A", 0, 0), figure("A", wide.value, 0), HAND, allow_palms=1, distance=wide)
    assert translate(judged.text, "en").startswith("Too close to call: 0.98 ± 0.16 palms")
