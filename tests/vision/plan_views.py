"""What modelled figures truly look like from straight above."""

from __future__ import annotations

import numpy as np
from shapely.geometry import MultiPoint
from shapely.geometry.base import BaseGeometry

from datasets.figures import Figure


def seen_from_above(figure: Figure) -> BaseGeometry:
    """The true plan view: the hull of the ellipsoids seen straight down."""
    ring = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    circle = np.column_stack([np.cos(ring), np.sin(ring)])
    points = []
    for centre, shape in zip(figure.centres, figure.shapes, strict=True):
        covariance = (np.linalg.inv(shape) @ np.linalg.inv(shape).T)[:2, :2]
        points.append(centre[:2] + circle @ np.linalg.cholesky(covariance).T)
    return MultiPoint(np.concatenate(points)).convex_hull
