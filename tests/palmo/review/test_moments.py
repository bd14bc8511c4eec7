from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from palmo.review.desk import ReviewDesk
from palmo.review.evidence import Evidence
from palmo.review.moments import Moment, moments
from palmo.review.past import Past
from vision.tracks import State, Track


def found(evidence: Evidence) -> list[Moment]:
    return moments(evidence, Past(Path("no log"), 0))


def changed(evidence: Evidence, fighter: str, frames: range, **values: object) -> None:
    """The same evidence with a fighter's entries otherwise in some frames."""
    for number in frames:
        frame = evidence.frames[number]
        track: Track = replace(frame.fighters[fighter], **values)  # type: ignore[arg-type]
        evidence.frames[number] = replace(frame, fighters={**frame.fighters, fighter: track})


def test_a_clear_move_is_no_doubt_and_suggests_its_ends(desk: ReviewDesk) -> None:
    (move,) = found(desk.evidence)
    assert (move.kind, move.fighter, move.doubtful) == ("beyond", "F1", False)
    assert move.before is not None
    assert move.after is not None
    states = [desk.evidence.frames[number].fighters["F1"].state for number in (move.before, move.after)]
    assert states == ["placed", "placed"]
    assert move.before < move.frame <= move.after


@pytest.mark.parametrize(("state", "kind"), [("lost", "lost"), ("merged", "merged"), ("unsure", "merged")])
def test_what_the_camera_could_not_tell_is_a_moment(desk: ReviewDesk, state: State, kind: str) -> None:
    changed(desk.evidence, "F2", range(20, 26), state=state, fragment=None)
    changed(desk.evidence, "F2", range(26, 45), fragment=1)
    moment = next(one for one in found(desk.evidence) if one.fighter == "F2" and one.kind == kind)
    assert moment.doubtful
    assert (moment.frame, moment.before is None) == (20, False)


def test_a_blink_is_no_moment(desk: ReviewDesk) -> None:
    changed(desk.evidence, "F2", range(20, 22), state="lost")
    assert [one.kind for one in found(desk.evidence)] == ["beyond"]


def test_an_assumed_facing_is_a_moment(desk: ReviewDesk) -> None:
    changed(desk.evidence, "F1", range(30, 45), facing_source="assumed")
    (moment,) = [one for one in found(desk.evidence) if one.doubtful]
    assert moment.fighter == "F1"
    assert moment.kind == "assumed"


def test_a_stretch_without_pictures_is_a_moment(desk: ReviewDesk) -> None:
    evidence = desk.evidence
    evidence.frames[30:] = [replace(frame, t=frame.t + 4.0) for frame in evidence.frames[30:]]
    evidence.times[:] = [frame.t for frame in evidence.frames]
    (gap,) = [one for one in found(evidence) if one.kind == "gap"]
    assert gap.frame == 30
    assert gap.text.values["seconds"] == pytest.approx(4.1, abs=0.05)


def test_a_camera_that_had_moved_is_a_moment_and_marks_the_move(desk: ReviewDesk) -> None:
    frames = desk.evidence.frames
    frames[35:] = [replace(frame, camera_moved=True) for frame in frames[35:]]
    moved = [one for one in found(desk.evidence) if one.kind == "moved"]
    assert [(one.fighter, one.doubtful) for one in moved] == [("F1", True), (None, True)]
    assert moved[1].frame == 35


def test_what_the_tracker_said_is_a_moment(folder: Path) -> None:
    line = {"t": 2.0, "text": {"key": "live.plain", "values": {"text": "the camera has moved"}}}
    path = folder / "evidence" / "1" / "remarks.jsonl"
    path.write_text(json.dumps(line) + "\n" + '{"t": 3.0, "te')
    (remark,) = [one for one in found(ReviewDesk(folder).evidence) if one.kind == "remark"]
    assert remark.t == 2.0
    assert remark.text.values["text"] == "the camera has moved"
