"""A match log that fails in the middle of a session: nothing is lost, it is said, and the match goes on."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import pytest

from overlay.i18n import translate
from palmo.demo_files import DEMO_CLIP, DEMO_EVENT
from palmo.errors import PalmoError
from palmo.event import Event
from palmo.live.feed import LiveFeed
from palmo.live.session import run_live
from palmo.play.table import MatchTable, open_table, replayed
from palmo.storage import MatchFile, read_log_lines
from tests.palmo.live.tables import CAMERA
from vision.sources.open import open_source


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "match" / "match.jsonl"


@pytest.fixture
def table(event: Event, tmp_path: Path, log: Path) -> Iterator[MatchTable]:
    opened = open_table(tmp_path / "event.toml", event, log, seed=5)
    yield opened
    opened.close()


@pytest.fixture
def feed(event: Event, table: MatchTable) -> LiveFeed:
    return LiveFeed(event, table, CAMERA)


def play(feed: LiveFeed, answers: int) -> None:
    """Answers of every kind that come up, with an undo in between."""
    for number in range(answers):
        panel = feed.panel()
        request = panel.request
        assert request is not None
        if request.kind == "roll":
            feed.roll(panel.turn)
        else:
            legal = [option.id for option in request.options if option.legal]
            feed.answer(panel.turn, "pass" if "pass" in legal else legal[-1])
        if number % 5 == 3:
            feed.undo(feed.panel().turn)
            feed.redo(feed.panel().turn)


def same(log: Path, table: MatchTable) -> bool:
    """Whether a log tells the match as it stands on the table."""
    again = replayed(log)
    return [entry.to_json() for entry in again.log.entries] == [
        entry.to_json() for entry in table.match.log.entries
    ]


def refusing(number: int) -> Callable[..., None]:
    def refuse(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    return refuse


@pytest.mark.parametrize(
    ("number", "words"), [(28, "no queda espacio"), (30, "solo lectura"), (5, "error de")]
)
def test_while_the_disk_refuses_lines_wait_and_are_written_in_order_when_it_takes_them_again(
    number: int,
    words: str,
    feed: LiveFeed,
    table: MatchTable,
    log: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    play(feed, 6)
    before = log.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr("palmo.storage.MatchFile._write", refusing(number))
        play(feed, 6)
        (notice,) = [one for one in feed.panel().notices if one.text.key == "error.log.waits"]
        assert words in translate(notice.text, "es")
        assert notice.tone == "illegal"
        assert log.read_bytes() == before
    feed.retry_log()
    assert feed.panel().notices == ()
    play(feed, 3)
    assert same(log, table)


def test_what_the_disk_never_took_is_put_elsewhere_and_together_it_is_the_whole_match(
    event: Event, log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = open_table(tmp_path / "event.toml", event, log, seed=5)
    feed = LiveFeed(event, table, CAMERA)
    play(feed, 6)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("palmo.storage.MatchFile._write", refusing(28))
    play(feed, 6)
    with pytest.raises(PalmoError) as ended:
        table.close()
    (elsewhere,) = tmp_path.glob("palmo-match-*.jsonl")
    assert str(elsewhere) in str(ended.value)
    assert len(str(ended.value).splitlines()) == 1
    log.write_bytes(log.read_bytes() + elsewhere.read_bytes())
    assert same(log, table)


def removed(log: Path) -> None:
    log.unlink()


def folder_removed(log: Path) -> None:
    shutil.rmtree(log.parent)


def replaced(log: Path) -> None:
    other = log.with_name("edited")
    other.write_text("somebody's own words\n")
    other.replace(log)


def emptied(log: Path) -> None:
    log.write_bytes(b"")


@pytest.mark.parametrize("trouble", [removed, folder_removed, replaced, emptied])
@pytest.mark.parametrize("noticed_by", ["the next answer", "the keeper"])
def test_a_log_that_is_taken_away_is_put_back_whole(
    trouble: Callable[[Path], None],
    noticed_by: str,
    feed: LiveFeed,
    table: MatchTable,
    log: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    play(feed, 6)
    trouble(log)
    if noticed_by == "the keeper":
        feed.retry_log()
        assert same(log, table)
    play(feed, 6)
    assert same(log, table)
    assert [line for line in caplog.messages if "is whole again" in line] == caplog.messages[:1]
    assert len(caplog.messages) == 1
    with pytest.raises(PalmoError, match="already open"):
        MatchFile(log)
    others = [path.read_text() for path in log.parent.glob("*.other")]
    assert others == (["somebody's own words\n"] if trouble is replaced else [])


def test_a_log_that_cannot_be_put_back_is_put_elsewhere_whole(
    event: Event, log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = open_table(tmp_path / "event.toml", event, log, seed=5)
    feed = LiveFeed(event, table, CAMERA)
    play(feed, 6)
    shutil.rmtree(log.parent)
    log.parent.write_text("no folder any more")
    play(feed, 6)
    assert [one.text.key for one in feed.panel().notices] == ["error.log.waits"]
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(PalmoError, match="put that file in its place"):
        table.close()
    (elsewhere,) = tmp_path.glob("palmo-match-*.jsonl")
    assert same(elsewhere, table)


@pytest.mark.slow
def test_a_live_session_whose_disk_fills_ends_with_one_sentence_and_everything_else_in_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clip, folder = tmp_path / "clip", tmp_path / "match"
    clip.mkdir()
    with open_source(str(DEMO_CLIP)) as source:
        for number, frame in zip(range(3), source, strict=False):
            cv2.imwrite(str(clip / f"{number}.png"), frame.image)
    whole = MatchFile._write

    def full(self: MatchFile, data: bytes) -> None:
        if b'"calibration"' in data:
            raise OSError(28, "No space left on device")
        whole(self, data)

    monkeypatch.setattr(MatchFile, "_write", full)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(PalmoError, match=r"match\.jsonl: 1 line of the match could not be written") as ended:
        run_live(str(clip), DEMO_EVENT, port=0, folder=folder, until_end=True, say=lambda _: None)
    assert len(str(ended.value).splitlines()) == 1
    assert {"match.jsonl", "tracks.jsonl", "evidence"} <= {path.name for path in folder.iterdir()}
    assert any((folder / "evidence" / "1").glob("*.mp4"))
    (elsewhere,) = tmp_path.glob("palmo-match-*.jsonl")
    assert '"calibration"' in elsewhere.read_text()
    assert sum(1 for line in read_log_lines(folder / "match.jsonl") if line) == 1
