from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from calibration.sentences import Said
from overlay.feed import Refused
from overlay.i18n import translate
from palmo.live.deciding import NOBODY_SAW
from palmo.live.feed import LiveFeed
from palmo.live.folder import MatchFolder
from palmo.live.loop import LiveLoop
from rules.annotations import Banner
from rules.scene import Figure
from rules.text import Text
from tests.palmo.live.tables import frame, tracked
from vision.fighters import about
from vision.sources.frames import Frame, SourceError
from vision.tracks import TrackFrame
from vision.tracks_file import read_tracks

Figures = dict[str, Figure]


def following(figures: Figures) -> Callable[[Frame], TrackFrame]:
    return lambda one: tracked(one.index, figures)


def run(loop: LiveLoop) -> None:
    loop.start()
    assert loop.wait(30)


def notices(feed: LiveFeed) -> list[str]:
    return [notice.text.key for notice in feed.panel().notices]


def test_every_frame_is_shown_and_written(feed: LiveFeed, figures: Figures, tmp_path: Path) -> None:
    folder = MatchFolder(tmp_path / "match")
    run(LiveLoop([frame(n) for n in range(5)], following(figures), feed, folder=folder))
    assert feed.board.snapshot is not None
    assert feed.board.snapshot.frame == 4
    assert [one.frame for one in read_tracks(tmp_path / "match" / "tracks.jsonl")] == [0, 1, 2, 3, 4]
    assert notices(feed) == ["live.ended"]


def test_a_frame_that_cannot_be_followed_does_not_stop_the_next(feed: LiveFeed, figures: Figures) -> None:
    seen = []

    def track(one: Frame) -> TrackFrame:
        seen.append(one.index)
        if one.index == 2:
            raise ZeroDivisionError
        return tracked(one.index, figures)

    loop = LiveLoop([frame(n) for n in range(5)], track, feed)
    run(loop)
    assert seen == [0, 1, 2, 3, 4]
    assert notices(feed) == ["live.ended"]
    assert loop.failure is None


def test_a_source_that_breaks_is_said_and_the_match_can_go_on(feed: LiveFeed, figures: Figures) -> None:
    def frames() -> Iterator[Frame]:
        yield frame(0)
        raise SourceError(Said("error.source.silent", "{name}: gone", name="camera 0"))

    loop = LiveLoop(frames(), following(figures), feed)
    run(loop)
    assert str(loop.failure) == "camera 0: gone"
    assert notices(feed) == ["error.source.silent"]
    with pytest.raises(Refused):
        feed.look(0)
    feed.answer(0, NOBODY_SAW)
    assert feed.panel().turn == 1


def test_missing_pictures_are_said(feed: LiveFeed, figures: Figures) -> None:
    run(LiveLoop([frame(0), frame(7, gap=True)], following(figures), feed))
    assert "live.gap" in notices(feed)


def test_a_clip_that_begins_again_lacks_no_pictures(feed: LiveFeed, figures: Figures) -> None:
    run(LiveLoop([frame(0), replace(frame(7, gap=True), again=True)], following(figures), feed))
    assert "live.gap" not in notices(feed)
    assert "live.round" in notices(feed)


