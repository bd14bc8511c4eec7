"""The camera is knocked during a match and calibrated again: what was measured before stays as it was."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, expect

from overlay.i18n import translate
from overlay.setup.desk import NotSo, Point, Points
from palmo.demo_files import DEMO_CLIP, DEMO_EVENT
from palmo.errors import PalmoError
from palmo.event import load_event
from palmo.live.again import CalibrateAgain
from palmo.live.eyes import Eyes
from palmo.live.serving import free_port
from palmo.live.taught_again import Seen
from palmo.recorder import VideoWriter
from palmo.review.evidence import open_evidence
from palmo.review.setup_file import sessions
from palmo.workbench import open_workbench
from rules.text import Text
from tests.overlay.browsing import box_of, needs_chromium
from vision.arrays import Image
from vision.sources.frames import Frame
from vision.sources.open import open_source
from vision.tracks import Track, TrackFrame

# As a knock of a tripod moves the picture, px.
SHIFT = (7.0, -4.0)
DEMO = load_event(DEMO_EVENT)
TRUTH = json.loads((DEMO_CLIP.parent / "truth.json").read_text(encoding="utf-8"))
NAMES = [fighter.id for fighter in DEMO.fighter]


def knocked(image: Image) -> Image:
    matrix = np.array([[1.0, 0.0, SHIFT[0]], [0.0, 1.0, SHIFT[1]]])
    moved = cv2.warpAffine(image, matrix, (1280, 720), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.uint8)


def shifted(points: list[list[float]] | None) -> Points:
    return [(u + SHIFT[0], v + SHIFT[1]) for u, v in points or []]


def still_pictures(count: int) -> Iterator[Image]:
    """The clip's first pictures, before any hand comes, again and again."""
    with open_source(str(DEMO_CLIP)) as source:
        images = [frame.image for frame in islice(source, 6)]
    for number in range(count):
        yield images[number % len(images)]


@pytest.fixture
def event(tmp_path: Path) -> Path:
    path = tmp_path / "event.toml"
    path.write_bytes(DEMO_EVENT.read_bytes())
    return path


class Loop:
    """Eyes that are shown pictures by the test; takes what is calibrated again and counts on."""

    def __init__(self, event: Path) -> None:
        with open_workbench(str(DEMO_CLIP), event) as bench:
            pipeline = bench.pipeline()
            seen = Seen(bench, event.read_text(encoding="utf-8"), pipeline)
        self.eyes = Eyes(pipeline.update)
        self.again = CalibrateAgain(seen, self.eyes, self.take)
        self.said: list[Text] = []
        self.number = 0
        self.seen_as: Callable[[Image], Image] = lambda image: image

    def take(self, seen: Seen, frame: Frame, said: Text) -> Callable[[Frame], TrackFrame]:
        self.said.append(said)
        return seen.pipeline.update

    def show(self, images: Iterator[Image]) -> TrackFrame:
        for image in images:
            tracked = self.eyes(Frame(self.number, self.number / 10, image))
            self.number += 1
        return tracked

    def measured(self) -> TrackFrame:
        """Show the knocked pictures until everybody is measured, beside the loop."""
        for _ in range(2000):
            tracked = self.show(knocked(one) for one in still_pictures(1))
            if all(track.error is not None for track in tracked.fighters.values()):
                return tracked
            time.sleep(0.02)
        pytest.fail("not everybody was measured")

    def save(self, corners: Points, tops: Points, feet: Mapping[str, Point] | None = None) -> Text:
        """Save while pictures go on coming; raises what saving raises."""
        found: list[Text | Exception] = []

        def save() -> None:
            try:
                found.append(self.again.save(corners, tops, feet or {}))
            except NotSo as error:
                found.append(error)

        saving = threading.Thread(target=save)
        saving.start()
        while saving.is_alive():
            self.show(knocked(self.seen_as(one)) for one in still_pictures(1))
            saving.join(0.05)
        (outcome,) = found
        if isinstance(outcome, Exception):
            raise outcome
        return outcome


@pytest.mark.nightly
def test_figures_stand_where_they_stood_and_look_where_they_looked(event: Path) -> None:
    loop = Loop(event)
    before = loop.show(still_pictures(8))
    after = loop.show(knocked(one) for one in still_pictures(8))
    # With the old calibration everybody seems to have moved.
    assert all(away(before.fighters[name], after.fighters[name]) > 0.3 for name in NAMES)
    corners, _ = loop.again.propose()
    assert np.array(corners) == pytest.approx(np.array(shifted(DEMO.ring.corners_px)), abs=3.0)
    said = loop.save(shifted(DEMO.ring.corners_px), shifted(DEMO.ring.post_tops_px))
    assert "calibrated again" in translate(said, "en")
    anew = loop.show(knocked(one) for one in still_pictures(16))
    for name in NAMES:
        old, track = before.fighters[name], anew.fighters[name]
        assert track.state == "placed"
        # Without a tap on its feet its error bar is wider, and holds.
        assert doubt(track) > doubt(old)
        assert off(track, name) < 3.7 * doubt(track)
        assert track.facing_deg == pytest.approx(old.facing_deg, abs=1.0)
    now = load_event(event)
    assert now.ring.picture_px == [1280, 720]
    assert np.array(now.ring.corners_px) == pytest.approx(np.array(shifted(DEMO.ring.corners_px)), abs=0.06)
    assert [one.foot_px for one in now.fighter] == [None] * len(DEMO.fighter)
    assert [one.name for one in now.fighter] == [one.name for one in DEMO.fighter]


