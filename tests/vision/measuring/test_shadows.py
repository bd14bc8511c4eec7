"""The hue of a table's shadows is learned from what is around its figures."""

import numpy as np
import pytest

from tests.vision.measuring.table_top import LAMP, MAT, SKY, seen
from vision.colour.space import features, levels
from vision.measuring.materials import materials
from vision.measuring.matte import Crop
from vision.measuring.shadows import Shadows

GREEN, WHITE = (0.08, 0.35, 0.10), (0.8, 0.8, 0.8)
# How the middle of a shadow parts from the lit mat: log R/G and log B/G.
PARTED = np.diff(features(levels(MAT * np.array([SKY + LAMP, SKY]))), axis=0)[0]


def learned(*crops):
    shadows = Shadows()
    for number, one in enumerate(crops):
        Crop(one.mean, one.support).teach(shadows, number)
    return shadows


def middle_of(shadows):
    return shadows.steps()[3]


def test_nothing_seen_means_a_little_bluer_than_the_ground_and_quite_unsure():
    tints = Shadows().tints()
    assert len(tints) > 5
    assert sum(share for _, share in tints) == pytest.approx(1)
    assert sum(tint * share for tint, share in tints) == pytest.approx(0.15, abs=0.02)


def test_the_tint_of_a_warm_lamp_s_shadows_is_learned():
    shadows = learned(seen(GREEN), seen(WHITE, seed=1))
    assert middle_of(shadows)[:2] == pytest.approx(PARTED[:2], abs=0.07)
    assert sum(share for tint, share in shadows.tints() if 0.3 <= tint <= 0.7) > 0.99


def test_shadows_that_are_only_darker_are_learned_too():
    points = np.random.default_rng(1).normal(0, [0.01, 0.01, 0.05], (1500, 3))
    points[:300, 2] -= np.linspace(0.1, 1.2, 300)
    shadows = Shadows()
    shadows.learn("here", points, materials(points[300:], 3))
    assert max(shadows.tints(), key=lambda one: one[1])[0] == pytest.approx(0.0, abs=0.11)


def test_two_lamps_leave_two_tints():
    shadows = Shadows()
    for number, tint in enumerate((-0.2, 0.5)):
        rng = np.random.default_rng(number)
        points = rng.normal(0, [0.01, 0.01, 0.05], (1500, 3))
        points[:250] += np.outer(np.linspace(0.1, 1, 250), [-0.75 * tint, 0.9 * tint, -1.1])
        shadows.learn(number, points, materials(points[250:], 3))
    believed = [tint for tint, _ in shadows.tints()]
    assert min(believed) < 0.0
    assert max(believed) > 0.35


def test_the_same_surroundings_again_are_believed_once():
    once, again = learned(seen(GREEN)), learned(seen(GREEN))
    for _ in range(5):
        Crop(seen(GREEN).mean, seen(GREEN).support).teach(again, 0)
    assert again.tints() == once.tints()


def test_many_small_materials_teach_nothing():
    rng = np.random.default_rng(3)
    points = np.concatenate([rng.normal(n, 0.01, (100, 3)) for n in range(10)])
    shadows = Shadows()
    shadows.learn("here", points, materials(points, 10))
    assert shadows.tints() == Shadows().tints()


def test_every_step_of_a_shadow_is_darker_than_the_one_before():
    assert (np.diff(learned(seen(GREEN)).steps()[:, 2]) < 0).all()
