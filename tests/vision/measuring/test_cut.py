"""A cut is smooth where colours agree, and its edge lies where the light says."""

import numpy as np
import pytest

from vision.colour.space import levels
from vision.measuring.cut import coverage, smoothed

NOTHING = np.zeros((30, 40), bool)
LEFT = np.broadcast_to(np.arange(40) < 20, NOTHING.shape)
EVIDENCE = np.where(LEFT, 4.0, -4.0).astype(np.float32)
COLOURS = np.where(LEFT[..., None], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0])


def test_an_odd_pixel_takes_after_its_neighbours():
    odd = EVIDENCE.copy()
    odd[10, 10], odd[15, 30] = -2.0, 2.0
    assert np.array_equal(smoothed(odd, COLOURS, NOTHING) > 0.5, LEFT)


def test_a_cut_follows_the_colours_where_the_evidence_says_nothing():
    vague = np.where(np.abs(np.arange(40) - 20) < 6, 0, EVIDENCE).astype(np.float32)
    assert np.array_equal(smoothed(vague, COLOURS, NOTHING) > 0.5, LEFT)


def test_what_is_unknown_goes_on_as_it_is_on_both_sides():
    rope = np.zeros(NOTHING.shape, bool)
    rope[12:17] = True
    evidence, colours = EVIDENCE.copy(), COLOURS.copy()
    evidence[rope], colours[rope] = 0.0, (-2.0, 1.0, -1.0)
    found = smoothed(evidence, colours, rope) > 0.5
    assert np.mean(found == LEFT) > 0.99


@pytest.mark.parametrize("share", [0.1, 0.35, 0.5, 0.8])
@pytest.mark.parametrize("figure", [(0.02, 0.03, 0.3), (0.7, 0.75, 0.8)])
def test_a_pixel_of_the_edge_shows_so_much_of_the_figure_as_its_light_says(share, figure):
    part = np.where(LEFT, 1.0, 0.0)
    part[:, 20] = share
    light = part[..., None] * np.array(figure) + (1 - part[..., None]) * np.array([0.25, 0.3, 0.3])
    found = coverage(levels(light).astype(np.float32), LEFT | (part >= 0.5), NOTHING)
    assert found[5:-5, 20] == pytest.approx(share, abs=0.03)
    assert found[5:-5, :19].min() > 0.95
    assert found[5:-5, 22:].max() < 0.05


def test_an_edge_without_a_step_of_light_is_as_soft_as_a_lens_makes_it():
    found = coverage(np.full((30, 40, 3), 150.0, np.float32), LEFT, NOTHING)
    assert found[:, :18].min() > 0.95
    assert found[:, 22:].max() < 0.05
    assert found.sum() == pytest.approx(LEFT.sum(), rel=0.01)
