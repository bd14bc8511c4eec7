"""Free places beside somebody: on their side of the ropes, clear of everybody, none where there is none."""

from __future__ import annotations

import math

import pytest

from rules.geometry import moved, outline_shape
from rules.scene import Figure, Ring
from rules.smackkatz.book import EARLIER
from rules.smackkatz.consequences.drops import drop, line_spot
from rules.smackkatz.consequences.landing import cross_ropes
from rules.smackkatz.movement import spots
from rules.smackkatz.movement.spots import beside, is_free, solids
from tests.rules.playing import RING, figure
from tests.rules.smackkatz.harness import drive, table
from tests.rules.smackkatz.test_suplex import hoisting

SQUARE = ((-3.0, -3.0), (3.0, -3.0), (3.0, 3.0), (-3.0, 3.0))


def square(x: float, y: float) -> Figure:
    return moved(Figure("A", 0.0, 0.0, 0.0, SQUARE), x, y)


@pytest.mark.parametrize(
    ("x", "y", "inside", "free"),
    [
        (0, 0, True, True), (32, 0, True, True), (32.2, 0, True, False), (0, -32.2, True, False),
        (38, 0, False, True), (37.8, 0, False, False), (0, 38, False, True), (0, 37.8, False, False),
        (57, 0, False, True), (57.2, 0, False, False), (0, -57, False, True), (0, -57.2, False, False),
        (57, 57, False, True), (57.2, 57, False, False), (0, 0, False, False), (70, 0, False, False),
    ],
)  # fmt: skip
def test_ruling_29_a_place_is_wholly_on_its_side_of_the_ropes(
    x: float, y: float, inside: bool, free: bool
) -> None:
    assert is_free(square(x, y), solids(RING, []), RING, inside) == free


def test_ruling_29_a_slanting_figure_may_stand_past_a_corner_its_box_overlaps() -> None:
    """A thin strip at 45 degrees lies clear of the mat though the box around it does not."""
    strip = Figure("A", 0.0, 0.0, 0.0, ((-8.0, 8.0), (8.0, -8.0), (8.2, -7.8), (-7.8, 8.2)))
    assert is_free(moved(strip, 38.0, 38.0), solids(RING, []), RING, False)
    assert not is_free(moved(strip, 33.0, 33.0), solids(RING, []), RING, False)


def test_there_is_no_place_beside_somebody_who_fills_the_ring() -> None:
    small = Ring(16.0, 16.0)
    one, other = figure("A", 0, 0), figure("B", 0, 0, radius=4.0)
    assert beside(one, other, [], small, True, 0.0) is None
    assert beside(one, other, [], Ring(60.0, 60.0), True, 0.0) is not None


@pytest.mark.parametrize("start", [0.0, 1.0, math.pi, -2.0])
def test_ruling_105_beside_somebody_one_looks_at_him_or_as_before(start: float) -> None:
    one, other = figure("A", 20, 20, 30), figure("B", 0, 0)
    for turned in (True, False):
        spot = beside(one, other, [], RING, True, start, turned=turned)
        assert spot is not None
        assert math.atan2(spot.y, spot.x) == pytest.approx(math.remainder(start, math.tau))
        facing = start + math.pi if turned else math.radians(30)
        assert math.remainder(spot.facing - facing, math.tau) == pytest.approx(0.0)
        gap = outline_shape(spot).distance(outline_shape(other))
        assert spots.CLEAR <= gap + 1e-9 <= spots.CLEAR + 2 * spots.STEP


# ---------- where a dropped one falls


@pytest.mark.parametrize("x", [0.0, 10.0])
def test_suplex_20_of_the_earlier_edition_he_falls_on_the_line_where_that_is_on_the_mat(x: float) -> None:
    at = {"A": figure("A", x, 0, 90), "B": figure("B", x, 0, 90), "C": figure("C", x - 7, 0, 0)}
    found = hoisting(at=at, book=EARLIER)
    wanted = line_spot(found, found.state.scene.figures["B"], "C", found.state.scene.figures["A"])
    drive(drop(found, "B", "C", "OPEN_PHASE"))
    fallen = found.state.scene.figures["B"]
    assert (fallen.x, fallen.y) == (pytest.approx(wanted.x), pytest.approx(wanted.y, abs=1e-6))
    assert fallen.x == pytest.approx(x + 6, abs=0.2)


def test_suplex_20_of_the_earlier_edition_nobody_is_dropped_out_of_the_ring() -> None:
    at = {"A": figure("A", 31, 0, 90), "B": figure("B", 31, 0, 90), "C": figure("C", 24, 0, 0)}
    found = hoisting(at=at, book=EARLIER)
    drive(drop(found, "B", "C", "OPEN_PHASE"))
    fallen, b = found.state.scene.figures["B"], found.state.wrestlers["B"]
    assert (b.at_ringside, b.stamina) == (False, 16)
    assert max(abs(x) for x, _ in fallen.outline) <= 35.0 + 1e-6
    assert outline_shape(fallen).distance(outline_shape(found.state.scene.figures["A"])) >= spots.CLEAR - 1e-9


