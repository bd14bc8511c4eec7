"""A finished match of each mode of each edition that must replay for ever, told by datasets/golden.py."""

from __future__ import annotations

import json

import pytest

from datasets.golden import STORIES, path_of, told
from rules.engine.log import FORMAT
from rules.engine.match import VERSION, Match
from rules.smackkatz.book import EDITIONS

ENDS = {
    ("current", "wrestling_match"):
        (18, "pin", ("F1",), {"hold_began", "thrown", "kicked_out", "finisher_failed"}),
    ("current", "elimination"):
        (29, "pin", ("F3",), {"eliminated", "cannot_attack", "dodge_failed", "wounded"}),
    ("current", "iron_man"):
        (25, "time", ("F1",), {"tapped_out", "scored", "sits_out", "returned", "time_up"}),
    ("current", "survivor_series"):
        (28, "pin", ("F3", "F4"), {"eliminated", "counter_blow", "collided", "late_turn"}),
    ("current", "katz_rumble"):
        (13, "over_the_top", ("F4",), {"fell_to_ringside", "hurled", "hit_post", "hung_on"}),
    ("current", "last_man_standing"):
        (27, "knockout", ("F2",), {"knocked_out", "woke", "check_failed", "hit_while_down"}),
    ("earlier", "wrestling_match"):
        (19, "tap_out", ("F3",), {"crawled", "foul_withdrawn", "tapped_out", "thrown", "counter_blow"}),
    ("earlier", "last_man_standing"):
        (15, "knockout", ("F2",), {"finisher_connected", "rest_healed", "knocked_out", "check_failed"}),
    ("earlier", "elimination"):
        (12, "pin", ("F1",), {"collided", "wounded", "kicked_out", "eliminated", "cannot_attack"}),
    ("earlier", "iron_man"):
        (24, "time", ("F1",), {"hold_reversed", "held_at_ropes", "scored", "sits_out", "returned"}),
    ("earlier", "survivor_series"):
        (11, "pin", ("F1", "F2"), {"held_at_ropes", "disqualified", "hold_reversed", "pin_counted"}),
}  # fmt: skip
"""(edition, mode) -> turns, ending, winners, and some of what it shows."""
EARLIER_ONLY = {
    "a standing hold": ("hold_began", "lying", False),
    "Counter against a grab": ("rolled", "ability", "counter"),
    "wounded everywhere": ("wounded", "ability", "everything"),
    "thrown over the back": ("thrown", "side", "back"),
}


def test_every_mode_of_every_edition_has_its_golden_match() -> None:
    assert set(STORIES) == {(name, mode) for name, book in EDITIONS.items() for mode in book.modes}
    assert set(ENDS) == set(STORIES)


@pytest.mark.parametrize(("edition", "mode"), STORIES)
def test_the_golden_match_replays_to_the_same_end(edition: str, mode: str) -> None:
    lines = path_of(edition, mode).read_text(encoding="utf-8").splitlines()
    match = Match.replay(lines, EDITIONS[edition])
    assert match.log_lines() == lines
    assert match.outcome is not None
    kinds = {fact.kind for entry in match.log.entries for fact in entry.facts}
    turns, ending, winners, shown = ENDS[edition, mode]
    assert (FORMAT, VERSION, match.state.turn) == (1, "1", turns)
    assert (match.outcome.ending, match.outcome.winners) == (ending, winners)
    assert kinds >= shown


@pytest.mark.parametrize(("edition", "mode"), STORIES)
def test_the_story_tells_the_very_log(edition: str, mode: str) -> None:
    lines = path_of(edition, mode).read_text(encoding="utf-8").splitlines()
    assert _said(told(edition, mode).log_lines()) == _said(lines)


def _said(lines: list[str]) -> list[object]:
    """What was chosen and thrown; places hang on the last digits of sines."""
    entries = [json.loads(line) for line in lines[1:]]
    return [one["answer"] for one in entries if one["request"]["kind"] in ("choose", "ruling", "roll")]


@pytest.mark.parametrize("what", EARLIER_ONLY)
def test_the_golden_matches_of_the_earlier_edition_show_what_only_it_has(what: str) -> None:
    kind, name, value = EARLIER_ONLY[what]
    logs = [path_of(*game).read_text(encoding="utf-8") for game in STORIES if game[0] == "earlier"]
    facts = [
        fact
        for log in logs
        for line in log.splitlines()[1:]
        for fact in json.loads(line)["facts"]
        if fact["kind"] == kind
    ]
    assert any(fact["values"].get(name) == value for fact in facts), facts[:3]
