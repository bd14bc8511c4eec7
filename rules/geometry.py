"""Shapes on the mat: one definition of distance (edge to edge, clamped at 0) and the sweeps of a move.

Lengths in centimetres, angles in radians. Shapely geometries of frozen scene objects are cached.
"""

from __future__ import annotations

import math
from functools import cached_property, lru_cache

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import LineString, MultiPoint, Polygon
from shapely.geometry.base import BaseGeometry

from rules.measured import Measured
from rules.scene import Figure, Point, Ring

Floats = NDArray[np.float64]


def unit(angle: float) -> Point:
    """The unit vector of a heading."""
    return math.cos(angle), math.sin(angle)


def turn_between(before: float, after: float) -> float:
    """The smaller angle from one heading to another, in [-pi, pi)."""
    return (after - before + math.pi) % (2 * math.pi) - math.pi


@lru_cache(maxsize=512)
def outline_shape(figure: Figure) -> Polygon:
    """The figure's plan view as a valid polygon (a crossed outline becomes its convex hull)."""
    # Many times quicker than Polygon(figure.outline), and the same.
    polygon = shapely.polygons(np.array(figure.outline))
    assert isinstance(polygon, Polygon)
    if polygon.is_valid:
        return polygon
    hull = MultiPoint(figure.outline).convex_hull
    # Points on one line have no area at all: give them a hair's breadth.
    return hull if isinstance(hull, Polygon) else hull.buffer(0.01)


Box = tuple[float, float, float, float]
"""Least x, least y, greatest x, greatest y."""
Disc = tuple[float, float, float]
"""x, y and radius."""


def corners_of(shape: BaseGeometry) -> Floats:
    """All corners of a shape (n, 2); remembered for the shapes of figures and of the ring."""
    return _remembered(shape).corners


def box_of(shape: BaseGeometry) -> Box:
    """A shape's box; remembered like its corners."""
    return _remembered(shape).box


def core_of(shape: BaseGeometry) -> Disc:
    """A disc that lies wholly in a shape, about its centroid; remembered like its corners."""
    return _remembered(shape).core


def rim_of(shape: BaseGeometry) -> Disc:
    """A disc in which a shape lies wholly, about the middle of its box; remembered like its corners."""
    return _remembered(shape).rim


class _Remembered:
    """What is worked out about a shape once."""

    def __init__(self, shape: BaseGeometry) -> None:
        self.shape = shape
        self.corners: Floats = shapely.get_coordinates(shape)
        self.box: Box = shape.bounds

    @cached_property
    def core(self) -> Disc:
        """See `core_of`."""
        centre = self.shape.centroid
        inside = self.shape.contains(centre)
        return centre.x, centre.y, self.shape.boundary.distance(centre) if inside else 0.0

    @cached_property
    def rim(self) -> Disc:
        """See `rim_of`."""
        left, low, right, high = self.box
        x, y = (left + right) / 2, (low + high) / 2
        return x, y, max(math.dist((x, y), corner) for corner in self.corners.tolist())


def _remembered(shape: BaseGeometry) -> _Remembered:
    known = _SHAPES.get(id(shape))
    if known is None or known.shape is not shape:
        if len(_SHAPES) >= _MOST_SHAPES:
            _SHAPES.clear()
        known = _SHAPES[id(shape)] = _Remembered(shape)
    return known


# By identity: the hash of a geometry costs more than its corners.
_SHAPES: dict[int, _Remembered] = {}
_MOST_SHAPES = 512


def boxes_apart(a: Box, b: Box) -> bool:
    """Whether two boxes have no point in common: nothing in the one touches anything in the other."""
    return a[0] > b[2] or a[2] < b[0] or a[1] > b[3] or a[3] < b[1]


def within(box: Box, other: Box) -> bool:
    """Whether a box lies wholly in another one."""
    return box[0] >= other[0] and box[1] >= other[1] and box[2] <= other[2] and box[3] <= other[3]


def box_along(shape: BaseGeometry, heading: float) -> Box:
    """A shape's box as seen along a heading, which becomes +x: back, right, front, left."""
    c, s = unit(heading)
    turned = corners_of(shape) @ np.array([[c, -s], [s, c]])
    (back, right), (front, left) = turned.min(axis=0).tolist(), turned.max(axis=0).tolist()
    return back, right, front, left


@lru_cache(maxsize=64)
def mat_shape(ring: Ring) -> Polygon:
    """The ring polygon: the quadrilateral of the post centres (catalogue 6.4)."""
    return Polygon(ring.corners)


