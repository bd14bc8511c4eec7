"""Following figures while the light changes and shadows pass."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.finding.scenes import approach, begin, carry, retreat, states, table, watch, where


def test_the_light_may_turn_warm_and_dim_at_once() -> None:
    scene = table()
    tracker = begin(scene)
    watch(tracker, scene, 3)
    scene.gain = (0.45, 0.6, 0.7)
    seen = watch(tracker, scene, 6)
    for name, figure in scene.figures.items():
        assert set(states(seen, name)) == {"placed"}
        assert where(tracker, seen[-1][name]) == pytest.approx((figure.x, figure.y), abs=0.6)
        assert len(tracker.stands(name)) == 1


def test_a_carry_in_another_light_keeps_the_colours() -> None:
    scene = table()
    tracker = begin(scene)
    scene.gain = (0.5, 0.62, 0.72)
    watch(tracker, scene, 3)
    approach(tracker, scene, "F3")
    carry(tracker, scene, "F3", (-14.0, 4.0))
    last = retreat(tracker, scene)[-1]
    figure = scene.figures["F3"]
    assert last["F3"].state == "placed"
    assert where(tracker, last["F3"]) == pytest.approx((figure.x, figure.y), abs=0.8)


def test_a_light_change_does_not_get_into_the_average_of_a_fragment() -> None:
    scene = table()
    tracker = begin(scene)
    watch(tracker, scene, 8)
    before = tracker.growing()["F1"].snapshot()
    scene.gain = (0.5, 0.62, 0.72)
    watch(tracker, scene, 8)
    after = tracker.growing()["F1"].snapshot()
    assert before is not None
    assert after is not None
    assert np.abs(after.mean - before.mean).max() < 3 * scene.noise


def test_a_hands_shadow_does_not_get_into_the_average_of_a_fragment() -> None:
    scene = table()
    tracker = begin(scene)
    watch(tracker, scene, 6)
    used = tracker.growing()["F1"].frames_used
    approach(tracker, scene, "F1")
    # Of the five frames of a coming hand, those with the hand far away may be used, the last ones not.
    assert tracker.growing()["F1"].frames_used <= used + 4
    fragment = tracker.growing()["F1"].snapshot()
    assert fragment is not None
    assert fragment.support.max() <= 1.0
