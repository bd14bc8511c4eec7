"""The catalogue of messages: every sentence on screen and in the terminal, in Spanish and English.

Sources are gettext `.po` files, `overlay/locale/<lang>/LC_MESSAGES/*.po`, one file per owner (`overlay.po`,
`rules.po`, `palmo.po`, ...). They are read at first use, so adding a sentence is
editing two text files and nothing else: no tool, and no compiled file that could be stale. An entry is

    msgid "verdict.within"
    msgstr "Dentro: {distance:.1f} ± {sd:.1f} cm"

The msgid is the key (`rules.text.Text.key`), never a sentence. Placeholders are the names of the values:
`{name}` as it comes, `{distance:.1f}` a number with that many decimals in the manner of the language (decimal
comma in Spanish). A sentence that depends on a count has `msgid_plural` (repeat the key), `msgstr[0]` for one
and `msgstr[1]` for many, and its count is the value `n`; a `msgid_plural` that is not the key names another
value as the count. The same key in two files of a language is an error.
"""

from __future__ import annotations

import io
import logging
import re
import string
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from types import MappingProxyType
from typing import Any

from babel import Locale
from babel.messages.pofile import read_po
from babel.numbers import format_decimal

from rules.text import Text

LANGUAGES = ("es", "en")
COUNT = "n"
NO_NAMES: Mapping[str, str] = MappingProxyType({})
# Spanish says "e" instead of "y" before the sound of an i: Santo e Íñigo, but Santo y Hierro.
_E_FOR_Y = re.compile(r" y (?=h?[ií](?![aeou]))", re.IGNORECASE)
_log = logging.getLogger(__name__)


class CatalogueError(ValueError):
    """A language that does not exist, or a catalogue file that contradicts itself; str() says which."""


@dataclass(frozen=True)
class Entry:
    """One message: its key, its sentence in each plural form, and the file it stands in."""

    key: str
    forms: tuple[str, ...]
    file: str
    count: str = COUNT

    @property
    def placeholders(self) -> frozenset[str]:
        """The names of the values that the sentence needs in any of its forms."""
        return frozenset(
            name
            for form in self.forms
            for _, name, _, _ in string.Formatter().parse(form)
            if name is not None
        )


def entries(lang: str) -> dict[str, Entry]:
    """Every message of a language by its key. Raises CatalogueError."""
    return dict(_catalogue(lang))


def keys(lang: str, prefix: str = "") -> Iterator[str]:
    """The keys of a language that begin with a prefix, in order."""
    return (key for key in sorted(_catalogue(lang)) if key.startswith(prefix))


def language(wanted: str | None, default: str = "es") -> str:
    """The language to speak: `wanted` ("es", "en-GB", "es_ES.UTF-8") when it is there, else the default."""
    short = (wanted or "").replace("_", "-").split("-")[0].lower()
    return short if short in LANGUAGES else default


def translate(text: Text, lang: str, names: Mapping[str, str] = NO_NAMES) -> str:
    """The sentence of a Text in a language ("es" or "en").

    The rules speak of fighters and players by their ids: a value that is one of `names` is said by its name.
    A key or value that is missing never stops a match: the key is shown in angle brackets and the fault is
    logged as an error. Raises CatalogueError only for a language that does not exist.
    """
    entry = _catalogue(lang).get(text.key)
    if entry is None:
        _log.error("No message %r in language %r", text.key, lang)
        return f"⟨{text.key}⟩"
    sentence = (
        entry.forms[0] if len(entry.forms) == 1 else entry.forms[_form(text.values.get(entry.count), lang)]
    )
    try:
        said = _Sentence(lang, names).vformat(sentence, (), text.values)
    except (KeyError, ValueError) as fault:
        _log.error("Message %r in language %r does not fit its values: %s", text.key, lang, fault)
        return f"⟨{text.key}⟩"
    return _E_FOR_Y.sub(" e ", said) if lang == "es" and text.key == "list.last" else said


_HUGE = 1e15


def number(value: float, decimals: int, lang: str) -> str:
    """A number with a fixed count of decimals in the manner of a language: 12,5 in Spanish."""
    if abs(value) >= _HUGE:
        # More digits than decimals are calculated with; whoever reads it needs none of them.
        return f"{value:g}"
    return str(format_decimal(value, format=_pattern(decimals), locale=lang))


class _Sentence(string.Formatter):
    """Formats placeholders: Texts are translated first, numbers follow the language."""

    def __init__(self, lang: str, names: Mapping[str, str]) -> None:
        self._lang = lang
        self._names = names

    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, Text):
            return translate(value, self._lang, self._names)
        if isinstance(value, bool) or not isinstance(value, int | float):
            return self._names.get(value, value) if isinstance(value, str) else str(value)
        if format_spec:
            return number(value, _decimals(format_spec), self._lang)
        if isinstance(value, int) or abs(value) >= _HUGE:
            return str(value)
        return str(format_decimal(value, locale=self._lang))


@cache
def _pattern(decimals: int) -> str:
    return "0." + "0" * decimals if decimals else "0"


@lru_cache(maxsize=32)
def _decimals(spec: str) -> int:
    """The decimals of a format like `.1f` or `d`; nothing else is understood, so both languages agree."""
    if spec == "d":
        return 0
    if spec.startswith(".") and spec.endswith("f") and spec[1:-1].isdigit():
        return int(spec[1:-1])
    raise ValueError(f"number format {spec!r} is neither d nor .1f")


def _form(count: object, lang: str) -> int:
    """Which msgstr[...] a count takes: 0 for one, 1 for the others, by the language's own rule (CLDR)."""
    number = count if isinstance(count, int | float) else 1
    return 0 if Locale(lang).plural_form(abs(number)) == "one" else 1


@cache
def _catalogue(lang: str) -> dict[str, Entry]:
    if lang not in LANGUAGES:
        raise CatalogueError(f"There is no language {lang!r}; choose one of {', '.join(LANGUAGES)}.")
    known: dict[str, Entry] = {}
    folder = resources.files("overlay") / "locale" / lang / "LC_MESSAGES"
    for source in sorted((f for f in folder.iterdir() if f.name.endswith(".po")), key=lambda f: f.name):
        for message in read_po(io.BytesIO(source.read_bytes()), locale=lang, abort_invalid=True):
            key, plural = message.id if isinstance(message.id, tuple | list) else (message.id, message.id)
            if not key:
                continue  # The head of the file.
            if key in known:
                raise CatalogueError(f"{lang}: {key!r} stands both in {known[key].file} and {source.name}.")
            forms = message.string if isinstance(message.string, tuple | list) else (message.string,)
            count = COUNT if plural == key else plural
            known[key] = Entry(key, tuple(str(form or "") for form in forms), source.name, count)
    return known
