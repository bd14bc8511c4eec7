"""Questions to the scene and their answers: a verdict with the distance and the points that decide it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Literal

import shapely
from shapely.geometry.base import BaseGeometry

from rules.geometry import (
    box_of,
    boxes_apart,
    edge_variance,
    gap,
    gap_to_posts,
    gap_to_ropes,
    nearest_on_edge,
    off_line,
    outline_shape,
    part_on_mat,
    position_variance,
    rim_of,
    sweep,
    turn_between,
)
from rules.measured import Measured
from rules.scene import Figure, Point, Ring
from rules.text import Text
from rules.value_type import value_type

ASTRIDE = 0.1
"""RULING-33: a figure straddles the ropes when more than this part of it lies on either side."""
_NOTHING_CM2 = 1e-9
"""Areas no larger are rounding."""


@value_type
class Finding:
    """The answer to a scene question.

    `distance` is what was compared with `limit` (cm; degrees for angles), `points` the pair that
    decided it. `too_close` says the measurement cannot tell: the referee has to.
    """

    question: str
    answer: bool
    figures: tuple[str, ...]
    rules: tuple[str, ...]
    distance: Measured | None = None
    limit: float | None = None
    points: tuple[Point, Point] | None = None
    too_close: bool = False
    unit: Literal["cm", "deg"] = "cm"
    told: bool = False
    """The answer is the referee's word, whatever was measured."""

    def decided(self, answer: bool) -> Finding:
        """The same finding after the referee has spoken."""
        return replace(self, answer=answer, too_close=False, told=True)

    @property
    def text(self) -> Text:
        """The question as a sentence with its numbers: key `question.<name>`."""
        values: dict[str, float | int | str | Text] = {"a": self.figures[0], "b": self.figures[-1]}
        if self.distance is not None:
            values |= {"distance": round(self.distance.value, 2), "error": round(self.distance.error95, 2)}
        if self.limit is not None:
            values["limit"] = self.limit
        return Text(f"question.{self.question}{'' if self.distance else '.unseen'}", values)


def compared(distance: Measured, limit: float, band: float = 0.0) -> tuple[bool, bool]:
    """Whether distance <= limit, and whether that is too close to call.

    Too close: the 95 % interval straddles the limit, or the value lies within `band` of it.
    """
    low, high = distance.interval()
    return distance.value <= limit, bool(low <= limit < high or abs(distance.value - limit) <= band)


@lru_cache(maxsize=1024)
def adjacent(
    a: Figure, b: Figure, limit: float, band: float = 0.0, rules: tuple[str, ...] = ("RULING-30",)
) -> Finding:
    """Whether two figures are near enough to attack: gap between outlines <= limit, cm."""
    distance, points = gap(a, b)
    answer, close = compared(distance, limit, band)
    return Finding("adjacent", answer, (a.id, b.id), rules, distance, limit, points, close)


def bearing(observer: Figure, other: Figure) -> Measured:
    """Unsigned angle in degrees from the observer's facing to the other's centre, with sd."""
    dx, dy = other.x - observer.x, other.y - observer.y
    apart = math.hypot(dx, dy)
    angle = abs(math.degrees(turn_between(observer.facing, math.atan2(dy, dx))))
    if apart < 1e-9:
        return Measured(0.0, 180.0)
    across = (-dy / apart, dx / apart)
    variance = position_variance(observer, across) + position_variance(other, across)
    return Measured(angle, math.degrees(math.sqrt(variance / apart**2 + observer.facing_sd**2)))


@lru_cache(maxsize=1024)
def back_turned(
    defender: Figure,
    other: Figure,
    arc: float,
    band: float = 0.0,
    rules: tuple[str, ...] = ("STATUS-61", "RULING-32"),
) -> Finding:
    """Whether the other stands in the defender's back arc (degrees, the whole arc's width)."""
    angle = bearing(defender, other)
    limit = 180.0 - arc / 2
    inside, close = compared(angle, limit, band)
    points = ((defender.x, defender.y), (other.x, other.y))
    close = close or defender.facing_assumed
    return Finding(
        "back_turned", not inside, (defender.id, other.id), rules, angle, limit, points, close, "deg"
    )


@lru_cache(maxsize=1024)
def in_front(
    observer: Figure, other: Figure, band: float = 0.0, rules: tuple[str, ...] = ("RULING-16",)
) -> Finding:
    """Whether the other's centre lies in the observer's front half-plane."""
    angle = bearing(observer, other)
    inside, close = compared(angle, 90.0, band)
    points = ((observer.x, observer.y), (other.x, other.y))
    close = close or observer.facing_assumed
    return Finding("in_front", inside, (observer.id, other.id), rules, angle, 90.0, points, close, "deg")


@lru_cache(maxsize=1024)
def on_ropes(
    figure: Figure, ring: Ring, limit: float, band: float = 0.0, rules: tuple[str, ...] = ("RULING-33",)
) -> Finding:
    """Whether the figure is within `limit` cm of a rope line."""
    distance, points = gap_to_ropes(figure, ring)
    answer, close = compared(distance, limit, band)
    return Finding("on_ropes", answer, (figure.id,), rules, distance, limit, points, close)


def touching(a: Figure, b: Figure, rules: tuple[str, ...] = ("SUPLEX-08",)) -> Finding:
    """Whether two figures touch or overlap. The distance is the gap, or how deep they overlap, negative."""
    distance, points = gap(a, b)
    depth = overlap(a, b)
    signed = Measured(-depth if depth > 0 else distance.value, distance.sd)
    answer, close = compared(signed, 0.0)
    return Finding("touching", answer, (a.id, b.id), rules, signed, 0.0, points, close)


