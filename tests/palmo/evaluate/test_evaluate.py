from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from palmo.evaluate import Evaluation, Truth, TruthError, as_json, evaluate, load_truth
from vision.tracks import Track, TrackFrame

HULL = [[3, -2], [3, 2], [-1, 2], [-1, -2]]
# F1 rests, is carried 30 cm to the right and turned by 90 degrees, and rests; F2 never moves.
STILL_BEFORE, CARRIED, STILL_AFTER = range(10), range(10, 20), range(20, 30)


def true_pose(x: float, facing: float, *, near: bool = False, held: bool = False) -> dict[str, Any]:
    return {
        "x": x,
        "y": 1.0,
        "facing_deg": facing,
        "lift_cm": 5.0 if held else 0.0,
        "hand": near,
        "hand_on": held,
    }


def true_frame(index: int) -> dict[str, Any]:
    if index in STILL_BEFORE:
        first = true_pose(-15.0, 0.0)
    elif index in STILL_AFTER:
        first = true_pose(15.0, 90.0)
    else:
        first = true_pose(3.0 * (index - 15), 45.0, near=True, held=12 <= index < 18)
    return {
        "frame": index,
        "t": index / 10,
        "fighters": {"F1": first, "F2": true_pose(0.0, 180.0) | {"y": 20.0}},
    }


@pytest.fixture
def truth(tmp_path: Path) -> Truth:
    shape = {"plan_hull": HULL, "sole_centroid": [1.0, 0.0]}
    path = tmp_path / "truth.json"
    data = {"fighters": {"F1": shape, "F2": shape}, "frames": [true_frame(index) for index in range(30)]}
    path.write_text(json.dumps(data))
    return load_truth(path)


def perfect(truth: Truth) -> list[TrackFrame]:
    frames = []
    for index, poses in enumerate(truth.frames):
        fighters = {
            id_: Track(
                state="in_hand" if pose.held else "placed", x=pose.x, y=pose.y, sx=0.2, sy=0.2, sxy=0.0,
                facing_deg=pose.facing_deg, facing_sd_deg=3.0, facing_source="registered",
                outline=tuple(truth.shapes[id_].outline(pose).exterior.coords[:-1]),
            )
            for id_, pose in poses.items()
        }  # fmt: skip
        frames.append(TrackFrame(index, truth.times[index], fighters))
    return frames


def changed(truth: Truth, fighter: str, frames: range, change: Callable[[Track], Track]) -> Evaluation:
    tracks = perfect(truth)
    for index in frames:
        tracks[index].fighters[fighter] = change(tracks[index].fighters[fighter])
    return evaluate(tracks, truth)


def test_perfect_tracks_have_no_errors(truth: Truth) -> None:
    result = evaluate(perfect(truth), truth)
    assert result.standing.samples == 50
    assert result.standing.position_cm.largest == 0
    assert result.standing.facing_deg.largest == 0
    assert result.standing.outline_iou.largest == pytest.approx(1)
    assert result.standing.missing == result.standing.not_placed == 0
    assert result.states.held_noticed == 1
    assert result.states.false_hand == 0
    (move,) = result.moves.moves
    assert (move.true_cm, move.tracked_cm) == (pytest.approx(30), pytest.approx(30))
    assert move.tracked_turn_deg == pytest.approx(90)


def test_the_outline_turns_about_the_ground_point_not_about_the_models_origin(truth: Truth) -> None:
    corners = set(truth.shapes["F1"].outline(truth.frames[29]["F1"]).exterior.coords)
    assert {(round(x, 6), round(y, 6)) for x, y in corners} == {(17, 3), (13, 3), (13, -1), (17, -1)}


def test_a_shift_after_the_carry_is_an_error_of_position_and_of_the_move(truth: Truth) -> None:
    result = changed(truth, "F1", STILL_AFTER, lambda track: replace(track, x=(track.x or 0) + 0.5))
    assert result.per_fighter["F1"].position_cm.largest == pytest.approx(0.5)
    assert result.per_fighter["F2"].position_cm.largest == 0
    assert result.moves.length_cm.largest == pytest.approx(0.5)
    assert result.standing.inside_95 == pytest.approx(1 - 10 / 100)


def test_a_flip_counts_unless_it_was_marked_as_assumed(truth: Truth) -> None:
    turned = changed(truth, "F1", STILL_AFTER, lambda t: replace(t, facing_deg=-90.0))
    assert turned.standing.flips_unmarked == 10
    assert turned.moves.flips_unmarked == 1
    asked = changed(truth, "F1", STILL_AFTER, lambda t: replace(t, facing_deg=-90.0, facing_source="assumed"))
    assert (asked.standing.flips_unmarked, asked.standing.flips_assumed) == (0, 10)
    assert asked.moves.flips_unmarked == 0


