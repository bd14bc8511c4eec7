"""The learned prior: honest guesses, plan views and solids from several looks, a bent figure noticed."""

from dataclasses import replace
from functools import cache
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry import Polygon

from datasets.figures import Figure, photograph, turn
from datasets.makers import MORE_MAKERS, extent, made
from tests.vision.measuring.test_ground import CALIBRATION
from tests.vision.plan_views import seen_from_above
from vision.measuring.silhouette import Silhouette
from vision.shape.errors import features, kinship_of, own_share
from vision.shape.fitting import fitted
from vision.shape.look import look_at
from vision.shape.network import DIRECTIONS
from vision.shape.plan import BENT, contradiction, outline_of, plan_view, reach
from vision.shape.solid import solid_of

CAMERA = CALIBRATION.camera


def silhouette_of(figure, xy, facing, seed=0):
    look = photograph(figure.placed(np.asarray(xy), facing), CAMERA, np.random.default_rng(seed))
    return Silhouette(look.origin, look.silhouette)


def faced(figure, xy, facing):
    look = look_at(CAMERA, silhouette_of(figure, xy, facing), figure.height, figure.kind)
    return look.facing(np.radians(facing))


def overlap(outline, truth):
    found = Polygon(outline)
    return found.intersection(truth).area / found.union(truth).area


POSES = (((-12.0, 8.0), 20.0), ((10.0, 14.0), 130.0), ((4.0, -15.0), -95.0), ((-3.0, 2.0), -10.0))


@cache
def seen_from_all_sides(maker, seed):
    figure = made(np.random.default_rng(seed), maker)
    return figure, [faced(figure, *pose) for pose in POSES]


@pytest.mark.parametrize("maker", ["stout", "sturdy", "humanoid", "beast"])
def test_soles_are_guessed_within_their_error_bars(maker):
    inside, errors = [], []
    for seed in range(6):
        figure, looks = seen_from_all_sides(maker, 100 + seed)
        for look, (xy, _) in zip(looks, POSES, strict=True):
            gap = look.look.stand.axes.T @ (look.xy - xy) / figure.height
            inside += list(np.abs(np.linalg.solve(look.guess.sole_root, gap)) < 1.96)
            errors.append(np.hypot(*gap))
    assert np.mean(inside) >= 0.85
    assert np.median(errors) < 0.06


@pytest.mark.parametrize("maker", list(MORE_MAKERS))
def test_a_covariance_is_positive_and_a_figure_within_reach(maker):
    figure, looks = seen_from_all_sides(maker, 7)
    assert extent(figure) < 2.4 * figure.height
    for look in looks:
        assert (np.diag(look.guess.sole_root) > 0).all()
        assert (look.guess.support_sd > 0).all()
        assert np.exp(look.look.facing(None).guess.facing).sum() == pytest.approx(1.0)


def test_looks_fuse_to_the_same_shape_in_any_order():
    figure, looks = seen_from_all_sides("sturdy", 3)
    outline, solid = outline_of(looks, figure.height), solid_of(looks)
    for order in permutations(looks[:3]):
        np.testing.assert_allclose(outline_of([*order, looks[3]], figure.height), outline, atol=1e-5)
        np.testing.assert_allclose(solid_of([*order, looks[3]]).odds, solid.odds, atol=1e-4)


def test_more_looks_make_a_better_plan_view():
    alone, together = [], []
    for maker in ("stout", "lunging", "sturdy", "winged"):
        for seed in range(4):
            figure, looks = seen_from_all_sides(maker, 40 + seed)
            for look, (xy, facing) in zip(looks, POSES, strict=True):
                truth = seen_from_above(figure.placed(np.asarray(xy), facing))
                for known, scores in (([look], alone), (looks, together)):
                    view = plan_view(known, look, look.xy, np.radians(facing))
                    scores.append(overlap(view, truth))
                    assert Polygon(view).is_valid
                    assert Polygon(view).exterior.is_ccw
    assert np.median(alone) > 0.75
    assert np.median(together) > np.median(alone)


