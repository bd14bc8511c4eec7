"""What the learned prior is taught with: views that agree with their figures, whatever is done to them."""

import numpy as np
import pytest

from datasets.makers import MORE_MAKERS
from datasets.shape_samples import KINDS, chunk, figure_samples, matted
from vision.shape.network import DIRECTIONS, LAYERS, SOLID_CELLS
from vision.shape.upright import CELLS, grid


def test_a_sample_s_solid_stands_where_its_plan_view_is():
    _, samples = figure_samples(np.random.default_rng(4), "sturdy", views=3)
    side, gaps = grid(SOLID_CELLS), []
    for sample in samples:
        rows, columns = np.nonzero(sample.solid.max(axis=0) > 40)
        away, left = sample.support[0], sample.support[DIRECTIONS // 4]
        assert side[rows].max() == pytest.approx(away, abs=0.15)
        assert side[columns].max() == pytest.approx(left, abs=0.15)
        # its feet are under the middle of its sole
        feet = np.argwhere(sample.solid[0] > 127)
        middle = (side[feet.min(axis=0)] + side[feet.max(axis=0)]) / 2
        gaps.append(middle - sample.sole)
    # a cell is a tenth of the height, and a toe may be in it or not
    assert np.abs(np.mean(gaps, axis=0)).max() < 0.1
    assert np.abs(gaps).max() < 0.25


def test_a_chunk_holds_every_maker_and_its_seed_decides_everything():
    once, again = (chunk([3, 1], list(MORE_MAKERS), 14, views=1) for _ in range(2))
    for name, values in once.items():
        np.testing.assert_array_equal(values, again[name])
    assert sorted(once["maker"]) == list(range(14))
    assert set(once["kind"]) == set(range(len(KINDS)))
    assert once["picture"].shape == (14, CELLS, CELLS)
    assert once["solid"].shape == (14, LAYERS, SOLID_CELLS, SOLID_CELLS)
    assert (once["picture"].reshape(14, -1).max(axis=1) > 200).all()


def test_mattes_are_soft_wobble_and_lie_where_the_silhouette_is():
    rng = np.random.default_rng(2)
    y, x = np.indices((144, 144))
    disc = (np.hypot(x - 70, y - 70) < 30).astype(np.float32)
    areas, soft = [], []
    for _ in range(200):
        matte = matted(rng, disc)
        assert matte.shape == disc.shape
        assert 0 <= matte.min() <= matte.max() <= 1
        areas.append(matte.sum() / disc.sum())
        soft.append(((matte > 0.1) & (matte < 0.9)).sum() / (2 * np.pi * 30))
    # some have a shadow and some a part hidden, but most are right to a few hundredths
    assert np.median(areas) == pytest.approx(1.0, abs=0.03)
    assert 0.01 < np.std(areas) < 0.2
    assert 0.5 < np.median(soft) < 3