def test_a_fighter_on_anothers_place_is_a_wrong_identity(truth: Truth) -> None:
    result = changed(truth, "F1", range(3), lambda track: replace(track, x=0.5, y=20.0))
    assert result.standing.wrong_identity == 3
    small = changed(truth, "F1", range(3), lambda track: replace(track, x=(track.x or 0) + 2.5))
    assert small.standing.wrong_identity == 0


def test_lost_fighters_are_missing_and_a_lost_rest_is_a_missed_move(truth: Truth) -> None:
    result = changed(truth, "F1", STILL_AFTER, lambda _: Track(state="lost"))
    assert result.standing.missing == pytest.approx(10 / 50)
    assert result.moves.missed == 1
    assert as_json(result)["moves"]["length_cm"]["median"] is None


def test_frames_that_were_never_tracked_count_as_missing(truth: Truth) -> None:
    assert evaluate(perfect(truth)[:25], truth).standing.missing == pytest.approx(10 / 50)


def test_states_are_compared_with_the_hands(truth: Truth) -> None:
    blind = changed(truth, "F1", CARRIED, lambda track: replace(track, state="placed"))
    assert blind.states.held_noticed == 0
    assert blind.states.placed_while_lifted == 6
    jumpy = changed(truth, "F2", range(3), lambda track: replace(track, state="covered"))
    assert jumpy.states.false_hand == pytest.approx(3 / 50)


def test_another_clips_truth_is_refused(truth: Truth) -> None:
    late = [replace(frame, t=frame.t + 1000) for frame in perfect(truth)]
    with pytest.raises(TruthError, match="same clip"):
        evaluate(late, truth)


@pytest.mark.parametrize(
    ("content", "words"), [("", "line 1"), ("{}", "not a truth file"), ('{"frames": 3}', "not a truth file")]
)
def test_a_file_that_is_no_truth_gets_a_sentence(tmp_path: Path, content: str, words: str) -> None:
    path = tmp_path / "truth.json"
    path.write_text(content)
    with pytest.raises(TruthError, match=words):
        load_truth(path)


def test_a_fall_must_be_seen(tmp_path: Path) -> None:
    frames = [true_frame(index) for index in range(30)]
    for index in STILL_AFTER:
        frames[index]["fighters"]["F1"]["lying"] = True
    shape = {"plan_hull": HULL, "sole_centroid": [1.0, 0.0]}
    lying = {"lying_plan_hull": HULL, "lying_centroid": [1.0, 0.0]}
    path = tmp_path / "truth.json"
    path.write_text(json.dumps({"fighters": {"F1": shape | lying, "F2": shape}, "frames": frames}))
    fallen = load_truth(path)
    assert evaluate(perfect(fallen), fallen).moves.falls_missed == 1
    seen = changed(fallen, "F1", STILL_AFTER, lambda track: replace(track, posture="lying"))
    assert seen.moves.falls_missed == 0
    assert seen.standing.posture_wrong == 0


OUTLINED = (
    b'{"frames": [{"t": 0, "fighters": {}}], '
    b'"fighters": {"F1": {"sole_centroid": [0, 0], "plan_hull": [[0, 0], [1, null], %b]}}}'
)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"[]", 'an object with "frames" and "fighters"'),
        (b"{}", 'an object with "frames" and "fighters"'),
        (b'{"frames": [], "fighters": {}}', "some of both"),
        (b"", "line 1: this is not valid JSON"),
        (b'{"frames": NaN}', "NaN is not a number"),
        (b'{"frames": [{}], "fighters": {"F1": {}}}', '"t" is missing'),
        (b'{"frames": [5], "fighters": {"F1": {}}}', "of another kind"),
        (b'{"frames": [{"t": "x", "fighters": {}}], "fighters": {"F1": {}}}', "of another kind"),
        (b"[" * 100_000, "nested too deeply"),
        (b"\xff\xfe\x00", "not a truth file"),
        (b'{"frames": [' + b"9" * 5000 + b"]}", "too many digits"),
        (OUTLINED % b"null", "of another kind"),
        (OUTLINED % b"[1, 2]", "of another kind"),
    ],
)
def test_what_is_no_truth_file_gets_a_sentence(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "truth.json"
    path.write_bytes(content)
    with pytest.raises(TruthError, match=words) as caught:
        load_truth(path)
    assert str(caught.value).startswith(str(path))
    assert "Error(" not in str(caught.value)


def test_places_that_the_guard_marks_are_counted_apart(truth: Truth) -> None:
    knocked = perfect(truth)
    for frame in knocked[24:]:
        for name, track in frame.fighters.items():
            frame.fighters[name] = replace(track, x=(track.x or 0.0) + 2.0)
    assert evaluate(knocked, truth).standing.position_cm.largest == pytest.approx(2.0)
    found = evaluate([replace(one, camera_moved=one.frame >= 24) for one in knocked], truth)
    assert found.standing.position_cm.largest == 0
    assert found.marked_frames == 6
    assert as_json(found)["marked_frames"] == 6
