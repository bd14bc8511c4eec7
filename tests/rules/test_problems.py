"""What is wrong with rosters, house rules and logs is said in both languages, and alike in English."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from overlay.i18n import translate
from rules.engine import diverged
from rules.engine.match import Match
from rules.problem import Problem
from rules.roster import Roster
from rules.smackkatz.book import CURRENT, EARLIER
from rules.smackkatz.house_rules import CONFLICTS
from tests.rules.playing import roster

SETTINGS: dict[str, dict[str, Any]] = {
    "unknown": {"xyz": 1},
    "a slip": {"adjacent_gap": 1.0},
    "one of": {"melee_worst": 3},
    "a number": {"adjacent_gap_cm": "much"},
    "a whole number": {"knockout_threshold": 0.5},
    "sizes": {"ring_size_warning_cm": [3]},
    "true or false": {"PROP-07": 3},
    "part of the rules": {"LOG-01": False},
    "named against named": {"PROP-07": True, "LOG-16": True},
    "named against set": {"counter_hits": "excess", "PROP-07": True},
    **{
        conflict.why.text.key: {
            name: -20 if callable(value) else value for name, value in conflict.when.items()
        }
        for conflict in CONFLICTS
    },
}


def teams(**of: str) -> Roster:
    found = roster(4)
    return replace(found, entrants=tuple(replace(one, team=of.get(one.id)) for one in found.entrants))


def classed(kind: str) -> Roster:
    found = roster(2)
    return replace(found, entrants=tuple(replace(one, kind=kind) for one in found.entrants))


def doubled() -> Roster:
    found = roster(2)
    return replace(found, entrants=(found.entrants[0], found.entrants[0]))


ROSTERS: dict[str, tuple[Roster, str, dict[str, Any]]] = {
    "twice": (doubled(), "wrestling_match", {}),
    "class": (classed("ghost"), "wrestling_match", {}),
    "too few": (roster(4), "katz_rumble", {}),
    "too many": (roster(9), "wrestling_match", {}),
    "one team": (teams(A="x", B="x", C="x", D="x"), "wrestling_match", {}),
    "named alike": (teams(A="B"), "wrestling_match", {}),
    "not two teams": (teams(A="x"), "survivor_series", {"participant_cap": "always_8"}),
    "no partners": (roster(4), "wrestling_match", {"tag_rules": "on"}),
}


def lines() -> list[str]:
    match = Match(CURRENT, roster(2))
    match.answer({}, "referee")
    return match.log_lines()


def changed(number: int, **values: Any) -> list[str]:
    found = lines()
    data = json.loads(found[number]) | values
    found[number] = json.dumps({name: value for name, value in data.items() if value is not None})
    return found


LOGS: dict[str, Callable[[], list[str]]] = {
    "empty": list,
    "no header": lambda: [json.dumps({"format": 1})],
    "another format": lambda: changed(0, format=99),
    "not JSON": lambda: ["{"],
    "no object": lambda: ["3"],
    "nested": lambda: ["[" * 100_000],
    "lacks": lambda: changed(1, answer=None),
    "origin": lambda: changed(1, origin="ghost"),
    "no mode": lambda: changed(0, roster={"entrants": [{}], "ring": {"width": 70, "depth": 70}}),
    "another number": lambda: changed(1, n=7),
    "another request": lambda: changed(
        1, request={"kind": "roll", "step": "S6", "fighter": "A", "rules": ["X-1"]}
    ),
    "nothing asked": lambda: changed(1, request=3),
    "another answer": lambda: changed(1, answer={"Z": 1}),
    "other facts": lambda: changed(1, facts=[{"kind": "rolled", "fighter": "A", "rules": ["INIT-01"]}]),
    "fewer facts": lambda: changed(1, facts=[]),
    "unreadable facts": lambda: changed(1, facts=[3]),
}


def both(raised: Problem) -> None:
    """In English as the log says it, and something else in Spanish."""
    assert translate(raised.text, "en") == str(raised)
    assert "⟨" not in translate(raised.text, "es")
    assert translate(raised.text, "es") != str(raised)


@pytest.mark.parametrize("what", SETTINGS)
def test_a_house_rule_that_cannot_be(what: str) -> None:
    with pytest.raises(Problem) as caught:
        CURRENT.catalogue.resolve(SETTINGS[what])
    both(caught.value)


@pytest.mark.parametrize("what", ROSTERS)
def test_a_roster_that_cannot_be(what: str) -> None:
    entrants, mode, rulings = ROSTERS[what]
    with pytest.raises(Problem) as caught:
        Match(CURRENT, entrants, mode=mode, rulings=rulings)
    both(caught.value)


@pytest.mark.parametrize("what", LOGS)
def test_a_log_that_cannot_be_played(what: str) -> None:
    with pytest.raises(Problem) as caught:
        Match.replay(LOGS[what](), CURRENT)
    both(caught.value)


def test_a_log_of_another_edition() -> None:
    with pytest.raises(Problem) as caught:
        Match.replay(lines(), EARLIER)
    both(caught.value)


def test_a_log_that_goes_on_after_the_end_and_values_that_differ() -> None:
    request = {"kind": "place", "step": "S4", "who": "referee", "rules": []}
    fact = {"kind": "lies", "values": {"points": 3}, "rules": []}
    for found in (
        diverged.other_request(3, request, None),
        diverged.other_request(3, {**request, "ask": "x"}, request),
        diverged.other_facts(3, [fact], [{**fact, "values": {"points": 4}}]),
        diverged.other_facts(3, [{**fact, "values": 9}], [fact]),
    ):
        both(found)
