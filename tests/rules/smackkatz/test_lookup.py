"""Whoever asks about a rule hears what house rules belong to it and what else to read."""

from __future__ import annotations

from overlay.i18n import keys
from rules.smackkatz.book import CURRENT, EARLIER
from rules.smackkatz.lookup import Lookup, house_rules, look_up
from rules.smackkatz.settled import SETTLED, related


def names(found: Lookup) -> list[str]:
    return [one.name for one in found.house_rules]


def test_a_rule_leads_to_the_rulings_that_settle_it_and_to_their_options() -> None:
    found = look_up("STRIKE-06", CURRENT.catalogue, "current")
    assert found.related == ("RULING-37", "RULING-38")
    assert names(found) == ["knockdown_criticals", "three_criticals"]
    knockdown = found.house_rules[0]
    assert (knockdown.default, knockdown.values) == ("strength_dice", ("strength_dice", "strike_dice"))


def test_a_ruling_leads_to_the_rules_it_settles_and_to_its_own_options_alone() -> None:
    found = look_up("RULING-74", CURRENT.catalogue, "current")
    assert found.related == ("FIN-07", "FIN-08", "RULING-71")
    assert names(found) == ["failed_finisher_heals"]


def test_what_is_in_force_is_told_beside_the_default() -> None:
    settings = CURRENT.catalogue.resolve({"fatigue_cap": 3})
    found = look_up("FATIGUE-01", CURRENT.catalogue, "current", settings)
    cap = next(one for one in found.house_rules if one.name == "fatigue_cap")
    assert (cap.default, cap.now) == (4, 3)


def test_a_number_has_bounds_and_anything_else_only_its_default() -> None:
    (gap, *_) = look_up("RULING-30", CURRENT.catalogue, "current").house_rules
    assert (gap.name, gap.values, gap.low, gap.high) == ("adjacent_gap_cm", (2.0,), 0.1, 10)
    (size,) = look_up("ARENA-03", CURRENT.catalogue, "current").house_rules
    assert (size.values, size.low) == (([60, 80],), None)


def test_the_earlier_edition_has_its_own_defaults() -> None:
    assert [look_up("WIN-03", book.catalogue, book.edition).house_rules[0].default for book in
            (CURRENT, EARLIER)] == [4, 5]  # fmt: skip


def test_a_proposal_leads_to_the_option_that_plays_it() -> None:
    found = look_up("PROP-07", CURRENT.catalogue, "current")
    assert "counter_hits" in names(found)
    assert found.related[0] == "RULING-67"
    assert "fatigue_cap" in names(look_up("LOG-22", CURRENT.catalogue, "current"))


def test_a_rule_that_nothing_settles_stands_alone() -> None:
    found = look_up("BUILD-04", CURRENT.catalogue, "current")
    assert (found.related, found.house_rules) == ((), ())


def test_rulings_speak_only_of_rules_there_are_and_never_of_themselves() -> None:
    known = {key.removeprefix("rule.") for key in keys("en", "rule.")}
    for ruling, rules in SETTLED.items():
        assert {ruling, *rules} <= known
        assert ruling not in rules
        assert all(ruling in related(rule) for rule in rules)


def test_every_option_is_reached_from_the_rules_it_names() -> None:
    for choice in CURRENT.catalogue.choices:
        for rule in choice.rules:
            assert choice.name in names(look_up(rule, CURRENT.catalogue, "current"))


def test_every_option_is_listed_with_what_is_in_force() -> None:
    for book in (CURRENT, EARLIER):
        settings = book.catalogue.resolve({"adjacent_gap_cm": 3.0})
        listed = house_rules(book.catalogue, settings)
        assert [one.name for one in listed] == [one.name for one in book.catalogue.choices]
        assert {one.name: one.now for one in listed} == {one: settings[one] for one in settings}
