"""What is agreed before a match, on the set-up pages: edition, kind of match, house rules and proposals."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Annotated, Any

from fastapi import FastAPI
from pydantic import BeforeValidator, Field, JsonValue

from overlay import answers
from overlay.i18n import language, translate
from overlay.rule_sheet import house_rule_view, rule_text
from overlay.setup.desk import Agreed, Offer, SetupDesk
from overlay.setup.ring import Given, Lang

_Word = Annotated[str, Field(max_length=60)]


class _Agreed(Given):
    edition: _Word
    mode: _Word
    modifiers: Annotated[tuple[_Word, ...], Field(max_length=8)] = ()


class _HouseRule(Given):
    name: _Word
    value: Annotated[JsonValue, BeforeValidator(answers.whole_characters)] = None


def add_rules(app: FastAPI, desk: SetupDesk) -> None:
    """Give an app the endpoints for what is agreed."""

    @app.get("/api/setup/rules")
    def rules(lang: Lang = None) -> dict[str, Any]:
        """What may be agreed, and what is."""
        return _view(desk, language(lang))

    @app.post("/api/setup/agree")
    def agree(given: _Agreed, lang: Lang = None) -> dict[str, Any]:
        """Edition, kind of match and modifiers."""
        desk.rules.agree(Agreed(given.edition, given.mode, given.modifiers))
        return _view(desk, language(lang))

    @app.post("/api/setup/house_rule")
    def house_rule(given: _HouseRule, lang: Lang = None) -> dict[str, Any]:
        """A house rule or a proposal, or with null no more of it."""
        desk.rules.rule(given.name, given.value)
        return _view(desk, language(lang))


def _view(desk: SetupDesk, lang: str) -> dict[str, Any]:
    agreed, offered = desk.rules.agreed(), desk.rules.offered()
    edition = agreed.edition
    rules = sorted(offered.house_rules, key=lambda one: _order(one.rules[0]))
    return {
        "edition": edition,
        "mode": agreed.mode,
        "modifiers": list(agreed.modifiers),
        "editions": _offers(offered.editions, lang),
        "modes": _offers(offered.modes, lang),
        "modifiers_known": _offers(offered.modifiers, lang),
        "house_rules": [
            {
                "rule": rule,
                "text": rule_text(rule, edition, lang),
                "options": [house_rule_view(one, lang) for one in options],
            }
            for rule, options in groupby(rules, key=lambda one: one.rules[0])
        ],
        "proposals": [
            {"id": one.id, "text": rule_text(one.id, edition, lang), "agreed": one.agreed}
            for one in offered.proposals
        ],
    }


def _offers(offers: Sequence[Offer], lang: str) -> list[dict[str, str]]:
    return [{"id": one.id, "name": translate(one.name, lang)} for one in offers]


def _order(rule: str) -> tuple[str, int]:
    """Rulings by their numbers, what is agreed for the ending of a match before them."""
    family, _, number = rule.partition("-")
    return ("" if family == "SETUP" else family), int(number)