@lru_cache(maxsize=64)
def table_shape(ring: Ring) -> Polygon:
    """Ring and ringside together."""
    w, d = ring.width / 2 + ring.ringside, ring.depth / 2 + ring.ringside
    return shapely.box(-w, -d, w, d)


@lru_cache(maxsize=64)
def ropes(ring: Ring) -> tuple[LineString, ...]:
    """The four rope lines between the post centres: far, right, near, left."""
    corners = ring.corners
    return tuple(LineString([corners[i], corners[(i + 1) % 4]]) for i in range(4))


@lru_cache(maxsize=64)
def posts(ring: Ring) -> tuple[Polygon, ...]:
    """The four post discs: far-left, far-right, near-right, near-left."""
    return tuple(shapely.Point(corner).buffer(ring.post_radius) for corner in ring.corners)


def off_line(disc: Disc, line: tuple[Point, Point]) -> float:
    """How far a disc's centre is from a line between two points."""
    (ax, ay), (bx, by) = line
    dx, dy, x, y = bx - ax, by - ay, disc[0] - ax, disc[1] - ay
    long = dx * dx + dy * dy
    part = min(1.0, max(0.0, (x * dx + y * dy) / long)) if long > 0 else 0.0
    return math.hypot(x - part * dx, y - part * dy)


def nearest_points(a: BaseGeometry, b: BaseGeometry) -> tuple[Point, Point]:
    """The pair of points, one on each shape, that decides their distance."""
    (ax, ay), (bx, by) = shapely.get_coordinates(shapely.shortest_line(a, b)).tolist()
    return (ax, ay), (bx, by)


def position_variance(figure: Figure, direction: Point) -> float:
    """Variance of the figure's position along a unit direction, cm^2."""
    return _along(figure.covariance, direction)


def _along(covariance: tuple[float, float, float], direction: Point) -> float:
    (xx, xy, yy), (dx, dy) = covariance, direction
    # What rounding left of a covariance may be a trace below nothing.
    return max(0.0, xx * dx * dx + 2 * xy * dx * dy + yy * dy * dy)


def edge_variance(figure: Figure, direction: Point) -> float:
    """Variance of a point of the figure's outline along a unit direction: position and outline."""
    if figure.outline_covariance is not None:
        return _along(figure.outline_covariance, direction)
    return position_variance(figure, direction) + figure.outline_sd**2


def direction_between(start: Point, end: Point, fallback: Point) -> Point:
    """The unit vector from start to end; the fallback's when they coincide (shapes that touch)."""
    for dx, dy in ((end[0] - start[0], end[1] - start[1]), fallback):
        length = math.hypot(dx, dy)
        if length > 1e-9:
            return dx / length, dy / length
    return 1.0, 0.0


@lru_cache(maxsize=1024)
def gap(a: Figure, b: Figure) -> tuple[Measured, tuple[Point, Point]]:
    """Edge-to-edge distance of two figures, 0 when they touch or overlap, and the deciding points."""
    shape_a, shape_b = outline_shape(a), outline_shape(b)
    points = nearest_points(shape_a, shape_b)
    along = direction_between(*points, fallback=(b.x - a.x, b.y - a.y))
    sd = math.sqrt(edge_variance(a, along) + edge_variance(b, along))
    return Measured(float(shapely.distance(shape_a, shape_b)), sd), points


@lru_cache(maxsize=1024)
def gap_to(figure: Figure, shape: BaseGeometry) -> tuple[Measured, tuple[Point, Point]]:
    """Edge-to-edge distance of a figure to something that does not move (a rope, a post)."""
    outline = outline_shape(figure)
    points = nearest_points(outline, shape)
    centre = shape.centroid
    along = direction_between(*points, fallback=(centre.x - figure.x, centre.y - figure.y))
    return Measured(float(shapely.distance(outline, shape)), math.sqrt(edge_variance(figure, along))), points


@lru_cache(maxsize=512)
def gap_to_posts(figure: Figure, ring: Ring) -> tuple[Measured, tuple[Point, Point]]:
    """Edge-to-edge distance to the nearest post and the deciding points."""
    left, near, right, far = figure.extent

    def at_least(corner: Point) -> float:
        """The distance of the figure's box."""
        x, y = corner
        return math.hypot(max(left - x, x - right, 0.0), max(near - y, y - far, 0.0)) - ring.post_radius

    bounds = [at_least(corner) for corner in ring.corners]
    nearest = gap_to(figure, posts(ring)[bounds.index(min(bounds))])
    others = [post for post, bound in zip(posts(ring), bounds, strict=True) if bound <= nearest[0].value]
    return min((gap_to(figure, post) for post in others), key=lambda one: one[0].value, default=nearest)


