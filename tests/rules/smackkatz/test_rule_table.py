"""Rule -> code -> tests: nothing of the catalogue is left out, and the page says what the code says."""

from __future__ import annotations

import re

import pytest

from datasets.rule_table import PAGE, coded, in_play, missing, page, printed, saying, values_played
from rules.smackkatz.house_rules import CHOICES

LACKING = missing()
VALUES = values_played()
NAMED_ONLY = {
    "told before the match, as data": "ARENA-01 BUILD-04",
    "rows of the change log, made as data": "LOG-01 LOG-03 LOG-04 LOG-05 LOG-09 LOG-19 LOG-21 LOG-22",
    "rows of the discussion, made as data":
        "PROP-03 PROP-05 PROP-06 PROP-12 PROP-13 PROP-14 PROP-17 PROP-18 PROP-19 PROP-20",
    "definitions: what there is, not what is done": "ATK-01 MODE-01 MODE-02 RULING-1 RULING-109 SUPLEX-01",
}  # fmt: skip
"""Rules that a test names without citing them in play or entering their code, by the reason."""


def test_every_citation_is_a_rule_id() -> None:
    for rule, places in coded().items():
        assert re.fullmatch(r"[A-Z]+-\d{1,3}", rule), f"{rule} cited by {places}"


@pytest.mark.parametrize("what", LACKING)
def test_nothing_is_missing_from_the_table(what: str) -> None:
    assert LACKING[what] == []


def test_the_table_has_the_whole_catalogue() -> None:
    rulings = [rule for rule in printed() if rule.startswith("RULING-")]
    assert len(rulings) == 114
    assert len(printed()) == 454


@pytest.mark.parametrize(("name", "value"), VALUES, ids=[f"{name}={value}" for name, value in VALUES])
def test_every_value_of_every_house_rule_is_played_by_a_test(name: str, value: object) -> None:
    assert VALUES[name, value] != []


def test_house_rules_without_listed_values_are_numbers_held_at_their_bounds() -> None:
    free = {choice.name for choice in CHOICES if not choice.values}
    assert free == {
        "ring_size_warning_cm", "adjacent_gap_cm", "ask_band_cm", "rope_gap_cm", "post_gap_cm",
        "placed_max_palms", "knockout_threshold", "title_bonus",
    }  # fmt: skip
    assert all(saying(name) for name in free)


def test_every_rule_is_cited_in_play_or_its_code_entered_by_a_test_that_names_it() -> None:
    met = in_play()
    assert set(met) == set(printed())
    named_only = {
        rule
        for rule, one in met.items()
        if not (one["cited"] or one["entered"] or one["golden"] or one["fuzz"])
    }
    assert named_only == {rule for rules in NAMED_ONLY.values() for rule in rules.split()}


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run python -m datasets.rule_table"
