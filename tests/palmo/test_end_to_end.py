"""The bundled clip through the command line: what a golden clip must come out as."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import cv2
import pytest

from palmo.cli import run
from palmo.demo_files import DEMO_CLIP, DEMO_EVENT, DEMO_TRUTH
from palmo.workbench import open_workbench


@pytest.fixture(scope="module")
def tracked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with tracks.jsonl, annotated.mp4 and what `palmo track --json --explain` said."""
    folder = tmp_path_factory.mktemp("tracked")
    command = [
        sys.executable,
        "-m",
        "palmo",
        "track",
        DEMO_CLIP,
        "--event",
        DEMO_EVENT,
        "--json",
        "--explain",
    ]
    command += ["--out", folder / "tracks.jsonl", "--video", folder / "annotated.mp4"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=os.environ)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    (folder / "said.json").write_text(done.stdout)
    return folder


@pytest.fixture
def said(tracked: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((tracked / "said.json").read_text())
    return data


def asked(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, Any]:
    code = run([str(argument) for argument in arguments] + ["--json"])
    return code, json.loads(capsys.readouterr().out)


def test_the_four_moves_and_their_verdicts(said: dict[str, Any]) -> None:
    verdicts = [(move["fighter"], move["verdict"]) for move in said["moves"]]
    assert verdicts[:2] == [("F1", "beyond"), ("F2", "within")]
    # The green one went 0.987 palms of one, and of the brown one no camera can be sure which way it looks.
    assert [fighter for fighter, _ in verdicts[2:]] == ["F4", "F6"]
    assert {verdict for _, verdict in verdicts[2:]} <= {"within", "too_close"}
    for move, palm in zip(said["moves"], (20.5, 18.0, 17.2, 22.0), strict=True):
        assert move["palms"] == pytest.approx(move["cm"] / palm, rel=1e-3)
        assert move["rules"]


def test_every_refusal_names_its_gate(said: dict[str, Any]) -> None:
    for refusal in said["explain"]:
        assert refusal["gate"]
        assert refusal["fighter"] in said["fighters"]


def test_the_video_shows_every_frame_with_something_drawn_on_it(tracked: Path) -> None:
    clip, video = cv2.VideoCapture(str(DEMO_CLIP)), cv2.VideoCapture(str(tracked / "annotated.mp4"))
    frames = 0
    while (seen := clip.read())[0]:
        drawn = video.read()
        assert drawn[0]
        assert seen[1].shape == drawn[1].shape
        assert (cv2.absdiff(seen[1], drawn[1]).max(axis=2) > 60).mean() > 0.01
        frames += 1
    assert frames == 140


def test_what_was_tracked_is_what_was_there(tracked: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, result = asked(capsys, "evaluate", tracked / "tracks.jsonl", DEMO_TRUTH)
    assert code == 0
    assert result["standing"]["wrong_identity"] == 0
    assert result["standing"]["missing"] <= 0.005
    assert result["standing"]["flips_unmarked"] == 0
    assert result["standing"]["position_cm"]["median"] <= 0.4
    assert result["standing"]["position_cm"]["p95"] <= 0.9
    assert result["standing"]["outline_iou"]["median"] >= 0.65
    assert result["states"]["placed_while_lifted"] == 0
    assert result["moves"]["missed"] == 0
    assert result["moves"]["length_cm"]["largest"] <= 0.4


@pytest.mark.parametrize(
    ("allow", "verdict", "code"), [(2, "within", 0), (1, "beyond", 1), (1.1, "too_close", 1)]
)
def test_a_move_against_so_many_palms(
    tracked: Path, capsys: pytest.CaptureFixture[str], allow: float, verdict: str, code: int
) -> None:
    arguments = ("--event", DEMO_EVENT, "--fighter", "F2", "--from", 3, "--to", 8, "--allow", allow)
    got, result = asked(capsys, "measure", "--tracks", tracked / "tracks.jsonl", *arguments)
    assert (result["verdict"], got) == (verdict, code)
    assert result["interval95_cm"][0] < 19.88 < result["interval95_cm"][1]


@pytest.mark.parametrize(
    ("name", "lang", "ends"),
    [("players.md", "en", "exit code 1"), ("es/jugadores.md", "es", "código de salida 1")],
)
def test_the_players_page_shows_what_is_printed(
    name: str, lang: str, ends: str, tracked: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Word for word; numbers to about a millimetre, for another processor rounds another way."""
    page = (Path(__file__).resolve().parents[2] / "docs" / name).read_text(encoding="utf-8")
    (shown,) = re.findall(r"^```\n(El Santo.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert ends in page
    arguments = ["--event", str(DEMO_EVENT), "--fighter", "F1", "--from", "1", "--to", "5", "--lang", lang]
    assert run(["measure", "--tracks", str(tracked / "tracks.jsonl"), *arguments]) == 1
    printed = capsys.readouterr().out
    number = re.compile(r"-?\d+(?:[.,]\d+)?")
    assert number.sub("#", printed) == number.sub("#", shown)
    for there, here in zip(number.findall(printed), number.findall(shown), strict=True):
        fine = 1 if here.isdecimal() else 0.011
        assert float(there.replace(",", ".")) == pytest.approx(
            float(here.replace(",", ".")), rel=0.005, abs=fine
        )


def test_a_time_in_a_hand_names_times_that_work(tracked: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--event", str(DEMO_EVENT), "--fighter", "F2", "--from", "5.8", "--to", "8"]
    assert run(["measure", "--tracks", str(tracked / "tracks.jsonl"), *arguments]) == 2
    assert "F2 was not standing; it stood from 0.0 to" in capsys.readouterr().err


def test_the_demo_ends_by_itself_where_nobody_sits(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "palmo", "demo", "--port", "0", "--lang", "es"]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert done.stdout.count("reglas: MOVE-01") == 4
    assert "http://127.0.0.1:" in done.stdout
    assert "Termina con el clip." in done.stdout
    assert "Ctrl-C" not in done.stdout
    assert "⟨" not in done.stdout
    for name in ("ring.png", "tracks.jsonl", "annotated.mp4", "live/match.jsonl", "live/tracks.jsonl"):
        assert (tmp_path / "out" / name).stat().st_size > 0, name


def test_the_doctor_finds_nothing_that_stops_a_match(capsys: pytest.CaptureFixture[str]) -> None:
    code, checks = asked(capsys, "doctor", "--port", 0)
    assert code == 0
    assert [check["name"] for check in checks] == [
        "versions", "reading video", "writing video", "camera", "port", "browser", "speed",
    ]  # fmt: skip
    assert all(check["health"] != "trouble" for check in checks)


def test_labels_bear_the_colours_of_the_figures_boxes() -> None:
    with open_workbench(str(DEMO_CLIP), DEMO_EVENT) as bench:
        colours = {name: bytes.fromhex(code[1:]) for name, code in bench.colours.items()}
    assert len(colours) == 6
    red, green, blue = colours["F1"]
    assert red > 1.5 * max(green, blue), "El Santo de Barro is red"
