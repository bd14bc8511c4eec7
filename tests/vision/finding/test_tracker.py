"""Following figures on a drawn table: states, hands, light, and what must never happen."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace

import numpy as np
import pytest

from tests.vision.tables import BLUE, GREEN, ORANGE, RED, RING_CM, Figure, Table, calibration, camera
from vision.colour.models import ColourError
from vision.finding.following import Sighting
from vision.finding.tracker import Tracker
from vision.fragments import BEHIND, FIGURE, HIDDEN
from vision.sources.frames import Frame

Seen = list[dict[str, Sighting]]


def table() -> Table:
    return Table({"F1": Figure(-10, 8, RED), "F2": Figure(12, 6, BLUE), "F3": Figure(5, -15, GREEN)})


def begin(scene: Table) -> Tracker:
    return Tracker(calibration(), scene.specs(), scene.frame())


def watch(tracker: Tracker, scene: Table, frames: int) -> Seen:
    return [tracker.update(scene.frame()) for _ in range(frames)]


def approach(tracker: Tracker, scene: Table, name: str) -> Seen:
    figure = scene.figures[name]
    seen = []
    for away in (40.0, 30.0, 20.0, 10.0, 2.0):
        scene.hand = (figure.x - away, figure.y, figure.height - 1.0)
        seen.append(tracker.update(scene.frame()))
    return seen


def carry(tracker: Tracker, scene: Table, name: str, by: tuple[float, float], frames: int = 8) -> Seen:
    figure = scene.figures[name]
    seen = []
    for step in range(1, frames + 1):
        figure.x += by[0] / frames
        figure.y += by[1] / frames
        figure.lift = 4.0 * float(np.sin(np.pi * step / frames))
        scene.hand = (figure.x - 2.0, figure.y, figure.lift + figure.height - 1.0)
        seen.append(tracker.update(scene.frame()))
    return seen


def retreat(tracker: Tracker, scene: Table) -> Seen:
    seen = []
    for _ in range(6):
        assert scene.hand is not None
        scene.hand = (scene.hand[0] - 9.0, scene.hand[1], scene.hand[2] + 1.0)
        seen.append(tracker.update(scene.frame()))
    scene.hand = None
    return [*seen, *watch(tracker, scene, 3)]


def states(seen: Seen, name: str) -> list[str]:
    return [sightings[name].state for sightings in seen]


def where(tracker: Tracker, sighting: Sighting) -> tuple[float, float]:
    assert sighting.blob is not None
    x, y = camera().to_plane(sighting.blob.centroid[None], 5.0)[0]
    return float(x), float(y)


def test_standing_figures_are_placed_where_they_stand() -> None:
    scene = table()
    tracker = begin(scene)
    last = watch(tracker, scene, 4)[-1]
    for name, figure in scene.figures.items():
        assert last[name].state == "placed"
        assert where(tracker, last[name]) == pytest.approx((figure.x, figure.y), abs=0.6)


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
    carry(tracker, scene, "F1", (12.0, -8.0), frames=60)
    retreat(tracker, scene)
    standing = tracker.growing()["F1"].snapshot()
    assert standing is not None
    assert standing.carry is not None
    frames = [one.frame for one in standing.carry.frames]
    assert 8 <= len(frames) < 16
    steps = np.diff(frames)
    assert frames[0] < 16
    assert frames[-1] > 60
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


def test_two_things_of_a_lost_fighters_colour_are_not_guessed_between() -> None:
    scene = table()
    tracker = begin(scene)
    del scene.figures["F1"]
    watch(tracker, scene, 12)
    scene.things = [Figure(-12.0, 8.0, RED), Figure(18.0, -8.0, RED)]
    seen = watch(tracker, scene, 5)
    assert "placed" not in states(seen, "F1")
    assert "more_than_one_candidate" in {refusal.gate for refusal in tracker.refusals}


def test_what_had_a_fighters_colour_from_the_start_is_never_the_fighter() -> None:
    scene = table()
    scene.things = [Figure(36.0, 0.0, RED)]
    tracker = begin(scene)
    watch(tracker, scene, 3)
    del scene.figures["F1"]
    assert states(watch(tracker, scene, 12), "F1")[-1] == "lost"


def test_a_gate_says_what_it_refused_and_by_what_numbers() -> None:
    scene = table()
    tracker = begin(scene)
    del scene.figures["F1"]
    watch(tracker, scene, 12)
    scene.things = [Figure(0.0, 0.0, RED, height=3.0, radius=0.7)]
    watch(tracker, scene, 2)
    refusal = next(refusal for refusal in tracker.refusals if refusal.fighter == "F1")
    assert refusal.gate == "too_small"
    assert refusal.numbers["cm2"] < refusal.numbers["taught_cm2"]


def test_a_figure_that_falls_without_a_hand_is_unsure_and_then_stands_in_a_new_fragment() -> None:
    scene = table()
    tracker = begin(scene)
    watch(tracker, scene, 4)
    scene.figures["F3"].x += 4.0
    seen = watch(tracker, scene, 4)
    assert states(seen, "F3")[0] == "unsure"
    assert states(seen, "F3")[-1] == "placed"
    assert not tracker.stands("F3")[0].by_hand


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


def test_after_a_gap_nothing_is_certain_until_it_is_seen_again() -> None:
    scene = table()
    tracker = begin(scene)
    watch(tracker, scene, 3)
    scene.figures["F2"].x -= 9.0
    at_the_gap = tracker.update(scene.frame(gap=True))
    assert {sighting.state for sighting in at_the_gap.values()} == {"unsure"}
    after = watch(tracker, scene, 5)
    assert states(after, "F1") == ["placed"] * 5
    assert len(tracker.stands("F1")) == 1
    assert states(after, "F2")[-1] == "placed"
    assert len(tracker.stands("F2")) == 2


def test_a_figure_behind_another_is_still_there() -> None:
    scene = table()
    tracker = begin(scene)
    watch(tracker, scene, 3)
    figure = scene.figures["F1"]
    scene.figures["F3"].x, scene.figures["F3"].y = figure.x, figure.y - 6.0
    seen = watch(tracker, scene, 14)
    assert set(states(seen, "F1")) <= {"placed", "covered"}
    assert len(tracker.stands("F1")) == 1


def test_close_colours_that_touch_are_merged() -> None:
    # Told apart, but not with certainty: the palette rating calls them close.
    figures = {"F1": Figure(-10, 8, (70, 120, 190)), "F2": Figure(12, 6, (66, 112, 194))}
    scene = Table(figures, noise=6.0)
    tracker = begin(scene)
    assert tracker.close_pairs == [("F1", "F2")]
    assert states(watch(tracker, scene, 3), "F1")[-1] == "placed"
    scene.figures["F2"].x, scene.figures["F2"].y = -6.0, 7.5
    assert states(watch(tracker, scene, 6), "F1")[-1] == "merged"


def test_closed_fragments_are_handed_out_once() -> None:
    scene = table()
    tracker = begin(scene)
    watch(tracker, scene, 4)
    approach(tracker, scene, "F1")
    carry(tracker, scene, "F1", (12.0, -8.0))
    [(number, fragment)] = tracker.take_closed()
    assert (number, fragment.fighter, fragment.first) == (0, "F1", 0)
    assert fragment.frames_used >= 4
    assert tracker.take_closed() == []


def test_a_long_match_takes_no_more_memory_than_a_short_one() -> None:
    scene = table()
    tracker = begin(scene)
    there: list[Frame] = []
    for by in (12.0, -12.0):
        for away in (40.0, 20.0, 2.0):
            scene.hand = (scene.figures["F1"].x - away, scene.figures["F1"].y, 11.0)
            there.append(scene.frame())
        for step in range(1, 5):
            scene.figures["F1"].x += by / 4
            scene.hand = (scene.figures["F1"].x - 2.0, scene.figures["F1"].y, 12.0 + step % 4)
            there.append(scene.frame())
        scene.hand = None
        there += [scene.frame() for _ in range(5)]
    sizes = []
    tracemalloc.start()
    for lap in range(61):
        for step, frame in enumerate(there):
            index = lap * len(there) + step
            tracker.update(Frame(index, index / 10.0, frame.image))
        if lap % 20 == 0:
            tracker.take_closed()
            sizes.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()
    stands = tracker.stands("F1")
    assert len(stands) > 60
    # What is kept of a stand is four numbers; a fragment's picture would be a hundred kilobytes.
    assert sizes[-1] - sizes[1] < 1000 * len(stands)


def test_fragments_that_nobody_takes_do_not_pile_up() -> None:
    scene = table()
    tracker = begin(scene)
    tracker.update(scene.frame())
    for _ in range(40):
        # Both fall over again and again.
        for name in ("F2", "F3"):
            scene.figures[name].x += 4.0 if scene.figures[name].x < 13.0 else -4.0
        watch(tracker, scene, 4)
    assert len(tracker.stands("F2")) + len(tracker.stands("F3")) > 66
    closed = tracker.take_closed()
    assert len(closed) == 64
    assert closed[-1][0] == tracker.stands("F3")[-1].number - 1


def test_a_fighter_can_be_taught_by_a_colour_value() -> None:
    scene = table()
    specs = scene.specs()
    specs[0] = replace(specs[0], colour_box_px=None, colour="#c03030")
    tracker = Tracker(calibration(), specs, scene.frame())
    last = watch(tracker, scene, 2)[-1]
    assert where(tracker, last["F1"]) == pytest.approx((-10.0, 8.0), abs=0.6)


# What cannot be taught ---------------------------------------------------------------------------------


def refused(scene: Table, box: tuple[float, float, float, float], says: str) -> None:
    specs = scene.specs()
    specs[0] = replace(specs[0], colour_box_px=box)
    with pytest.raises(ColourError, match=says) as caught:
        Tracker(calibration(), specs, scene.frame())
    assert "F1" in str(caught.value)


def at(x: float, y: float, size: float = 5.0) -> tuple[float, float, float, float]:
    ((u, v),) = camera().project(np.array([[x, y, 0.0]]))
    return float(u - size / 2), float(v - size / 2), size, size


def test_a_box_on_the_mat_is_refused() -> None:
    refused(table(), at(0.0, 0.0), "on the mat")


def test_a_box_on_the_table_is_refused() -> None:
    refused(table(), at(-RING_CM / 2 - 10.0, 0.0), "on the table or a hand")


def test_a_box_on_a_hand_is_refused() -> None:
    scene = table()
    scene.hand = (-20.0, -10.0, 10.0)
    ((u, v),) = camera().project(np.array([[-30.0, -7.5, 10.5]]))
    refused(scene, (float(u), float(v), 5.0, 5.0), "a hand")


def test_a_box_across_two_colours_is_refused() -> None:
    scene = table()
    ((u, v),) = camera().project(np.array([[-10.0 + 2.0, 8.0, 6.0]]))
    refused(scene, (float(u - 6), float(v - 3), 12.0, 6.0), "two colours")


@pytest.mark.parametrize(
    ("box", "says"),
    [
        ((-3.0, 100.0, 5.0, 5.0), "outside the picture"),
        ((636.0, 100.0, 5.0, 5.0), "outside the picture"),
        ((100.0, 100.0, 0.0, 5.0), "at least 1 px"),
        ((float("nan"), 100.0, 5.0, 5.0), "at least 1 px"),
    ],
)
def test_a_box_that_is_no_box_in_the_picture_is_refused(
    box: tuple[float, float, float, float], says: str
) -> None:
    refused(table(), box, says)


def test_a_box_on_the_wrong_fighter_names_both() -> None:
    scene = table()
    refused(scene, scene.box("F2"), "fighters F1 and F2 cannot be told apart")


def test_two_fighters_of_one_colour_are_refused_and_both_named() -> None:
    scene = Table({"F1": Figure(-10, 8, ORANGE), "F2": Figure(12, 6, ORANGE)})
    with pytest.raises(ColourError, match="fighters F1 and F2 cannot be told apart"):
        begin(scene)


@pytest.mark.parametrize("colour", ["red", "#12345", "#gg0000", ""])
def test_a_colour_that_is_none_is_refused(colour: str) -> None:
    scene = table()
    specs = scene.specs()
    specs[0] = replace(specs[0], colour_box_px=None, colour=colour)
    with pytest.raises(ColourError, match="F1"):
        Tracker(calibration(), specs, scene.frame())


def test_a_colour_that_is_nowhere_is_refused() -> None:
    scene = table()
    specs = scene.specs()
    specs[0] = replace(specs[0], colour_box_px=None, colour="#ff00ff")
    with pytest.raises(ColourError, match="nothing of the colour #ff00ff"):
        Tracker(calibration(), specs, scene.frame())
