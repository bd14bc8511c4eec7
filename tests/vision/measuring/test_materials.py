"""Materials of an averaged crop, and what lies between two of them."""

import numpy as np
import pytest

from vision.colour.mixture import Mixture
from vision.colour.space import features, levels
from vision.measuring.materials import chosen, materials, with_rim

RED, GREY = np.array([[0.05, 0.06, 0.5]]), np.array([[0.4, 0.4, 0.4]])


def looks(light, count, seed=0):
    return features(levels(light)) + np.random.default_rng(seed).normal(0, 0.005, (count, 3))


def test_two_materials_are_told_apart_with_their_shares():
    found = materials(np.concatenate([looks(RED, 300), looks(GREY, 700)]), 2)
    order = np.argsort(found.weights)
    assert found.weights[order] == pytest.approx([0.3, 0.7])
    assert found.means[order] == pytest.approx(np.concatenate([looks(RED, 1), looks(GREY, 1)]), abs=0.02)


def test_few_points_are_one_material():
    assert len(materials(looks(RED, 30), 5).weights) == 1


def test_chosen_materials_keep_their_proportions():
    found = Mixture(np.zeros((3, 3)), np.broadcast_to(np.eye(3), (3, 3, 3)), np.array([0.54, 0.36, 0.1]))
    assert chosen(found, found.weights > 0.2).weights == pytest.approx([0.6, 0.4])


@pytest.mark.parametrize(("part", "mine"), [(0.15, False), (0.3, False), (0.7, True), (0.85, True)])
def test_a_mixed_pixel_belongs_to_what_it_shows_more_of(part, mine):
    figure, ground = materials(looks(RED, 200), 1), materials(looks(GREY, 200), 1)
    both = looks(part * RED + (1 - part) * GREY, 50)
    own, other = with_rim(figure, ground, figure, ground.means)
    assert ((own.log_likelihood(both) > other.log_likelihood(both)) == mine).all()
