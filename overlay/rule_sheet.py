"""A rule as somebody reads it who asks why: its text, its house rules, and what else to read."""

from __future__ import annotations

import re
from difflib import get_close_matches
from functools import cache
from typing import Any

from babel.numbers import format_decimal

from overlay.i18n import entries, translate
from rules.smackkatz.lookup import HouseRule, Lookup
from rules.text import Text

NEAREST = 3
"""So many ids are suggested for one that does not exist."""
_TYPED = re.compile(r"([a-z]+)\W*(\d{1,3})", re.IGNORECASE)
_EARLIER = "rule.earlier."


@cache
def rule_ids() -> tuple[str, ...]:
    """Every rule and ruling that can be read."""
    return tuple(
        key.removeprefix("rule.")
        for key in entries("en")
        if key.startswith("rule.") and not key.startswith(_EARLIER)
    )


def identify(given: str) -> str | None:
    """The id somebody means (`STRIKE-06`, `strike 6`, `ruling37`); None when there is no such rule."""
    typed = _TYPED.fullmatch(given.strip())
    if typed is None:
        return None
    family, number = typed[1].upper(), int(typed[2])
    return next((one for one in (f"{family}-{number}", f"{family}-{number:02d}") if one in rule_ids()), None)


def nearest(given: str) -> list[str]:
    """The ids most like one that does not exist, the likeliest first; there is always one."""
    wanted = given.strip().upper()
    return get_close_matches(wanted, rule_ids(), NEAREST, 0.6) or get_close_matches(wanted, rule_ids(), 1, 0)


def rule_text(rule: str, edition: str, lang: str) -> str:
    """What a rule says in an edition."""
    key = f"{_EARLIER}{rule}" if edition == "earlier" else ""
    return translate(Text(key if key in entries(lang) else f"rule.{rule}"), lang)


def rule_view(found: Lookup, lang: str) -> dict[str, Any]:
    """A rule with all that belongs to it as plain data in one language."""
    return {
        "rule": found.rule,
        "edition": found.edition,
        "text": rule_text(found.rule, found.edition, lang),
        "house_rules": [house_rule_view(one, lang) for one in found.house_rules],
        "related": [{"rule": one, "text": rule_text(one, found.edition, lang)} for one in found.related],
    }


def house_rule_view(one: HouseRule, lang: str) -> dict[str, Any]:
    """An option as plain data: what it is about, what it may be, usually is and is now, each value also as
    people say it."""
    return {
        "name": one.name,
        "title": translate(Text(f"house.{one.name}"), lang),
        "said": [_said(value, lang) for value in one.values],
        "now_said": _said(one.now, lang),
        "default": one.default,
        "now": one.now,
        "values": list(one.values),
        "low": one.low,
        "high": one.high,
        "rules": list(one.rules),
    }


def _said(value: Any, lang: str) -> str:
    """A value of a house rule in words."""
    if isinstance(value, bool):
        return translate(Text("page.setup.yes" if value else "page.setup.no"), lang)
    if isinstance(value, str):
        return translate(Text(f"house.value.{value}"), lang)
    if isinstance(value, list | tuple):
        return " – ".join(_said(one, lang) for one in value)
    return str(format_decimal(value, locale=lang))
