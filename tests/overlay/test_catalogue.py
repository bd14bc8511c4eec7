"""The rules in words: every id the code names can be looked up, in both languages, as a full sentence."""

from __future__ import annotations

import importlib
import pkgutil
import re

import pytest

import rules.smackkatz
from overlay.i18n import LANGUAGES, Entry, entries
from rules.engine.cite import citations
from rules.smackkatz.book import CURRENT, EARLIER

RULE = re.compile(r"[A-Z]+-[1-9]?\d?\d")
MENTIONED = re.compile(r"\b[A-Z]{3,}-\d{1,3}\b")


def told(lang: str, prefix: str = "rule.") -> dict[str, Entry]:
    """Rule id -> what it says; with the longer prefix what the earlier edition says instead."""
    found = {key.removeprefix(prefix): one for key, one in entries(lang).items() if key.startswith(prefix)}
    return {rule: entry for rule, entry in found.items() if "." not in rule}


def test_every_rule_and_ruling_of_the_rulebook_is_told() -> None:
    known = told("en")
    assert all(RULE.fullmatch(rule) for rule in known)
    rulings = {rule for rule in known if rule.startswith("RULING-")}
    assert rulings == {f"RULING-{number}" for number in range(1, 115)}
    assert len(known) - len(rulings) == 340


def test_every_rule_that_code_or_house_rules_name_is_told() -> None:
    for module in pkgutil.walk_packages(rules.smackkatz.__path__, "rules.smackkatz."):
        importlib.import_module(module.name)
    named = set(citations("rules.smackkatz."))
    for book in (CURRENT, EARLIER):
        for choice in book.catalogue.choices:
            named |= set(choice.rules)
        for proposal in book.catalogue.named.values():
            named |= set(proposal.rules)
    assert len(named) > 200
    assert named <= set(told("en")), sorted(named - set(told("en")))


def test_what_the_earlier_edition_says_differs_from_a_rule_there_is() -> None:
    current, earlier = told("en"), told("en", "rule.earlier.")
    assert len(earlier) > 60
    assert set(earlier) <= set(current)
    assert [rule for rule in earlier if earlier[rule].forms == current[rule].forms] == []


def test_a_house_rule_with_another_default_in_the_earlier_edition_is_told_for_that_edition() -> None:
    current = {one.name: one.default for one in CURRENT.catalogue.choices}
    told_again = set(told("en", "rule.earlier."))
    differing = [one for one in EARLIER.catalogue.choices if one.default != current.get(one.name)]
    assert len(differing) > 10
    silent = [one.name for one in differing if not told_again & set(one.rules)]
    # RULING-107 and RULING-108 are of the earlier edition alone.
    assert [one for one in silent if one not in ("back_counter", "submission_check_resistance")] == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_catalogue_holds_rules_alone_and_each_is_a_full_sentence(lang: str) -> None:
    texts = [entry for entry in entries(lang).values() if entry.file == "catalogue.po"]
    told_keys = {f"rule.{rule}" for rule in told(lang)} | {
        f"rule.earlier.{rule}" for rule in told(lang, "rule.earlier.")
    }
    assert {entry.key for entry in texts} == told_keys
    for entry in texts:
        (sentence,) = entry.forms
        assert sentence[0].isupper() or sentence[0] in '"«', entry.key
        assert sentence.endswith("."), entry.key
        assert not re.search(r"[*`_|]|\b[CE]\d{2,3}\b", sentence), entry.key


@pytest.mark.parametrize("lang", LANGUAGES)
def test_rules_refer_only_to_rules_that_are_told(lang: str) -> None:
    known = told(lang)
    mentioned = {
        rule
        for entry in entries(lang).values()
        if entry.file == "catalogue.po"
        for form in entry.forms
        for rule in MENTIONED.findall(form)
    }
    assert "COUNTER-10" in mentioned
    assert mentioned <= set(known), sorted(mentioned - set(known))


def test_both_languages_refer_to_the_same_rules() -> None:
    english, spanish = entries("en"), entries("es")
    for key, entry in english.items():
        if entry.file == "catalogue.po":
            (said,), (dicho,) = entry.forms, spanish[key].forms
            assert sorted(set(MENTIONED.findall(said))) == sorted(set(MENTIONED.findall(dicho))), key
