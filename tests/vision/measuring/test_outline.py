"""Plan views of lying modelled figures."""

import numpy as np
from shapely.geometry import Polygon

from datasets.figures import Figure, photograph, random_figure, turn
from tests.vision.measuring.test_ground import CAMERA
from tests.vision.plan_views import seen_from_above
from vision.measuring.outline import lying
from vision.measuring.silhouette import Silhouette


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
        body = np.array(seen_from_above(fallen).exterior.coords) @ turn(facing)[:2, :2]
        truth = turn(facing)[:2, :2] @ ((body.min(axis=0) + body.max(axis=0)) / 2)
        stood = np.array(seen_from_above(moved(figure, (0, 0), 0)).exterior.coords)
        for standing, errors in ((stood, with_depth), (None, without)):
            found = lying(CAMERA, silhouette, figure.height, np.radians(facing), standing)
            errors.append(np.hypot(*(found.xy - truth)))
        assert overlap(found.outline, seen_from_above(fallen)) > 0.55
    assert np.median(with_depth) < 0.75
    assert np.median(with_depth) <= np.median(without) + 0.1
