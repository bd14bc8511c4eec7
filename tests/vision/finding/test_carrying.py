"""Hands on a drawn table: what is carried, lifted, passed over and left standing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.finding.scenes import approach, begin, carry, retreat, states, table, watch, where
from tests.vision.tables import RED, Figure
from vision.fragments import BEHIND, FIGURE, HIDDEN


def test_a_carry_by_hand_is_one_event_between_two_fragments() -> None:
    scene = table()
    tracker = begin(scene)
    watch(tracker, scene, 5)
    before = approach(tracker, scene, "F1")
    held = carry(tracker, scene, "F1", (12.0, -8.0))
    after = retreat(tracker, scene)
    assert "in_hand" not in states(before, "F1")
    assert set(states(held, "F1")) == {"in_hand"}
    assert states(after, "F1")[-3:] == ["placed"] * 3
    stands = tracker.stands("F1")
    assert [stand.number for stand in stands] == [0, 1]
    assert stands[0].by_hand
    # The last frame before it moved is the tenth, and it came to rest in the eighteenth.
    assert (stands[0].last, stands[1].first) == (10, 18)
    for name in ("F2", "F3"):
        assert set(states(before + held + after, name)) == {"placed"}
        assert len(tracker.stands(name)) == 1


def test_what_showed_of_a_figure_in_the_hand_comes_with_its_next_fragment() -> None:
    scene = table()
    tracker = begin(scene)
    watch(tracker, scene, 5)
    approach(tracker, scene, "F1")
    carry(tracker, scene, "F1", (12.0, -8.0))
    retreat(tracker, scene)
    standing = tracker.growing()["F1"].snapshot()
    untouched = tracker.growing()["F2"].snapshot()
    assert standing is not None
    assert standing.carry is not None
    assert untouched is not None
    assert untouched.carry is None
    assert standing.carry.begin == 11
    frames = [one.frame for one in standing.carry.frames]
    assert frames[0] >= 11
    assert frames[-1] < standing.first
    assert frames == sorted(frames)
    assert len(frames) >= 5
    for one in standing.carry.frames:
        assert {FIGURE, HIDDEN} <= set(np.unique(one.parts).tolist()) <= {BEHIND, FIGURE, HIDDEN}
        assert (one.parts[[0, -1]] != FIGURE).all()
        assert (one.parts[:, [0, -1]] != FIGURE).all()


def test_of_a_long_carry_a_few_frames_are_kept_spread_over_all_of_it() -> None:
    scene = table()
    tracker = begin(scene)
    watch(tracker, scene, 5)
    approach(tracker, scene, "F1")
    carry(tracker, scene, "F1", (12.0, -8.0), frames=36)
    retreat(tracker, scene)
    standing = tracker.growing()["F1"].snapshot()
    assert standing is not None
    assert standing.carry is not None
    frames = [one.frame for one in standing.carry.frames]
    assert 8 <= len(frames) < 16
    steps = np.diff(frames)
    assert frames[0] < 16
    assert frames[-1] > 36
    assert steps.max() <= 2 * np.median(steps)


def test_a_carry_with_a_break_in_the_pictures_is_not_kept() -> None:
    scene = table()
    tracker = begin(scene)
    watch(tracker, scene, 5)
    approach(tracker, scene, "F1")
    carry(tracker, scene, "F1", (6.0, -4.0), frames=4)
    tracker.update(replace(scene.frame(), gap=True))
    carry(tracker, scene, "F1", (6.0, -4.0), frames=4)
    retreat(tracker, scene)
    standing = tracker.growing()["F1"].snapshot()
    assert standing is not None
    assert standing.carry is None


def test_a_lifted_figure_is_never_placed() -> None:
    scene = table()
    tracker = begin(scene)
    approach(tracker, scene, "F2")
    figure = scene.figures["F2"]
    for lift in (0.0, 1.2, 2.5, 4.0, 4.0, 4.0, 4.0, 2.5, 1.2):
        # Straight up and down, held still at the top.
        figure.lift = lift
        scene.hand = (figure.x - 2.0, figure.y, lift + figure.height - 1.0)
        state = tracker.update(scene.frame())["F2"].state
        assert not (lift > 1.0 and state == "placed"), lift


def test_a_hand_that_only_passes_over_a_figure_leaves_its_fragment_open() -> None:
    scene = table()
    tracker = begin(scene)
    watch(tracker, scene, 4)
    seen = []
    for x in (-40.0, -25.0, -10.0, 5.0, 20.0, 5.0, -10.0, -25.0, -40.0):
        scene.hand = (x, 14.0, 26.0)
        seen.append(tracker.update(scene.frame()))
    scene.hand = None
    seen += watch(tracker, scene, 4)
    assert len(tracker.stands("F1")) == len(tracker.stands("F2")) == 1
    assert "in_hand" not in states(seen, "F1")


@pytest.mark.parametrize("speck", [False, True])
def test_a_figure_that_left_the_hand_unseen_stands_again_though_a_hand_is_still_there(speck: bool) -> None:
    scene = table()
    tracker = begin(scene)
    approach(tracker, scene, "F1")
    carry(tracker, scene, "F1", (-6.0, 0.0), 4)
    figure = scene.figures["F1"]
    held = (figure.x, figure.y)
    if speck:
        # Something of its colour stays in the hand.
        scene.things = [Figure(held[0] + 3.0, held[1], RED, height=3.5, radius=1.2)]
    figure.x, figure.y, figure.lift = 20.0, -16.0, 0.0
    seen = watch(tracker, scene, 12)
    assert states(seen, "F1")[-1] == "placed"
    assert where(tracker, seen[-1]["F1"]) == pytest.approx((20.0, -16.0), abs=0.8)


def test_a_figure_taken_off_the_table_is_lost_and_found_again_when_it_comes_back() -> None:
    scene = table()
    tracker = begin(scene)
    approach(tracker, scene, "F1")
    carry(tracker, scene, "F1", (-3.0, 0.0), 3)
    figure = scene.figures.pop("F1")
    gone = retreat(tracker, scene) + watch(tracker, scene, 8)
    assert states(gone, "F1")[-1] == "lost"
    assert gone[-1]["F1"].blob is None
    scene.figures["F1"] = Figure(-5.0, -5.0, figure.colour)
    back = watch(tracker, scene, 4)
    assert states(back, "F1")[-1] == "placed"
