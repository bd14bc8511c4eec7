from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from overlay.i18n import translate
from palmo.live.folder import RESERVE_BYTES, MatchFolder
from palmo.recorder import AGAIN_S
from rules.scene import Figure
from tests.palmo.live.tables import frame, tracked
from vision.tracks_file import read_tracks


def test_a_folder_without_a_picture_has_no_empty_files(tmp_path: Path) -> None:
    MatchFolder(tmp_path / "match").close()
    assert list((tmp_path / "match").iterdir()) == []


def test_positions_leave_the_last_of_the_disk_to_the_match_log(
    figures: dict[str, Figure], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = MatchFolder(tmp_path)
    folder.write(frame(0), tracked(0, figures))
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=RESERVE_BYTES - 1))
    folder.write(frame(1), tracked(1, figures))
    assert "kept for the match log" in translate(folder.problems["tracks"], "en")
    folder.close()
    folder.close()
    assert [one.frame for one in read_tracks(tmp_path / "tracks.jsonl")] == [0]


def test_when_the_disk_has_room_again_positions_go_on_in_another_file(
    figures: dict[str, Figure], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    free, now = [10 * RESERVE_BYTES], [0.0]
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=free[0]))
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    folder = MatchFolder(tmp_path)
    folder.write(frame(0), tracked(0, figures))
    free[0] = 0
    folder.write(frame(1), tracked(1, figures))
    free[0] = 10 * RESERVE_BYTES
    folder.write(frame(2), tracked(2, figures))
    assert "tracks" in folder.problems, "not tried again with every frame"
    now[0] += AGAIN_S
    folder.write(frame(3), tracked(3, figures))
    assert folder.problems == {}
    folder.close()
    written = [[one.frame for one in read_tracks(path)] for path in sorted(tmp_path.glob("tracks*.jsonl"))]
    assert sorted(written) == [[0], [3]]
