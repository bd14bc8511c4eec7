from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from palmo.play.bouts import bout_of
from palmo.play.rulebooks import rulebook
from palmo.play.sparring import Sparring
from palmo.review.past import Past
from rules.annotations import FighterTag
from rules.engine.log import dump, parse
from rules.engine.match import Match
from rules.engine.rulebook import Rulebook


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A simulated match whose entry number n was given at n seconds."""
    sparring = Sparring(bout_of(players="greedy", edition="current", mode=None, fighters=3, seed=3), 0)
    sparring.play()
    head, *entries = sparring.match.log_lines()
    timed = [{**json.loads(line), "at": float(number)} for number, line in enumerate(entries)]
    path = tmp_path_factory.mktemp("past") / "match.jsonl"
    path.write_text("\n".join([head, *map(dump, timed)]) + "\n", encoding="utf-8")
    return path


def test_whatever_the_order_of_looking_the_match_is_as_it_was(log: Path) -> None:
    """Forth and back in time, against a fresh replay up to each moment."""
    lines = log.read_text(encoding="utf-8").splitlines()
    past = Past(log, 0)
    scene = Match.replay(lines, rulebook_of(lines)).scene
    for t in random.Random(7).sample(range(len(lines) - 1), 12):
        fresh = Match.replay(lines[: t + 2], rulebook_of(lines))
        expected = [one for one in fresh.annotations(scene) if isinstance(one, FighterTag)]
        assert past.labels(replace(scene, t=float(t))) == expected
        assert past.entries_at(float(t)) == t + 1
        told = [json.loads(line) for line in past.lines(t + 1)]
        assert told == [json.loads(line) for line in lines[: t + 2]]


def rulebook_of(lines: list[str]) -> Rulebook[Any]:
    return rulebook(parse(lines[:1])[0])


def test_what_was_answered_before_the_session_began_counts_whatever_its_time(log: Path) -> None:
    past = Past(log, 10)
    assert past.entries_at(-1.0) == 10
    assert past.entries_at(3.0) == 10, "those times are of another session"
    assert past.entries_at(12.0) == 13


def test_the_entry_at_which_a_move_was_asked_for_is_found_by_its_answer(log: Path) -> None:
    entries = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()[1:]]
    number, fighter = next(
        (entry["n"], entry["request"]["fighter"])
        for entry in entries
        if entry["request"]["kind"] == "observe" and entry["request"].get("fighter")
    )
    past = Past(log, 0)
    terms = past.terms(fighter, (number - 5.0, number - 0.5, number + 0.2))
    assert terms is not None
    assert terms.entries == number
    assert terms.speed > 0
    assert fighter not in {one.id for one in terms.others}


def test_without_a_log_nothing_is_known(tmp_path: Path) -> None:
    past = Past(tmp_path / "match.jsonl", 0)
    assert (past.known, past.trouble, past.entries_at(5.0), past.lines(0)) == (False, None, 0, [])
    assert past.terms("F1", (1.0, 2.0, 3.0)) is None
