"""A moved camera is said on the pages, kept in the match folder, and marked in everything measured since."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.result import RingCalibration
from calibration.solve import calibrate
from overlay.i18n import translate
from palmo.demo_files import DEMO_EVENT
from palmo.event import load_event
from palmo.judging import as_json, headline, judge, sentences
from palmo.live.feed import LiveFeed
from palmo.live.folder import MatchFolder
from palmo.live.guard import CameraGuard, GuardedTrack
from palmo.play.table import open_table
from palmo.stays import Move, moves
from rules.annotations import Banner
from rules.text import Text
from tests.calibration.rings import ideal_spec, looking_at, ring_with_posts
from vision.sources.frames import Frame
from vision.tracks import Track, TrackFrame
from vision.tracks_line import decode, encode

CAMERA = looking_at((10.0, -60.0, 95.0), focal=1000.0)
SPEC = ideal_spec(CAMERA)
STILL = ring_with_posts(CAMERA, SPEC)
MOVED = np.asarray(
    cv2.warpAffine(
        STILL, np.array([[1.0, 0, 4], [0, 1.0, -3]]), (1280, 720), borderMode=cv2.BORDER_REPLICATE
    ),
    dtype=np.uint8,
)


@pytest.fixture(scope="module")
def calibration() -> RingCalibration:
    return calibrate(SPEC, (1280, 720))


def standing(number: int, x: float = 0.0, fragment: int = 0) -> TrackFrame:
    error = {
        "fragment": fragment, "own": [0.01, 0.0, 0.01], "camera": [[], []], "figure": [[], []], "basis": "",
    }  # fmt: skip
    track = Track(
        "placed", x, 0.0, 0.1, 0.1, 0.0, 0.0, 3.0, "registered", fragment=fragment, error=error,
        outline=((x - 3, -3), (x + 3, -3), (x + 3, 3), (x - 3, 3)),
    )  # fmt: skip
    return TrackFrame(number, number / 10, {"F1": track})


def test_what_is_tracked_with_a_moved_camera_is_marked_until_it_is_put_back(
    calibration: RingCalibration, tmp_path: Path
) -> None:
    event = load_event(DEMO_EVENT)
    table = open_table(DEMO_EVENT, event, tmp_path / "match.jsonl")
    feed = LiveFeed(event, table, CAMERA)
    folder = MatchFolder(tmp_path)
    folder.evidence = tmp_path
    told: list[Text] = []
    guard = CameraGuard(Frame(0, 0.0, STILL), calibration)
    track = GuardedTrack(lambda frame: standing(frame.index), guard, feed, folder, told.append)

    def passed(start: int, picture: np.ndarray) -> list[TrackFrame]:
        return [track(Frame(n, n / 10, picture)) for n in range(start, start + 25)]

    def notices() -> list[str]:
        return [translate(notice.text, "es") for notice in feed.panel().notices]

    assert not any(frame.camera_moved for frame in passed(0, STILL))
    assert notices() == []
    moved = passed(25, MOVED)
    assert all(frame.camera_moved for frame in moved[20:])
    assert any("la cámara se ha movido desde la calibración, unos 5 px" in line for line in notices())
    drawn = feed.see(Frame(50, 5.0, MOVED), moved[-1])
    assert Text("guard.on_air") in [one.text for one in drawn if isinstance(one, Banner)]
    back = passed(51, STILL)
    assert not any(frame.camera_moved for frame in back[20:])
    assert notices() == []
    table.close()
    kept = [json.loads(line)["text"]["key"] for line in (tmp_path / "remarks.jsonl").read_text().splitlines()]
    assert kept == ["warning.guard.moved", "guard.again"] == [text.key for text in told]


def test_in_a_recording_everything_is_marked_since_the_camera_was_last_seen_in_its_place(
    calibration: RingCalibration,
) -> None:
    guard = CameraGuard(Frame(0, 0.0, STILL), calibration)
    for n in range(60):
        guard.see(Frame(n, n / 10, MOVED if n >= 30 else STILL))
    marked = [frame.frame for frame in guard.marked([standing(n) for n in range(60)]) if frame.camera_moved]
    assert set(range(30, 60)) <= set(marked) <= set(range(20, 60))


def test_a_verdict_measured_with_a_moved_camera_says_so() -> None:
    frames = [standing(n) for n in range(5)] + [standing(n, 9.0, 1) for n in range(5, 10)]
    event = load_event(DEMO_EVENT)

    def judged(moved_from: int) -> tuple[str, str, bool]:
        told = [decode(encode(one)) for one in frames]
        told = [TrackFrame(f.frame, f.t, f.fighters, f.frame >= moved_from) for f in told]
        (move,) = moves(told)
        one = judge(event, Move(move.before, move.after))
        whole = " ".join(translate(text, "en") for text in sentences(one))
        return translate(headline(one), "en"), whole, as_json(one)["camera_moved"]

    head, whole, flag = judged(8)
    assert flag
    assert "the camera has moved since the calibration" in head
    assert "the camera has moved since the calibration" in whole
    head, whole, flag = judged(99)
    assert not flag
    assert "the camera has moved" not in head + whole


def test_a_tracks_line_keeps_the_mark() -> None:
    frame = TrackFrame(0, 0.0, {}, camera_moved=True)
    assert decode(encode(frame)) == frame
    assert "camera_moved" not in encode(TrackFrame(0, 0.0, {}))


def test_without_a_ring_in_the_picture_it_says_that_nothing_is_noticed(
    calibration: RingCalibration, tmp_path: Path
) -> None:
    event = load_event(DEMO_EVENT)
    table = open_table(DEMO_EVENT, event, tmp_path / "match.jsonl")
    feed = LiveFeed(event, table, CAMERA)
    plain = np.full_like(STILL, 90)
    guard = CameraGuard(Frame(0, 0.0, plain), calibration)
    track = GuardedTrack(lambda frame: standing(frame.index), guard, feed, MatchFolder(tmp_path), print)
    assert not track(Frame(1, 1.0, plain)).camera_moved
    assert [notice.text.key for notice in feed.panel().notices] == ["guard.unwatched"]
    table.close()
