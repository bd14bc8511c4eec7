"""Movement nobody chose (catalogue 6.5): runs after a whip, dodges, throws, drops and pushes.

All lengths in cm. A body that is run, pushed or dropped keeps its orientation on the way.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import shapely
from shapely.geometry import Polygon
from shapely.geometry.base import BaseGeometry

from rules.engine.cite import cite
from rules.geometry import (
    box_along,
    mat_shape,
    moved,
    outline_shape,
    posts,
    ropes,
    sweep,
    table_shape,
    turn_between,
    unit,
)
from rules.scene import Figure, Point, Ring
from rules.smackkatz.movement.way import edges_of, free_way, seen_along

POST_FIRST = 0.5
"""A post met within this much of a rope counts before it, cm."""
NO_REST = 0.25
"""RULING-47: a rest below this part of a palm does not count as having reached the ropes."""

OUTWARD = {"far": (0.0, 1.0), "right": (1.0, 0.0), "near": (0.0, -1.0), "left": (-1.0, 0.0)}
"""The sides of the ring, in the order of the ropes, and which way is out there."""

Meeting = Literal["figure", "post", "ropes", "edge", "nothing"]
Side = Literal["left", "right"]


@dataclass(frozen=True)
class Run:
    """Where a run ends: what is met, after how many cm, and which figure, post (its number) or side it is."""

    meets: Meeting
    after: float
    what: str = ""


@dataclass(frozen=True)
class Flight:
    """A run that is under way: who, where it starts, its heading (radians), its length and the palm, cm."""

    runner: str
    start: Point
    heading: float
    length: float
    palm: float


def first_contact(figure: Figure, heading: float, length: float, shape: BaseGeometry) -> float | None:
    """How far a figure slides along a heading before it runs into a shape; None if it does not.

    What it touches at the start counts only when the run presses into it (6.5).
    """
    if not _met(outline_shape(figure), shape, heading, length):
        return None
    closed = isinstance(shape, Polygon)
    edges = edges_of([shape] if closed else [], [] if closed else [shape], figure)
    free = free_way(
        seen_along(figure, heading), np.array([[figure.x, figure.y]]), np.array([heading]), edges, length
    )
    return None if free[0, 0] >= length else float(free[0, 0])


def _met(runner: Polygon, shape: BaseGeometry, heading: float, length: float) -> bool:
    """Whether a shape lies in a run's corridor and within its length at all: nearly always it does not."""
    own_back, own_right, own_front, own_left = box_along(runner, heading)
    back, right, front, left = box_along(shape, heading)
    return own_left > right and left > own_right and back - own_front < length and front >= own_back


def overlap_across(runner: BaseGeometry, shape: BaseGeometry, heading: float) -> float:
    """By how much a run's corridor and a shape overlap sideways, cm; negative: the gap between them."""
    across = np.array(unit(heading + math.pi / 2))
    own, other = (shapely.get_coordinates(one) @ across for one in (runner, shape))
    return float(min(own.max() - other.min(), other.max() - own.min()))


def exit_point(start: Point, heading: float, ring: Ring) -> Point:
    """Where a ray from inside the ring leaves it."""
    enters, leaves = 0.0, math.inf
    for place, along, half in zip(start, unit(heading), (ring.width / 2, ring.depth / 2), strict=True):
        if abs(along) < 1e-12:
            if abs(place) > half:
                return start
            continue
        first, last = sorted(((-half - place) / along, (half - place) / along))
        enters, leaves = max(enters, first), min(leaves, last)
    if leaves <= enters:
        return start
    ux, uy = unit(heading)
    return start[0] + leaves * ux, start[1] + leaves * uy


@cite("WHIP-02", "RULING-42")
def whip_axis(victim: Figure, attacker: Figure, rulings: Mapping[str, Any]) -> float:
    """The middle of the directions a whip may take: from victim to attacker, or what he has behind him."""
    if rulings["whip_axis"] == "attacker_facing":
        return attacker.facing + math.pi
    return math.atan2(attacker.y - victim.y, attacker.x - victim.x)


@cite("WHIP-02", "RULING-42", "RULING-51")
def may_launch(
    victim: Figure,
    attacker: Figure,
    heading: float,
    ring: Ring,
    rulings: Mapping[str, Any],
    *,
    at_ringside: bool = False,
) -> bool:
    """Whether a whip may aim along `heading`: a pull, towards the space behind the attacker.

    At ringside (a house rule) there are no ropes to aim at: only the angle counts.
    """
    line = math.atan2(attacker.y - victim.y, attacker.x - victim.x)
    off = abs(turn_between(whip_axis(victim, attacker, rulings), heading))
    within = off < math.pi / 2 - 1e-9 if rulings["whip_half_angle_deg"] == 90 else off <= math.pi / 4 + 1e-9
    if at_ringside or not within:
        return within
    qx, qy = exit_point((victim.x, victim.y), heading, ring)
    return (qx - attacker.x) * math.cos(line) + (qy - attacker.y) * math.sin(line) > 0


@cite("WHIP-06", "WHIP-10", "WHIP-20", "RULING-46")
def run(
    victim: Figure,
    heading: float,
    length: float,
    ring: Ring,
    others: Iterable[Figure],
    *,
    at_ringside: bool = False,
) -> Run:
    """The first thing a launched body meets on its way, or nothing.

    `others` are the figures in the way: not the launcher, whose outline is ignored. At ringside there is
    nothing to rebound off: the ropes and the table's edge are an `edge` that ends the run.
    """
    found = Run("nothing", length)
    for other in others:
        at = first_contact(victim, heading, length, outline_shape(other))
        if at is not None and at < found.after:
            found = Run("figure", at, other.id)
    for number, post in enumerate(posts(ring)):
        at = first_contact(victim, heading, length, post)
        if at is not None and at < found.after:
            found = Run("post", at, str(number))
    end = border(victim, heading, length, ring, at_ringside=at_ringside)
    if end is not None and end.after < found.after - (POST_FIRST if found.meets == "post" else 0.0):
        found = end
    return found


