"""The cheapest way to explain an observed displacement as palms, one turn and a step back."""

from __future__ import annotations

import math

from rules.engine.cite import cite
from rules.geometry import turn_between, unit
from rules.smackkatz.movement.stride import Stride
from rules.value_type import value_type

IMPOSSIBLE = 10_000
"""A cost no wrestler can pay: the move has no legal shape."""
PARALLEL = math.sin(math.radians(3))
"""Headings nearer than this (sine) cannot be told apart: the two legs are not separated."""
HEADINGS = 7
"""How many headings are tried within an error."""
_EPS = 1e-6

Leg = tuple[float, float]
"""Heading in radians and cm along it; negative is backwards."""


@value_type
class Explanation:
    """Fewest points of Speed for a move, and whether it turns or steps back. None: no legal shape."""

    cost: int | None
    turned: bool = False
    stepped_back: bool = False
    legs: tuple[Leg, ...] = ()
    """The way: one or two legs."""

    @property
    def price(self) -> int:
        """The cost, more than anybody can pay where there is no legal shape."""
        return IMPOSSIBLE if self.cost is None else self.cost


class _Reading:
    """What legs cost with the tokens of a stride when `slack` cm are forgiven on each (negative: charged).

    `drift` cm sideways and backwards count for nothing.
    """

    def __init__(self, stride: Stride, slack: float, drift: float) -> None:
        self.stride = stride
        self.slack = slack
        self.drift = drift
        self.still = max(slack, drift) + _EPS
        """How far backwards, cm, still counts as not having stepped back."""

    def tokens(self, length: float, each: float) -> int:
        """How many tokens of `each` cm a leg takes."""
        if each <= 0:
            return 0 if length <= max(self.slack, _EPS) else IMPOSSIBLE
        # Whoever did not move owes nothing, however strict the reading.
        return max(0, math.ceil((length - self.slack - _EPS) / each)) if length > _EPS else 0

    def backs(self, length: float) -> int:
        """Cost of `length` cm backwards; IMPOSSIBLE beyond the steps allowed."""
        count = self.tokens(length, self.stride.back)
        return count * self.stride.back_cost if count <= self.stride.backs else IMPOSSIBLE

    def straight(self, along: float, across: float) -> int:
        """Cost without a turn: forward palms, or the step back."""
        stride = self.stride
        if abs(across) > self.drift:
            return IMPOSSIBLE
        if stride.escape:
            steps_out = -along <= stride.back + self.slack + _EPS
            return 1 + self.tokens(along, stride.palm) if steps_out else IMPOSSIBLE
        return self.tokens(along, stride.palm) if along >= -self.still else self.backs(-along)

    def turning(self, before: float, after: float) -> int:
        """Cost of the two legs around a turn: `before` along the old heading, `after` along the new."""
        stride = self.stride
        with_half, plain = (after, before) if stride.turn_first else (before, after)
        if stride.half_mandatory and with_half < stride.half - self.slack - _EPS:
            return IMPOSSIBLE
        cost = 1 + self.tokens(with_half - stride.half, stride.palm) + self.tokens(plain, stride.palm)
        if stride.escape:
            steps_out = -before <= stride.back + self.slack + _EPS and after >= -self.still
            return cost + 1 if steps_out else IMPOSSIBLE
        if before >= -self.still and after >= -self.still:
            return cost
        behind = [-leg for leg in (before, after) if leg < -self.still]
        if len(behind) == 2 and stride.backs < 2:
            return IMPOSSIBLE
        return cost + sum(self.backs(length) for length in behind)

    def least_turning(self, away: float) -> int:
        """What no way of so many cm with a turn goes below: a point, and palms for what its half leaves."""
        stride = self.stride
        longest = max(stride.palm, stride.back)
        if longest <= 0 or stride.escape or (stride.backs and stride.back_cost < 1):
            return 1
        # Every leg may be short by the slack and go back a little, and the whole may drift sideways.
        free = stride.half + 2 * (max(self.slack, 0.0) + self.still) + self.drift + 10 * _EPS
        return 1 + max(0, math.ceil((away - free) / longest))

    def explained(self, cost: int, turned: bool, *legs: Leg) -> Explanation:
        """The explanation of so much cost, if anybody could pay it."""
        if cost >= IMPOSSIBLE:
            return Explanation(None)
        back = any(length < -self.still for _, length in legs)
        return Explanation(cost, turned, back or self.stride.escape, legs)


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
    reading = _Reading(stride, slack, drift)
    old = _headings(before, heading_error[0])
    found = Explanation(None)
    if abs(turn_between(before, after)) <= sum(heading_error) + 1e-9:
        found = _without_turn(shift, old, reading)
    if stride.turn:
        found = _with_turn(shift, old, _headings(after, heading_error[1]), reading, found)
    if stride.turns_freely:
        wandering = _wandering(shift, before, after, reading)
        if found.cost is None or wandering.price < found.cost:
            return wandering
    return found


