"""A silhouette turned upright is the same from every camera that sees the figure from the same side."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets.figures import photograph, random_camera, random_figure
from datasets.shape_samples import cover
from vision.measuring.silhouette import SHARE_OF_HEIGHT, Silhouette
from vision.shape.upright import CELLS, FINE, REACH, averaged, stand_at, stand_of, upright

HEIGHT = 12.0
near = st.floats(-1.2, 1.2)


def stand_seen(seed, oblique, xy):
    camera = random_camera(np.random.default_rng(seed), oblique=oblique)
    away = np.asarray(xy, float) - camera.centre[:2]
    return camera, stand_at(camera.centre, np.asarray(xy, float), HEIGHT, away / np.hypot(*away))


@settings(deadline=None)
@given(st.integers(0, 50), st.booleans(), st.tuples(st.floats(-30, 30), st.floats(-30, 30)), near, near)
def test_places_in_the_upright_picture_are_found_again_from_their_pixels(seed, oblique, xy, across, rise):
    camera, stand = stand_seen(seed, oblique, xy)
    (point,) = stand.points(np.array([across]), np.array([rise]))
    ray = camera.rays(camera.project(point[None]))[0]
    # back: where the pixel's ray meets the upright plane, which stands at right angles to the middle's ray
    middle = stand.points(np.zeros(1), np.zeros(1))[0]
    normal = middle - camera.centre
    again = camera.centre + ray * (normal @ normal) / (ray @ normal)
    steps = stand.points(np.array([1.0, 0.0]), np.array([0.0, 1.0])) - middle
    found = steps @ (again - middle) / HEIGHT**2
    np.testing.assert_allclose(found, [across, rise], atol=1e-5)
    assert middle[2] == pytest.approx(SHARE_OF_HEIGHT * HEIGHT)


@pytest.mark.parametrize("oblique", [True, False])
@pytest.mark.parametrize("kind", ["humanoid", "beast"])
def test_the_network_is_asked_about_pictures_like_those_it_was_taught_with(oblique, kind):
    rng = np.random.default_rng(5)
    figure, camera = random_figure(rng, kind), random_camera(rng, oblique=oblique)
    placed = figure.placed(np.array([14.0, -9.0]), 70.0)
    look = photograph(placed, camera, rng)
    silhouette = Silhouette(look.origin, look.silhouette)
    stand = stand_of(camera, silhouette, figure.height)
    seen, _ = upright(camera, silhouette, stand)
    taught = averaged(cover(placed, stand, camera.centre))
    assert seen.shape == (CELLS, CELLS)
    assert np.abs(seen - taught).sum() < 0.04 * taught.sum()


def test_a_figure_twice_as_large_and_twice_as_far_away_looks_the_same():
    figure = random_figure(np.random.default_rng(2), "beast")
    scaled = type(figure)(figure.kind, 2 * figure.centres, figure.shapes / 2)
    pictures = []
    for one, size in ((figure, 1.0), (scaled, 2.0)):
        centre = size * np.array([-60.0, 0.0, 90.0])
        stand = stand_at(centre, np.zeros(2), size * figure.height, np.array([1.0, 0.0]))
        pictures.append(cover(one, stand, centre))
    np.testing.assert_array_equal(*pictures)
    assert pictures[0].shape == (CELLS * FINE,) * 2
    assert stand.points(np.array([REACH]), np.zeros(1))[0][:2] @ stand.across > 0
