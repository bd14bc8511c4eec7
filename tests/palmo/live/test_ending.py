"""A live session is ended from outside: twice at once, or with its terminal."""

from __future__ import annotations

import signal
import sys
import time
from pathlib import Path

import pytest

from tests.palmo.test_bad_input import started

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of another kind")


@pytest.mark.parametrize("pause_s", [0.02, 0.1])
def test_a_second_ctrl_c_ends_it_without_a_traceback(tmp_path: Path, pause_s: float) -> None:
    live, _ = started("--folder", tmp_path)
    live.send_signal(signal.SIGINT)
    time.sleep(pause_s)
    live.send_signal(signal.SIGINT)
    _, errors = live.communicate(timeout=60)
    assert live.returncode in (0, 130), errors
    assert "Traceback" not in errors


def test_a_closed_terminal_ends_it_as_cleanly_as_ctrl_c(tmp_path: Path) -> None:
    # under nohup these tests would hand down that a closed terminal is to be ignored
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    try:
        live, _ = started("--folder", tmp_path)
    finally:
        signal.signal(signal.SIGHUP, before)
    live.send_signal(signal.SIGHUP)
    _, errors = live.communicate(timeout=60)
    assert live.returncode == 0, errors
    assert f"Match folder: {tmp_path}" in errors
