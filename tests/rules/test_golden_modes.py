"""A finished match of each mode that must replay for ever, told by datasets/golden.py."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from datasets.golden import STORIES, Telling
from rules.engine.log import FORMAT
from rules.engine.match import VERSION, Match
from rules.smackkatz.book import CURRENT

FOLDER = Path(__file__).resolve().parents[1] / "scenarios"
ENDS = {
    "wrestling_match": (18, "pin", ("F1",), {"hold_began", "thrown", "kicked_out", "finisher_failed"}),
    "elimination": (29, "pin", ("F3",), {"eliminated", "cannot_attack", "dodge_failed", "wounded"}),
    "iron_man": (25, "time", ("F1",), {"tapped_out", "scored", "sits_out", "returned", "time_up"}),
    "survivor_series": (28, "pin", ("F3", "F4"), {"eliminated", "counter_blow", "collided", "late_turn"}),
    "katz_rumble": (13, "over_the_top", ("F4",), {"fell_to_ringside", "hurled", "hit_post", "hung_on"}),
    "last_man_standing": (27, "knockout", ("F2",), {"knocked_out", "woke", "check_failed", "hit_while_down"}),
}
"""Turns, ending, winners, and some of what it shows."""


@pytest.mark.parametrize("mode", CURRENT.modes)
def test_the_golden_match_replays_to_the_same_end(mode: str) -> None:
    lines = (FOLDER / f"golden_{mode}.jsonl").read_text(encoding="utf-8").splitlines()
    match = Match.replay(lines, CURRENT)
    assert match.log_lines() == lines
    assert match.outcome is not None
    kinds = {fact.kind for entry in match.log.entries for fact in entry.facts}
    turns, ending, winners, shown = ENDS[mode]
    assert (FORMAT, VERSION, match.state.turn) == (1, "1", turns)
    assert (match.outcome.ending, match.outcome.winners) == (ending, winners)
    assert kinds >= shown


@pytest.mark.parametrize("mode", CURRENT.modes)
def test_the_story_tells_the_very_log(mode: str) -> None:
    lines = (FOLDER / f"golden_{mode}.jsonl").read_text(encoding="utf-8").splitlines()
    told = Telling(mode, STORIES[mode]).tell()
    assert _said(told.log_lines()) == _said(lines)


def _said(lines: list[str]) -> list[object]:
    """What was chosen and thrown; places hang on the last digits of sines."""
    entries = [json.loads(line) for line in lines[1:]]
    return [one["answer"] for one in entries if one["request"]["kind"] in ("choose", "ruling", "roll")]
