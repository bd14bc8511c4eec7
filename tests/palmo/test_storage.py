from __future__ import annotations

import json
from pathlib import Path

import pytest

from palmo.errors import PalmoError
from palmo.storage import MatchFile, read_log_lines


def test_what_was_appended_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "new" / "match.jsonl"
    file = MatchFile(path)
    file.append(['{"format":1}', '{"n":0}'])
    file.append(['{"note": {"dice_seed": 3}}'])
    file.append(['{"n":1,"é":"ñ"}'])
    file.close()
    assert read_log_lines(path) == ['{"format":1}', '{"n":0}', '{"n":1,"é":"ñ"}']


def test_an_undo_hides_entries_and_keeps_them_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    file = MatchFile(path)
    file.append(['{"format":1}', '{"n":0}', '{"n":1}', '{"n":2}'])
    file.undo(1)
    file.append(['{"n":1,"again":true}'])
    file.close()
    assert read_log_lines(path) == ['{"format":1}', '{"n":0}', '{"n":1,"again":true}']
    assert len(path.read_text().splitlines()) == 6


@pytest.mark.parametrize("cut", [1, 3, 6])
def test_a_last_line_cut_off_by_a_power_failure_is_dropped(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "match.jsonl"
    path.write_text('{"format":1}\n{"n":0}\n' + '{"n":1}'[:cut])
    assert read_log_lines(path) == ['{"format":1}', '{"n":0}']


def test_a_full_disk_keeps_the_lines_and_says_so(tmp_path: Path) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("/dev/full is a Linux device")
    file = MatchFile(full)
    file.append(['{"n":0}'])
    file.append(['{"n":1}'])
    assert file.waiting == ['{"n":0}\n', '{"n":1}\n']
    assert file.problem is not None
    assert "2 lines are kept in memory" in file.problem


def test_lines_that_waited_are_written_first_once_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "match.jsonl"
    file = MatchFile(path)

    def full(data: bytes) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(file, "_write", full)
        file.append(['{"format":1}'])
        assert file.problem
    file.append(['{"n":0}'])
    assert file.problem is None
    assert [json.loads(line) for line in read_log_lines(path)] == [{"format": 1}, {"n": 0}]


@pytest.mark.parametrize(
    ("content", "words"), [(b"", "is empty"), (b"\xff\xfe", "not text"), (b'{"undo": 4}\n', "undoes entry 4")]
)
def test_a_file_that_is_no_log_gets_a_sentence(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "match.jsonl"
    path.write_bytes(content)
    with pytest.raises(PalmoError, match=words):
        read_log_lines(path)
