"""What is wrong with an order or a question, in one sentence: the field, and what may stand in it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from overlay.i18n import entries
from rules.text import Text

# So much of a value that was given is told.
_LONGEST = 40
# How the pages call the fields that people fill in.
_NAMES = {
    "width_cm": "page.setup.width",
    "depth_cm": "page.setup.depth",
    "post_height_cm": "page.setup.post",
    "palm_cm": "page.setup.hand.open",
    "half_palm_cm": "page.setup.hand.closed",
    "height_cm": "page.setup.fighter.height",
    "length_cm": "field.length",
    "name": "page.setup.fighter.name",
    "id": "page.setup.player.id",
    "player": "page.setup.fighter.player",
    "kind": "page.setup.fighter.kind",
    "team": "page.setup.fighter.team",
    "edition": "page.setup.rules.edition",
    "mode": "page.setup.rules.mode",
}
_NUMBERS = {"float_type", "float_parsing", "finite_number", "decimal_type"}
_WHOLE = {"int_type", "int_parsing", "int_from_float"}
_LIMITS = {"greater_than": "gt", "greater_than_equal": "ge", "less_than": "lt", "less_than_equal": "le"}
_ENTRIES = {"too_short": "min_length", "too_long": "max_length"}


def refused(problems: Sequence[Mapping[str, Any]]) -> Text:
    """The sentence for what the types found: of the first field that is named, else of the whole body."""
    for problem in problems:
        named = [part for part in problem["loc"][1:] if isinstance(part, str)]
        if named:
            return _about(problem, called(named[-1]))
    return Text("server.body")


def called(field: str) -> Text | str:
    """How a page calls a field; one that no page has is told as it was written."""
    key = _NAMES.get(field, f"ability.{field}")
    return Text(key) if key in entries("en") else f"“{shown(field)}”"


def shown(value: object) -> str:
    """A value as it may stand in a sentence: short, and nothing in it that no text can hold."""
    words = value if isinstance(value, str) else f"{value:g}" if isinstance(value, float) else str(value)
    return words[:_LONGEST].encode("utf-8", "replace").decode()


def _about(problem: Mapping[str, Any], field: Text | str) -> Text:
    kind, limits = problem["type"], problem.get("ctx", {})
    values: dict[str, float | int | str | Text] = {"field": field, "given": shown(problem["input"])}
    if kind == "missing" or problem["input"] in (None, ""):
        return Text("field.missing", values)
    if kind in _NUMBERS:
        return Text("field.number", values)
    if kind in _WHOLE:
        return Text("field.whole", values)
    if kind in _LIMITS:
        return Text(f"field.{kind}", values | {"limit": f"{limits[_LIMITS[kind]]:g}"})
    if kind == "string_too_long":
        return Text("field.long", values | {"most": limits["max_length"]})
    if kind in _ENTRIES:
        return Text("field.entries", values | {"wanted": limits[_ENTRIES[kind]]})
    if kind == "literal_error":
        choices = ", ".join(re.findall(r"'([^']*)'", limits["expected"]))
        return Text("field.choice", values | {"choices": choices})
    if kind == "extra_forbidden":
        return Text("field.unknown", values)
    return Text("field.other", values)
