"""Sentences about an event file: file, line, key, what is wrong and what to do."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from pydantic_core import ErrorDetails

from overlay.i18n import translate
from palmo.errors import text
from palmo.event.lines import KeyPath
from palmo.event.model import (
    CameraSection,
    Event,
    FighterSection,
    MatchSection,
    PlayerSection,
    RingSection,
    SheetSection,
    TitleSection,
)
from rules.text import Text

_MODELS: dict[str, type[BaseModel]] = {
    "camera": CameraSection,
    "ring": RingSection,
    "player": PlayerSection,
    "fighter": FighterSection,
    "sheet": SheetSection,
    "match": MatchSection,
    "titles": TitleSection,
}
_TYPES = {
    "float_type": "number",
    "int_type": "whole",
    "int_from_float": "whole",
    "string_type": "text",
    "bool_type": "bool",
    "list_type": "list",
    "model_type": "table",
    "dict_type": "table",
}
_UNITS = {"_cm": "cm", "_deg": "deg", "_px": "px"}


@dataclass(frozen=True)
class Problem:
    """One thing wrong with an event file. `line` is None when no line can be blamed; `key` is dotted."""

    line: int | None
    key: str
    text: Text

    @property
    def sentence(self) -> str:
        """What is wrong, in English."""
        return translate(self.text, "en")


class EventError(ValueError):
    """An event file that cannot be used: `problems` has all of them, str() is one sentence per line.

    `texts` are the same sentences, with file and line, for other languages.
    """

    def __init__(self, path: Path, problems: list[Problem]) -> None:
        self.path = path
        self.problems = problems
        self.texts = [_located(path, problem) for problem in problems]
        super().__init__("\n".join(translate(one, "en") for one in self.texts))


def _located(path: Path, problem: Problem) -> Text:
    if problem.line is None:
        return text("error.at", at=path, what=problem.text)
    return text("error.at.line", at=path, line=problem.line, what=problem.text)


def subject(path: KeyPath, data: dict[str, Any]) -> Text | str:
    """How a person would call a key: `height_cm of fighter F2`, `corners_px of [ring]`, `fighter F2`."""
    head, *rest = path
    owner: Text | str
    if rest and isinstance(rest[0], int):
        owner, rest = _named(str(head), rest[0], data), rest[1:]
    else:
        owner = f"[{head}]" if str(head) in _MODELS else f'"{head}"'
    if rest and rest[0] == "sheet":
        owner, rest = text("error.of.sheet", owner=owner), rest[1:]
    if not rest:
        return owner
    name, *inner = rest
    whole: Text = text("error.of.key", name=str(name), owner=owner)
    for part in inner:
        if isinstance(part, int):
            whole = text("error.of.entry", what=whole, number=part + 1)
        else:
            whole = text("error.of.part", what=whole, part=part)
    return whole


def sentence(error: ErrorDetails, path: KeyPath, data: dict[str, Any]) -> Text:
    """One sentence for one finding of the types."""
    kind, what, given = error["type"], subject(path, data), error["input"]
    limits, help_ = error.get("ctx", {}), _help(path)
    value = shown(given)
    if kind == "missing":
        owner = subject(path[:-1], data) if len(path) > 1 else text("error.of.file")
        return text("error.event.missing", owner=owner, key=str(path[-1]), help=help_)
    if kind == "extra_forbidden":
        return _unknown(path, data)
    if kind in _TYPES:
        type_ = text(f"error.type.{_TYPES[kind]}")
        return text("error.event.type", what=what, value=value, type=type_, help=help_)
    if kind == "finite_number":
        return text("error.event.finite", what=what, help=help_)
    if kind in ("greater_than_equal", "less_than_equal"):
        key, limit = ("least", limits["ge"]) if kind == "greater_than_equal" else ("most", limits["le"])
        values = {"what": what, "value": value, "limit": f"{limit:g}", "unit": _unit(path), "help": help_}
        return text(f"error.event.{key}", **values)
    if kind in ("too_short", "too_long"):
        wanted = limits.get("min_length", limits.get("max_length"))
        has = limits["actual_length"]
        return text("error.event.entries", what=what, has=has, wanted=wanted or 0, help=help_)
    if kind == "literal_error":
        return text("error.event.choice", what=what, value=value, choices=_choices(limits["expected"]))
    return text("error.event.fit", what=what, value=value, help=help_)


def _choices(expected: str) -> str:
    """The choices of a literal as pydantic lists them, without its English `or`."""
    return ", ".join(re.findall(r"'[^']*'", expected))


def _unknown(path: KeyPath, data: dict[str, Any]) -> Text:
    *owner, key = path
    model = _model(path)
    known = [field.alias or name for name, field in model.model_fields.items()]
    near = difflib.get_close_matches(str(key), known, n=1)
    advice = (
        text("error.event.near", key=near[0]) if near else text("error.event.knows", keys=", ".join(known))
    )
    whose = subject(tuple(owner), data) if owner else text("error.of.file")
    return text("error.event.unknown", key=str(key), owner=whose, advice=advice)


def _model(path: KeyPath) -> type[BaseModel]:
    """The table a key path lies in."""
    model: type[BaseModel] = Event
    for part in path[:-1]:
        model = _MODELS.get(str(part), model)
    return model


def _help(path: KeyPath) -> Text | str:
    """The key's description in brackets, when it has one."""
    name = next((part for part in reversed(path) if isinstance(part, str)), "")
    model = _model((*path[: path.index(name)], name)) if name else Event
    for field_name, field in model.model_fields.items():
        if name in (field_name, field.alias) and field.description:
            return text("error.event.help", what=text(help_key(model, field_name)))
    return ""


def help_key(model: type[BaseModel], field: str) -> str:
    """The catalogue's key for the description of a key of a table."""
    return f"event.help.{model.__name__.removesuffix('Section').lower()}.{field}"


def _unit(path: KeyPath) -> Text | str:
    """The unit a key's name ends in."""
    name = next((part for part in reversed(path) if isinstance(part, str)), "")
    return next((text(f"error.unit.{unit}") for end, unit in _UNITS.items() if name.endswith(end)), "")


def _named(kind: str, number: int, data: dict[str, Any]) -> Text:
    tables = data.get(kind)
    table = tables[number] if isinstance(tables, list) and number < len(tables) else None
    name = table.get("id") if isinstance(table, dict) else None
    word = text(f"error.table.{kind}") if kind in ("player", "fighter") else kind
    if isinstance(name, str) and name:
        return text("error.of.id", kind=word, id=name)
    return text("error.of.number", kind=word, number=number + 1)


def shown(value: object) -> Text | str:
    """A value as it may stand in a sentence."""
    if isinstance(value, str):
        return f'"{value[:40]}"'
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:g}"
    try:
        return str(value)[:40]
    except ValueError:  # Python writes no number of more than 4300 digits.
        return text("error.value.digits")
