"""The cheapest way to explain an observed displacement as palms, one turn and a step back."""

from __future__ import annotations

import math
from dataclasses import dataclass

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
        cost = np.where(along >= 0, _steps(along, stride.palm, slack), _backs(-along, stride, slack))
    return np.where(np.abs(across) <= drift, cost, float(IMPOSSIBLE))


def _legs(before: Floats, after: Floats, stride: Stride, slack: float) -> Floats:
    """Cost of the two legs around a turn: `before` along the old heading, `after` along the new."""
    with_half, plain = (after, before) if stride.turn_first else (before, after)
    turn = 1 + _steps(np.maximum(0.0, with_half) - stride.half, stride.palm, slack)
    if stride.half_mandatory:
        turn = np.where(with_half >= stride.half - slack - _EPS, turn, float(IMPOSSIBLE))
    forward = _steps(plain, stride.palm, slack)
    if stride.escape:
        stepped = np.where(-before <= stride.back + slack + _EPS, 1.0, float(IMPOSSIBLE))
        return turn + forward + np.where(after >= -slack, stepped, float(IMPOSSIBLE))
    cost = turn + forward
    back_first = np.where(before < -slack, _backs(-before, stride, slack), 0.0)
    back_last = np.where(after < -slack, _backs(-after, stride, slack), 0.0)
    both = (before < -slack) & (after < -slack)
    return np.where(both & (stride.backs < 2), float(IMPOSSIBLE), cost + back_first + back_last)


def _turning(
    dx: float, dy: float, old: Floats, new: Floats, stride: Stride, slack: float, drift: float
) -> Floats:
    """Cost with the one facing change, for each pair of headings."""
    ux, uy, vx, vy = np.cos(old), np.sin(old), np.cos(new), np.sin(new)
    cross = ux * vy - uy * vx
    apart = np.abs(cross) > PARALLEL
    safe = np.where(apart, cross, 1.0)
    before = (dx * vy - dy * vx) / safe
    after = (ux * dy - uy * dx) / safe
    cost = _legs(before, after, stride, slack)
    # Reversed or nearly kept heading: one line, on which the legs can be split at will.
    along, across = dx * ux + dy * uy, np.abs(dx * uy - dy * ux)
    reversed_ = ux * vx + uy * vy < 0
    none = np.zeros_like(along)
    ahead = np.where(reversed_, none, np.minimum(np.maximum(along, 0.0), stride.half))
    split = _legs(along - ahead, ahead, stride, slack)
    other = np.where(reversed_, _legs(none, -along, stride, slack), _legs(none, along, stride, slack))
    line = np.where(across <= drift, np.minimum(split, other), float(IMPOSSIBLE))
    return np.where(apart, cost, line)


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

    `slack` cm are forgiven on every leg (negative: charged), `drift` sideways; each heading may be off
    by its `heading_error` (radians). Standing still with the same heading costs nothing.
    """
    dx, dy = shift
    old, new = (
        np.linspace(centre - error, centre + error, 7 if error > 0 else 1)
        for centre, error in zip((before, after), heading_error, strict=True)
    )
    old, new = (grid.ravel() for grid in np.meshgrid(old, new))
    same = abs(turn_between(before, after)) <= sum(heading_error) + 1e-9
    along, across = dx * np.cos(old) + dy * np.sin(old), dx * np.sin(old) - dy * np.cos(old)
    straight = _straight(along, across, stride, slack, drift) if same else np.full_like(along, IMPOSSIBLE)
    turning = (
        _turning(dx, dy, old, new, stride, slack, drift) if stride.turn else np.full_like(along, IMPOSSIBLE)
    )
    best, turned = min((int(straight.min()), False), (int(turning.min()), True))
    if best >= IMPOSSIBLE:
        return Explanation(None)
    chosen = int(np.argmin(turning if turned else straight))
    legs = _way(dx, dy, float(old[chosen]), float(new[chosen]) if turned else None)
    back = any(length < -max(slack, _EPS) for _, length in legs)
    return Explanation(best, turned, back or stride.escape, legs)


def _way(dx: float, dy: float, old: float, new: float | None) -> tuple[tuple[float, float], ...]:
    """The legs of a displacement along the old heading and, after a turn, along the new one."""
    along = dx * math.cos(old) + dy * math.sin(old)
    if new is None:
        return ((old, along),)
    cross = math.sin(new - old)
    if abs(cross) <= PARALLEL:
        return ((old, max(along, 0.0)), (new, max(0.0, -along) if math.cos(new - old) < 0 else 0.0))
    before = (dx * math.sin(new) - dy * math.cos(new)) / cross
    after = (math.cos(old) * dy - math.sin(old) * dx) / cross
    return ((old, before), (new, after))
