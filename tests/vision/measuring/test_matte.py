"""The matte cuts a figure out by its colour here against its surroundings here."""

import contextlib

import cv2
import numpy as np
import pytest

from tests.vision.measuring.table_top import seen
from vision.measuring.matte import Crop, MatteError, soft_matte
from vision.measuring.shadows import Shadows

FIGURE, MAT, SHADOW, ROPE = (40, 60, 190), (205, 210, 208), (118, 122, 120), (170, 60, 40)
INSIDE = np.hypot(*(np.indices((90, 110)) - np.array([45, 55])[:, None, None]) / [[[1.4]], [[1.0]]]) < 20


def crop(figure=FIGURE, mat=MAT, shadow=SHADOW, seed=0):
    picture = np.empty((90, 110, 3), np.float32)
    picture[:] = mat
    rows, columns = np.indices((90, 110))
    fallen = ((rows - 62) / 24) ** 2 + ((columns - 78) / 20) ** 2 < 1
    picture[fallen] = shadow
    shade = 1 - 0.35 * (columns - 35) / 40.0
    picture[INSIDE] = np.asarray(figure) * shade[INSIDE, None]
    return picture + np.random.default_rng(seed).normal(0, 2, picture.shape).astype(np.float32)


def overlap(alpha, truth=INSIDE):
    found = alpha > 0.5
    return (found & truth).sum() / (found | truth).sum()


def test_finds_the_whole_figure_and_not_its_shadow():
    assert overlap(soft_matte(crop(), INSIDE.astype(np.float32))) > 0.97


def test_a_table_that_saw_only_part_of_the_figure_is_enough():
    seen = INSIDE & (np.arange(110)[None, :] < 62)
    assert overlap(soft_matte(crop(), seen.astype(np.float32))) > 0.95


def test_white_on_cream_survives_a_speckled_table():
    rng = np.random.default_rng(3)
    speckled = np.where(INSIDE, rng.random(INSIDE.shape) < 0.93, rng.random(INSIDE.shape) < 0.08)
    picture = crop(figure=(228, 232, 234), mat=(170, 205, 214), shadow=(105, 128, 134))
    assert overlap(soft_matte(picture, speckled.astype(np.float32))) > 0.93


def test_a_rope_across_the_figure_does_not_move_it():
    picture, rope = crop(), np.zeros(INSIDE.shape, bool)
    rope[50:53] = True
    picture[rope] = ROPE
    seen = (INSIDE & ~rope).astype(np.float32)
    alpha = soft_matte(picture, seen, rope)
    assert overlap(alpha) > 0.96
    rows = np.indices(INSIDE.shape)[0]
    middle = (alpha * rows).sum() / alpha.sum()
    assert middle == pytest.approx(rows[INSIDE].mean(), abs=0.3)


def test_another_thing_of_its_colour_further_away_is_left_out():
    picture = crop()
    picture[4:16, 92:106] = FIGURE
    assert overlap(soft_matte(picture, INSIDE.astype(np.float32))) > 0.97


@pytest.mark.parametrize(
    ("support", "reason"),
    [(np.zeros((90, 110)), "0 pixels of the figure"), (np.ones((90, 110)), "fills its whole crop")],
)
def test_refuses_with_a_sentence_what_it_cannot_cut_out(support, reason):
    with pytest.raises(MatteError, match=reason):
        soft_matte(crop(), support.astype(np.float32))


def test_a_figure_of_the_mat_s_own_colour_is_refused():
    picture = np.full((90, 110, 3), 205.0, np.float32)
    picture += np.random.default_rng(1).normal(0, 2, picture.shape).astype(np.float32)
    with pytest.raises(MatteError, match="cannot be told from what is around it"):
        soft_matte(picture, INSIDE.astype(np.float32))


BLUE, GREEN, BLACK, WHITE = (0.35, 0.20, 0.10), (0.08, 0.35, 0.10), (0.015, 0.015, 0.015), (0.75, 0.75, 0.75)


def cut(one, *, by_colours_alone=False, **more):
    """A crop cut out with the shadows learned from it and from a green figure's."""
    shadows = Shadows()
    beside, crop_ = seen(GREEN, seed=5), Crop(one.mean, one.support, **more)
    Crop(beside.mean, beside.support).teach(shadows, "beside")
    crop_.teach(shadows, "here")
    return crop_.read(shadows).alpha if by_colours_alone else crop_.coverage(shadows)


# Bluish greys that look like the shadow itself, but for a little hue or light.
GREYS = [(0.5, 0.4, 0.3), (0.4, 0.33, 0.27), (0.3, 0.22, 0.15)]


@pytest.mark.parametrize("figure", [BLUE, GREEN, WHITE, *GREYS])
def test_a_bluish_shadow_that_the_table_took_for_the_figure_is_left_out(figure):
    one = seen(figure, table_saw_shadow=True)
    by_colours = cut(one, by_colours_alone=True)
    assert overlap(by_colours, one.inside) > 0.93
    assert by_colours[one.shadow].mean() < 0.1
    # the network knows rendered figures, not these flat ones: here it may only do little harm
    found = cut(one)
    assert overlap(found, one.inside) > 0.88
    assert found[one.shadow].mean() < 0.25


def test_a_hat_of_another_colour_is_the_figure_too():
    one = seen(BLUE, hat=BLACK)
    assert (one.support[one.inside] > 0).mean() < 0.9
    assert overlap(cut(one), one.inside) > 0.95


def test_a_neighbour_that_touches_is_not():
    one = seen(BLUE, hat=BLACK)
    other = one.inside & (one.support == 0)
    assert overlap(cut(one, others=other), one.inside & ~other) > 0.93


@pytest.mark.parametrize("figure", [BLUE, GREEN, BLACK, (0.05, 0.06, 0.5)])
def test_the_outline_lies_neither_outside_nor_inside(figure):
    one = seen(figure)
    band = cv2.GaussianBlur(one.truth, (0, 0), 2.0)
    band = (
        (band > 0.02) & (band < 0.98) & ~cv2.dilate(one.shadow.astype(np.uint8), np.ones((5, 5))).astype(bool)
    )
    length = np.hypot(*np.gradient(one.truth))[band].sum()
    assert abs((cut(one) - one.truth)[band].sum()) / length < 0.12


def test_a_rope_across_the_figure_and_its_shadow_is_as_if_it_were_not_there():
    one, rope = seen(BLUE), np.zeros(INSIDE.shape, bool)
    rope[55:59] = True
    one.mean[rope], one.support[rope] = ROPE, 0.0
    found = cut(one, unknown=rope)
    assert overlap(found, one.inside) > 0.95
    assert overlap(found[rope], one.inside[rope]) > 0.85


@pytest.mark.parametrize("seed", range(6))
def test_whatever_the_table_saw_there_is_a_silhouette_or_a_sentence(seed):
    rng = np.random.default_rng(seed)
    one = seen(WHITE if seed % 2 else BLUE)
    support = cv2.GaussianBlur(rng.random(INSIDE.shape).astype(np.float32), (0, 0), 1 + seed)
    support = (support > np.percentile(support, 97 - 3 * seed)).astype(np.float32)
    with contextlib.suppress(MatteError):
        found = Crop(one.mean, support, rng.random(INSIDE.shape) < 0.2).coverage(Shadows())
        assert (found > 0.5).any()