@lru_cache(maxsize=512)
def gap_to_ropes(figure: Figure, ring: Ring) -> tuple[Measured, tuple[Point, Point]]:
    """Edge-to-edge distance to the nearest rope line and the deciding points.

    A figure all of whose outline is over the mat is measured straight across.
    """
    w, d = ring.width / 2, ring.depth / 2
    left, near, right, far = figure.extent
    if left < -w or near < -d or right > w or far > d:
        return min((gap_to(figure, rope) for rope in ropes(ring)), key=lambda one: one[0].value)
    away, side = min((d - far, 0), (w - right, 1), (d + near, 2), (w + left, 3))
    axis, reached = ((1, far), (0, right), (1, near), (0, left))[side]
    corner = next(point for point in figure.outline if point[axis] == reached)
    rope = ((corner[0], d), (w, corner[1]), (corner[0], -d), (-w, corner[1]))[side]
    along = (0.0, 1.0) if axis == 1 else (1.0, 0.0)
    return Measured(away, math.sqrt(edge_variance(figure, along))), (corner, rope)


def nearest_on_edge(point: Point, ring: Ring) -> Point:
    """The point of the mat's edge nearest to a point."""
    (x, y), w, d = point, ring.width / 2, ring.depth / 2
    if abs(x) > w or abs(y) > d:
        return max(-w, min(w, x)), max(-d, min(d, y))
    return (math.copysign(w, x), y) if w - abs(x) < d - abs(y) else (x, math.copysign(d, y))


@lru_cache(maxsize=512)
def part_on_mat(figure: Figure, ring: Ring) -> float:
    """Which part of the outline's area is over the mat, 0 to 1."""
    w, d = ring.width / 2, ring.depth / 2
    left, near, right, far = figure.extent
    if left >= -w and right <= w and near >= -d and far <= d:
        return 1.0
    if left >= w or right <= -w or near >= d or far <= -d:
        return 0.0
    outline = outline_shape(figure)
    return float(outline.intersection(mat_shape(ring)).area) / max(outline.area, 1e-9)


def outline_at(figure: Figure, x: float, y: float, turn: float) -> tuple[Point, ...]:
    """The figure's outline with its ground point elsewhere, turned by an angle about it."""
    fx, fy = figure.x, figure.y
    if turn == 0.0:
        return tuple([(x + (px - fx), y + (py - fy)) for px, py in figure.outline])
    c, s = math.cos(turn), math.sin(turn)
    return tuple(
        [(x + c * (px - fx) - s * (py - fy), y + s * (px - fx) + c * (py - fy)) for px, py in figure.outline]
    )


def moved(figure: Figure, x: float, y: float, facing: float | None = None) -> Figure:
    """The same rigid figure at another place and heading: its outline turns about its ground point."""
    return Figure(
        figure.id,
        x,
        y,
        figure.facing if facing is None else facing,
        outline_at(figure, x, y, 0.0 if facing is None else facing - figure.facing),
        figure.covariance,
        figure.facing_sd,
        figure.outline_sd,
        figure.posture,
        figure.zone,
        figure.facing_assumed,
        figure.outline_covariance,
    )


def convex(ring: Floats) -> bool:
    """Whether a closed ring of points (n + 1, 2) turns one way only."""
    edges = np.diff(ring, axis=0)
    following = np.concatenate((edges[1:], edges[:1]))
    turns = edges[:, 0] * following[:, 1] - edges[:, 1] * following[:, 0]
    return bool((turns >= 0).all() or (turns <= 0).all())


def sweep(shape: Polygon, dx: float, dy: float) -> BaseGeometry:
    """The area a polygon covers while it is translated by (dx, dy)."""
    ring = shapely.get_coordinates(shape.exterior)
    step = np.array([dx, dy])
    if convex(ring):
        # Many times quicker than joining quads, and the same.
        corners = shapely.multipoints(np.concatenate([ring, ring + step]))
        assert isinstance(corners, MultiPoint)
        return corners.convex_hull
    a, b = ring[:-1], ring[1:]
    quads = np.asarray(shapely.polygons(np.stack([a, b, b + step, a + step], axis=1)))
    # A quad seen edge-on has no area and is dropped; make_valid is not needed for parallelograms.
    quads = quads[shapely.area(quads) > 1e-12]
    shifted = shapely.transform(shape, lambda p: p + step)
    return shapely.union_all([shape, shifted, *quads])
