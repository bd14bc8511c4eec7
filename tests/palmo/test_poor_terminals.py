"""Terminals that know few characters, send broken ones, or are not there; and a stop at the worst moment."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.palmo.conftest import EVENT

Played = Callable[..., subprocess.CompletedProcess[bytes]]


@pytest.fixture
def played(tmp_path: Path) -> Played:
    """Play at a terminal in another process; the log is match.jsonl."""
    (tmp_path / "event.toml").write_text(EVENT, encoding="utf-8")

    def played(given: bytes | None, **environment: str) -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-m", "palmo", "match", "play", "--seed", "1"]
        command += ["--event", str(tmp_path / "event.toml"), "--log", str(tmp_path / "match.jsonl")]
        return subprocess.run(
            command if given is not None else ["sh", "-c", 'exec "$@" <&-', "sh", *command],
            input=given,
            capture_output=True,
            env=os.environ | environment,
            timeout=120,
            check=False,
        )

    return played


def test_a_screen_of_few_characters_and_broken_bytes_end_no_match(played: Played, tmp_path: Path) -> None:
    given = b"\xff\xfe\n\nc F1 stamina 3 caf\xe9\nq\n"
    done = played(given, PYTHONIOENCODING="ascii", PALMO_LANG="es")
    assert (done.returncode, done.stderr) == (0, b"")
    entries = (tmp_path / "match.jsonl").read_text(encoding="utf-8").count('"n":')
    assert entries == 2


def test_a_match_without_an_input_is_at_its_end(played: Played, tmp_path: Path) -> None:
    done = played(None)
    assert (done.returncode, done.stderr) == (0, b"")
    assert (tmp_path / "match.jsonl").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="signals of another kind")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stop_half_way_through_an_import_waits_for_its_end(tmp_path: Path, number: signal.Signals) -> None:
    (tmp_path / "stopper.py").write_text(f"import os\nos.kill(os.getpid(), {int(number)})\nwhole = 1\n")
    program = (
        "import sys, time, palmo.cli\n"
        "def run():\n"
        "    import stopper\n"
        "    print(stopper.whole, flush=True)\n"
        "    time.sleep(30)\n"
        "palmo.cli.run = run\n"
        "import palmo.__main__\n"
        "palmo.__main__.main()\n"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(Path.cwd())])}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, env=environment, timeout=120, check=False
    )
    assert (done.returncode, done.stdout) == (130, b"1\n")
    assert done.stderr == b"palmo: stopped; nothing is half written\n"


@pytest.mark.skipif(sys.platform == "win32", reason="signals of another kind")
def test_a_stop_that_was_caught_inside_an_evaluated_string_ends_as_any_other(tmp_path: Path) -> None:
    program = (
        "import palmo.cli\n"
        "def run():\n"
        "    try: exec('raise KeyboardInterrupt')\n"
        "    except KeyboardInterrupt: return 0\n"
        "palmo.cli.run = run\n"
        "import palmo.__main__\n"
        "palmo.__main__.main()\n"
    )
    (tmp_path / "stopped.py").write_text(program)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(Path.cwd())])}
    command = [sys.executable, "-m", "stopped"]
    done = subprocess.run(command, capture_output=True, env=environment, timeout=120, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
