"""Growing fragments: the average is of undisturbed frames under one light."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.finding.accumulate import ENOUGH_FRAMES, GrowingFragment, jitter_and_drift

LIGHT = np.ones(3)
OWN = np.zeros((40, 40), np.uint8)
OWN[10:30, 10:30] = 1


def crop(seed: int, shade: float = 1.0) -> NDArray[np.uint8]:
    picture = np.full((40, 40, 3), 180.0) * shade
    picture[10:30, 10:30] = (40.0, 60.0, 160.0)
    noisy = picture + np.random.default_rng(seed).normal(0, 4, picture.shape)
    return np.asarray(np.clip(np.round(noisy), 0, 255), dtype=np.uint8)


def growing() -> GrowingFragment:
    return GrowingFragment(3, "F1", 10, (100, 50, 140, 90))


def offer(fragment: GrowingFragment, picture: NDArray[np.uint8], gain: NDArray[np.float64] = LIGHT) -> bool:
    return fragment.offer(picture, OWN, np.array([120.0, 70.0]), gain)


def test_the_average_is_less_noisy_than_a_frame() -> None:
    fragment = growing()
    assert fragment.snapshot() is None
    assert all(offer(fragment, crop(n)) for n in range(25))
    fragment.last = 40
    snapshot = fragment.snapshot()
    assert snapshot is not None
    assert (snapshot.first, snapshot.last, snapshot.frames_used) == (10, 40, 25)
    assert snapshot.origin == (100, 50)
    assert snapshot.mean[:8].std() == pytest.approx(4 / 5, rel=0.2)
    assert np.array_equal(snapshot.support, OWN.astype(np.float32))


def test_a_snapshot_says_where_others_are() -> None:
    fragment = growing()
    offer(fragment, crop(0))
    fragment.others = OWN > 0
    snapshot = fragment.snapshot()
    assert snapshot is not None
    assert snapshot.others is not None
    assert np.array_equal(snapshot.others, OWN > 0)


def test_a_shadow_across_the_figure_stays_out() -> None:
    fragment = growing()
    for n in range(5):
        offer(fragment, crop(n))
    dark = crop(9)
    dark[:, :16] = (dark[:, :16] * 0.93).astype(np.uint8)
    assert not offer(fragment, dark)
    assert fragment.frames_used == 5


def test_another_light_stays_out() -> None:
    fragment = growing()
    offer(fragment, crop(0))
    assert not offer(fragment, crop(1), LIGHT * 0.9)
    assert offer(fragment, crop(2), LIGHT * 1.01)


def test_what_lasts_replaces_what_was_the_exception() -> None:
    fragment = growing()
    for n in range(3):
        offer(fragment, crop(n, shade=0.9))
    for n in range(10, 14):
        offer(fragment, crop(n))
    snapshot = fragment.snapshot()
    assert snapshot is not None
    assert snapshot.frames_used == 4
    assert snapshot.mean[:8].mean() == pytest.approx(180.0, abs=1.0)


def test_enough_is_enough() -> None:
    fragment = growing()
    for n in range(ENOUGH_FRAMES + 10):
        offer(fragment, crop(n))
    assert fragment.frames_used == ENOUGH_FRAMES


def test_a_snapshot_does_not_change_when_the_fragment_grows() -> None:
    fragment = growing()
    offer(fragment, crop(0))
    before = fragment.snapshot()
    assert before is not None
    kept = before.mean.copy()
    offer(fragment, crop(1))
    assert np.array_equal(before.mean, kept)


def test_jumps_are_jitter_and_a_slow_creep_is_drift() -> None:
    rng = np.random.default_rng(4)
    still = rng.normal(0, 0.2, (400, 2))
    jitter, drift = jitter_and_drift(still)
    assert jitter == pytest.approx(0.2, rel=0.1)
    assert drift < 0.06
    creeping = still + np.linspace(0, 2.0, 400)[:, None]
    jitter, drift = jitter_and_drift(creeping)
    assert jitter == pytest.approx(0.2, rel=0.1)
    assert drift == pytest.approx(2.0 / np.sqrt(12), rel=0.1)


def test_one_frame_has_a_usual_cameras_jitter() -> None:
    assert jitter_and_drift(np.array([[3.0, 4.0]])) == (pytest.approx(0.2), 0.0)
