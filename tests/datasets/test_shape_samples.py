"""What the learned prior is taught with: views that agree with their figures, whatever is done to them."""

import numpy as np
import pytest

from datasets.figures import Figure
from datasets.makers import MORE_MAKERS, made
from datasets.shape_samples import KINDS, chunk, cover, figure_samples, stretched, support, widened
from vision.shape.network import DIRECTIONS, LAYERS, SOLID_CELLS
from vision.shape.upright import CELLS, averaged, grid, stand_at

CENTRE = np.array([-70.0, 0.0, 110.0])


def stand(figure):
    return stand_at(CENTRE, np.zeros(2), figure.height, np.array([1.0, 0.0]))


def test_a_sample_s_solid_stands_where_its_plan_view_is():
    _, samples = figure_samples(np.random.default_rng(4), "sturdy", views=3)
    side = grid(SOLID_CELLS)
    for sample in samples:
        rows, columns = np.nonzero(sample.solid.max(axis=0) > 40)
        away, left = sample.support[0], sample.support[DIRECTIONS // 4]
        assert side[rows].max() == pytest.approx(away, abs=0.15)
        assert side[columns].max() == pytest.approx(left, abs=0.15)
        # its feet are under the middle of its sole
        feet = np.argwhere(sample.solid[0] > 127)
        middle = (side[feet.min(axis=0)] + side[feet.max(axis=0)]) / 2
        np.testing.assert_allclose(middle, sample.sole, atol=0.2)


def test_a_figure_stretched_across_the_view_looks_like_its_picture_stretched():
    figure = made(np.random.default_rng(1), "stout").placed(np.zeros(2), 40.0)
    wide = np.diag([1.0, 1.25, 1.0])
    larger = Figure(figure.kind, figure.centres @ wide, figure.shapes @ np.linalg.inv(wide))
    before, after = (averaged(cover(one, stand(figure), CENTRE)) for one in (figure, larger))
    assert np.abs(widened(before, 1.25) - after).sum() < 0.12 * after.sum()
    expected = support(larger, stand(figure))
    np.testing.assert_allclose(stretched(support(figure, stand(figure))[None], 1.25)[0], expected, atol=0.04)


def test_a_chunk_holds_every_maker_and_its_seed_decides_everything():
    once, again = (chunk([3, 1], list(MORE_MAKERS), 14, views=1) for _ in range(2))
    for name, values in once.items():
        np.testing.assert_array_equal(values, again[name])
    assert sorted(once["maker"]) == list(range(14))
    assert set(once["kind"]) == set(range(len(KINDS)))
    assert once["picture"].shape == (14, CELLS, CELLS)
    assert once["solid"].shape == (14, LAYERS, SOLID_CELLS, SOLID_CELLS)
    assert (once["picture"].reshape(14, -1).max(axis=1) > 200).all()
