from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from palmo import __version__
from palmo.__main__ import main
from palmo.cli import app, run
from palmo.demo_files import DEMO_CLIP, DEMO_EVENT
from palmo.diagnosis import speed_of
from palmo.pictures import first_picture

COMMANDS = (
    "demo", "doctor", "track", "measure", "live", "evaluate", "review", "report",
    "calibrate", "calibrate ring",
    "match", "match play", "match replay", "match show",
)  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*command.split(), "--help"]) == 0
    said = capsys.readouterr().out
    assert f"palmo {command}" in said
    assert "TODO" not in said


def test_nothing_is_offered_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    run(["calibrate", "--help"])
    said = capsys.readouterr().out
    for there in ("ring", "lens", "board", "tags", "colours", "palm"):
        assert there in said
    assert {command.name for command in app.registered_commands} == {
        "demo", "doctor", "track", "measure", "live", "evaluate", "review", "report",
    }  # fmt: skip


def test_the_version_is_the_packages(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out.strip() == f"palmo {__version__}"


def test_help_does_not_load_what_a_match_needs() -> None:
    script = (
        "import sys; from palmo.cli import run; run(['--help']); "
        "print({'cv2', 'scipy', 'av'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip().endswith("set()")


def test_the_ring_report_in_both_languages(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["calibrate", "ring", str(DEMO_CLIP), "--event", str(DEMO_EVENT), "--lang", "es"]) == 0
    spanish = capsys.readouterr().out
    assert "BUENO" in spanish
    assert "palmos" in spanish
    assert "⟨" not in spanish


def test_the_ring_report_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["calibrate", "ring", str(DEMO_CLIP), "--event", str(DEMO_EVENT), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["held_out"]["verdict"] == "good"
    assert report["size"] == [1280, 720]
    assert 1200 < report["K"][0][0] < 1320


def test_a_survived_fault_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    script = (
        "import logging; from palmo.cli import run; run(['match', 'replay', 'none.jsonl'])\n"
        "try: 1 / 0\nexcept ZeroDivisionError:\n"
        " logging.getLogger('palmo.x').exception('frame 3 could not be followed')"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert done.stderr.splitlines()[-1] == (
        "palmo: frame 3 could not be followed (ZeroDivisionError: division by zero)"
    )
    assert "Traceback" not in done.stderr


def test_ctrl_c_while_the_program_still_loads_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted() -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("palmo.cli.run", interrupted)
    monkeypatch.setattr("signal.signal", lambda *_: None)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 130
    assert capsys.readouterr().err == "palmo: stopped; nothing is half written\n"


def test_ctrl_c_in_a_command_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("palmo.diagnosis.diagnose", interrupted)
    assert run(["doctor"]) == 130
    assert capsys.readouterr().err == "palmo: stopped; nothing is half written\n"


def test_a_picture_to_read_pixels_from_needs_no_event_file(tmp_path: Path) -> None:
    frame = tmp_path / "out" / "frame.png"
    assert run(["calibrate", "ring", str(DEMO_CLIP), "--frame", str(frame)]) == 0
    assert np.array_equal(cv2.imread(str(frame)), first_picture(str(DEMO_CLIP)))


def test_without_an_event_file_there_is_nothing_to_calibrate(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["calibrate", "ring", str(DEMO_CLIP)]) == 2
    assert "give the event file with --event" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ["live", "rtsp://ana:geheim@127.0.0.1:1/live"],
        ["live", "--source", "ana:geheim@127.0.0.1:1/live", "--event", str(DEMO_EVENT)],
        ["live", "--source", "rtsp://ana:geheim@127.0.0.1:1/live", "--event", str(DEMO_EVENT)],
        ["track", "rtsp:/ana:geheim@127.0.0.1:1/live", "--event", str(DEMO_EVENT)],
        ["measure", "--tracks", "http://ana:geheim@127.0.0.1:1/live", "--event", str(DEMO_EVENT)],
        ["calibrate", "ring", "http://127.0.0.1:1/?pwd=geheim", "--event", str(DEMO_EVENT)],
        ["live", "--source", "0", "--port", "rtsp://ana:geheim@table/1", "--event", str(DEMO_EVENT)],
    ],
)
@pytest.mark.parametrize("lang", ["en", "es"])
def test_no_password_of_an_address_is_printed(
    words: list[str], lang: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*words, "--lang", lang]) == 2
    said = capsys.readouterr()
    assert "geheim" not in said.err + said.out
    assert said.err.startswith("palmo: ")


def test_a_machine_that_stutters_is_not_called_fine() -> None:
    check = speed_of([0.02] * 50 + [1.4])
    assert check.health == "note"
    assert "something else keeps this machine busy" in check.sentence


def test_a_machine_that_is_too_slow_is_told_apart_from_a_fine_one() -> None:
    assert speed_of([0.02] * 50).health == "fine"
    slow = speed_of([0.2] * 50)
    assert slow.health == "note"
    assert "busy" not in slow.sentence
