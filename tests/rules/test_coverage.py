"""Coverage-guided play: nothing of the rules is out of reach."""

from __future__ import annotations

import pytest

from datasets.fuzz_coverage import ASKED_ELSEWHERE, OUT_OF_PLAY, Reached, explore, functions
from datasets.fuzz_match import GAMES

MOST_MATCHES, AT_ONCE = 220, 22


@pytest.mark.slow
def test_play_reaches_every_function_and_every_cited_rule() -> None:
    reached = Reached()
    while reached.matches < MOST_MATCHES and (reached.functions_missed() or reached.rules_missed()):
        explore(reached, GAMES, AT_ONCE)
    assert reached.functions_missed() == []
    assert reached.rules_missed() == []


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