@pytest.mark.parametrize(("x", "outside"), [(26.0, False), (27.5, True), (30.0, True)])
def test_ruling_56_who_would_lie_across_the_ropes_lies_outside_where_there_is_no_room_within(
    x: float, outside: bool
) -> None:
    """The striker on the left, the holder between him and the right ropes."""
    at = {"A": figure("A", x, 0, 90), "B": figure("B", x, 0, 90), "C": figure("C", x - 7, 0, 0)}
    found = hoisting(at=at)
    drive(drop(found, "B", "C", "OPEN_PHASE"))
    fallen, b = found.state.scene.figures["B"], found.state.wrestlers["B"]
    assert b.at_ringside == outside
    xs = [point[0] for point in fallen.outline]
    assert (min(xs) >= 35.0 - 1e-6) if outside else (max(xs) <= 35.0 + 1e-6)
    assert b.stamina == (14 if outside else 16)


def test_ruling_56_who_would_lie_across_the_ropes_is_moved_wholly_inside_where_there_is_room() -> None:
    """The line runs nearly along the far ropes: a little towards the middle there is room."""
    at = {"A": figure("A", 0, 30, 90), "B": figure("B", 0, 30, 90), "C": figure("C", -7, 29, 0)}
    found = hoisting(at=at | {"D": figure("D", 9, 31.5, 0)}, names="ABCD")
    drive(drop(found, "B", "C", "OPEN_PHASE"))
    fallen, b = found.state.scene.figures["B"], found.state.wrestlers["B"]
    assert (b.at_ringside, b.stamina) == (False, 16)
    assert max(y for _, y in fallen.outline) == pytest.approx(35.0)
    # Straight in from where the line would have laid him.
    way = math.atan2(fallen.y - 30, fallen.x)
    assert way < math.atan2(1, 7)


@pytest.mark.parametrize("along", ["far", "right"])
def test_ruling_56_whose_middle_comes_down_beyond_the_ropes_lies_outside_though_there_is_room_within(
    along: str,
) -> None:
    def at(x: float, y: float) -> tuple[float, float]:
        return (x, y) if along == "far" else (y, x)

    figures = {name: figure(name, *at(0, 30), 90) for name in "AB"}
    figures |= {"C": figure("C", *at(-7, 27), 0), "D": figure("D", *at(9, 33), 0)}
    found = hoisting(at=figures, names="ABCD")
    drive(drop(found, "B", "C", "OPEN_PHASE"))
    fallen, b = found.state.scene.figures["B"], found.state.wrestlers["B"]
    assert (b.at_ringside, b.stamina) == (True, 14)
    assert min(point[along == "far"] for point in fallen.outline) >= 35.0 - 1e-6


# ---------- across the ropes


@pytest.mark.parametrize(
    ("taken", "x"), [([], 5.0), ([5.0], -1.0), ([5.0, 0.0], 11.0), ([0.0, 6.0, 12.0], -6.0)]
)
@pytest.mark.parametrize("outside", [True, False])
def test_ruling_35_and_39_who_is_put_across_the_ropes_stands_on_nobody(
    taken: list[float], x: float, outside: bool
) -> None:
    """The free place nearest to straight across; those on the other side of the ropes are in nobody's way."""
    y = 38.0 if outside else 32.0
    others = {name: figure(name, at, y, 90) for name, at in zip("BCD", taken, strict=False)}
    beyond = figure("E", 5.0, 32.0 if outside else 38.0, 90)
    names = "AE" + "".join(others)
    given = {one: {"at_ringside": outside} for one in others} | {
        "A": {"at_ringside": not outside},
        "E": {"at_ringside": not outside},
    }
    found = table(names, given, at={"A": figure("A", 5.0, 70.0 - y, 90), "E": beyond, **others})
    request = next(cross_ropes(found, "A", outside, "OPEN_PHASE"))
    ghost = request.proposal
    assert ghost is not None
    assert (ghost.x, ghost.y) == (pytest.approx(x), pytest.approx(y))


def test_ruling_35_where_there_is_no_room_along_the_ropes_the_place_straight_across_is_shown() -> None:
    tight = Ring(70.0, 70.0, ringside=4.0)
    found = table("AB", at={"A": figure("A", 5.0, 30.0, 90)}, ring=tight)
    ghost = next(cross_ropes(found, "A", True, "OPEN_PHASE")).proposal
    assert ghost is not None
    assert (ghost.x, ghost.y) == (5.0, pytest.approx(38.0))
