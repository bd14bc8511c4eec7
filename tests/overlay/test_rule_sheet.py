"""Rules are found as people type them, and read in the edition that is played."""

from __future__ import annotations

import json

import pytest

from overlay.rule_sheet import house_rule_view, identify, nearest, rule_text, rule_view
from rules.smackkatz.book import CURRENT, EARLIER, SmackKatz
from rules.smackkatz.lookup import house_rules, look_up


@pytest.mark.parametrize(
    ("typed", "rule"),
    [
        ("STRIKE-06", "STRIKE-06"),
        ("strike 6", "STRIKE-06"),
        (" Ruling37", "RULING-37"),
        ("status-010", "STATUS-10"),
        ("STRIKE-66", None),
        ("strike", None),
        ("", None),
    ],
)
def test_a_rule_is_found_as_it_is_typed(typed: str, rule: str | None) -> None:
    assert identify(typed) == rule


def test_a_slip_is_answered_with_the_likeliest_ids() -> None:
    assert "STRIKE-06" in nearest("STIRKE-06")
    assert len(nearest("STRIKE-99")) == 3
    assert len(nearest("¿?")) == 1


def test_the_earlier_edition_speaks_only_where_it_differs() -> None:
    assert "4 turns" in rule_text("WIN-03", "current", "en")
    assert "5 turnos" in rule_text("WIN-03", "earlier", "es")
    assert rule_text("STRIKE-06", "earlier", "es") == rule_text("STRIKE-06", "current", "es")


@pytest.mark.parametrize("book", [CURRENT, EARLIER])
def test_a_sheet_is_plain_data_with_every_text_in_the_language(book: SmackKatz) -> None:
    seen = rule_view(look_up("WIN-03", book.catalogue, book.edition), "es")
    assert json.loads(json.dumps(seen)) == seen
    assert seen["edition"] == book.edition
    assert seen["related"] == [{"rule": "RULING-92", "text": rule_text("RULING-92", book.edition, "es")}]
    assert [one["name"] for one in seen["house_rules"]] == ["count_out_limit", "count_out_from", "count_out"]


@pytest.mark.parametrize("book", [CURRENT, EARLIER])
@pytest.mark.parametrize("lang", ["es", "en"])
def test_every_house_rule_and_all_it_may_be_is_said_in_words(book: SmackKatz, lang: str) -> None:
    for one in house_rules(
        book.catalogue, {choice.name: choice.default for choice in book.catalogue.choices}
    ):
        seen = house_rule_view(one, lang)
        words = [seen["title"], seen["now_said"], *seen["said"]]
        assert len(seen["said"]) == len(one.values)
        assert not [word for word in words if "house." in word or "_" in word or not word]
        assert len(set(seen["said"])) == len(one.values), "two values read alike"
