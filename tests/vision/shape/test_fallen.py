"""Falls by experience: noticed, placed, and not seen where there are none, on modelled figures."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from shapely.geometry import Polygon

from datasets.fall_samples import bounding_middle
from datasets.fall_samples import fallen as fall
from datasets.figures import photograph
from datasets.makers import MORE_MAKERS, made
from tests.vision.measuring.test_ground import CALIBRATION
from tests.vision.plan_views import seen_from_above
from vision.measuring.experience import Experience
from vision.measuring.likelihood import wrap
from vision.measuring.registration import FragmentView
from vision.shape.fallen import HEADS
from vision.shape.look import ANGLES
from vision.shape.plan import polygon

CAMERA = CALIBRATION.camera


def view_of(figure, seed):
    look = photograph(figure, CAMERA, np.random.default_rng(seed))
    return FragmentView(look.origin, look.silhouette, picture=look.picture)


@cache
def cases():
    """Figures of all makers: what is believed of each as it lies and as it stands turned, and the truth."""
    found = []
    for seed, maker in enumerate(list(MORE_MAKERS) * 2):
        rng = np.random.default_rng([seed, 5])
        figure = made(rng, maker)
        facing, turned = rng.uniform(-180, 180, 2)
        stood = view_of(figure.placed(rng.uniform(-15, 15, 2), facing), seed)
        again = view_of(figure.placed(rng.uniform(-15, 15, 2), turned), seed)
        lies, head = fall(rng, figure)
        lies = replace(lies, centres=lies.centres + np.array([*rng.uniform(-15, 15, 2), 0.0]))
        lying = view_of(lies, seed)
        experience = Experience(CAMERA, figure.height, figure.kind)
        believed = [experience.fallen(stood, facing, view) for view in (lying, again)]
        found.append((figure, lies, head, *believed, experience.fallen(None, 0.0, lying)))
    return found


def test_falls_are_told_from_turns():
    fell, stood = (np.array([case[n].odds for case in cases()]) for n in (3, 4))
    # better than nine of ten pairs are in the right order
    assert np.mean(fell[:, None] > stood) > 0.9
    assert np.mean(fell > 0) > 0.75
    assert np.mean(stood < 0) > 0.75


def test_a_lying_figure_is_placed_within_its_bar_and_so_is_its_plan_view():
    away, pulls, overlaps = [], [], []
    for figure, lies, head, found, _, _ in cases():
        gap = found.xy - bounding_middle(lies, head)
        away.append(np.hypot(*gap) / figure.height)
        pulls.append(gap @ np.linalg.solve(found.covariance, gap))
        seen, true = Polygon(polygon(ANGLES, found.reach) + found.xy), seen_from_above(lies).convex_hull
        overlaps.append(seen.intersection(true).area / seen.union(true).area)
    assert np.median(away) < 0.06
    assert np.mean(np.array(pulls) < 5.99) > 0.8
    assert np.median(overlaps) > 0.75


def test_where_a_head_points_is_a_probability_that_is_mostly_right():
    right = []
    for _, _, head, found, _, _ in cases():
        assert np.exp(found.head).sum() == pytest.approx(1.0)
        pointed = 360 / HEADS * int(np.argmax(found.head))
        right.append(abs(wrap(pointed - np.degrees(head))) < 45)
    assert np.mean(right) > 0.6


def test_one_who_was_never_seen_to_stand_is_placed_too():
    away = [
        np.hypot(*(unseen.xy - bounding_middle(lies, head))) / figure.height
        for figure, lies, head, _, _, unseen in cases()
    ]
    assert np.median(away) < 0.08
