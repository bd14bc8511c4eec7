"""Looks at one figure, many from nearly the same side."""

from __future__ import annotations

import numpy as np

from datasets.makers import MORE_MAKERS
from datasets.relation_samples import VIEWS, chunk
from vision.shape.upright import CELLS

MAKERS = list(MORE_MAKERS)[:4]


def test_a_chunk_holds_six_looks_at_each_figure_and_two_of_them_are_alike() -> None:
    made = chunk([3, 1], MAKERS, 4)
    assert made["picture"].shape == (4 * VIEWS, CELLS, CELLS)
    assert made["sole"].shape == (4 * VIEWS, 2)
    assert made["maker"].reshape(4, VIEWS).tolist() == [[number] * VIEWS for number in range(4)]
    azimuth = np.asarray(made["azimuth"], float).reshape(4, VIEWS)
    turned = np.degrees(np.abs(np.angle(np.exp(1j * (azimuth - azimuth[:, :1])))))
    assert (turned[:, 1] < 25).all()
    # the view of a figure that stands elsewhere is a little another one
    assert (turned[:, 2] < 50).all()
    assert turned[:, 3:].max() > 50


def test_figures_seen_from_the_same_side_look_alike_and_stand_alike() -> None:
    made = chunk([5, 1], MAKERS, 4)
    picture = np.asarray(made["picture"], float).reshape(4, VIEWS, -1) / 255
    sole = np.asarray(made["sole"], float).reshape(4, VIEWS, 2)

    def apart(values: np.ndarray, other: int) -> float:
        return float(np.median(np.abs(values[:, other] - values[:, 0]).sum(axis=-1)))

    assert apart(picture, 1) < min(apart(picture, other) for other in range(3, VIEWS))
    assert apart(sole, 1) < 0.15


def test_the_seed_decides_everything() -> None:
    one, other = (chunk([7, 1], MAKERS[:1], 1) for _ in range(2))
    assert all((one[name] == other[name]).all() for name in one)
