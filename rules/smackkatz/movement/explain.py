"""The cheapest way to explain an observed displacement as palms, one turn and a step back."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rules.engine.cite import cite
from rules.geometry import turn_between
from rules.smackkatz.movement.stride import Stride

Floats = NDArray[np.float64]

IMPOSSIBLE = 10_000
"""A cost no wrestler can pay: the move has no legal shape."""
PARALLEL = math.sin(math.radians(3))
"""Headings nearer than this (sine) cannot be told apart: the two legs are not separated."""
_EPS = 1e-6


@dataclass(frozen=True)
class Explanation:
    """Fewest points of Speed for a move, and whether it turns or steps back. None: no legal shape."""

    cost: int | None
    turned: bool = False
    stepped_back: bool = False
    legs: tuple[tuple[float, float], ...] = ()
    """The way: (heading in radians, cm along it; negative is backwards) for one or two legs."""


def _steps(length: Floats, unit: float, slack: float) -> Floats:
    """How many tokens of `unit` cm a leg takes, forgiving `slack` cm (negative: demanding more)."""
    legs = np.maximum(0.0, length)
    if unit <= 0:
        return np.where(legs <= max(slack, _EPS), 0.0, float(IMPOSSIBLE))
    # Whoever did not move owes nothing, however strict the reading.
    owed = np.where(legs > _EPS, legs - slack - _EPS, 0.0)
    return np.maximum(0.0, np.ceil(owed / unit))


def _backs(length: Floats, stride: Stride, slack: float) -> Floats:
    """Cost of `length` cm backwards; IMPOSSIBLE beyond the steps allowed."""
    count = _steps(length, stride.back, slack)
    return np.where(count <= stride.backs, count * stride.back_cost, float(IMPOSSIBLE))


def _straight(along: Floats, across: Floats, stride: Stride, slack: float, drift: float) -> Floats:
    """Cost without a turn: forward palms, or the step back."""
    if stride.escape:
        backwards = np.where(-along <= stride.back + slack + _EPS, 0.0, float(IMPOSSIBLE))
        cost = 1 + _steps(along, stride.palm, slack) + backwards
    else:
        ahead = along >= -_still(slack, drift)
        cost = np.where(ahead, _steps(along, stride.palm, slack), _backs(-along, stride, slack))
    return np.where(np.abs(across) <= drift, cost, float(IMPOSSIBLE))


def _still(slack: float, drift: float) -> float:
    """How far backwards, cm, still counts as not having stepped back."""
    return max(slack, drift) + _EPS


def _legs(before: Floats, after: Floats, stride: Stride, slack: float, drift: float) -> Floats:
    """Cost of the two legs around a turn: `before` along the old heading, `after` along the new."""
    still = _still(slack, drift)
    with_half, plain = (after, before) if stride.turn_first else (before, after)
    turn = 1 + _steps(np.maximum(0.0, with_half) - stride.half, stride.palm, slack)
    if stride.half_mandatory:
        turn = np.where(with_half >= stride.half - slack - _EPS, turn, float(IMPOSSIBLE))
    forward = _steps(plain, stride.palm, slack)
    if stride.escape:
        stepped = np.where(-before <= stride.back + slack + _EPS, 1.0, float(IMPOSSIBLE))
        return turn + forward + np.where(after >= -still, stepped, float(IMPOSSIBLE))
    cost = turn + forward
    back_first = np.where(before < -still, _backs(-before, stride, slack), 0.0)
    back_last = np.where(after < -still, _backs(-after, stride, slack), 0.0)
    both = (before < -still) & (after < -still)
    return np.where(both & (stride.backs < 2), float(IMPOSSIBLE), cost + back_first + back_last)


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
    half = np.clip(reverse, 0.0, half_palm)
    ways.append((none, reverse, line))
    ways.append(
        (np.where(reverse == along, along - half, along), np.where(reverse == along, half, none), line)
    )
    return ways


@lru_cache(maxsize=64)
def _headings(before: float, after: float, errors: tuple[float, float]) -> tuple[Floats, Floats]:
    """All pairs of headings the two may really have been."""
    old, new = (
        np.linspace(centre - error, centre + error, 7 if error > 0 else 1)
        for centre, error in zip((before, after), errors, strict=True)
    )
    first, second = (grid.ravel() for grid in np.meshgrid(old, new))
    return first, second


@lru_cache(maxsize=64)
def _splits_again(
    dx: float,
    dy: float,
    before: float,
    after: float,
    errors: tuple[float, float],
    half: float,
    drift: float,
) -> tuple[Floats, Floats, Floats]:
    """The splits of a displacement, a row each; they are the same for the strict reading and the other."""
    ways = _splits(dx, dy, *_headings(before, after, errors), half, drift)
    first, second, barred = (np.stack(one) for one in zip(*ways, strict=True))
    return first, second, barred


def _turning(
    shift: tuple[float, float],
    before: float,
    after: float,
    errors: tuple[float, float],
    stride: Stride,
    slack: float,
    drift: float,
) -> Floats:
    """Cost with the one facing change, for each pair of headings."""
    dx, dy = shift
    first, second, barred = _splits_again(dx, dy, before, after, errors, stride.half, drift)
    cheapest: Floats = (_legs(first, second, stride, slack, drift) + barred).min(axis=0)
    return cheapest


@cite("MOVE-01", "MOVE-05", "FACE-01", "FACE-03", "LOCK-08", "RULING-24", "RULING-26", "RULING-27")
def explain(
    shift: tuple[float, float],
    before: float,
    after: float,
    stride: Stride,
    *,
    slack: float = 0.0,
    drift: float = 0.5,
    heading_error: tuple[float, float] = (0.0, 0.0),
) -> Explanation:
    """The cheapest reading of a displacement (cm) between two headings (radians).

    `slack` cm are forgiven on every leg (negative: charged), `drift` sideways and backwards; each heading
    may be off by its `heading_error` (radians). Standing still with the same heading costs nothing.
    """
    dx, dy = shift
    old, new = _headings(before, after, heading_error)
    same = abs(turn_between(before, after)) <= sum(heading_error) + 1e-9
    along, across = dx * np.cos(old) + dy * np.sin(old), dx * np.sin(old) - dy * np.cos(old)
    straight = _straight(along, across, stride, slack, drift) if same else np.full_like(along, IMPOSSIBLE)
    turning = (
        _turning(shift, before, after, heading_error, stride, slack, drift)
        if stride.turn
        else np.full_like(along, IMPOSSIBLE)
    )
    best, turned = min((int(straight.min()), False), (int(turning.min()), True))
    if stride.turns_freely:
        cost, legs = _wandering(shift, before, after, stride, slack)
        if cost < best:
            return Explanation(cost, True, stride.escape, legs)
    if best >= IMPOSSIBLE:
        return Explanation(None)
    chosen = int(np.argmin(turning if turned else straight))
    legs = _way(shift, float(old[chosen]), float(new[chosen]) if turned else None, stride, slack, drift)
    back = any(length < -_still(slack, drift) for _, length in legs)
    return Explanation(best, turned, back or stride.escape, legs)


@cite("FACE-01", "LOCK-08")
def _wandering(
    shift: tuple[float, float], before: float, after: float, stride: Stride, slack: float
) -> tuple[int, tuple[tuple[float, float], ...]]:
    """Two facing changes: towards the place, and into the final heading with its half palm."""
    dx, dy = shift
    ux, uy = math.cos(after), math.sin(after)
    last = min(max(dx * ux + dy * uy, 0.0), stride.half)
    first = math.hypot(dx - last * ux, dy - last * uy)
    palms = _steps(np.array([first - stride.half]), stride.palm, slack)
    heading = math.atan2(dy - last * uy, dx - last * ux) if first > _EPS else before
    return 2 + int(stride.escape) + int(palms[0]), ((heading, first), (after, last))


def _way(
    shift: tuple[float, float], old: float, new: float | None, stride: Stride, slack: float, drift: float
) -> tuple[tuple[float, float], ...]:
    """The legs of the cheapest way along the old heading and, after a turn, along the new one."""
    dx, dy = shift
    if new is None:
        return ((old, dx * math.cos(old) + dy * math.sin(old)),)
    ways = _splits(dx, dy, np.array([old]), np.array([new]), stride.half, drift)
    before, after, _ = min(
        ways, key=lambda way: float((_legs(way[0], way[1], stride, slack, drift) + way[2])[0])
    )
    return ((old, float(before[0])), (new, float(after[0])))
