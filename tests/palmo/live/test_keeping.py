from __future__ import annotations

import threading
from pathlib import Path

import pytest

from overlay.i18n import translate
from palmo.live.feed import LiveFeed
from palmo.live.keeping import LogKeeper
from palmo.play.table import MatchTable


def test_what_waits_is_written_as_soon_as_there_is_room_without_an_answer(
    feed: LiveFeed, table: MatchTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, written = tmp_path / "match.jsonl", threading.Event()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("palmo.storage.MatchFile._write", full)
        table.note(hello=1)
        feed.retry_log()
        (notice,) = feed.panel().notices
        assert "No space left" in translate(notice.text, "en")
        assert "hello" not in log.read_text()

    def retry() -> None:
        feed.retry_log()
        written.set()

    with LogKeeper(retry, every_s=0.01):
        assert written.wait(30)
    assert "hello" in log.read_text()
    assert feed.panel().notices == ()


def test_a_fault_in_trying_does_not_end_it(caplog: pytest.LogCaptureFixture) -> None:
    tried = threading.Semaphore(0)

    def broken() -> None:
        tried.release()
        raise ZeroDivisionError

    with LogKeeper(broken, every_s=0.001):
        for _ in range(3):
            assert tried.acquire(timeout=30)
    assert "could not be tried again" in caplog.text
