"""`docs/event-file.md` and its Spanish twin, generated from the models.

`python -m palmo.event.reference > docs/event-file.md`, and with `es` for `docs/es/archivo-de-evento.md`.
"""

from __future__ import annotations

import inspect
import sys
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from overlay.i18n import translate
from palmo.event.model import (
    CameraSection,
    FighterSection,
    MatchSection,
    PlayerSection,
    RingSection,
    SheetSection,
    TitleSection,
)
from palmo.event.reference_words import AGREED, EXAMPLE, WORDS, Words
from rules.text import Text

# The tables in their order, with the names that the catalogue has for them.
_TABLES: tuple[tuple[str, str, type[BaseModel]], ...] = (
    ("[camera]", "camera", CameraSection),
    ("[ring]", "ring", RingSection),
    ("[[player]]", "player", PlayerSection),
    ("[[fighter]]", "fighter", FighterSection),
    ("[fighter.sheet]", "sheet", SheetSection),
    ("[[fighter.sheet.titles]]", "title", TitleSection),
    ("[match]", "match", MatchSection),
)


def reference(lang: str = "en") -> str:
    """The whole page."""
    words = WORDS[lang]
    tables = "".join(_table(head, name, model, lang) for head, name, model in _TABLES)
    return f"{words.introduction}{EXAMPLE}{tables}\n{words.notes}{AGREED}"


def _table(head: str, called: str, model: type[BaseModel], lang: str) -> str:
    words = WORDS[lang]
    about = words.models.get(head, inspect.cleandoc(model.__doc__ or ""))
    rows = "".join(
        f"| `{field.alias or name}` | {_about(field, called, name, lang)} | {_value(field, words)} |\n"
        for name, field in model.model_fields.items()
    )
    return f"\n## `{head}`\n\n{about}\n\n| {' | '.join(words.heads)} |\n|---|---|---|\n{rows}"


def _about(field: FieldInfo, called: str, name: str, lang: str) -> str:
    """What a key is; in English as the model says it."""
    if lang == "en":
        return field.description or "see below"
    return translate(Text(f"event.help.{called}.{name}"), lang)


def _value(field: FieldInfo, words: Words) -> str:
    """The kind of value, its bounds and what counts without it, in words."""
    value = _kind(field, words)
    if field.is_required():
        return value
    if field.default in (None, {}, []):
        return f"{value}; {words.optional}"
    return f"{value}; {words.left_out.format(value=_toml(field.default))}"


def _kind(field: FieldInfo, words: Words) -> str:
    """The kind of value or its bounds."""
    bounds = {
        key: bound
        for part in _metadata(field)
        for key in ("ge", "le")
        if (bound := getattr(part, key, None)) is not None
    }
    if "ge" in bounds and "le" in bounds:
        return words.between.format(low=bounds["ge"], high=bounds["le"])
    if "ge" in bounds:
        return words.at_least.format(low=bounds["ge"])
    return _words(field.annotation, words)


def _metadata(field: FieldInfo) -> list[Any]:
    """All constraints on a field, those of its inner Annotated included."""
    inner = [part for part in field.metadata for part in getattr(part, "metadata", [part])]
    return [*field.metadata, *inner]


def _words(annotation: Any, words: Words) -> str:
    if get_origin(annotation) is Literal:
        return ", ".join(f'`"{choice}"`' for choice in get_args(annotation))
    choices = [part for part in get_args(annotation) if part is not type(None)]
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return words.a_table
    if get_origin(annotation) is list:
        return words.a_list
    if get_origin(annotation) is dict:
        return words.a_table
    if choices:
        return _words(choices[0], words)
    return words.kinds.get(annotation, words.a_list)


def _toml(value: object) -> str:
    return f'`"{value}"`' if isinstance(value, str) else f"`{value}`"


if __name__ == "__main__":
    sys.stdout.write(reference(*sys.argv[1:2]))
