"""The learned prior: honest guesses, plan views and solids from several looks, a bent figure noticed."""

from functools import cache
from itertools import permutations

import numpy as np
import pytest
from shapely.geometry import Polygon

from datasets.figures import Figure, photograph, turn
from datasets.makers import MORE_MAKERS, extent, made
from tests.vision.measuring.test_ground import CALIBRATION
from tests.vision.plan_views import seen_from_above
from vision.measuring.silhouette import Silhouette
from vision.shape.look import ANGLES, look_at
from vision.shape.network import DIRECTIONS, TURNS
from vision.shape.pairs import azimuths, relation
from vision.shape.plan import BENT, contradiction, plan_view, polygon, reach

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
        assert np.exp(azimuths(looks[0], look.look.facing(None))).sum() == pytest.approx(1.0)


def test_looks_fuse_to_the_same_shape_in_any_order():
    figure, looks = seen_from_all_sides("sturdy", 3)
    outline = polygon(ANGLES, figure.height * reach(looks))
    for order in permutations(looks[:3]):
        again = polygon(ANGLES, figure.height * reach([*order, looks[3]]))
        np.testing.assert_allclose(again, outline, atol=1e-5)


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


def sole_of(look, xy):
    """Where in a look the sole's middle truly is."""
    stand = look.look.stand
    return stand.axes.T @ (np.asarray(xy) - stand.middle) / stand.height_cm


MAKERS = ("humanoid", "stout", "sturdy", "beast", "lunging", "pile")


@cache
def soles_after():
    """By figure: errors (2,) of the last sole by its own guess, and by each other look, with the
    covariance."""
    rows = []
    for maker in MAKERS:
        for seed in range(4):
            _, looks = seen_from_all_sides(maker, 60 + seed)
            soles = [sole_of(look, xy) for look, (xy, _) in zip(looks, POSES, strict=True)]
            for before, sole in zip(looks[:3], soles, strict=False):
                told = relation(before, looks[3])
                gap = told.offset + told.by_other @ sole - soles[3]
                rows.append((looks[3].guess.sole - soles[3], gap, told.covariance))
    return rows


def test_a_sole_is_better_known_when_that_of_another_look_is():
    alone, after = (np.hypot(*np.array([row[i] for row in soles_after()]).T) for i in (0, 1))
    assert np.median(after) < 0.75 * np.median(alone)
    inside = [gap @ np.linalg.solve(c, gap) < 5.99 for _, gap, c in soles_after()]
    assert np.mean(inside) >= 0.85


def test_the_same_look_again_tells_its_sole_almost_exactly():
    for maker in MAKERS:
        (look, *_), (xy, _) = seen_from_all_sides(maker, 61)[1], POSES[0]
        told = relation(look, look)
        sole = sole_of(look, xy)
        assert np.hypot(*(told.offset + told.by_other @ sole - sole)) < 0.03
        assert np.sqrt(np.trace(told.covariance)) < 0.05


def test_two_looks_tell_how_far_a_figure_has_turned():
    gaps = []
    for maker in MAKERS:
        for seed in range(4):
            _, looks = seen_from_all_sides(maker, 60 + seed)
            likely = azimuths(looks[0], looks[1].look.facing(None))
            gap = 2 * np.pi * likely.argmax() / TURNS - looks[1].azimuth
            gaps.append(abs(np.degrees((gap + np.pi) % (2 * np.pi) - np.pi)))
    assert np.median(gaps) < 20
    assert np.mean(np.array(gaps) < 60) > 0.75
