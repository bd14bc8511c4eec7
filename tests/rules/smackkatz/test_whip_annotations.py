"""What is drawn of a whip: the fan of directions, the corridor of the run with its ticks, the ghost."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from shapely.geometry import Polygon

from rules.annotations import Annotation, Arrow, Ghost, Region, Ruler
from rules.smackkatz.abilities import Ring
from rules.smackkatz.annotate import draw
from rules.smackkatz.annotations.whip import draw_whip
from rules.smackkatz.attacks.aiming import aims
from rules.smackkatz.attacks.whip import whip
from tests.rules.playing import figure
from tests.rules.smackkatz.harness import table

AT = {"A": figure("A", 0, 0, 180), "B": figure("B", -7, 0, 0), "C": figure("C", 20, 0, 180)}


def test_ruling_42_the_fan_shows_every_direction_allowed() -> None:
    found = table("ABC", at=AT)
    request = next(whip(found, "A", "B", "OPEN_PHASE"))
    arrows = [one for one in draw_whip(found, request, AT) if isinstance(one, Arrow)]
    legal = [one for one, against in aims(found, "A", "B") if not against]
    assert len(arrows) == len(legal)
    assert all(one.start == (-7, 0) and one.tone == "legal" for one in arrows)
    headings = [math.atan2(one.end[1], one.end[0] + 7) for one in arrows]
    assert headings == pytest.approx([one.heading for one in legal])
    assert all(max(abs(one.end[0]), abs(one.end[1])) == pytest.approx(35) for one in arrows)


def test_whip_03_the_run_has_a_tick_every_palm_and_shows_the_area_it_sweeps() -> None:
    found = table("ABC", {"A": {"irish_whip": 1}, "C": {"speed": 1}}, at=AT)
    run = whip(found, "A", "B", "OPEN_PHASE")
    next(run)
    assert run.send("turn:0").kind == "roll"
    window = run.send((6,))
    assert "D-06" in window.step
    assert not draw_whip(found, window, AT)
    dodging = run.send("decline")
    assert "D-07" in dodging.step
    notes = draw_whip(found, dodging, AT)
    region = next(one for one in notes if isinstance(one, Region))
    ruler = next(one for one in notes if isinstance(one, Ruler))
    assert (ruler.points, ruler.tick) == (((-7.0, 0.0), (29.0, 0.0)), 18.0)
    assert Polygon(region.exterior).bounds == pytest.approx((-10, -3, 32, 3), abs=0.01)


def test_the_ghost_stands_where_the_runner_must_be_put() -> None:
    found = table("AB", {"A": {"irish_whip": 1}, "B": {"technique": 0}}, at=AT)
    run = whip(found, "A", "B", "OPEN_PHASE")
    next(run)
    run.send("turn:0")
    place = run.send((4,))
    notes: tuple[Annotation, ...] = draw(found, place, AT)
    ghost = next(one for one in notes if isinstance(one, Ghost))
    centre = Polygon(ghost.outline).centroid
    assert (centre.x, centre.y) == pytest.approx((11, 0), abs=0.01)
    assert place.check is not None
    assert [one.code for one in place.check(figure("B", 14, 0, 0))] == ["not_there"]
    assert [one.code for one in place.check(figure("B", 11, 0, 60))] == ["other_facing"]
    assert not place.check(figure("B", 12, 0, 10))


@pytest.mark.parametrize(
    ("covariance", "blurred"),
    [
        ((4.0, 0.0, 0.0), [(1, 0), (-1, 0)]),
        ((0.0, 0.0, 4.0), [(0, 1), (0, -1)]),
        ((2.0, 2.0, 2.0), [(0.7071, 0.7071), (-0.7071, -0.7071)]),
    ],
)
def test_ruling_105_the_camera_may_be_off_only_along_the_way_it_cannot_tell(
    covariance: tuple[float, float, float], blurred: list[tuple[float, float]]
) -> None:
    found = table("AB", {"A": {"irish_whip": 1}, "B": {"technique": 0}}, at=AT)
    run = whip(found, "A", "B", "OPEN_PHASE")
    next(run)
    run.send("turn:0")
    check = run.send((4,)).check
    assert check is not None
    for ux, uy in [(1, 0), (-1, 0), (0, 1), (0, -1), (0.7071, 0.7071), (-0.7071, -0.7071), (0.7071, -0.7071)]:
        placed = replace(figure("B", 11 + 4 * ux, 4 * uy, 0), covariance=covariance)
        if (ux, uy) in blurred:
            assert not check(placed)
        elif all(abs(ux * bx + uy * by) < 0.5 for bx, by in blurred):
            assert [one.code for one in check(placed)] == ["not_there"]


def running() -> Ring:
    """A table on which B has been sent two palms along x."""
    found = table("ABC", at=AT)
    found.record(
        "launched", "WHIP-03",
        fighter="B", by="A", palms=2, start=[-7.0, 0.0], heading=0.0, cm=36.0, palm=18.0,
    )  # fmt: skip
    return found


def test_whip_03_the_run_of_one_nobody_sees_is_not_drawn() -> None:
    found = running()
    assert draw_whip(found, None, found.state.scene.figures)
    del found.state.scene.figures["B"]
    assert not draw_whip(found, None, found.state.scene.figures)


def test_a_run_broken_off_by_a_correction_is_no_longer_drawn() -> None:
    found = running()
    assert draw_whip(found, None, AT)
    found.record("broken_off", "LOG-02")
    assert not draw_whip(found, None, AT)


def test_ruling_51_at_ringside_a_direction_is_drawn_one_palm_long() -> None:
    at = {"A": figure("A", 0, 45, 180), "B": figure("B", -7, 45, 0)}
    fields = {name: {"at_ringside": True} for name in "AB"}
    found = table("ABC", fields, at=at, rulings={"whip_at_ringside": True})
    request = next(whip(found, "A", "B", "OPEN_PHASE"))
    arrows = [one for one in draw_whip(found, request, at) if isinstance(one, Arrow)]
    assert arrows
    assert all(one.start == (-7, 45) and math.dist(one.start, one.end) == pytest.approx(18) for one in arrows)
    assert all(one.end[0] > -7 for one in arrows)
