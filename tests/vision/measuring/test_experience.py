"""What figures usually look like, asked by the registration."""

import numpy as np
import pytest

from datasets.figures import photograph, random_camera, random_figure
from vision.measuring.experience import Experience
from vision.measuring.facing import Known, register_history
from vision.measuring.likelihood import wrap
from vision.measuring.registration import FragmentView
from vision.measuring.silhouette import SHARE_OF_HEIGHT, Silhouette


def seen(figure, camera, xy, facing, seed=0):
    look = photograph(figure.placed(np.array(xy), facing), camera, np.random.default_rng(seed))
    middle = Silhouette(look.origin, look.silhouette).steady_centroid.reshape(1, 2)
    axis = camera.to_plane(middle, SHARE_OF_HEIGHT * figure.height)[0]
    return FragmentView(look.origin, look.silhouette, None, axis, look.picture)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_clay_is_expected_where_it_is(seed):
    """Of the places in a figure's upright box those with clay are more probable, by far, on average."""
    rng = np.random.default_rng(seed)
    figure, camera = random_figure(rng, "beast"), random_camera(rng, oblique=True)
    view, placed = seen(figure, camera, (3.0, -5.0), 40.0), figure.placed(np.array([3.0, -5.0]), 40.0)
    box = np.array([10.0, 10.0, figure.height])
    points = rng.uniform(-0.5, 0.5, (4000, 3)) * box + [0, 0, figure.height / 2]
    offsets = points + np.array([*view.ground, 0.0]) - placed.centres[:, None]
    inside = (np.linalg.norm(np.einsum("nij,nmj->nmi", placed.shapes, offsets), axis=2) < 1).any(axis=0)
    chance = Experience(camera, figure.height, "beast").clay(view, 40.0)(points)
    assert inside.sum() > 100
    assert chance[inside].mean() > 3 * chance[~inside].mean()
    assert chance.min() > 0


def test_how_far_a_figure_has_turned_is_known_better_than_by_chance():
    rng = np.random.default_rng(5)
    gains = []
    for _ in range(12):
        figure, camera = random_figure(rng, "beast"), random_camera(rng, oblique=True)
        before, facing = rng.uniform(-180, 180, 2)
        known, view = (seen(figure, camera, rng.uniform(-15, 15, 2), f) for f in (before, facing))
        experience = Experience(camera, figure.height, "beast")
        front = experience.front(known, before, view, facing + np.array([0.0, 180.0]))
        gains.append(front[0] - front[1])
    assert np.mean(np.array(gains) > 0) > 0.7
    assert np.mean(gains) > 1


def test_facings_are_those_of_the_ring_whatever_the_frame_of_the_turn():
    rng = np.random.default_rng(8)
    figure, camera = random_figure(rng, "humanoid"), random_camera(rng, oblique=True)
    before, after = seen(figure, camera, (-9.0, 4.0), 20.0), seen(figure, camera, (8.0, -3.0), 75.0, 1)
    experience = Experience(camera, figure.height, "humanoid")
    found = register_history([Known(before, 20.0)], after, camera, figure.height, experience)
    assert abs(wrap(found.turn_deg - 55.0)) < 2 * found.sd_deg < 25
