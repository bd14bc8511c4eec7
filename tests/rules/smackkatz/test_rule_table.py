"""Rule -> code -> tests: nothing of the catalogue is left out, and the page says what the code says."""

from __future__ import annotations

import re

import pytest

from datasets.rule_table import PAGE, coded, missing, page, printed, saying, values_played
from rules.smackkatz.house_rules import CHOICES

LACKING = missing()
VALUES = values_played()


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


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run python -m datasets.rule_table"