def _headings(centre: float, error: float) -> list[float]:
    """The headings a figure may really have had."""
    if error <= 0:
        return [centre]
    first, last = centre - error, centre + error
    apart = (last - first) / (HEADINGS - 1)
    return [*(number * apart + first for number in range(HEADINGS - 1)), last]


def _without_turn(shift: tuple[float, float], headings: list[float], reading: _Reading) -> Explanation:
    """The cheapest of these headings to have gone straight along."""
    best, leg, (dx, dy) = IMPOSSIBLE, (0.0, 0.0), shift
    for heading in headings:
        ux, uy = unit(heading)
        along = dx * ux + dy * uy
        cost = reading.straight(along, dx * uy - dy * ux)
        if cost < best:
            best, leg = cost, (heading, along)
    return reading.explained(best, False, leg)


def _with_turn(
    shift: tuple[float, float], old: list[float], new: list[float], reading: _Reading, other: Explanation
) -> Explanation:
    """The cheapest way with the one facing change where it is cheaper than the `other` reading."""
    best, legs, (dx, dy) = other.price, None, shift
    least = reading.least_turning(math.hypot(dx, dy))
    before = [(heading, unit(heading)) for heading in old]
    for second, (vx, vy) in ((heading, unit(heading)) for heading in new):
        for first, (ux, uy) in before:
            if best <= least:
                break
            # Two headings that cross split a displacement in one way.
            cross = ux * vy - uy * vx
            crossing = abs(cross) > _EPS
            splits = [((dx * vy - dy * vx) / cross, (ux * dy - uy * dx) / cross)] if crossing else []
            along, across = dx * ux + dy * uy, abs(dx * uy - dy * ux)
            if abs(cross) <= PARALLEL and across <= reading.drift:
                splits += _on_a_line(along, ux * vx + uy * vy > 0, reading)
            for one, two in splits:
                cost = reading.turning(one, two)
                if cost < best:
                    best, legs = cost, ((first, one), (second, two))
    return other if legs is None else reading.explained(best, True, *legs)


def _on_a_line(along: float, alike: bool, reading: _Reading) -> list[tuple[float, float]]:
    """The ways to split so many cm into two legs where the headings are nearly the same or nearly reversed:
    they are also read as one line, on which the legs can be split at will, drifting sideways."""
    if not alike:
        return [(0.0, -along), (along, 0.0)]
    half = min(max(along, 0.0), reading.stride.half)
    return [(0.0, along), (along - half, half)]


@cite("FACE-01", "LOCK-08")
def _wandering(shift: tuple[float, float], before: float, after: float, reading: _Reading) -> Explanation:
    """Two facing changes: towards the place, and into the final heading with its half palm."""
    (dx, dy), (ux, uy), stride = shift, unit(after), reading.stride
    last = min(max(dx * ux + dy * uy, 0.0), stride.half)
    first = math.hypot(dx - last * ux, dy - last * uy)
    palms = reading.tokens(first - stride.half, stride.palm)
    heading = math.atan2(dy - last * uy, dx - last * ux) if first > _EPS else before
    cost = 2 + int(stride.escape) + palms
    return Explanation(cost, True, stride.escape, ((heading, first), (after, last)))