def test_a_plan_view_turns_and_moves_with_its_figure():
    _, looks = seen_from_all_sides("stout", 1)
    assert len(reach(looks)) == DIRECTIONS
    here = plan_view(looks, looks[0], np.array([1.0, 2.0]), 0.3)
    there = plan_view(looks, looks[0], np.array([5.0, -4.0]), 0.3 + np.pi / 2)
    turned = (here - [1.0, 2.0]) @ turn(90.0)[:2, :2].T + [5.0, -4.0]
    assert Polygon(turned).symmetric_difference(Polygon(there)).area < 0.02 * Polygon(there).area


def test_a_bent_figure_is_noticed_and_the_same_one_is_not():
    figure, looks = seen_from_all_sides("lunging", 12)
    assert max(contradiction(looks[0], other) for other in looks[1:]) < BENT
    # trodden on: less than half as high as it was, and wider for it
    flat = np.diag([2.0, 2.0, 0.4])
    inverse = np.linalg.inv(flat)
    squashed = Figure(figure.kind, figure.centres @ flat, figure.shapes @ inverse)
    seen = silhouette_of(squashed, *POSES[1])
    bent = look_at(CAMERA, seen, figure.height, figure.kind).facing(np.radians(POSES[1][1]))
    assert contradiction(looks[0], bent) > BENT


def test_a_solid_fits_a_further_look_where_the_figure_stands_and_as_it_faces():
    turns, gaps = [], []
    for maker in ("humanoid", "stout", "sturdy", "beast"):
        for seed in range(3):
            figure, looks = seen_from_all_sides(maker, 60 + seed)
            known = []
            for look, (xy, _) in zip(looks[:3], POSES, strict=False):
                stand = look.look.stand
                sole = stand.axes.T @ (np.asarray(xy) - stand.middle) / figure.height
                known.append(replace(look, guess=replace(look.guess, sole=sole)))
            solid, last = solid_of(known), looks[3]
            steps = np.radians(np.arange(-180, 180, 15))
            likely = [fitted(solid, last.look, last.azimuth + step, last.guess.sole)[0] for step in steps]
            turns.append(abs(np.degrees(steps[int(np.argmax(likely))])))
            stand, (xy, _) = last.look.stand, POSES[3]
            sole = fitted(solid, last.look, last.azimuth, last.guess.sole)[1]
            gaps.append(np.hypot(*(stand.middle + figure.height * stand.axes @ sole - xy)) / figure.height)
    assert np.median(turns) <= 15
    assert np.median(gaps) < 0.03


@settings(deadline=None)
@given(st.floats(-np.pi, np.pi), st.floats(-np.pi, np.pi))
def test_errors_of_looks_are_as_related_as_their_sides_and_most_of_all_to_themselves(first, second):
    a, b = features(first), features(second)
    assert np.trace(a @ b.T) <= np.trace(a @ a.T) + 1e-9
    np.testing.assert_allclose(np.diag(a @ a.T), np.diag(b @ b.T))
    assert (own_share() > 0).all()


def test_what_hangs_together_is_found_again():
    rng = np.random.default_rng(3)
    shared = np.array([[0.3, 0.05, 0.0], [0.4, 0.5, 0.35]])
    gaps, products = [], []
    for _ in range(4000):
        angles = rng.uniform(-np.pi, np.pi, 2)
        level = rng.standard_normal(2) * np.sqrt(shared[0, :2])
        root = np.linalg.cholesky([[0.4, 0.35], [0.35, 0.5]])
        (p, q), (r, s) = (root @ rng.standard_normal(2) for _ in range(2))
        cos, sin = np.cos(angles), np.sin(angles)
        a, b = level + np.column_stack([p * cos + r * sin, q * sin - s * cos])
        gaps.append(angles[1] - angles[0])
        products.append([a[0] * b[0], a[1] * b[1], a[0] * b[1] - a[1] * b[0]])
    found = kinship_of(np.array(gaps), np.array(products), 1)
    np.testing.assert_allclose(found, shared, atol=0.06)
