"""What a run meets one after another, and which of it is too close to call (catalogue 6.5)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from shapely.geometry import Polygon

from rules.engine.cite import cite
from rules.geometry import edge_variance, outline_shape, position_variance, posts, unit
from rules.measured import K95, Measured
from rules.questions import Finding, compared
from rules.scene import Figure, Point, Ring
from rules.smackkatz.movement.forced import POST_FIRST, Run, border, first_contact, overlap_across
from rules.smackkatz.movement.way import SKIN

LONGER = 5.0
"""How much further than its run a body is slid to see what it only just missed, cm."""


GRAZED = 0.3
"""Corridors that go no deeper than this into something only graze it, cm."""


@dataclass(frozen=True)
class Encounter:
    """Something on the way: what and where, and whether the run really meets it."""

    run: Run
    finding: Finding | None = None
    """How deep the run's corridor goes into it; None for what needs no such question (ropes)."""


@cite("WHIP-06", "WHIP-10", "WHIP-20", "RULING-46")
def encounters(
    runner: Figure,
    heading: float,
    length: Measured,
    ring: Ring,
    others: Iterable[Figure],
    *,
    at_ringside: bool = False,
) -> list[Encounter]:
    """Everything a run of `length` cm meets or only just misses, in the order of the way.

    A post counts before ropes met within half a centimetre of it.
    """
    found = [
        _body(runner, heading, length, outline_shape(other), Run("figure", 0.0, other.id), other)
        for other in others
    ]
    found += [
        _body(runner, heading, length, post, Run("post", 0.0, str(number)), None)
        for number, post in enumerate(posts(ring))
    ]
    bodies = [one for one in found if one is not None]
    end = border(runner, heading, length.value, ring, at_ringside=at_ringside)
    if end is None:
        return sorted(bodies, key=_way)
    near = [one.run.after for one in bodies if one.run.meets == "post"]
    late = any(end.after <= at <= end.after + POST_FIRST for at in near)
    rank = end.after + POST_FIRST + 1e-6 if late else end.after
    before = [one for one in bodies if one.run.after <= rank]
    return [*sorted(before, key=_way), Encounter(end)]


def _way(one: Encounter) -> float:
    return one.run.after


def _body(
    runner: Figure, heading: float, length: Measured, shape: Polygon, what: Run, other: Figure | None
) -> Encounter | None:
    """One figure or post: where it is met, and how clearly. None when the run is clear of it."""
    across, along = unit(heading + math.pi / 2), unit(heading)
    overlap = overlap_across(outline_shape(runner), shape, heading)
    side = math.sqrt(edge_variance(runner, across) + (0.0 if other is None else edge_variance(other, across)))
    if overlap < -K95 * side or (overlap <= SKIN and side == 0):
        return None
    ahead = edge_variance(runner, along) + length.sd**2
    ahead += 0.0 if other is None else edge_variance(other, along)
    reach = length.value + LONGER
    at = first_contact(runner, heading, reach, shape)
    if at is None and side > 0 and overlap <= GRAZED:
        # What is only grazed, or just missed, is made bigger, so that the place where it is can be found.
        at = first_contact(runner, heading, reach, shape.buffer(GRAZED - min(overlap, 0.0)))
    if at is None:
        return None
    left = Measured(length.value - at, math.sqrt(ahead))
    depth = min(Measured(overlap, side), left, key=lambda one: one.value)
    missed, close = compared(depth, 0.0)
    if missed and not close:
        return None
    points: tuple[Point, Point] = ((runner.x, runner.y), _centre(shape, other))
    if other is None:
        finding = Finding("into_post", not missed, (runner.id,), ("WHIP-20",), depth, 0.0, points, close)
    else:
        rules, both = ("WHIP-06", "RULING-46"), (runner.id, other.id)
        finding = Finding("in_the_way", not missed, both, rules, depth, 0.0, points, close)
    return Encounter(Run(what.meets, min(at, length.value), what.what), finding)


def _centre(shape: Polygon, other: Figure | None) -> Point:
    return (shape.centroid.x, shape.centroid.y) if other is None else (other.x, other.y)


@cite("WHIP-10", "WHIP-11", "RULING-47")
def rest_after(runner: Figure, heading: float, length: Measured, end: Run) -> Measured:
    """The way still to go when the ropes are reached, cm."""
    return Measured(
        length.value - end.after, math.sqrt(length.sd**2 + position_variance(runner, unit(heading)))
    )
