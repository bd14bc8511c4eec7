"""Coverage-guided play: nothing of the rules is out of reach."""

from __future__ import annotations

import subprocess
import sys

import pytest

from datasets.fuzz_coverage import ASKED_ELSEWHERE, OUT_OF_PLAY, Reached, explore, functions
from datasets.fuzz_match import GAMES


@pytest.mark.nightly
def test_play_reaches_every_function_and_every_cited_rule() -> None:
    # In a process of its own: what other tests have made functions remember is not entered again.
    done = subprocess.run(
        [sys.executable, "-m", "datasets.fuzz_coverage"], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert "0 functions and 0 rules missed" in done.stdout


def test_what_is_let_off_exists() -> None:
    known = list(functions())
    assert len(known) > 700
    for name in ASKED_ELSEWHERE:
        assert f"rules.smackkatz.{name}" in known
    for name in OUT_OF_PLAY:
        assert any(one.startswith(f"rules.smackkatz.{name}") for one in known), name


def test_a_match_reaches_something_and_not_everything() -> None:
    reached = Reached()
    explore(reached, GAMES, 1)
    assert "rules.smackkatz.turn.phases.turn" in reached.functions
    assert "TURN-01" not in reached.rules_missed()
    assert reached.functions_missed() != []
