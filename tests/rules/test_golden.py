"""A finished match that must replay for ever: no change of rules or of the log's format passes unnoticed."""

from __future__ import annotations

import json
from pathlib import Path

from rules.engine.log import FORMAT
from rules.engine.match import VERSION, Match
from rules.smackkatz.book import CURRENT

GOLDEN = Path(__file__).resolve().parents[1] / "scenarios" / "golden_smackkatz.jsonl"


def test_the_golden_match_replays_to_the_same_end() -> None:
    lines = GOLDEN.read_text(encoding="utf-8").splitlines()
    match = Match.replay(lines, CURRENT)
    assert match.log_lines() == lines
    assert match.outcome is not None
    stamina = {name: one.stamina for name, one in match.state.wrestlers.items()}
    assert (FORMAT, VERSION, len(match.log.entries), match.state.turn, match.outcome.winners, stamina) == (
        1, "1", 48, 5, ("F2",), {"F1": 13, "F2": 17, "F3": 20},
    )  # fmt: skip


def test_the_golden_match_shows_the_whole_flow() -> None:
    entries = [json.loads(line) for line in GOLDEN.read_text(encoding="utf-8").splitlines()[1:]]
    kinds = {fact["kind"] for entry in entries for fact in entry["facts"]}
    assert kinds >= {
        "moved", "attacked", "defended", "counter_blow", "rests", "locked_up", "knocked_down",
        "hit_while_down", "lies", "stood_up", "match_over",
    }  # fmt: skip
    assert {entry["origin"] for entry in entries} == {"referee", "player", "camera", "dice"}
