from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from datasets.bench_rules import Blind, answers_per_s, chess_moves, main, option_times, undo_ms
from palmo.play.bouts import bout_of

BOUT = bout_of(players="greedy", edition="current", mode="elimination", fighters=2, seed=1)


def test_a_blind_match_has_no_geometry_in_it() -> None:
    sparring = Blind(replace(BOUT, most_answers=200))
    sparring.play()
    assert sparring.match.scene.figures == {}
    assert len(sparring.match.log.entries) > 20


def test_every_cost_is_measured() -> None:
    assert answers_per_s(Blind, replace(BOUT, most_answers=50), 1) > 0
    assert undo_ms(replace(BOUT, players="random")) > 0
    assert chess_moves(1) > 0
    cold, warm = option_times(2)
    assert cold > 0
    assert warm > 0


def test_the_table_names_what_was_wanted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--runs", "1", "--matches", "1", "--out", str(tmp_path / "table.md")]) == 0
    table = (tmp_path / "table.md").read_text(encoding="utf-8")
    assert table in capsys.readouterr().out
    assert [line.split("|")[3].strip() for line in table.splitlines()[2:]] == [
        "(yardstick)", "10,000", "", "20", "", "20", "", "20", "2", "0.5",
    ]  # fmt: skip