@pytest.mark.nightly
def test_feet_that_are_tapped_again_make_places_as_sure_as_before(event: Path) -> None:
    loop = Loop(event)
    before = loop.show(still_pictures(8))
    loop.show(knocked(one) for one in still_pictures(8))
    loop.again.look()
    assert loop.again.fighters() == [(one.id, one.name) for one in DEMO.fighter]
    ring = shifted(DEMO.ring.corners_px), shifted(DEMO.ring.post_tops_px)
    feet = {
        one.id: (one.foot_px[0] + SHIFT[0], one.foot_px[1] + SHIFT[1])
        for one in DEMO.fighter[:3]
        if one.foot_px is not None
    }
    # A tap beside its figure is said, and nothing has changed.
    seen = loop.again.seen
    with pytest.raises(NotSo) as refused:
        loop.save(*ring, {"F1": (900.0, 600.0)})
    assert "tap" in translate(refused.value.text, "en")
    with pytest.raises(NotSo):
        loop.save(*ring, {"F9": (900.0, 600.0)})
    assert loop.again.seen is seen
    assert event.read_bytes() == DEMO_EVENT.read_bytes()
    loop.save(*ring, feet)
    anew = loop.measured()
    for name in NAMES:
        old, track = before.fighters[name], anew.fighters[name]
        assert (doubt(track) < 1.2 * doubt(old)) == (name in feet)
        assert off(track, name) < 3.7 * doubt(track)
    now = load_event(event)
    assert [one.foot_px is not None for one in now.fighter] == [one.id in feet for one in DEMO.fighter]


