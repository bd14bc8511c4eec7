"""Sentences about an event file: file, line, key, what is wrong and what to do."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from pydantic_core import ErrorDetails

from palmo.event.lines import KeyPath
from palmo.event.model import (
    CameraSection,
    Event,
    FighterSection,
    MatchSection,
    PlayerSection,
    RingSection,
    SheetSection,
)

_MODELS: dict[str, type[BaseModel]] = {
    "camera": CameraSection,
    "ring": RingSection,
    "player": PlayerSection,
    "fighter": FighterSection,
    "sheet": SheetSection,
    "match": MatchSection,
}
_TYPE_WORDS = {
    "float_type": "a number",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "string_type": "a text in quotes",
    "bool_type": "true or false",
    "list_type": "a list in [ ]",
    "model_type": "a table",
    "dict_type": "a table",
}

_UNITS = {"_cm": "cm", "_deg": "degrees", "_px": "pixels"}


@dataclass(frozen=True)
class Problem:
    """One thing wrong with an event file. `line` is None when no line can be blamed; `key` is dotted."""

    line: int | None
    key: str
    sentence: str


class EventError(ValueError):
    """An event file that cannot be used: `problems` has all of them, str() is one sentence per line."""

    def __init__(self, path: Path, problems: list[Problem]) -> None:
        self.path = path
        self.problems = problems
        super().__init__("\n".join(_located(path, problem) for problem in problems))


def _located(path: Path, problem: Problem) -> str:
    place = str(path) if problem.line is None else f"{path}, line {problem.line}"
    return f"{place}: {problem.sentence}"


def subject(path: KeyPath, data: dict[str, Any]) -> str:
    """How a person would call a key: `height_cm of fighter F2`, `corners_px of [ring]`, `fighter F2`."""
    head, *rest = path
    if rest and isinstance(rest[0], int):
        owner, rest = _named(str(head), rest[0], data), rest[1:]
    else:
        owner = f"[{head}]" if str(head) in _MODELS else f'"{head}"'
    if rest and rest[0] == "sheet":
        owner, rest = f"the sheet of {owner}", rest[1:]
    if not rest:
        return owner
    name, *inner = rest
    place = "".join(f", entry {number + 1}" if isinstance(number, int) else f".{number}" for number in inner)
    return f"{name} of {owner}{place}"


def sentence(error: ErrorDetails, path: KeyPath, data: dict[str, Any]) -> str:
    """One sentence for one finding of the types."""
    kind, what, given = error["type"], subject(path, data), error["input"]
    limits = error.get("ctx", {})
    if kind == "missing":
        owner = subject(path[:-1], data) if len(path) > 1 else "the file"
        return f"{owner} has no {path[-1]}; add it{_help(path)}"
    if kind == "extra_forbidden":
        return _unknown(path, data)
    if kind in _TYPE_WORDS:
        return f"{what} is {_shown(given)}; it must be {_TYPE_WORDS[kind]}{_help(path)}"
    if kind == "finite_number":
        return f"{what} is not a finite number; give a real one{_help(path)}"
    if kind == "greater_than_equal":
        return f"{what} is {_shown(given)}; it must be at least {limits['ge']:g}{_unit(path)}{_help(path)}"
    if kind == "less_than_equal":
        return f"{what} is {_shown(given)}; it must be at most {limits['le']:g}{_unit(path)}{_help(path)}"
    if kind in ("too_short", "too_long") and limits.get("min_length", limits.get("max_length")):
        wanted = limits.get("min_length", limits.get("max_length"))
        return f"{what} has {limits['actual_length']} entries; it must have {wanted}{_help(path)}"
    if kind == "literal_error":
        return f"{what} is {_shown(given)}; it must be {limits['expected']}"
    if kind == "string_pattern_mismatch":
        return f"{what} is {_shown(given)}, which does not fit{_help(path)}"
    return f"{what} is {_shown(given)}: {error['msg'].lower()}"


def _unknown(path: KeyPath, data: dict[str, Any]) -> str:
    *owner, key = path
    model = _model(path)
    known = [field.alias or name for name, field in model.model_fields.items()]
    near = difflib.get_close_matches(str(key), known, n=1)
    advice = f'did you mean "{near[0]}"?' if near else f"it knows {', '.join(known)}"
    return f'"{key}" is not a key of {subject(tuple(owner), data) if owner else "the file"}; {advice}'


def _model(path: KeyPath) -> type[BaseModel]:
    """The table a key path lies in."""
    model: type[BaseModel] = Event
    for part in path[:-1]:
        model = _MODELS.get(str(part), model)
    return model


def _help(path: KeyPath) -> str:
    """The key's description in brackets, when it has one."""
    name = next((part for part in reversed(path) if isinstance(part, str)), "")
    for field_name, field in _model((*path[: path.index(name)], name)).model_fields.items():
        if name in (field_name, field.alias) and field.description:
            return f" ({field.description})"
    return ""


def _unit(path: KeyPath) -> str:
    """The unit a key's name ends in."""
    name = next((part for part in reversed(path) if isinstance(part, str)), "")
    return next((f" {unit}" for end, unit in _UNITS.items() if name.endswith(end)), "")


def _named(kind: str, number: int, data: dict[str, Any]) -> str:
    tables = data.get(kind)
    table = tables[number] if isinstance(tables, list) and number < len(tables) else None
    name = table.get("id") if isinstance(table, dict) else None
    return f"{kind} {name}" if isinstance(name, str) and name else f"{kind} number {number + 1}"


def _shown(value: object) -> str:
    if isinstance(value, str):
        return f'"{value[:40]}"'
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:g}"
    try:
        return str(value)[:40]
    except ValueError:  # Python writes no number of more than 4300 digits.
        return "a number of thousands of digits"
