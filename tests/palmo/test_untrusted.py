"""Logs, tracks and truths may come from anybody: nothing in them steers the terminal of who reads them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from palmo.cli import run
from palmo.commands.common import console
from palmo.errors import visible
from palmo.event import Event
from palmo.play.layout import starting_layout
from palmo.play.table import open_table

# Sets the title of the window, colours what follows (in both ways of writing it), turns the line around.
EVIL = "Evil\x1b]0;owned\x07\x1b[31m\x9b2J\u202e"
STEERS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@pytest.fixture
def log(event: Event, tmp_path: Path) -> Path:
    """A match of one answer whose header carries a name that steers."""
    path = tmp_path / "match.jsonl"
    table = open_table(tmp_path / "event.toml", event, path, seed=1)
    table.answer(starting_layout(table.match.log.header.roster), "referee")
    table.close()
    header, *entries = path.read_text(encoding="utf-8").splitlines()
    assert "El Santo de Barro" in header
    forged = header.replace("El Santo de Barro", json.dumps(EVIL)[1:-1])
    path.write_text("\n".join([forged, *entries]) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("command", [["show"], ["show", "--json"], ["replay"], ["replay", "--json"]])
def test_a_foreign_match_log_does_not_steer_the_terminal(log: Path, command: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "palmo", "match", command[0], str(log), *command[1:]],
        capture_output=True, timeout=120, check=False,
    )  # fmt: skip
    said = (done.stdout + done.stderr).decode("utf-8")
    assert done.returncode == 0, said
    assert STEERS.search(said) is None
    if command == ["show"]:
        assert "Evil" in said
    if "--json" in command:
        json.loads(done.stdout)


@pytest.mark.parametrize(
    ("before", "content", "after"),
    [
        (["match", "show"], {"format": 1, "rulebook": EVIL}, []),
        (["evaluate"], {"frame": EVIL}, ["none.json"]),
    ],
)
def test_what_is_wrong_with_a_foreign_file_is_told_without_its_control_characters(
    before: list[str], content: dict[str, object], after: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "foreign.jsonl"
    path.write_text(json.dumps(content) + "\n", encoding="utf-8")
    command = [sys.executable, "-m", "palmo", *before, str(path), *after]
    done = subprocess.run(command, capture_output=True, timeout=120, check=False)
    assert done.returncode == 2
    assert STEERS.search(done.stderr.decode("utf-8")) is None


def test_everything_printed_is_spelled_out_and_keeps_its_lines(capsys: pytest.CaptureFixture[str]) -> None:
    console().print(f"one\n[bold]{EVIL}[/]")
    said = capsys.readouterr().out
    assert said.startswith("one\nEvil\\u001b]0;owned")
    assert STEERS.search(said) is None


def test_a_value_of_thousands_of_characters_does_not_flood_the_screen(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    header, *rest = log.read_text(encoding="utf-8").splitlines()
    told = json.loads(header)
    told["rulings"]["turn_order"] = "é" * 50_000
    log.write_text("\n".join([json.dumps(told), *rest]) + "\n", encoding="utf-8")
    assert run(["match", "replay", str(log)]) == 2
    said = capsys.readouterr().err
    assert len(said) < 2000
    assert "turn_order" in said
    assert "expected one of" in said


def test_half_a_character_is_spelled_out() -> None:
    assert visible("caf\ud800 é") == "caf\\ud800 é"
