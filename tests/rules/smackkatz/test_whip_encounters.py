"""What a run meets, one after another, and what only grazes it."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import shapely
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rules.geometry import outline_shape, sweep
from rules.measured import Measured
from rules.scene import Figure
from rules.smackkatz.attacks.whip import launch
from rules.smackkatz.movement.encounters import encounters, rest_after
from rules.smackkatz.movement.forced import run
from tests.rules.playing import RING, figure
from tests.rules.smackkatz.harness import table

inside = st.floats(-26, 26)
angles = st.floats(-180, 180)


def crowd(places: list[tuple[float, float]]) -> list[Figure]:
    return [figure("CDEF"[number], x, y, depth=4.0) for number, (x, y) in enumerate(places)]


@settings(max_examples=600, deadline=None)
@given(inside, inside, angles, st.floats(5, 90), st.lists(st.tuples(inside, inside), max_size=4))
def test_without_errors_the_first_encounter_is_what_the_run_meets(
    x: float, y: float, heading: float, length: float, places: list[tuple[float, float]]
) -> None:
    runner = figure("B", x, y, heading)
    others = [one for one in crowd(places) if outline_shape(one).distance(outline_shape(runner)) > 0.5]
    angle = math.radians(heading)
    met = run(runner, angle, length, RING, others)
    way = encounters(runner, angle, Measured(length, 0.0), RING, others)
    sure = [one.run for one in way if one.finding is None or one.finding.answer]
    assert not any(one.finding.too_close for one in way if one.finding is not None)
    if met.meets == "nothing":
        # What is only grazed by less than touching counts nowhere.
        assert not sure or sure[0].after > length - 0.5
    else:
        assert sure
        assert abs(sure[0].after - met.after) < 0.7


@settings(max_examples=60, deadline=None)
@given(st.floats(-8, 8), angles)
def test_a_near_miss_is_too_close_and_a_clear_one_is_not_asked_about(aside: float, heading: float) -> None:
    angle = math.radians(heading)
    c, s = math.cos(angle), math.sin(angle)
    runner = figure("B", 0, 0, heading, sd=0.1)
    other = figure("C", 15 * c - aside * s, 15 * s + aside * c, sd=0.1)
    way = encounters(runner, angle, Measured(20.0, 0.0), RING, [other])
    found = [one for one in way if one.run.what == "C"]
    corridor = sweep(outline_shape(runner), 20 * c, 20 * s)
    gap = corridor.distance(outline_shape(other))
    if gap > 0.6:
        assert not found
    elif abs(aside) < 4.5:
        assert found[0].finding is not None
        assert (found[0].finding.answer, found[0].finding.too_close) == (True, False)
    elif gap > 0:
        assert not found or (found[0].finding is not None and found[0].finding.too_close)


def test_ruling_47_the_rest_at_the_ropes_carries_the_errors_of_place_and_palm() -> None:
    runner = figure("B", 12, 0, 0, sd=0.3)
    end = encounters(runner, 0.0, Measured(36.0, 0.4), RING, [])[-1].run
    rest = rest_after(runner, 0.0, Measured(36.0, 0.4), end)
    assert (end.meets, end.what) == ("ropes", "right")
    assert abs(rest.value - 16) < 0.01
    assert abs(rest.sd - 0.5) < 0.01


def shaped(name: str, x: float, y: float, facing: float, radii: list[float]) -> Figure:
    """A figure with an outline of its own: one radius for each direction."""
    turns = [math.radians(facing) + 2 * math.pi * number / len(radii) for number in range(len(radii))]
    outline = tuple(
        (x + radius * math.cos(a), y + radius * math.sin(a)) for radius, a in zip(radii, turns, strict=True)
    )
    return Figure(name, x, y, math.radians(facing), outline)


radii = st.lists(st.floats(2.0, 5.0), min_size=9, max_size=9)


@settings(max_examples=60, deadline=None)
@given(st.floats(-20, 20), angles, radii, radii, inside, inside, st.integers(1, 4), st.randoms())
def test_ruling_105_wherever_a_run_ends_the_ghost_has_room(
    x: float,
    heading: float,
    mine: list[float],
    other: list[float],
    cx: float,
    cy: float,
    palms: int,
    chance: Random,
) -> None:
    angle = math.radians(heading)
    b = shaped("B", x, 0, heading + 180, mine)
    a = shaped("A", x + 11 * math.cos(angle), 11 * math.sin(angle), heading, [3.0] * 9)
    c = shaped("C", cx, cy, 0, other)
    assume(all(outline_shape(one).distance(outline_shape(c)) > 0.5 for one in (a, b)))
    assume(all(shapely.box(-35, -35, 35, 35).covers(outline_shape(one)) for one in (a, b, c)))
    found = table("ABC", {"C": {"acted": True}}, at={"A": a, "B": b, "C": c})
    run_of_b = launch(found, "A", "B", angle, palms, "OPEN_PHASE", technique_tried=chance.random() < 0.5)
    placed = []
    request = next(run_of_b, None)
    while request is not None:
        if request.kind == "place":
            placed.append(request.proposal)
            assert request.check is not None
            assert not request.check(request.proposal)
            answer: Any = request.proposal
        elif request.kind == "roll":
            answer = tuple(chance.randint(1, 6) for _ in range(request.dice_count))
        else:
            answer = chance.choice([one.id for one in request.options if one.legal])
        try:
            request = run_of_b.send(answer)
        except StopIteration:
            break
    assert len(placed) == 1
    ghost = outline_shape(placed[0])
    assert ghost.intersection(outline_shape(c)).area < 0.5
    if not found.state.wrestlers["B"].at_ringside:
        assert shapely.box(-35, -35, 35, 35).buffer(0.2).covers(ghost)
