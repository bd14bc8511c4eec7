"""Plan views of lying modelled figures."""

import numpy as np
from shapely.geometry import MultiPoint, Polygon

from datasets.figures import Figure, photograph, random_figure, turn
from tests.vision.measuring.test_ground import CAMERA
from vision.measuring.outline import lying
from vision.measuring.silhouette import Silhouette


def plan(figure):
    """The true plan view: the hull of the ellipsoids seen straight down."""
    ring = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    circle = np.column_stack([np.cos(ring), np.sin(ring)])
    points = []
    for centre, shape in zip(figure.centres, figure.shapes, strict=True):
        covariance = (np.linalg.inv(shape) @ np.linalg.inv(shape).T)[:2, :2]
        points.append(centre[:2] + circle @ np.linalg.cholesky(covariance).T)
    return MultiPoint(np.concatenate(points)).convex_hull


def moved(figure, xy, facing):
    rotation = turn(facing)
    return Figure(figure.kind, figure.centres @ rotation.T + [*xy, 0.0], figure.shapes @ rotation.T)


def seen(figure, rng):
    look = photograph(figure, CAMERA, rng)
    return Silhouette(look.origin, look.silhouette)


def overlap(outline, truth):
    found = Polygon(outline)
    return found.intersection(truth).area / found.union(truth).area


def test_a_fallen_figure_is_placed_by_how_deep_it_stood():
    rng = np.random.default_rng(9)
    with_depth, without = [], []
    for _ in range(8):
        figure = random_figure(rng, "humanoid")
        facing = rng.uniform(-180, 180)
        fallen = figure.fallen(rng.uniform(-20, 20, 2), facing)
        silhouette = seen(fallen, rng)
        body = np.array(plan(fallen).exterior.coords) @ turn(facing)[:2, :2]
        truth = turn(facing)[:2, :2] @ ((body.min(axis=0) + body.max(axis=0)) / 2)
        stood = np.array(plan(moved(figure, (0, 0), 0)).exterior.coords)
        for standing, errors in ((stood, with_depth), (None, without)):
            found = lying(CAMERA, silhouette, figure.height, np.radians(facing), standing)
            errors.append(np.hypot(*(found.xy - truth)))
        assert overlap(found.outline, plan(fallen)) > 0.55
    assert np.median(with_depth) < 0.75
    assert np.median(with_depth) <= np.median(without) + 0.1