@cite("WHIP-10", "RULING-29", "RULING-51")
def border(
    victim: Figure, heading: float, length: float, ring: Ring, *, at_ringside: bool = False
) -> Run | None:
    """Where the outline reaches a rope it is heading for (at ringside: ropes or table edge); None if not."""
    if at_ringside:
        lines = [*ropes(ring), table_shape(ring).exterior]
        ends = [first_contact(victim, heading, length, line) for line in lines]
        nearest = min((at for at in ends if at is not None), default=None)
        return None if nearest is None else Run("edge", nearest)
    way, corners = np.array(unit(heading)), shapely.get_coordinates(outline_shape(victim))
    found = []
    for side, (nx, ny) in OUTWARD.items():
        out = np.array((nx, ny))
        towards = float(way @ out)
        half = ring.depth / 2 if side in ("far", "near") else ring.width / 2
        at = max(0.0, (half - float((corners @ out).max())) / towards) if towards > 1e-9 else math.inf
        if at < length:
            found.append(Run("ropes", at, side))
    return min(found, key=lambda one: one.after, default=None)


@cite("WHIP-11", "RULING-47")
def rope_successes(rest: float, palm: float, rounding: str) -> int:
    """Successes needed at the ropes: one per palm still to travel, none when hardly anything is left."""
    palms = rest / palm
    if palms < NO_REST:
        return 0
    return max(1, math.ceil(palms - 1e-9) if rounding == "up" else math.floor(palms + 1e-9))


@cite("WHIP-09", "RULING-45")
def dodge_room(
    dodger: Figure,
    runner: Figure,
    heading: float,
    length: float,
    ring: Ring,
    others: Iterable[Figure],
    *,
    at_ringside: bool = False,
) -> dict[Side, float]:
    """The least sideways shift that clears the run's corridor, for each side that has the room."""
    zone = table_shape(ring).difference(mat_shape(ring)) if at_ringside else mat_shape(ring)
    corridor = sweep(outline_shape(runner), *(length * c for c in unit(heading)))
    across = unit(heading + math.pi / 2)
    spans = [
        [x * across[0] + y * across[1] for x, y in _corners(shape)]
        for shape in (outline_shape(dodger), corridor)
    ]
    needed: dict[Side, float] = {
        "left": max(0.0, max(spans[1]) - min(spans[0])),
        "right": max(0.0, max(spans[0]) - min(spans[1])),
    }
    solid = [outline_shape(other) for other in others] + list(posts(ring))
    room: dict[Side, float] = {}
    for side, shift in needed.items():
        angle = heading + (math.pi / 2 if side == "left" else -math.pi / 2)
        swept = sweep(outline_shape(dodger), *(shift * c for c in unit(angle)))
        in_the_way = any(first_contact(dodger, angle, shift, shape) is not None for shape in solid)
        if zone.buffer(0.01).covers(swept) and not in_the_way:
            room[side] = shift
    return room


def _corners(shape: BaseGeometry) -> list[Point]:
    return [(float(x), float(y)) for x, y in shapely.get_coordinates(shape)]


@cite("SUPLEX-07", "RULING-54")
def throw_side(holder: Figure, landing: Point) -> Literal["front", "side", "back"]:
    """On which side of the holder something lands: front within 45 degrees, back beyond 135."""
    angle = abs(turn_between(holder.facing, math.atan2(landing[1] - holder.y, landing[0] - holder.x)))
    if angle <= math.pi / 4 + 1e-9:
        return "front"
    return "back" if angle > 3 * math.pi / 4 + 1e-9 else "side"


@cite("SUPLEX-20", "SUPLEX-22", "RULING-56")
def dropped(striker: Figure, holder: Figure, hoisted: Figure, others: Iterable[Figure]) -> Figure:
    """Where the hoisted wrestler falls: on the striker's line, the nearest free spot beyond the holder."""
    heading = math.atan2(holder.y - striker.y, holder.x - striker.x)
    ux, uy = unit(heading)
    solid: list[Polygon] = [outline_shape(holder), *(outline_shape(other) for other in others)]
    away = 0.0
    while True:
        spot = moved(hoisted, holder.x + away * ux, holder.y + away * uy)
        overlaps = [shape for shape in solid if outline_shape(spot).intersection(shape).area > 1e-3]
        if not overlaps:
            return spot
        away += 0.1


@cite("PIN-08", "RULING-82", "RULING-36")
def pushed(figure: Figure, attacker: Figure, palm: float, ring: Ring, others: Iterable[Figure]) -> Figure:
    """A pinner knocked off: one palm straight away from the attacker, stopped by bodies, posts or ropes."""
    heading = math.atan2(figure.y - attacker.y, figure.x - attacker.x)
    end = run(figure, heading, palm, ring, others)
    ux, uy = unit(heading)
    return moved(figure, figure.x + end.after * ux, figure.y + end.after * uy)


@cite("SPECIAL-11", "SPECIAL-12", "RULING-95")
def charge_palms(before: float, after: float, palm: float, half_palm: float) -> int:
    """Whole palms advanced before a charge: the legs before and after the turn, whose half palm is none."""
    legs = (before, after if after > half_palm else 0.0)
    return sum(math.floor(max(0.0, leg) / palm + 0.1) for leg in legs)
