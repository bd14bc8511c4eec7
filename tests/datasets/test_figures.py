"""Modelled figures: what of them is near the table, how they are pressed flat, and that they stand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import Delaunay

from datasets.figures import SOLE_CM, Clay, Figure, pressed, random_figure
from datasets.makers import MORE_MAKERS, made


def _points(figure: Figure, rng: np.random.Generator) -> np.ndarray:
    """Points in all parts of a figure, (N, M, 3), half of them on the surface."""
    ball = rng.normal(size=(20_000, 3))
    ball /= np.linalg.norm(ball, axis=1, keepdims=True)
    ball[::2] *= rng.random((10_000, 1)) ** (1 / 3)
    return figure.centres[:, None, :] + ball @ np.linalg.inv(figure.shapes).transpose(0, 2, 1)


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(["stout", "legged", "vessel"]), st.floats(0, 6.3))
def test_what_lies_between_two_heights_reaches_as_far_as_its_points(seed: int, maker: str, angle: float):
    rng = np.random.default_rng(seed)
    figure = pressed(made(rng, maker), 0.4)
    way = np.array([np.cos(angle), np.sin(angle)])
    points = _points(figure, rng)
    within = (points[..., 2] >= 0) & (points[..., 2] <= SOLE_CM)
    wanted = np.where(within, points[..., :2] @ way, -np.inf).max()
    assert figure.reaches(way[None], 0.0, SOLE_CM).max() == pytest.approx(wanted, abs=0.05)
    assert figure.reaches(way[None], 0.0, SOLE_CM).max() >= wanted - 1e-9


def test_the_sole_is_the_middle_of_what_is_low_and_not_of_what_hangs_over():
    clay = Clay()
    clay.limb((0, 0, 0.1), (0, 0, 0.8), 0.1, 0.1)
    clay.ball((0.4, 0, 0.85), 0.15)
    np.testing.assert_allclose(clay.figure("absurd", 10.0).sole, 0, atol=1e-9)


def test_a_pressed_figure_keeps_its_height_and_has_a_wider_sole():
    figure = random_figure(np.random.default_rng(1), "humanoid")
    flat = pressed(figure, 0.4)
    assert flat.height == pytest.approx(figure.height)
    (low, high), (flat_low, flat_high) = (f.between(0.0, 0.1) for f in (figure, flat))
    assert (flat_high - flat_low > high - low).all()


@pytest.mark.parametrize("maker", MORE_MAKERS)
def test_every_maker_s_figures_have_their_middle_of_mass_over_their_sole(maker: str):
    rng = np.random.default_rng(2)
    for figure in (made(rng, maker) for _ in range(3)):
        mass = 1 / np.linalg.det(figure.shapes)
        points = _points(figure, rng)[:, ::200].reshape(-1, 3)
        middle = np.repeat(mass, len(points) // len(mass)) @ points[:, :2] / mass.sum()
        middle /= len(points) // len(mass)
        low = _points(figure, rng).reshape(-1, 3)
        hull = Delaunay(low[low[:, 2] < SOLE_CM, :2])
        assert hull.find_simplex(middle) >= 0


def test_what_leans_too_far_does_not_stand():
    clay = Clay()
    clay.limb((0, 0, 0.1), (0.6, 0, 0.9), 0.1, 0.1)
    assert not clay.figure("absurd", 10.0).stands
