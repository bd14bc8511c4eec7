from __future__ import annotations

from dataclasses import replace

import numpy as np

from palmo.live.stillness import Stillness
from rules.scene import Figure
from tests.palmo.live.tables import PICTURE, tracked
from vision.sources.frames import Frame
from vision.tracks import TrackFrame

RATE = 30
Figures = dict[str, Figure]


def at(number: int, image: np.ndarray = PICTURE, *, gap: bool = False) -> Frame:
    return Frame(number, number / RATE, image, gap)


def seen(number: int, figures: Figures, **states: str) -> TrackFrame:
    return replace(tracked(number, figures, **states), t=number / RATE)  # type: ignore[arg-type]


def kept(stillness: Stillness, pairs: list[tuple[Frame, TrackFrame]]) -> list[int]:
    return [frame.index for frame, told in pairs if stillness.broken_by(frame, told)]


def test_while_nobody_moves_five_pictures_a_second_are_kept_whatever_the_noise(figures: Figures) -> None:
    rng = np.random.default_rng(1)
    noisy = [
        np.clip(PICTURE + rng.normal(0, 4, PICTURE.shape), 0, 255).astype(np.uint8) for _ in range(2 * RATE)
    ]
    pairs = [(at(n, image), seen(n, figures)) for n, image in enumerate(noisy)]
    assert kept(Stillness(), pairs) == list(range(0, 2 * RATE, 6))


def test_a_finger_over_the_table_brings_every_picture_at_once(figures: Figures) -> None:
    pairs = []
    for n in range(20):
        image = PICTURE.copy()
        if n >= 8:
            image[100 : 100 + 9 * n, 300:312] = (120, 150, 200)
        pairs.append((at(n, image), seen(n, figures)))
    assert kept(Stillness(), pairs) == [0, 6, *range(8, 20)]


def test_whatever_is_told_anew_is_kept(figures: Figures) -> None:
    stillness = Stillness()
    quiet = seen(1, figures)
    assert kept(stillness, [(at(0), seen(0, figures)), (at(1), quiet)]) == [0]
    turned = replace(quiet.fighters["F1"], facing_deg=12.0)
    for number, told in enumerate(
        [
            seen(2, figures, F1="in_hand"),
            seen(3, figures, F1="in_hand"),
            seen(4, figures),
            replace(quiet, t=5 / RATE, fighters={**quiet.fighters, "F1": turned}),
            replace(quiet, t=6 / RATE, camera_moved=True),
            replace(
                quiet,
                t=7 / RATE,
                fighters={**quiet.fighters, "F1": replace(turned, outline=((0, 0), (1, 0), (0, 1)))},
            ),
        ],
        start=2,
    ):
        assert stillness.broken_by(at(number), told), number


def test_after_a_gap_and_when_time_goes_back_the_picture_is_kept(figures: Figures) -> None:
    stillness = Stillness()
    assert kept(stillness, [(at(10), seen(10, figures))]) == [10]
    assert stillness.broken_by(at(11, gap=True), seen(11, figures))
    assert stillness.broken_by(at(3), seen(3, figures))
