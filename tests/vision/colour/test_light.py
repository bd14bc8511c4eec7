"""The light from the mat: followed when the whole mat agrees, refused when a part of it does not."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.colour.light import LightMeter
from vision.colour.space import levels, linear

Image = NDArray[np.uint8]
MAT = np.ones((60, 80), dtype=bool)


def mat(gain: tuple[float, float, float] = (1.0, 1.0, 1.0), noise_seed: int = 0) -> Image:
    rng = np.random.default_rng(noise_seed)
    picture = np.array([190.0, 200.0, 195.0]) + rng.normal(0, 4, (60, 80, 3))
    return np.asarray(np.round(levels(linear(picture) * np.array(gain))), dtype=np.uint8)


def test_steady_light_is_left_alone() -> None:
    meter = LightMeter.on_mat(mat(), MAT)
    assert not any(meter.update(mat(noise_seed=n)) for n in range(1, 6))
    assert meter.gain.tolist() == [1.0, 1.0, 1.0]


def test_a_jump_of_the_whole_mat_is_taken_at_once() -> None:
    meter = LightMeter.on_mat(mat(), MAT)
    assert meter.update(mat((0.45, 0.6, 0.7), 1))
    assert meter.gain == pytest.approx([0.45, 0.6, 0.7], rel=0.02)


def test_a_slow_drift_is_followed() -> None:
    meter = LightMeter.on_mat(mat(), MAT)
    for step in range(40):
        meter.update(mat((1.0 - 0.005 * step,) * 3, step))
    assert meter.gain == pytest.approx([0.805] * 3, rel=0.03)


def test_a_shadow_on_a_part_of_the_mat_is_not_the_light() -> None:
    meter = LightMeter.on_mat(mat(), MAT)
    shaded = mat(noise_seed=1)
    shaded[:30, :40] //= 2
    assert not meter.update(shaded)
    assert meter.held


def test_an_overexposed_mat_teaches_nothing() -> None:
    meter = LightMeter.on_mat(mat(), MAT)
    assert not meter.update(np.full((60, 80, 3), 255, np.uint8))
    assert meter.held


def test_a_mat_that_cannot_be_seen_teaches_nothing() -> None:
    meter = LightMeter.on_mat(mat(), np.zeros_like(MAT))
    assert not meter.update(mat((0.5, 0.5, 0.5)))
