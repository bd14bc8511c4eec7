"""What a rule says, when somebody asks why: looked up by its id and put into lines."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from overlay.i18n import translate
from overlay.rule_sheet import identify, nearest, rule_view
from palmo.errors import SaidError
from rules.engine.rulebook import Rulebook
from rules.smackkatz.lookup import Lookup, look_up
from rules.text import Text


def asked(given: str, book: Rulebook[Any], settings: Mapping[str, Any] | None = None) -> Lookup:
    """The rule somebody means, with its house rules as they are set. Raises SaidError for no such rule."""
    rule = identify(given)
    if rule is None:
        raise SaidError("lookup.unknown", given=given, nearest=", ".join(nearest(given)))
    return look_up(rule, book.catalogue, book.edition, settings)


def sheet_lines(found: Lookup, lang: str) -> Iterator[tuple[str, str]]:
    """A rule as lines to print, each with its style."""
    view = rule_view(found, lang)
    edition = f" ({translate(Text('page.rule.earlier'), lang)})" if found.edition == "earlier" else ""
    yield f"{found.rule}{edition}: {view['text']}", ""
    if view["house_rules"]:
        yield f"  {translate(Text('page.rule.house_rules'), lang)}", "bold"
    for one in view["house_rules"]:
        yield f"    {_option(one, lang)} ({', '.join(one['rules'])})", ""
    if view["related"]:
        yield f"  {translate(Text('page.rule.related'), lang)}", "bold"
    for one in view["related"]:
        yield f"    {one['rule']}: {one['text']}", "dim"


def _option(one: Mapping[str, Any], lang: str) -> str:
    """An option with the value in force and what else it may be."""
    name, now, default = one["name"], one["now"], one["default"]
    if now == default:
        said = Text("lookup.default", {"name": name, "value": _value(now)})
    else:
        said = Text("lookup.agreed", {"name": name, "value": _value(now), "default": _value(default)})
    others: Text | str = ", ".join(_value(value) for value in one["values"] if value not in (now, default))
    if one["low"] is not None:
        others = Text("lookup.range", {"low": _value(one["low"]), "high": _value(one["high"])})
    return translate(Text("lookup.instead", {"said": said, "others": others}) if others else said, lang)


def _value(value: Any) -> str:
    """A value as the event file writes it, words without their quotes."""
    return value if isinstance(value, str) else json.dumps(value)
