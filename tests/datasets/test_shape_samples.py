"""What the learned prior is taught with: views that agree with their figures, whatever is done to them."""

import numpy as np
import pytest

from datasets.figures import Figure
from datasets.lessons import KINDS
from datasets.makers import MORE_MAKERS
from datasets.shape_samples import chunk, cover, figure_samples, matted
from vision.shape.network import DIRECTIONS, LAYERS, SOLID_CELLS
from vision.shape.upright import CELLS, FINE, grid, stand_at

COUNT = len(MORE_MAKERS)


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
    once, again = (chunk([3, 1], list(MORE_MAKERS), COUNT, views=1) for _ in range(2))
    for name, values in once.items():
        np.testing.assert_array_equal(values, again[name])
    assert sorted(once["maker"]) == list(range(COUNT))
    assert set(once["kind"]) == set(range(len(KINDS)))
    assert once["picture"].shape == (COUNT, CELLS, CELLS)
    assert once["solid"].shape == (COUNT, LAYERS, SOLID_CELLS, SOLID_CELLS)
    assert (once["picture"].reshape(COUNT, -1).max(axis=1) > 200).all()


def test_some_moves_do_not_turn_a_figure_some_turn_it_little_and_most_anywhere():
    made = chunk([5, 1], ["sturdy"], 40, views=6)
    azimuth = np.asarray(made["azimuth"], float).reshape(40, 6)
    turned = np.degrees(np.abs(np.angle(np.exp(1j * (azimuth[:, 1:] - azimuth[:, :1])))))
    # where it stands turns it for the camera as well
    shares = np.histogram(turned, [0, 30, 90, 180])[0] / turned.size
    assert (shares > 0.2).all()


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


def test_of_a_part_pressed_flat_only_what_is_above_the_table_is_seen():
    figure = Figure("absurd", np.array([[0.0, 0.0, 0.3]]), np.eye(3)[None])
    centre = np.array([-60.0, 0.0, 80.0])
    stand = stand_at(centre, np.zeros(2), 4.0, np.array([1.0, 0.0]))
    across, rise = np.meshgrid(*2 * [grid(CELLS * FINE)])
    rays = stand.points(across.ravel(), rise.ravel()) - centre
    start = centre - figure.centres[0]
    square, along = (rays**2).sum(axis=1), rays @ start
    root = along**2 - square * (start @ start - 1)
    enters = (-along - np.sqrt(np.maximum(root, 0))) / square
    ball = (root > 0).reshape(across.shape)
    wanted = ball & (enters < -centre[2] / rays[:, 2]).reshape(across.shape)
    np.testing.assert_array_equal(cover(figure, stand, centre) > 0, wanted)
    assert 0.9 * ball.sum() < wanted.sum() < ball.sum()
