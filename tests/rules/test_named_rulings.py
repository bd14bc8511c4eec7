"""Rows of the change log and the discussion as house rules agreed by their own name (2.23, 2.24)."""

from __future__ import annotations

from typing import Any

import pytest

from rules.engine.match import Match
from rules.engine.rulings import RulingError
from rules.smackkatz.book import CURRENT, EARLIER
from rules.smackkatz.discussion import LOG, PROPOSALS, ROWS
from rules.smackkatz.house_rules import catalogue
from tests.rules.playing import roster

OPTIONS = [name for name, row in ROWS.items() if row.fate == "option"]
ADOPTED = [name for name, row in ROWS.items() if row.fate == "adopted"]


def test_every_row_of_the_catalogue_is_there() -> None:
    assert list(LOG) == [f"LOG-{number:02d}" for number in range(1, 23)]
    assert list(PROPOSALS) == [f"PROP-{number:02d}" for number in range(1, 21)]


@pytest.mark.parametrize("name", OPTIONS)
def test_an_option_agreed_by_name_sets_what_plays_it(name: str) -> None:
    settings = catalogue().resolve({name: True})
    assert ROWS[name].settings
    assert {option: settings[option] for option in ROWS[name].settings} == dict(ROWS[name].settings)
    assert name not in settings
    assert dict(catalogue().resolve({name: False})) == dict(catalogue().resolve())


@pytest.mark.parametrize("name", ADOPTED)
def test_what_was_adopted_is_the_default_and_cannot_be_refused(name: str) -> None:
    assert dict(catalogue().resolve({name: True})) == dict(catalogue().resolve())
    with pytest.raises(RulingError, match=f"{name} = false: expected true, it is part of the rules"):
        catalogue().resolve({name: False})


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"PROP-07": True, "LOG-16": True}, "LOG-16 and PROP-07 contradict each other.*RULING-67"),
        ({"counter_hits": "excess", "PROP-07": True}, 'PROP-07 and counter_hits = "excess" contradict'),
        ({"PROP-07": "yes"}, "expected true or false"),
        ({"PROP-14": True}, "Unknown house rule 'PROP-14'"),
        ({"PROP-12": True, "PROP-13": True}, "PROP-13 and PROP-12 contradict"),
    ],
)
def test_a_name_that_contradicts_or_is_no_rule_is_refused(settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(RulingError, match=sentence):
        catalogue().resolve(settings)


def test_two_names_that_say_the_same_go_together() -> None:
    settings = catalogue().resolve({"PROP-12": True, "LOG-22": True, "fatigue_cap": 3})
    assert settings["fatigue_cap"] == 3


def test_the_log_holds_the_options_not_the_names() -> None:
    match = Match(CURRENT, roster(3), rulings={"PROP-01": True})
    header = match.log.header.to_json()
    assert header["rulings"]["fatigue_scope"] == "counter_only"
    assert "PROP-01" not in header["rulings"]
    assert Match.replay(match.log, CURRENT).state == match.state


def test_the_discussion_is_about_the_current_edition() -> None:
    with pytest.raises(RulingError, match="Unknown house rule 'PROP-07'"):
        EARLIER.catalogue.resolve({"PROP-07": True})
