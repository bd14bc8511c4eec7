"""Heights and taps that cannot be true are refused by name; true ones of every build never are."""

import numpy as np
import pytest

from calibration.camera import Camera
from datasets.figures import photograph, random_figure
from tests.vision.measuring.test_ground import CAMERA, oblique_camera
from vision.fighters import FighterSpec
from vision.measuring.told import ToldError, check_height, check_tap, check_told


def seen_pixels(figure, xy, facing, camera=CAMERA, seed=0):
    look = photograph(figure.placed(np.asarray(xy, float), facing), camera, np.random.default_rng(seed))
    rows, columns = np.nonzero(look.silhouette > 0.5)
    return np.column_stack([columns, rows]).astype(float) + np.asarray(look.origin)


def pixel(xy, camera=CAMERA):
    return tuple(camera.project(np.array([[*xy, 0.0]]))[0])


def overhead_camera():
    rotation = np.array([np.pi, 0.0, 0.0])
    oblique = oblique_camera()
    return Camera(oblique.K, np.zeros(5), rotation, np.array([0.0, 0.0, 155.0]), oblique.size)


@pytest.mark.parametrize("kind", ["humanoid", "beast", "absurd"])
@pytest.mark.parametrize("camera", [CAMERA, overhead_camera()], ids=["oblique", "overhead"])
def test_true_heights_and_taps_with_jitter_are_never_refused(kind, camera):
    rng = np.random.default_rng(31)
    for _ in range(15):
        figure = random_figure(rng, kind)
        xy, facing = rng.uniform(-25, 25, 2), rng.uniform(-180, 180)
        pixels = seen_pixels(figure, xy, facing, camera)
        foot = np.asarray(pixel(xy, camera)) + rng.uniform(-3, 3, 2)
        spec = FighterSpec("F1", 1.1 * figure.height, facing, foot_px=tuple(foot))
        check_told(camera, [spec], {"F1": pixels})


@pytest.mark.parametrize("factor", [0.15, 2.0, 3.0])
def test_a_height_that_is_grossly_wrong_is_refused_and_the_true_one_lies_in_the_range_said(factor):
    figure = random_figure(np.random.default_rng(3), "humanoid")
    pixels = seen_pixels(figure, (5, -8), 40)
    with pytest.raises(ToldError, match=r"fighter F1: it cannot be .* cm tall \(height_cm\)") as caught:
        check_height(CAMERA, FighterSpec("F1", factor * figure.height, 40), pixels)
    assert (caught.value.fighter, caught.value.key) == ("F1", "height_cm")
    words = str(caught.value).split()
    low, high = (float(words[words.index("and") + step]) for step in (-1, 1))
    assert low <= figure.height <= high


def test_from_straight_above_a_height_must_be_further_off_to_be_refused():
    figure = random_figure(np.random.default_rng(3), "humanoid")
    camera = overhead_camera()
    pixels = seen_pixels(figure, (2, 2), 40, camera)
    check_height(camera, FighterSpec("F1", 1.5 * figure.height, 40), pixels)
    with pytest.raises(ToldError):
        check_height(camera, FighterSpec("F1", 4 * figure.height, 40), pixels)


def test_a_speck_says_nothing_about_a_height():
    check_height(CAMERA, FighterSpec("F1", 40, 0), np.array([[600.0, 300.0], [601.0, 300.0]]))


@pytest.mark.parametrize(
    ("tap", "said"),
    [
        ((1400.0, 100.0), "outside the picture of 1280 x 720"),
        ((-3.0, 100.0), "outside"),
        ((900.0, 300.0), "px beside the figure"),
    ],
)
def test_a_tap_that_is_not_on_the_figure_is_refused(tap, said):
    pixels = seen_pixels(random_figure(np.random.default_rng(3), "humanoid"), (0, 0), 40)
    with pytest.raises(ToldError, match=said) as caught:
        check_tap(CAMERA, FighterSpec("F1", 12, 40, foot_px=tap), pixels)
    assert caught.value.key == "foot_px"
    assert "foot_px" in str(caught.value)