def test_a_source_that_is_silent_is_said_across_the_picture(
    feed: LiveFeed, figures: Figures, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("palmo.live.loop._SILENT_S", 0.2)
    let_go = False

    def frames() -> Iterator[Frame]:
        yield frame(0)
        while not let_go:
            time.sleep(0.02)
        yield frame(1)

    loop = LiveLoop(frames(), following(figures), feed)
    loop.start()
    deadline = time.monotonic() + 20
    while "live.gone" not in notices(feed):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    shown = feed.board.snapshot
    assert shown is not None
    assert any(isinstance(one, Banner) and one.text.key == "live.gone" for one in shown.annotations)
    assert feed.panel().sighting == Text("live.blind.silent")
    with pytest.raises(Refused):
        feed.look(0)
    assert feed.panel().turn == 0
    let_go = True
    assert loop.wait(20)
    assert "live.gone" not in notices(feed)


def test_a_source_that_lost_its_connection_is_not_looked_at_even_before_it_is_silent_for_long(
    feed: LiveFeed, figures: Figures, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("palmo.live.loop._SILENT_S", 1e9)
    let_go = threading.Event()

    def frames() -> Iterator[Frame]:
        yield frame(0)
        let_go.wait(20)
        yield frame(1, gap=True)

    loop = LiveLoop(frames(), following(figures), feed, connected=let_go.is_set)
    loop.start()
    deadline = time.monotonic() + 20
    while feed.panel().sighting != Text("live.blind.silent"):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    let_go.set()
    assert loop.wait(20)
    assert feed.panel().sighting == Text("live.blind.ended")


def test_a_clip_that_is_over_is_not_looked_at(feed: LiveFeed, figures: Figures) -> None:
    run(LiveLoop([frame(0)], following(figures), feed))
    assert feed.panel().sighting == Text("live.blind.ended")
    with pytest.raises(Refused):
        feed.look(0)


def test_a_picture_that_could_not_be_followed_is_not_answered_from_the_one_before(
    feed: LiveFeed, figures: Figures
) -> None:
    def track(one: Frame) -> TrackFrame:
        if one.index:
            raise ZeroDivisionError
        return tracked(one.index, figures)

    def frames() -> Iterator[Frame]:
        yield frame(0)
        assert feed.panel().sighting is None
        yield frame(1)
        assert feed.panel().sighting == Text("live.blind.failed")

    run(LiveLoop(frames(), track, feed))


def test_a_full_disk_stops_no_match(
    feed: LiveFeed, figures: Figures, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = MatchFolder(tmp_path / "match")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("vision.tracks_file.TracksWriter.write", full)
    run(LiveLoop([frame(n) for n in range(3)], following(figures), feed, folder=folder))
    assert feed.board.snapshot is not None
    assert feed.board.snapshot.frame == 2
    assert "live.tracks" in notices(feed)


def test_a_match_folder_is_never_overwritten(figures: Figures, tmp_path: Path) -> None:
    for _ in range(2):
        folder = MatchFolder(tmp_path / "match")
        folder.write(frame(0), tracked(0, figures))
        folder.close()
    assert sorted(path.name for path in (tmp_path / "match").iterdir()) == ["tracks-2.jsonl", "tracks.jsonl"]


def test_what_source_and_tracker_have_to_say_is_shown_and_told_once(
    feed: LiveFeed, figures: Figures, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("palmo.live.loop._EVENT_POLL_S", 0.0)
    said: list[Said] = []
    told: list[Text] = []

    def tap(away: float) -> Said:
        return about("F1", Said("warning.tap", "foot_px lies {away:.1f} cm away", away=away))

    def frames() -> Iterator[Frame]:
        yield frame(0)
        said.extend(
            [tap(3.1), Said("warning.silent", "{name}: {seconds:.1f} s", name="camera 0", seconds=2.0)]
        )
        yield frame(1)
        yield frame(2)
        said[0] = tap(3.2)
        yield frame(3)

    run(LiveLoop(frames(), following(figures), feed, warnings=lambda: said, tell=told.append))
    assert [text.key for text in told] == ["error.about", "warning.silent"]
    (shown,) = [notice.text for notice in feed.panel().notices if notice.text.key == "error.about"]
    names = feed.panel().names
    assert translate(shown, "en", names).startswith("fighter El Santo de Barro: foot_px lies 3.2 cm from")
    assert translate(shown, "es", names).startswith("luchador El Santo de Barro: foot_px queda a 3,2 cm de")


def test_stopping_ends_after_the_frame_in_work(feed: LiveFeed, figures: Figures) -> None:
    def endless() -> Iterator[Frame]:
        number = 0
        while True:
            yield frame(number)
            number += 1

    loop = LiveLoop(endless(), following(figures), feed)
    loop.start()
    loop.stop()
    assert loop.wait(20)
