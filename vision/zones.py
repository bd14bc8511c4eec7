"""Where on the table a figure is: ring, ropes, corner, ringside or off the table (RULING-33)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import shapely

from vision.arrays import Floats
from vision.tracks import Zone

# On the ropes or in the corner when the gap to them is no larger than this, in cm (RULING-33).
ROPE_GAP_CM = 2.0
POST_GAP_CM = 2.0
# Posts stand on the corners; half their thickness.
_POST_RADIUS_CM = 1.3
# The ringside is 20-30 cm wide (ARENA-06); what is farther out is off the table.
RINGSIDE_CM = 30.0


class Zones:
    """The zones around a ring of width and depth in cm, posts on its corners, ropes along its edges."""

    def __init__(self, width_cm: float, depth_cm: float) -> None:
        x, y = width_cm / 2, depth_cm / 2
        self._ring = shapely.box(-x, -y, x, y)
        self._ropes = self._ring.exterior
        self._posts = shapely.MultiPoint([(-x, y), (x, y), (x, -y), (-x, -y)]).buffer(_POST_RADIUS_CM)
        self._table = shapely.box(-x - RINGSIDE_CM, -y - RINGSIDE_CM, x + RINGSIDE_CM, y + RINGSIDE_CM)
        for shape in (self._ring, self._ropes, self._posts, self._table):
            shapely.prepare(shape)

    def of(
        self, point: Sequence[float] | Floats, outline: Sequence[Sequence[float]] | Floats | None = None
    ) -> Zone:
        """The zone of a ground point (x, y) in cm; gaps are measured from the outline (N, 2) when known."""
        here = shapely.Point(point[0], point[1])
        if not self._ring.covers(here):
            return "ringside" if self._table.covers(here) else "off_table"
        shape = shapely.Polygon(np.asarray(outline)) if outline is not None and len(outline) >= 3 else here
        if shape.distance(self._posts) <= POST_GAP_CM:
            return "corner"
        return "ropes" if shape.distance(self._ropes) <= ROPE_GAP_CM else "ring"