def overlap(a: Figure, b: Figure) -> float:
    """How deep two figures' outlines overlap, cm; 0 when they are apart or only touch."""
    return _depth(outline_shape(a).intersection(outline_shape(b)))


@lru_cache(maxsize=1024)
def in_corner(
    figure: Figure, ring: Ring, limit: float, band: float = 0.0, rules: tuple[str, ...] = ("RULING-33",)
) -> Finding:
    """Whether the figure is within `limit` cm of a corner post."""
    distance, points = gap_to_posts(figure, ring)
    answer, close = compared(distance, limit, band)
    return Finding("in_corner", answer, (figure.id,), rules, distance, limit, points, close)


@lru_cache(maxsize=1024)
def inside_ring(figure: Figure, ring: Ring, rules: tuple[str, ...] = ("RULING-33",)) -> Finding:
    """Whether the figure counts as in the ring: its centre is; a straddling outline is too close.

    The distance is from the centre to the rope line, negative inside.
    """
    w, d = ring.width / 2, ring.depth / 2
    inside = abs(figure.x) <= w and abs(figure.y) <= d
    nearest = nearest_on_edge((figure.x, figure.y), ring)
    away = math.dist((figure.x, figure.y), nearest)
    points = ((figure.x, figure.y), nearest)
    part = part_on_mat(figure, ring)
    along = (0.0, 1.0) if points[0][0] == points[1][0] else (1.0, 0.0)
    # the centre is what is asked about: how sure the outline is has no say
    distance = Measured(-away if inside else away, math.sqrt(position_variance(figure, along)))
    _, close = compared(distance, 0.0)
    return Finding(
        "inside_ring",
        inside,
        (figure.id,),
        rules,
        distance,
        0.0,
        points,
        close or ASTRIDE < part < 1 - ASTRIDE,
    )


def within_reach(
    figure: Figure, way: tuple[Point, Point], obstacles: Mapping[str, BaseGeometry]
) -> dict[str, BaseGeometry]:
    """What a figure may meet when its ground point goes a straight way, whichever way it faces."""
    return {
        name: one
        for name, one in obstacles.items()
        if off_line(rim_of(one), way) <= figure.radius + rim_of(one)[2]
    }


def path_blocked(
    figure: Figure,
    end: Point,
    obstacles: Mapping[str, BaseGeometry],
    rules: tuple[str, ...] = ("RULING-29",),
    slack: float = 0.1,
) -> Finding:
    """Whether a figure slid straight to `end` would run into something; the first it meets is named.

    What it already touches at the start counts only when it is pressed into it (catalogue 6.6).
    The distance is the overlap's depth in cm, compared with `slack`.
    """
    dx, dy = end[0] - figure.x, end[1] - figure.y
    points = ((figure.x, figure.y), end)
    sd = math.sqrt(edge_variance(figure, (1.0, 0.0)))
    deepest = 0.0
    worst = Finding("path_blocked", False, (figure.id,), rules, Measured(0.0, sd), slack, points)
    left, low, right, high = figure.extent
    way = left + min(dx, 0.0), low + min(dy, 0.0), right + max(dx, 0.0), high + max(dy, 0.0)
    near = {name: one for name, one in obstacles.items() if not boxes_apart(way, box_of(one))}
    if not near:
        return worst
    outline = outline_shape(figure)
    swept = sweep(outline, dx, dy)
    for name, obstacle in near.items():
        if shapely.distance(swept, obstacle) > 0:
            continue
        overlap = swept.intersection(obstacle)
        before = outline.intersection(obstacle)
        if overlap.area <= before.area + _NOTHING_CM2:
            continue  # It goes away from what it touches.
        if not before.is_empty:
            overlap = overlap.difference(before.buffer(slack))
        depth = _depth(overlap)
        if depth > deepest:
            deepest = depth
            measured = Measured(depth, sd)
            free, close = compared(measured, slack)
            worst = Finding(
                "path_blocked", not free, (figure.id, name), rules, measured, slack, points, close
            )
    return worst


def _depth(overlap: BaseGeometry) -> float:
    """How deep an overlap goes: the short side of its tightest box, of its biggest part."""
    parts = [part for part in shapely.get_parts(overlap) if part.area > _NOTHING_CM2]
    if not parts:
        return 0.0
    box = shapely.minimum_rotated_rectangle(max(parts, key=lambda part: float(part.area)))
    (ax, ay), (bx, by), (cx, cy) = box.exterior.coords[:3]
    return min(math.hypot(bx - ax, by - ay), math.hypot(cx - bx, cy - by))


def reach(
    figure: Figure, target: Point, length: Measured, rules: tuple[str, ...] = ("MOVE-01",), band: float = 0.0
) -> Finding:
    """Whether a point lies within a length (e.g. so many palms) of the figure's ground point."""
    dx, dy = target[0] - figure.x, target[1] - figure.y
    apart = math.hypot(dx, dy)
    along = (dx / apart, dy / apart) if apart > 1e-9 else (1.0, 0.0)
    distance = Measured(apart, math.sqrt(position_variance(figure, along) + length.sd**2))
    answer, close = compared(distance, length.value, band)
    points = ((figure.x, figure.y), target)
    return Finding("reach", answer, (figure.id,), rules, distance, length.value, points, close)
