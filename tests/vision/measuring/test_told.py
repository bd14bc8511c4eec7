"""Heights and taps that cannot be true are refused by name, doubtful ones said; true ones hardly ever are."""

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
def test_true_heights_and_taps_with_jitter_are_never_refused_and_hardly_ever_doubted(kind, camera):
    rng = np.random.default_rng(31)
    doubts = []
    for _ in range(15):
        figure = random_figure(rng, kind)
        xy, facing = rng.uniform(-25, 25, 2), rng.uniform(-180, 180)
        pixels = seen_pixels(figure, xy, facing, camera)
        foot = np.asarray(pixel(xy, camera)) + rng.uniform(-3, 3, 2)
        spec = FighterSpec("F1", 1.1 * figure.height, facing, foot_px=tuple(foot), kind=kind)
        doubts += check_told(camera, [spec], {"F1": pixels})
    assert len(doubts) <= 1


@pytest.mark.parametrize("factor", [0.15, 2.5, 3.0])
def test_a_height_that_is_grossly_wrong_is_refused_and_the_true_one_lies_in_the_range_said(factor):
    figure = random_figure(np.random.default_rng(3), "humanoid")
    pixels = seen_pixels(figure, (5, -8), 40)
    with pytest.raises(ToldError, match=r"fighter F1: it cannot be .* cm tall \(height_cm\)") as caught:
        check_height(CAMERA, FighterSpec("F1", factor * figure.height, 40, kind="humanoid"), pixels)
    assert (caught.value.fighter, caught.value.key) == ("F1", "height_cm")
    words = str(caught.value).split()
    low, high = (float(words[words.index("and") + step]) for step in (-1, 1))
    assert low <= figure.height <= high


@pytest.mark.parametrize("factor", [0.5, 0.6, 1.8, 2.0])
@pytest.mark.parametrize("seed", range(5))
def test_a_person_said_to_be_of_half_or_double_the_height_is_doubted_or_refused(factor, seed):
    figure = random_figure(np.random.default_rng(seed), "humanoid")
    spec = FighterSpec("F1", factor * figure.height, 40, kind="humanoid")
    try:
        doubt = check_height(CAMERA, spec, seen_pixels(figure, (5, -8), 40))
    except ToldError:
        return
    assert doubt.startswith("fighter F1: height_cm is ")


def test_from_straight_above_a_height_must_be_further_off_to_be_doubted():
    figure = random_figure(np.random.default_rng(3), "humanoid")
    camera = overhead_camera()
    pixels = seen_pixels(figure, (2, 2), 40, camera)
    assert check_height(camera, FighterSpec("F1", 1.4 * figure.height, 40), pixels) is None
    assert check_height(camera, FighterSpec("F1", 2.5 * figure.height, 40), pixels) is not None


def test_of_a_faint_figure_nothing_is_refused():
    pixels = seen_pixels(random_figure(np.random.default_rng(3), "humanoid"), (0, 0), 40)
    spec = FighterSpec("F1", 40, 40, foot_px=(900.0, 300.0), kind="humanoid")
    height, tap = check_told(CAMERA, [spec], {"F1": pixels}, faint=["F1"])
    assert "height_cm is 40 cm" in height
    assert "px beside what is seen of it" in tap


def test_feet_below_what_is_seen_are_doubted_only():
    figure = random_figure(np.random.default_rng(3), "humanoid")
    pixels = seen_pixels(figure, (0, 0), 40)
    upper_half = pixels[pixels[:, 1] < np.median(pixels[:, 1]) - 12]
    spec = FighterSpec("F1", figure.height, 40, foot_px=pixel((0, -0.2 * figure.height)))
    assert "px beside what is seen of it" in check_tap(CAMERA, spec, upper_half)


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
