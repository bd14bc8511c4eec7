"""What the network of falls is taught with: figures that lie at rest, seen where they lie."""

import numpy as np
import pytest

from datasets.fall_samples import chunk, fall_sample, fallen
from datasets.figures import Figure, random_figure
from datasets.makers import MORE_MAKERS
from vision.shape.network import DIRECTIONS
from vision.shape.upright import CELLS

ANGLES = 2 * np.pi * np.arange(DIRECTIONS) / DIRECTIONS


def lowest(figure: Figure) -> float:
    return float((figure.centres[:, 2] - np.linalg.norm(np.linalg.inv(figure.shapes), axis=2)[:, 2]).min())


def potential(figure: Figure, up: np.ndarray) -> float:
    """How high the centre of mass is over a table at right angles to `up`."""
    inverse = np.linalg.inv(figure.shapes)
    volumes = np.abs(np.linalg.det(inverse))
    reach = np.linalg.norm(inverse.transpose(0, 2, 1) @ up, axis=1)
    return float(up @ (volumes @ figure.centres) / volumes.sum() + (reach - figure.centres @ up).max())


@pytest.mark.parametrize("kind", ["humanoid", "beast", "absurd"])
def test_a_fallen_figure_lies_on_the_table_lower_than_it_stood_and_mostly_at_rest(kind):
    rng = np.random.default_rng(8)
    heights, rises = [], []
    for _ in range(16):
        figure = random_figure(rng, kind)
        found = fallen(rng, figure)
        if found is None:
            continue
        lies, _ = found
        assert lowest(lies) == pytest.approx(0.0, abs=1e-9)
        # whichever way it is tilted its centre of mass has to rise
        around = [
            np.array([np.cos(way) * np.sin(0.15), np.sin(way) * np.sin(0.15), np.cos(0.15)])
            for way in 2 * np.pi * np.arange(12) / 12
        ]
        here = potential(lies, np.array([0.0, 0.0, 1.0]))
        rises.append(min(potential(lies, up) for up in around) > here - 0.01 * figure.height)
        heights.append(lies.height / figure.height)
    # the others lean on something
    assert np.mean(rises) > 0.6
    if kind == "humanoid":
        assert np.median(heights) < 0.65


def test_its_head_lies_where_it_is_said_to_point():
    rng = np.random.default_rng(9)
    along = []
    for _ in range(20):
        figure = random_figure(rng, "humanoid")
        lies, head = fallen(rng, figure)
        # ellipsoids keep their order: the highest one of the standing figure is its head
        top = int(np.argmax(figure.centres[:, 2]))
        way = lies.centres[top, :2] - lies.centres[:, :2].mean(axis=0)
        along.append(way @ [np.cos(head), np.sin(head)] / np.hypot(*way))
    assert np.median(along) > 0.95


def test_a_lying_plan_view_is_told_about_the_stand_and_its_middle_is_inside():
    rng = np.random.default_rng(10)
    for maker in ("stout", "sturdy", "winged"):
        _, (fall,) = fall_sample(rng, maker)
        about = fall.support - np.column_stack([np.cos(ANGLES), np.sin(ANGLES)]) @ fall.middle
        # opposite reaches from the middle of a box whose axes are the head's are equal
        azimuth = fall.azimuth[2]
        for turn in (0.0, np.pi / 2):
            there, back = (
                np.interp((azimuth + turn + half) % (2 * np.pi), ANGLES, about, period=2 * np.pi)
                for half in (0.0, np.pi)
            )
            assert there == pytest.approx(back, abs=0.04)
            assert there > 0.1


def test_a_chunk_holds_every_maker_and_its_seed_decides_everything():
    once, again = (chunk([3, 11], list(MORE_MAKERS), 14) for _ in range(2))
    for name, values in once.items():
        np.testing.assert_array_equal(values, again[name])
    assert sorted(once["maker"]) == list(range(14))
    assert once["picture"].shape == once["relief"].shape == (14, 3, CELLS, CELLS)
    # what is not the figure has no relief
    assert not once["relief"][once["picture"] == 0].any()
    assert once["relief"].std() > 1
