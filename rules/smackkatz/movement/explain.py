"""The cheapest way to explain an observed displacement as palms, one turn and a step back."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rules.engine.cite import cite
from rules.geometry import turn_between
from rules.smackkatz.movement.stride import Stride
from rules.value_type import value_type

Floats = NDArray[np.float64]

IMPOSSIBLE = 10_000
"""A cost no wrestler can pay: the move has no legal shape."""
PARALLEL = math.sin(math.radians(3))
"""Headings nearer than this (sine) cannot be told apart: the two legs are not separated."""
_EPS = 1e-6


@value_type
class Explanation:
    """Fewest points of Speed for a move, and whether it turns or steps back. None: no legal shape."""

    cost: int | None
    turned: bool = False
    stepped_back: bool = False
    legs: tuple[tuple[float, float], ...] = ()
    """The way: (heading in radians, cm along it; negative is backwards) for one or two legs."""

    @property
    def price(self) -> int:
        """The cost, more than anybody can pay where there is no legal shape."""
        return IMPOSSIBLE if self.cost is None else self.cost


def _steps(length: Floats, unit: float, slack: Floats | float) -> Floats:
    """How many tokens of `unit` cm a leg takes, forgiving `slack` cm (negative: demanding more)."""
    legs = np.maximum(0.0, length)
    if unit <= 0:
        return np.where(legs <= np.maximum(slack, _EPS), 0.0, float(IMPOSSIBLE))
    # Whoever did not move owes nothing, however strict the reading.
    owed = np.where(legs > _EPS, legs - slack - _EPS, 0.0)
    return np.maximum(0.0, np.ceil(owed / unit))


def _backs(length: Floats, stride: Stride, slack: Floats | float) -> Floats:
    """Cost of `length` cm backwards; IMPOSSIBLE beyond the steps allowed."""
    count = _steps(length, stride.back, slack)
    return np.where(count <= stride.backs, count * stride.back_cost, float(IMPOSSIBLE))


def _straight(along: Floats, across: Floats, stride: Stride, slack: Floats | float, drift: float) -> Floats:
    """Cost without a turn: forward palms, or the step back."""
    if stride.escape:
        backwards = np.where(-along <= stride.back + slack + _EPS, 0.0, float(IMPOSSIBLE))
        cost = 1 + _steps(along, stride.palm, slack) + backwards
    else:
        cost = _steps(along, stride.palm, slack)
        behind = along < -_still(slack, drift)
        if behind.any():
            cost = np.where(behind, _backs(-along, stride, slack), cost)
    return np.where(np.abs(across) <= drift, cost, float(IMPOSSIBLE))


def _still(slack: Floats | float, drift: float) -> Floats:
    """How far backwards, cm, still counts as not having stepped back."""
    return np.maximum(slack, drift) + _EPS


def _legs(before: Floats, after: Floats, stride: Stride, slack: Floats | float, drift: float) -> Floats:
    """Cost of the two legs around a turn: `before` along the old heading, `after` along the new."""
    still = _still(slack, drift)
    with_half, plain = (after, before) if stride.turn_first else (before, after)
    palms: Floats = _steps(np.array(((with_half - stride.half,), (plain,))), stride.palm, slack)
    cost: Floats = 1 + palms.sum(axis=0)
    if stride.half_mandatory:
        cost = np.where(with_half >= stride.half - slack - _EPS, cost, float(IMPOSSIBLE))
    if stride.escape:
        stepped = np.where(-before <= stride.back + slack + _EPS, 1.0, float(IMPOSSIBLE))
        return cost + np.where(after >= -still, stepped, float(IMPOSSIBLE))
    legs = np.array(((before,), (after,)))
    behind = legs < -still
    if behind.any():
        cost = cost + np.where(behind, _backs(-legs, stride, slack), 0.0).sum(axis=0)
        if stride.backs < 2:
            cost = np.where(behind.all(axis=0), float(IMPOSSIBLE), cost)
    return cost


def _splits(
    dx: float, dy: float, old: Floats, new: Floats, half_palm: float, drift: float
) -> list[tuple[Floats, Floats, Floats]]:
    """The ways to split a displacement into a leg along each heading: (before, after, 0 or IMPOSSIBLE).

    Two headings that cross give one way. Nearly the same or nearly reversed headings are also read as one
    line, on which the legs can be split at will, drifting sideways.
    """
    ux, uy, vx, vy = np.cos(old), np.sin(old), np.cos(new), np.sin(new)
    cross = ux * vy - uy * vx
    safe = np.where(np.abs(cross) > _EPS, cross, 1.0)
    crossing = np.where(np.abs(cross) > _EPS, 0.0, float(IMPOSSIBLE))
    ways = [((dx * vy - dy * vx) / safe, (ux * dy - uy * dx) / safe, crossing)]
    along, across = dx * ux + dy * uy, np.abs(dx * uy - dy * ux)
    line = np.where((np.abs(cross) <= PARALLEL) & (across <= drift), 0.0, float(IMPOSSIBLE))
    none = np.zeros_like(along)
    reverse = np.where(ux * vx + uy * vy < 0, -along, along)
    if line.all():
        return ways
    half = np.clip(reverse, 0.0, half_palm)
    ways.append((none, reverse, line))
    ways.append(
        (np.where(reverse == along, along - half, along), np.where(reverse == along, half, none), line)
    )
    return ways


@lru_cache(maxsize=64)
def _headings(centre: float, error: float) -> Floats:
    """The headings a figure may really have had."""
    return np.linspace(centre - error, centre + error, 7 if error > 0 else 1)


@value_type
class _Ways:
    """A displacement split into two legs for every pair of headings (N,), each way of splitting a row."""

    old: Floats
    new: Floats
    before: Floats
    after: Floats
    barred: Floats
    """0, or IMPOSSIBLE where there is no such way."""


@lru_cache(maxsize=64)
def _ways(
    dx: float,
    dy: float,
    before: float,
    after: float,
    errors: tuple[float, float],
    half: float,
    drift: float,
) -> _Ways:
    """All ways of a displacement; they are the same for the strict reading and the other."""
    first, last = _headings(before, errors[0]), _headings(after, errors[1])
    old, new = np.tile(first, len(last)), np.repeat(last, len(first))
    rows = zip(*_splits(dx, dy, old, new, half, drift), strict=True)
    return _Ways(old, new, *(np.array(row) for row in rows))


@cite("MOVE-01", "MOVE-05", "FACE-01", "FACE-03", "LOCK-08", "RULING-24", "RULING-26", "RULING-27")
def readings(
    shift: tuple[float, float],
    before: float,
    after: float,
    stride: Stride,
    *slacks: float,
    drift: float = 0.5,
    heading_error: tuple[float, float] = (0.0, 0.0),
) -> tuple[Explanation, ...]:
    """The cheapest readings of a displacement (cm) between two headings (radians), one for each slack.

    So many cm of `slack` are forgiven on every leg (negative: charged), `drift` sideways and backwards;
    each heading may be off by its `heading_error` (radians). Standing still with the same heading costs
    nothing.
    """
    dx, dy = shift
    found = [Explanation(None)] * len(slacks)
    if abs(turn_between(before, after)) <= sum(heading_error) + 1e-9:
        found = _without_turn(dx, dy, _headings(before, heading_error[0]), stride, slacks, drift)
    least = [_least_with_turn(math.hypot(dx, dy), stride, slack, drift) for slack in slacks]
    if stride.turn and any(one.price > low for one, low in zip(found, least, strict=True)):
        ways = _ways(dx, dy, before, after, heading_error, stride.half, drift)
        turning = _with_turn(ways, stride, slacks, drift)
        found = [min(both, key=lambda one: one.price) for both in zip(found, turning, strict=True)]
    if stride.turns_freely:
        wandering = [_wandering(shift, before, after, stride, slack) for slack in slacks]
        found = [other if one.cost is None or other.price < one.price else one
                 for one, other in zip(found, wandering, strict=True)]  # fmt: skip
    return tuple(found)


def _least_with_turn(away: float, stride: Stride, slack: float, drift: float) -> int:
    """What no way of so many cm with a turn goes below: one point, and the palms its half does not cover."""
    longest = max(stride.palm, stride.back)
    if longest <= 0 or stride.escape or (stride.backs and stride.back_cost < 1):
        return 1
    # Every leg may be short by the slack and go back a little, and the whole may drift sideways.
    free = stride.half + 2 * (max(slack, 0.0) + max(slack, drift)) + drift + 10 * _EPS
    return 1 + max(0, math.ceil((away - free) / longest))


def _without_turn(
    dx: float, dy: float, headings: Floats, stride: Stride, slacks: Sequence[float], drift: float
) -> list[Explanation]:
    """The cheapest of these headings to have gone straight along."""
    cos, sin = np.cos(headings), np.sin(headings)
    along, across = dx * cos + dy * sin, dx * sin - dy * cos
    costs = _straight(along, across, stride, np.array(slacks)[:, None], drift)
    found = []
    for slack, chosen, row in zip(slacks, costs.argmin(axis=1), costs, strict=True):
        leg = (float(headings[chosen]), float(along[chosen]))
        found.append(_read(row[chosen], False, (leg,), stride, slack, drift))
    return found


def _with_turn(ways: _Ways, stride: Stride, slacks: Sequence[float], drift: float) -> list[Explanation]:
    """The cheapest way with the one facing change."""
    slack_of = np.array(slacks)[:, None, None]
    costs = _legs(ways.before, ways.after, stride, slack_of, drift) + ways.barred
    found = []
    for slack, pair, row in zip(slacks, costs.min(axis=1).argmin(axis=1), costs, strict=True):
        way = int(row[:, pair].argmin())
        legs = (
            (float(ways.old[pair]), float(ways.before[way, pair])),
            (float(ways.new[pair]), float(ways.after[way, pair])),
        )
        found.append(_read(row[way, pair], True, legs, stride, slack, drift))
    return found


def _read(
    cost: float,
    turned: bool,
    legs: tuple[tuple[float, float], ...],
    stride: Stride,
    slack: float,
    drift: float,
) -> Explanation:
    """The explanation of so much cost, if anybody could pay it."""
    if cost >= IMPOSSIBLE:
        return Explanation(None)
    back = any(length < -_still(slack, drift) for _, length in legs)
    return Explanation(int(cost), turned, back or stride.escape, legs)


@cite("FACE-01", "LOCK-08")
def _wandering(
    shift: tuple[float, float], before: float, after: float, stride: Stride, slack: float
) -> Explanation:
    """Two facing changes: towards the place, and into the final heading with its half palm."""
    dx, dy = shift
    ux, uy = math.cos(after), math.sin(after)
    last = min(max(dx * ux + dy * uy, 0.0), stride.half)
    first = math.hypot(dx - last * ux, dy - last * uy)
    palms = _steps(np.array([first - stride.half]), stride.palm, slack)
    heading = math.atan2(dy - last * uy, dx - last * ux) if first > _EPS else before
    cost = 2 + int(stride.escape) + int(palms[0])
    return Explanation(cost, True, stride.escape, ((heading, first), (after, last)))
