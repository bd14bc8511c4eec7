"""What lies on the mat: annotations as strokes and fills in ring centimetres."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from overlay.palette import GHOST_OPACITY, HALO, LINE, REGION_OPACITY, THICK, THIN, TONES, Dash
from overlay.shapes import Array, Fill, Line, Shape
from rules.annotations import Arrow, FighterTag, Ghost, Region, RingEdge, Ruler, Tone
from rules.measured import K95
from rules.scene import Point

# A straight piece this long bends by less than 0.1 px under a webcam's distortion.
STEP_CM = 8.0
FACING_CM = 6.5
_BASE_RADIUS_CM = 3.0


def on_mat(points: Sequence[Point] | Array, closed: bool = False, step: float = STEP_CM) -> Array:
    """Points of the mat as (N, 3), long pieces divided so that they bend with the lens; not repeated."""
    corners = np.asarray(points, dtype=np.float64).reshape(-1, 2)
    ends = np.vstack([corners[1:], corners[:1]]) if closed else corners[1:]
    starts = corners[: len(ends)]
    steps = ends - starts
    counts = np.maximum(1, np.ceil(np.hypot(steps[:, 0], steps[:, 1]) / step)).astype(int)
    piece = np.repeat(np.arange(len(ends)), counts)
    within = (np.arange(len(piece)) - np.repeat(np.cumsum(counts) - counts, counts)) / counts[piece]
    flat = starts[piece] + within[:, None] * steps[piece]
    if not closed:
        flat = np.vstack([flat, corners[-1:]])
    return np.column_stack([flat, np.zeros(len(flat))])


def ring_edge(edge: RingEdge, scale: float) -> tuple[Shape, ...]:
    """The mat's edge as the calibration sees it."""
    return (Line(on_mat(edge.corners, True), "paper", LINE * scale, True, halo=HALO * scale),)


def region(area: Region, scale: float) -> tuple[Shape, ...]:
    """A translucent area with a clear edge whose dash tells the tone."""
    rings = tuple(on_mat(ring, True) for ring in (area.exterior, *area.holes))
    edges = (_line(ring, area.tone, LINE, scale, closed=True) for ring in rings)
    return (Fill(rings, area.tone, REGION_OPACITY), *edges)


def ghost(spot: Ghost, scale: float) -> tuple[Shape, ...]:
    """The outline of a figure where it has to stand."""
    ring = on_mat(spot.outline, True)
    return Fill((ring,), "ghost", GHOST_OPACITY), _line(ring, "ghost", LINE, scale, closed=True)


def arrow(mark: Arrow, scale: float) -> tuple[Shape, ...]:
    """An arrow on the mat."""
    return _arrow(mark.start, mark.end, mark.tone, scale, width=THICK, head=2.4, sure=True)


def ruler(path: Ruler, scale: float) -> tuple[Shape, ...]:
    """The path, a tick at every palm, a stop at the end and over it the 95 % interval of the length."""
    shapes: list[Shape] = [_line(on_mat(path.points), path.tone, THICK, scale)]
    for point, direction in ruler_ticks(path):
        shapes.append(_line(_across(point, direction, 1.5), path.tone, LINE, scale, solid=True))
    end, last = np.asarray(path.points[-1]), _direction(path.points[-2], path.points[-1])
    reach = K95 * path.sd * last
    if path.sd > 0.0:
        bar = np.array([[*(end - reach), 0.0], [*(end + reach), 0.0]])
        shapes.append(_line(bar, path.tone, LINE, scale, solid=True))
        shapes += [
            _line(_across(end + side * reach, last, 0.8), path.tone, LINE, scale, solid=True)
            for side in (-1, 1)
        ]
    shapes.append(_line(_across(end, last, 1.8), path.tone, THICK, scale, solid=True))
    return tuple(shapes)


def ruler_ticks(path: Ruler) -> list[tuple[Array, Array]]:
    """Where the ticks of a ruler are: point (2,) and direction (2,) of the path there, one per full palm."""
    points = np.asarray(path.points, dtype=np.float64)
    lengths = np.linalg.norm(np.diff(points, axis=0), axis=1)
    along = np.concatenate([[0.0], np.cumsum(lengths)])
    ticks = []
    for k in range(1, int(along[-1] / path.tick + 1e-9) + 1):
        piece = int(np.clip(np.searchsorted(along, k * path.tick) - 1, 0, len(lengths) - 1))
        direction = (points[piece + 1] - points[piece]) / lengths[piece]
        ticks.append((points[piece] + (k * path.tick - along[piece]) * direction, direction))
    return ticks


