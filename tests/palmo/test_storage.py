from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from overlay.i18n import translate
from palmo.errors import PalmoError
from palmo.storage import MatchFile, read_log_lines


def test_what_was_appended_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "new" / "match.jsonl"
    file = MatchFile(path)
    file.append(['{"format":1}', '{"n":0}'])
    file.append(['{"note": {"dice_seed": 3}}'])
    file.append(['{"n":1,"é":"ñ"}'])
    file.close()
    assert read_log_lines(path) == ['{"format":1}', '{"n":0}', "", '{"n":1,"é":"ñ"}', ""]


def test_half_a_character_in_a_reason_neither_stops_the_log_nor_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    said = {"n": 0, "reason": "no caf\ud800"}
    file = MatchFile(path)
    file.append(['{"format":1}', json.dumps(said, ensure_ascii=False), '{"n":1}'])
    assert (file.waiting, file.problem) == ([], None)
    file.close()
    lines = read_log_lines(path)
    assert json.loads(lines[1]) == said
    assert lines[2] == '{"n":1}'


def test_an_undo_hides_entries_and_keeps_them_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    file = MatchFile(path)
    file.append(['{"format":1}', '{"n":0}', '{"n":1}', '{"n":2}'])
    file.undo(1)
    file.append(['{"n":1,"again":true}'])
    file.close()
    assert read_log_lines(path) == ['{"format":1}', '{"n":0}', "", "", "", '{"n":1,"again":true}', ""]
    assert len(path.read_text().splitlines()) == 6


@pytest.mark.parametrize("cut", [1, 3, 6])
def test_a_last_line_cut_off_by_a_power_failure_is_dropped(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "match.jsonl"
    path.write_text('{"format":1}\n{"n":0}\n' + '{"n":1}'[:cut])
    assert read_log_lines(path) == ['{"format":1}', '{"n":0}', ""]


@pytest.mark.parametrize("torn", ['{"n":1,"é'.encode(), '{"n":1,"é'.encode()[:-1], b"\0" * 40])
def test_a_match_goes_on_after_a_line_that_was_cut_off(tmp_path: Path, torn: bytes) -> None:
    path = tmp_path / "match.jsonl"
    path.write_bytes(b'{"format":1}\n{"n":0}\n' + torn)
    file = MatchFile(path)
    file.append(['{"n":1}'])
    file.close()
    assert path.read_text() == '{"format":1}\n{"n":0}\n{"n":1}\n'
    assert (tmp_path / "match.jsonl.torn").read_bytes() == torn + b"\n"


def test_a_match_goes_on_after_a_whole_line_without_an_end(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    path.write_text('{"format":1}\n{"n":0}')
    file = MatchFile(path)
    file.append(['{"n":1}'])
    file.close()
    assert path.read_text() == '{"format":1}\n{"n":0}\n{"n":1}\n'
    assert [file.name for file in tmp_path.iterdir()] == ["match.jsonl"]


def test_a_file_is_not_touched_before_something_is_written(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("no log and no line end")
    MatchFile(path).close()
    assert path.read_text() == "no log and no line end"


def test_a_log_cut_off_in_its_first_line_says_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    path.write_text('{"format":1,"eng')
    with pytest.raises(PalmoError, match="only line is cut off; delete it"):
        read_log_lines(path)


def test_closing_twice_is_once_too_many_and_harmless(tmp_path: Path) -> None:
    file = MatchFile(tmp_path / "match.jsonl")
    file.append(['{"format":1}'])
    for _ in range(2):
        file.close()
    assert (tmp_path / "match.jsonl").read_text() == '{"format":1}\n'


def test_a_full_disk_keeps_the_lines_and_says_so(tmp_path: Path) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("/dev/full is a Linux device")
    file = MatchFile(full)
    file.append(['{"n":0}'])
    file.append(['{"n":1}'])
    assert file.waiting == ['{"n":0}\n', '{"n":1}\n']
    assert file.problem is not None
    assert "2 lines are kept in memory" in translate(file.problem, "en")


def test_what_could_never_be_written_is_saved_elsewhere_and_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("/dev/full is a Linux device")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    file = MatchFile(full)
    file.append(['{"n":0}', '{"n":1}'])
    with pytest.raises(PalmoError, match="/dev/full: 2 lines of the match could not be written"):
        file.close()
    (saved,) = tmp_path.iterdir()
    assert saved.read_text() == '{"n":0}\n{"n":1}\n'
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "none"))
    file = MatchFile(full)
    file.append(['{"n":2}'])
    with pytest.raises(PalmoError, match=r"1 line .* printed above"):
        file.close()
    assert capsys.readouterr().err == '{"n":2}\n'


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
    file.retry()
    assert file.problem is None
    file.append(['{"n":0}'])
    assert [json.loads(line) for line in read_log_lines(path) if line] == [{"format": 1}, {"n": 0}]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b"\xff\xfe", "not text"),
        (b'{"undo": 4}\n', "undoes entry 4"),
        (b'{"format":1}\n{"n":0}\n\n{"undo": 1}\n', "line 4: undoes entry 1"),
    ],
)
def test_a_file_that_is_no_log_gets_a_sentence(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "match.jsonl"
    path.write_bytes(content)
    with pytest.raises(PalmoError, match=words):
        read_log_lines(path)


def test_a_match_that_is_open_is_not_opened_again(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    first = MatchFile(path)
    with pytest.raises(PalmoError, match=r"match\.jsonl: this match is already open in another palmo"):
        MatchFile(path)
    first.append(['{"n":0}'])
    first.close()
    MatchFile(path).close()
    assert path.read_text() == '{"n":0}\n'


def test_a_program_that_was_killed_leaves_no_lock(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    code = (
        "import pathlib, sys; from palmo.storage import MatchFile; "
        "file = MatchFile(pathlib.Path(sys.argv[1])); print('open', flush=True); sys.stdin.read()"
    )
    other = subprocess.Popen(
        [sys.executable, "-c", code, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert other.stdout is not None
    assert other.stdout.readline() == "open\n"
    with pytest.raises(PalmoError, match="already open"):
        MatchFile(path)
    other.kill()
    other.communicate()
    MatchFile(path).close()


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no such device here")
def test_a_device_that_never_ends_is_no_log() -> None:
    with pytest.raises(PalmoError, match="not a match log"):
        read_log_lines(Path("/dev/zero"))


def test_a_log_saved_by_an_editor_that_marks_its_files_is_still_a_log(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + b'{"format":1}\r\n{"n":0}\r\n')
    assert [line.strip() for line in read_log_lines(path)] == ['{"format":1}', '{"n":0}', ""]
