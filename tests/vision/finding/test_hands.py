"""Hands on a small picture: from the border, not shadows, not what was put down, not the light."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.finding.hands import HandWatch

Image = NDArray[np.uint8]
Bytes = NDArray[np.uint8]
LIGHT = np.ones(3)
NOBODY = np.zeros((90, 120), np.uint8)


def table(shade: float = 1.0) -> Image:
    return np.full((90, 120, 3), (95, 125, 155), np.uint8) if shade == 1.0 else shaded(table(), shade)


def shaded(picture: Image, shade: float) -> Image:
    return np.asarray(np.round(picture * shade), dtype=np.uint8)


def with_arm(reach: int, picture: Image | None = None) -> Image:
    image = (table() if picture is None else picture).copy()
    image[30:45, :reach] = (150, 170, 215)
    return image


def watch(first: Image | None = None) -> HandWatch:
    return HandWatch(table() if first is None else first, px_per_cm=2.7)


def see(
    watcher: HandWatch, picture: Image, t: float, no_hand: NDArray[np.uint8] = NOBODY
) -> NDArray[np.uint8]:
    return watcher.update(picture, t, LIGHT, no_hand)


def test_an_arm_from_the_border_is_a_hand() -> None:
    watcher = watch()
    assert not see(watcher, table(), 0.0).any()
    found = see(watcher, with_arm(60), 0.1)
    assert watcher.present
    assert found[32:43, 2:58].mean() > 0.95
    assert found[60:, :].sum() == 0
    assert not see(watcher, table(), 0.2).any()


def test_something_that_does_not_reach_the_border_is_no_hand() -> None:
    watcher = watch()
    picture = table()
    picture[30:45, 50:70] = (150, 170, 215)
    assert not see(watcher, picture, 0.1).any()


def test_a_shadow_from_the_border_is_no_hand() -> None:
    watcher = watch()
    picture = table()
    picture[20:60, :80] = shaded(table(), 0.75)[20:60, :80]
    assert not see(watcher, picture, 0.1).any()


def test_the_light_changing_everywhere_is_no_hand() -> None:
    watcher = watch()
    assert not see(watcher, shaded(table(), 0.6), 0.1).any()
    assert not see(watcher, shaded(table(), 0.6), 0.2).any()
    assert see(watcher, with_arm(60, shaded(table(), 0.6)), 0.3).any()


def test_a_held_figure_is_not_part_of_the_hand() -> None:
    watcher = watch()
    picture = with_arm(60)
    picture[30:45, 60:70] = (40, 40, 180)
    figure = NOBODY.copy()
    figure[30:45, 60:70] = 1
    found = see(watcher, picture, 0.1, figure)
    assert found.any()
    assert not found[:, 60:].any()


def test_an_arm_that_loses_its_link_to_the_border_while_it_moves_is_still_a_hand() -> None:
    watcher = watch()
    for step in range(6):
        see(watcher, with_arm(40 + 4 * step), 0.1 * step)
    cut = with_arm(64)
    cut[:, :10] = table()[:, :10]
    assert see(watcher, cut, 0.8).any()


def test_a_hand_that_holds_still_for_a_while_remains_a_hand_and_a_thing_put_down_does_not() -> None:
    watcher = watch()
    times = np.arange(0.1, 60.0, 0.1)
    present = [bool(see(watcher, with_arm(60), float(t)).any()) for t in times]
    assert all(present[:200])
    assert not present[-1]


def test_a_hand_in_the_first_picture_leaves_no_ghost_on_the_mat() -> None:
    watcher = watch(with_arm(60))
    bare = np.ones_like(NOBODY)
    times = np.arange(0.1, 3.0, 0.1)
    hands = [watcher.update(table(), float(t), LIGHT, NOBODY, bare).any() for t in times]
    assert not any(hands[15:])
    assert watcher.update(with_arm(50), 3.0, LIGHT, NOBODY, equals_mat(with_arm(50))).any()


def equals_mat(picture: Image) -> Bytes:
    """1 where a picture shows the bare table's very colour."""
    return np.asarray((picture == table()).all(axis=2), dtype=np.uint8)


def test_a_hand_teaches_its_colour_once_each_time_it_comes_in() -> None:
    watcher = watch()
    everywhere = np.ones((90, 120), dtype=bool)
    taught = 0
    for visit in range(2):
        for step in range(8):
            picture = with_arm(50 + step)
            see(watcher, picture, visit * 10 + 0.1 * step)
            pixels = watcher.entering(picture, everywhere)
            if pixels is not None:
                taught += 1
                assert np.abs(pixels - (150, 170, 215)).max() == 0
        for step in range(4):
            see(watcher, table(), visit * 10 + 5 + 0.1 * step)
    assert taught == 2


def test_an_arm_that_swings_clear_of_the_border_between_two_pictures_is_still_a_hand() -> None:
    watcher = watch()
    for step in range(3):
        see(watcher, with_arm(60), 0.1 * step)
    picture = table()
    picture[40:58, 10:70] = (150, 170, 215)
    assert see(watcher, picture, 0.3)[48:56, 15:65].mean() > 0.9


def test_what_lies_still_where_a_hand_let_go_of_it_is_no_hand() -> None:
    watcher = watch()
    for step in range(3):
        see(watcher, with_arm(60), 0.1 * step)
    left = table()
    left[32:42, 40:60] = (150, 170, 215)
    found = [see(watcher, left, 0.3 + 0.1 * step).any() for step in range(20)]
    assert not any(found[10:])


def grained() -> Image:
    """Wood: nobody takes it for the mat."""
    return np.asarray(table() + (np.arange(120)[None, :, None] % 7 < 3) * 3, dtype=np.uint8)


def test_a_hand_in_the_first_picture_leaves_no_ghost_on_wood_either() -> None:
    watcher = watch(with_arm(60, grained()))
    hands = [see(watcher, grained(), 0.1 * step).any() for step in range(40)]
    assert hands[0]
    assert not any(hands[20:])


def test_a_hand_that_holds_still_on_wood_stays_one() -> None:
    watcher = watch(grained())
    hands = [see(watcher, with_arm(60, grained()), 0.1 * step).any() for step in range(60)]
    assert all(hands[1:])
