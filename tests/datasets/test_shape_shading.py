"""Light on modelled figures: the rays meet what is there, and what hides the light is dark."""

import numpy as np
import pytest

from datasets.figures import Figure, random_figure
from datasets.shape_shading import Surface, shaded
from vision.shape.upright import CELLS, stand_at


def balls(*places_and_radii):
    places, radii = zip(*places_and_radii, strict=True)
    return Figure("absurd", np.array(places, float), np.array([np.eye(3) / r for r in radii]))


def test_a_ray_meets_the_nearest_of_two_balls():
    surface = Surface(balls(((0, 0, 3), 1), ((0, 0, 7), 1)))
    origin = np.array([0.0, 0.0, 20.0])
    reached, part = surface.first(origin, np.array([[0.0, 0.0, -1.0], [0.0, 5.0, -1.0]]))
    assert reached[0] == pytest.approx(12.0, abs=1e-3)
    assert part[0] == 1
    assert np.isinf(reached[1])
    normal = surface.normals(np.array([[0.0, 0.0, 8.0]]), part[:1])
    np.testing.assert_allclose(normal, [[0, 0, 1]], atol=1e-6)


def test_what_lies_under_something_is_not_open_to_the_sky():
    surface = Surface(balls(((0, 0, 3), 1), ((0, 0, 7), 1)))
    points = np.array([[0.0, 0.0, 4.1], [0.0, 0.0, 8.1], [3.0, 0.0, 4.1]])
    up, aside = surface.open_to(points, np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]))
    assert up.tolist() == [0, 1, 1]
    assert aside.tolist() == [1, 1, 1]


def test_a_relief_has_no_brightness_of_its_own_and_is_only_where_the_figure_is():
    rng = np.random.default_rng(3)
    for kind in ("humanoid", "beast", "absurd"):
        figure = random_figure(rng, kind).placed(np.zeros(2), 30.0)
        centre = np.array([-80.0, 0.0, 90.0])
        stand = stand_at(centre, np.zeros(2), figure.height, np.array([1.0, 0.0]))
        cover = np.zeros((CELLS, CELLS), np.float32)
        cover[28:44, 30:42] = 1
        shown = shaded(rng, figure, stand, centre, cover)
        assert shown.shape == cover.shape
        assert not shown[cover == 0].any()
        assert abs(shown[cover > 0].mean()) < 0.3
        assert 0.3 < shown[cover > 0].std() < 1.2
