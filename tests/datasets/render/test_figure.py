"""Sculpted figures: closed meshes that stand, exactly as high as wanted, and rest when they have fallen."""

import numpy as np
import pytest

from datasets.figures import SOLE_CM
from datasets.render.clay import Clay, sculpt
from datasets.render.figure import MAKERS, make_figure, middle
from datasets.render.nets import surface

GREY = np.full((3, 3), 0.5)


def volume(mesh):
    a, b, c = np.moveaxis(mesh.vertices[mesh.faces], 1, 0)
    return np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6


def test_the_surface_of_a_ball_is_closed_and_looks_outward():
    axis = np.arange(41) * 0.1 - 2.0
    field = np.linalg.norm(np.stack(np.meshgrid(axis, axis, axis, indexing="ij")), axis=0) - 1.5
    vertices, faces = surface(field.astype(np.float32), np.full(3, -2.0), 0.1)
    assert np.abs(np.linalg.norm(vertices, axis=1) - 1.5).max() < 0.01
    sides = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
    assert (np.unique(sides, axis=0, return_counts=True)[1] == 2).all()
    a, b, c = np.moveaxis(vertices[faces], 1, 0)
    assert np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6 == pytest.approx(
        4 / 3 * np.pi * 1.5**3, rel=0.01
    )


def test_lumps_pressed_together_hold_more_than_each():
    clay = Clay()
    clay.lump((0, 0, 0), 1.0)
    clay.lump((1.0, 0, 0), 1.0)
    both = sculpt(clay, np.random.default_rng(1), 0.1, GREY, soled=False)
    assert 4 / 3 * np.pi < volume(both) < 8 / 3 * np.pi


@pytest.mark.parametrize("kind", sorted(MAKERS))
@pytest.mark.parametrize("seed", range(6))
def test_a_figure_stands_by_itself_and_rests_when_it_has_fallen(kind, seed):
    figure = make_figure(kind, seed, 10.0, "#b3221c", "#e9e5dc")
    assert figure.height == pytest.approx(10.0)
    assert figure.mesh.vertices[:, 2].min() == pytest.approx(0.0)
    assert figure.balance_cm > 0.3
    assert volume(figure.mesh) > 20
    low = figure.mesh.vertices[figure.mesh.vertices[:, 2] < SOLE_CM, :2]
    assert figure.sole_middle == pytest.approx(middle(low))
    rotation, lying = figure.fallen
    assert rotation @ rotation.T == pytest.approx(np.eye(3))
    # what looked ahead looks more down than anywhere else
    assert (rotation @ [1.0, 0.0, 0.0])[2] < -0.4
    assert lying.vertices[:, 2].min() == pytest.approx(0.0)


def test_the_seed_decides_the_figure():
    one, same, other = (make_figure.__wrapped__("absurd", s, 9.0, "#b3221c", "#e9e5dc") for s in (4, 4, 5))
    assert np.array_equal(one.mesh.vertices, same.mesh.vertices)
    assert one.mesh.vertices.shape != other.mesh.vertices.shape