def test_a_tap_says_nothing_of_a_figure_that_was_moved_since(
    event: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop = Loop(event)
    loop.show(still_pictures(4))
    loop.again.look()
    track = loop.again.seen.pipeline.update

    def moved(frame: Frame) -> TrackFrame:
        tracked = track(frame)
        one = tracked.fighters["F1"]
        return replace(
            tracked, fighters={**tracked.fighters, "F1": replace(one, fragment=(one.fragment or 0) + 1)}
        )

    monkeypatch.setattr(loop.eyes, "_track", moved)
    loop.show(still_pictures(1))
    with pytest.raises(NotSo) as refused:
        loop.again.save(
            shifted(DEMO.ring.corners_px), shifted(DEMO.ring.post_tops_px), {"F1": (468.0, 206.0)}
        )
    assert "El Santo de Barro was moved" in translate(refused.value.text, "en")


@pytest.mark.slow
def test_who_has_left_the_table_is_named_and_no_longer_followed(event: Path) -> None:
    loop = Loop(event)
    loop.show(still_pictures(6))

    def without_f5(image: Image) -> Image:
        gone = image.copy()
        # The mat beside it is put where it stood.
        gone[80:200, 600:690] = image[80:200, 510:600]
        return gone

    for _ in range(4):
        loop.show(knocked(without_f5(one)) for one in still_pictures(6))
    loop.seen_as = without_f5
    said = loop.save(shifted(DEMO.ring.corners_px), shifted(DEMO.ring.post_tops_px))
    tracked = loop.show(knocked(without_f5(one)) for one in still_pictures(2))
    assert "El Zanahorio" in translate(said, "es")
    assert "F5" not in tracked.fighters
    assert len(tracked.fighters) == len(DEMO.fighter) - 1


def test_clicks_that_cannot_be_leave_everything_as_it_was(event: Path) -> None:
    loop = Loop(event)
    loop.show(still_pictures(4))
    seen = loop.again.seen
    with pytest.raises(NotSo):
        loop.again.save([(100.0, 100.0)] * 4, shifted(DEMO.ring.post_tops_px))
    assert loop.again.seen is seen
    assert event.read_bytes() == DEMO_EVENT.read_bytes()
    assert not loop.said


def test_without_a_picture_it_cannot_be_done() -> None:
    eyes = Eyes(lambda frame: TrackFrame(frame.index, frame.t))
    with pytest.raises(PalmoError, match="no picture"):
        eyes.now()


@pytest.mark.parametrize("noticed", [30, 28, 100])
def test_the_picture_of_now_holds_nothing_of_before_the_knock_with_a_slow_camera_either(noticed: int) -> None:
    """Whether the guard notices late, at once, or not at all within these pictures."""
    eyes = Eyes(lambda frame: TrackFrame(frame.index, frame.t, camera_moved=frame.index >= noticed))
    knock = 28
    for number in range(min(noticed, 40) + 1):
        image = np.full((4, 4, 3), 255 if number >= knock else 0, np.uint8)
        eyes(Frame(number, number / 2, image))
    picture, moment = eyes.now()
    assert picture.min() == 255
    assert moment.frame.index == number


def test_an_exchange_that_fails_is_raised_where_it_was_asked_for() -> None:
    eyes = Eyes(lambda frame: TrackFrame(frame.index, frame.t))
    failed: list[Exception] = []

    def ask() -> None:
        try:
            eyes.exchange(lambda frame: 1 / 0)  # type: ignore[arg-type, return-value]
        except ZeroDivisionError as error:
            failed.append(error)

    asking = threading.Thread(target=ask)
    asking.start()
    picture = np.zeros((4, 4, 3), np.uint8)
    while asking.is_alive():
        assert eyes(Frame(0, 0.0, picture)).t == 0.0
        asking.join(0.01)
    assert failed


def off(track: Track, name: str) -> float:
    """How far a figure was measured from where it stands, in cm."""
    truth = TRUTH["frames"][0]["fighters"][name]
    return float(np.hypot((track.x or 0.0) - truth["x"], (track.y or 0.0) - truth["y"]))


def doubt(track: Track) -> float:
    """The sd of a place, both axes together, in cm."""
    assert track.sx is not None
    assert track.sy is not None
    return float(np.hypot(track.sx, track.sy))


def away(one: Track, other: Track) -> float:
    assert one.x is not None
    assert one.y is not None
    assert other.x is not None
    assert other.y is not None
    return float(np.hypot(one.x - other.x, one.y - other.y))


@pytest.mark.browser
@pytest.mark.slow
@needs_chromium
def test_the_referee_calibrates_again_in_the_browser(browser: Browser, event: Path, tmp_path: Path) -> None:
    clip, folder, port = tmp_path / "knocked.mp4", tmp_path / "match", free_port(8147) or 8148
    with VideoWriter(clip, (1280, 720), 2) as writer:
        for number, image in enumerate(still_pictures(400)):
            writer.write(image if number < 16 else knocked(image), number / 2)
    command = [sys.executable, "-m", "palmo", "live", "--source", clip, "--event", event, "--folder", folder]
    match = subprocess.Popen(
        [*map(str, command), "--port", str(port), "--lang", "en"], stderr=subprocess.PIPE
    )
    assert match.stderr is not None
    while b"Ctrl-C" not in (line := match.stderr.readline()):
        assert line, "the match did not begin"
    page = browser.new_page(viewport={"width": 1100, "height": 800}, has_touch=True)
    page.goto(f"http://127.0.0.1:{port}/?lang=en")
    expect(page.locator("#remark")).to_contain_text("the camera has moved", timeout=40_000)
    page.get_by_role("link", name="Calibrate again").tap()
    # Proposed at once from the picture of now.
    expect(page.locator("#verdict")).not_to_be_empty(timeout=60_000)
    page.locator("#tab-feet").tap()
    expect(page.locator("#hint")).to_contain_text("El Santo de Barro: tap the middle of its feet")
    box = box_of(page.locator("#picture"))
    scale = box["width"] / 1280
    page.touchscreen.tap(box["x"] + (468 + SHIFT[0]) * scale, box["y"] + (206 + SHIFT[1]) * scale)
    expect(page.locator("#feet-chips button").first).to_have_class("chip done")
    page.locator("#feet-save").tap()
    expect(page.locator("#message")).to_contain_text("calibrated again", timeout=60_000)
    page.wait_for_timeout(3_000)
    page.locator("#back").tap()
    expect(page.locator("#remark")).not_to_contain_text("the camera has moved")
    expect(page.locator("#panel .notices")).to_contain_text("calibrated again")
    page.close()
    match.send_signal(signal.SIGINT)
    assert match.wait(30) == 0
    match.stderr.close()
    assert sessions(folder) == [1, 2]
    notes = [
        json.loads(line)["note"]
        for line in (folder / "match.jsonl").read_text(encoding="utf-8").splitlines()
        if '"note"' in line
    ]
    first, second = [note["calibration"]["sha256"] for note in notes if "calibration" in note]
    old, new = open_evidence(folder, 1), open_evidence(folder, 2)
    assert (old.setup.camera_sha256, new.setup.camera_sha256) == (first, second)
    assert first != second
    assert old.frames[0].camera_moved is False
    assert old.frames[-1].camera_moved is True
    assert not any(frame.camera_moved for frame in new.frames)
    assert old.frames[-1].t < new.frames[0].t
    # Both say the same of the same place.
    for name in NAMES:
        track = new.frames[-1].fighters[name]
        assert off(track, name) < 3.7 * doubt(track)
    assert [one.foot_px is not None for one in load_event(event).fighter] == [True, *[False] * 5]
    assert {path.name for path in folder.glob("tracks*.jsonl")} == {"tracks.jsonl", "tracks-2.jsonl"}