def fighter(tag: FighterTag, scale: float) -> tuple[Shape, ...]:
    """Under a fighter: its outline, a small cross at its ground point, and where it faces."""
    if tag.dimmed:
        return ()
    tone: Tone = "active" if tag.active else tag.tone
    outline = base_outline(tag)
    # A figure's sides are too short for the lens to bend.
    base = np.column_stack([outline, np.zeros(len(outline))])
    shapes: list[Shape] = [Fill((base,), "active", GHOST_OPACITY)] if tag.active else []
    shapes.append(_line(base, tone, THICK if tag.active else LINE, scale, closed=True))
    cross = np.array([(-1, 0), (1, 0), (0, 0), (0, 1), (0, -1)]) * 0.8 + tag.anchor
    shapes.append(_line(np.column_stack([cross, np.zeros(5)]), tone, THIN, scale, solid=True))
    if tag.facing is not None:
        start, end = facing_ends(tag)
        shapes += _arrow(start, end, tone, scale, width=LINE, head=2.0, sure=not tag.facing_assumed)
    return tuple(shapes)


def base_outline(tag: FighterTag) -> Array:
    """The fighter's outline on the mat (N, 2), or a circle round its ground point while none is known."""
    return _base(tag.outline, tag.anchor)


@lru_cache(maxsize=64)
def _base(outline: tuple[Point, ...], anchor: Point) -> Array:
    if len(outline) > 2:
        return np.asarray(outline, dtype=np.float64)
    turns = np.arange(16) * math.pi / 8
    return anchor + _BASE_RADIUS_CM * np.column_stack([np.cos(turns), np.sin(turns)])


def facing_ends(tag: FighterTag) -> tuple[Point, Point]:
    """Where a fighter's facing arrow begins (just before its outline) and ends, ring cm."""
    heading = tag.facing or 0.0
    cos, sin = math.cos(heading), math.sin(heading)
    reach = float(((base_outline(tag) - tag.anchor) @ (cos, sin)).max()) + 0.7
    x, y = tag.anchor
    far = reach + FACING_CM
    return (x + reach * cos, y + reach * sin), (x + far * cos, y + far * sin)


def _arrow(
    start: Point, end: Point, tone: Tone, scale: float, *, width: float, head: float, sure: bool
) -> tuple[Shape, ...]:
    """A shaft and a head of `head` cm; not sure: dashed and hollow."""
    a, b = np.asarray(start), np.asarray(end)
    along = _direction(start, end)
    across = np.array([-along[1], along[0]])
    neck = b - 1.5 * head * along
    tip = np.column_stack(
        [np.vstack([b, neck + 0.75 * head * across, neck - 0.75 * head * across]), np.zeros(3)]
    )
    shaft = np.array([[*a, 0.0], [*neck, 0.0]])
    dash: Dash | None = None if sure else (5.0 * scale, 4.0 * scale)
    rim = Line(tip, tone, THIN * scale, True, halo=HALO * scale)
    body = Line(shaft, tone, width * scale, dash=dash, halo=HALO * scale)
    return (body, rim, Fill((tip,), tone, 1.0)) if sure else (body, rim)


def _line(
    points: Array, tone: Tone, width: float, scale: float, *, closed: bool = False, solid: bool = False
) -> Line:
    dash = None if solid else TONES[tone].dash
    scaled = (dash[0] * scale, dash[1] * scale) if dash else None
    return Line(points, tone, width * scale, closed, scaled, HALO * scale)


def _across(point: Array, direction: Array, half: float) -> Array:
    normal = np.array([-direction[1], direction[0]])
    return np.array([[*(point - half * normal), 0.0], [*(point + half * normal), 0.0]])


def _direction(start: Point, end: Point) -> Array:
    step = np.asarray(end, dtype=np.float64) - np.asarray(start, dtype=np.float64)
    length = float(np.linalg.norm(step))
    return step / length if length > 0 else np.array([1.0, 0.0])
