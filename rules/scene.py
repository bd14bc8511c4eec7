"""What stands where: the picture of the table that goes into the rules, as plain data.

Lengths in centimetres in the ring frame (origin at the centre of the mat, x right, y away from the
near side), angles in radians counter-clockwise from +x.
"""

from __future__ import annotations

import math
from dataclasses import field
from functools import cached_property
from typing import Literal, get_args

from rules.value_type import value_type

Point = tuple[float, float]
Posture = Literal["standing", "lying", "stacked"]
"""How a figure is there; `stacked` is on top of another one, where one camera cannot tell how it is held."""
Zone = Literal["ring", "ropes", "corner", "ringside", "off_table"]
FARTHEST_CM = 10_000.0
"""Nothing that stands on a table is farther off; beyond it geometry loses its digits."""
_POSTURES, _ZONES = get_args(Posture), get_args(Zone)


@value_type
class Hand:
    """A player's two measures: `palm` is the open hand, `half_palm` the closed one (FACE-02)."""

    palm: float
    half_palm: float
    palm_sd: float = 0.0
    half_palm_sd: float = 0.0


@value_type
class Figure:
    """One fighter as it stands: ground point with covariance (xx, xy, yy in cm^2), facing, outline.

    `outline` is the plan view as a closed ring of points (first point not repeated) in ring cm;
    `outline_sd` is the standard deviation of any of its points along the outline's normal, beside that of the
    position. Where it is known how far the outline as it was seen may be off, all sources together,
    `outline_covariance` (xx, xy, yy in cm^2) stands for both.
    """

    id: str
    x: float
    y: float
    facing: float
    outline: tuple[Point, ...]
    covariance: tuple[float, float, float] = (0.0, 0.0, 0.0)
    facing_sd: float = 0.0
    outline_sd: float = 0.0
    posture: Posture = "standing"
    zone: Zone = "ring"
    facing_assumed: bool = False
    outline_covariance: tuple[float, float, float] | None = None

    def __hash__(self) -> int:
        """Worked out once: figures are what geometry is remembered by, and an outline has many points."""
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.id, self.x, self.y, self.facing, self.outline, self.covariance, self.posture))

    @cached_property
    def sound(self) -> bool:
        """Whether it can be measured: an outline, numbers that can be a table's, known posture and zone."""
        numbers = [self.x, self.y, self.facing, self.facing_sd, self.outline_sd]
        numbers += [number for point in self.outline for number in point]
        return (
            len(self.outline) >= 3
            and all(abs(number) <= FARTHEST_CM for number in numbers)
            and min(self.facing_sd, self.outline_sd) >= 0.0
            and _may_scatter(*self.covariance)
            and (self.outline_covariance is None or _may_scatter(*self.outline_covariance))
            and self.posture in _POSTURES
            and self.zone in _ZONES
        )

    @cached_property
    def extent(self) -> tuple[float, float, float, float]:
        """The outline's box: least x, least y, greatest x, greatest y."""
        xs, ys = zip(*self.outline, strict=True)
        return min(xs), min(ys), max(xs), max(ys)

    @cached_property
    def radius(self) -> float:
        """How far from the ground point the outline reaches."""
        return max(math.dist((self.x, self.y), point) for point in self.outline)


def _may_scatter(xx: float, xy: float, yy: float) -> bool:
    """Whether a position can have this covariance; what rounding left of it is forgiven."""
    most = FARTHEST_CM**2
    return 0.0 <= xx <= most and 0.0 <= yy <= most and abs(xy) <= math.sqrt(xx * yy) * 1.01 + 0.01


@value_type
class Ring:
    """The ring: mat size, the corner posts' radius and the strip of table around it."""

    width: float
    depth: float
    post_radius: float = 1.5
    ringside: float = 25.0

    def __hash__(self) -> int:
        """Worked out once, as a figure's."""
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.width, self.depth, self.post_radius, self.ringside))

    @property
    def corners(self) -> tuple[Point, Point, Point, Point]:
        """The mat's corners: far-left, far-right, near-right, near-left."""
        w, d = self.width / 2, self.depth / 2
        return ((-w, d), (w, d), (w, -d), (-w, -d))


@value_type
class Scene:
    """The table at one moment. `hands` maps a figure's id to its owner's hand (MOVE-02)."""

    ring: Ring
    figures: dict[str, Figure]
    hands: dict[str, Hand] = field(default_factory=dict)
    t: float = 0.0
