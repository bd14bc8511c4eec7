"""The compiled colours: the quick path says what the slow one says, and follows the light."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.vision.tables import BLUE, GREEN, RED, SKIN, Figure, Table, calibration
from vision.colour.models import ColourError, teach_background
from vision.colour.separability import rate_palette
from vision.colour.space import centres_565, codes_565, features, levels, linear
from vision.colour.table import MAT, ColourTable, label_picture, remap_table
from vision.colour.table import SKIN as SKIN_LABEL
from vision.finding.tracker import Tracker


@pytest.fixture(scope="module")
def scene() -> Table:
    return Table({"F1": Figure(-10, 8, RED), "F2": Figure(12, 6, BLUE), "F3": Figure(5, -15, GREEN)})


@pytest.fixture(scope="module")
def tracker(scene: Table) -> Tracker:
    return Tracker(calibration(), scene.specs(), scene.frame())


@pytest.fixture
def table(tracker: Tracker) -> ColourTable:
    return ColourTable(tracker.palette)


def test_the_look_up_says_for_every_pixel_what_the_table_says_of_its_colour(table: ColourTable) -> None:
    picture = np.random.default_rng(0).integers(0, 256, (40, 50, 3)).astype(np.uint8)
    fast = label_picture(picture, table.labels)
    for (row, column), label in np.ndenumerate(fast):
        blue, green, red = (int(c) for c in picture[row, column])
        assert label == table.labels[(red >> 3) << 11 | (green >> 2) << 5 | blue >> 3]


def test_a_window_of_a_picture_is_labelled_like_the_picture(table: ColourTable, scene: Table) -> None:
    picture = scene.picture()
    whole = label_picture(picture, table.labels)
    assert np.array_equal(label_picture(picture[100:300, 57:333], table.labels), whole[100:300, 57:333])


@given(st.integers(0, 65_535))
def test_the_middle_of_a_code_has_that_code(code: int) -> None:
    pixel = np.floor(centres_565()[code]).astype(np.uint8).reshape(1, 1, 3)
    assert int(codes_565(pixel)[0, 0]) == code


@given(st.floats(0.0, 255.0))
def test_light_and_levels_are_inverse(level: float) -> None:
    assert float(levels(linear(np.array([level])))[0]) == pytest.approx(level, abs=1e-9)


@given(st.floats(0.3, 1.0), st.sampled_from([RED, BLUE, GREEN, SKIN]))
def test_shading_moves_a_colour_along_one_axis_only(shade: float, colour: tuple[int, int, int]) -> None:
    bright = np.array(colour, dtype=np.float64)
    shaded = levels(linear(bright) * shade)
    step = features(shaded) - features(bright)
    # Not quite: the floor under the logarithm keeps dark colours from running away.
    assert abs(step[:2]).max() < 0.75
    assert step[2] < 0.01


def test_fighters_are_labelled_and_the_bare_mat_is_known(table: ColourTable, scene: Table) -> None:
    labels = label_picture(scene.picture(), table.labels)
    for number, name in enumerate(scene.figures, start=1):
        u, v, w, h = (round(c) for c in scene.box(name))
        assert (labels[v : v + h, u : u + w] == number).mean() > 0.95
    assert (labels[240:260, 310:330] == MAT).mean() > 0.95


@pytest.mark.parametrize("gain", [(0.45, 0.6, 0.7), (0.6, 0.6, 0.6), (1.1, 0.95, 0.85)])
def test_the_table_follows_the_light(
    table: ColourTable, scene: Table, gain: tuple[float, float, float]
) -> None:
    lit = Table(scene.figures, gain=gain)
    table.follow(np.array(gain))
    labels = label_picture(lit.picture(), table.labels)
    for number, name in enumerate(scene.figures, start=1):
        u, v, w, h = (round(c) for c in scene.box(name))
        assert (labels[v : v + h, u : u + w] == number).mean() > 0.9
    mat = labels[200:280, 300:340]
    assert np.isin(mat, (0, MAT)).mean() > 0.98


def test_the_same_light_is_the_same_table(table: ColourTable) -> None:
    assert np.array_equal(remap_table(table.labels, np.ones(3)), table.labels)


def test_a_hand_teaches_its_skin_without_taking_a_fighters_colour(scene: Table) -> None:
    brown = (70, 90, 135)
    figures: dict[str, Figure] = {"F1": Figure(-10, 8, brown), "F2": Figure(12, 6, BLUE)}
    drawn = Table(figures)
    table = ColourTable(Tracker(calibration(), drawn.specs(), drawn.frame()).palette)
    skin = pixels((80, 105, 150))
    before = label_picture(skin, table.labels)
    assert (before == 1).mean() > 0.2  # it was mistaken for the brown fighter
    table.teach_skin(skin.reshape(-1, 3).astype(np.float64))
    assert (label_picture(skin, table.labels) == 1).mean() < 0.5 * (before == 1).mean()
    assert SKIN_LABEL in label_picture(skin, table.labels)
    u, v, w, h = (round(c) for c in drawn.box("F1"))
    own = label_picture(drawn.picture()[v : v + h, u : u + w], table.labels)
    assert (own == 1).mean() > 0.9


def pixels(colour: tuple[int, int, int], noise: float = 5.0) -> NDArray[np.uint8]:
    noisy = np.array(colour) + np.random.default_rng(1).normal(0, noise, (30, 30, 3))
    return np.asarray(np.clip(noisy, 0, 255), dtype=np.uint8)


def test_colours_far_apart_are_rated_apart_and_every_pair_is_rated(tracker: Tracker) -> None:
    ratings = rate_palette(tracker.palette.fighters, tracker.palette.grounds)
    assert {(r.fighter, r.other) for r in ratings} == {
        ("F1", "F2"), ("F1", "F3"), ("F2", "F3"), ("F1", "mat"), ("F2", "mat"), ("F3", "mat"),
        ("F1", "table"), ("F2", "table"), ("F3", "table"),
    }  # fmt: skip
    assert {r.verdict for r in ratings} == {"apart"}


def test_close_colours_are_warned_of_worst_first() -> None:
    figures = {
        "F1": Figure(-10, 8, (70, 120, 190)), "F2": Figure(12, 6, (66, 112, 194)), "F3": Figure(5, -15, BLUE),
    }  # fmt: skip
    scene = Table(figures, noise=6.0)
    palette = Tracker(calibration(), scene.specs(), scene.frame()).palette
    worst = rate_palette(palette.fighters, palette.grounds)[0]
    assert (worst.fighter, worst.other, worst.verdict) == ("F1", "F2", "close")
    assert "repaint one" in str(worst)


def test_a_ground_whose_pixels_look_like_a_fighter_is_warned_of(tracker: Tracker) -> None:
    palette = tracker.palette
    red = palette.fighters[0].sample
    speckled = np.concatenate([palette.mat_sample[:900], red[:100]])
    worst = rate_palette(palette.fighters, {"mat": (palette.mat, speckled)})[0]
    assert (worst.fighter, worst.other, worst.verdict) == ("F1", "mat", "close")
    assert "F1 and the mat are close" in str(worst)


def test_a_picture_without_any_table_is_refused_with_a_sentence() -> None:
    with pytest.raises(ColourError, match="hardly any table can be seen"):
        teach_background(np.zeros((40, 40, 3), np.uint8), np.zeros((40, 40), bool))
