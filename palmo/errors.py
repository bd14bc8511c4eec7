"""What a person is told when something cannot be done, in the language spoken."""

from __future__ import annotations

import errno
import os
import re
from pathlib import Path
from typing import Self

from calibration.sentences import Said
from overlay.i18n import entries, translate
from rules.text import Text
from vision.sources.naming import without_passwords

# Characters that steer a terminal or turn a line around instead of being seen.
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
# Of a longer sentence, blown up by what somebody's file holds, the beginning and the end are told.
_LONGEST, _BEGINNING, _END = 1000, 600, 300
Value = float | int | str | Path | Text


class PalmoError(ValueError):
    """Something the user can put right: str() is one sentence that says how."""


class SaidError(PalmoError):
    """A PalmoError with its sentence in the catalogue: `text` can be said in the reader's language."""

    def __init__(self, key: str, /, **values: Value) -> None:
        self.text = text(key, **values)
        super().__init__(translate(self.text, "en"))


def text(key: str, /, **values: Value) -> Text:
    """A sentence of the catalogue; values may be paths and the lower floors' sentences too."""
    return Text(key, {name: _plain(value) for name, value in values.items()})


def said(sentence: str) -> Text:
    """The Text of a lower floor's sentence; of one that remembers no key, the sentence as it is."""
    if isinstance(sentence, Said):
        return text(sentence.key, **sentence.values)
    return Text("live.plain", {"text": sentence})


class Spoken(str):
    """A sentence of the catalogue for the log: English, and said in the reader's language on a terminal."""

    text: Text

    def __new__(cls, key: str, /, **values: Value) -> Self:
        """The sentence of a key."""
        sentence = text(key, **values)
        made = super().__new__(cls, translate(sentence, "en"))
        made.text = sentence
        return made


def in_language(line: object, lang: str) -> str:
    """A line of the log in a language, when it is a sentence that can be said in it."""
    if isinstance(line, Spoken):
        return translate(line.text, lang)
    return translate(said(line), lang) if isinstance(line, Said) else str(line)


def reason(error: Exception) -> Text | str:
    """What the system says of an error with a file or a socket, when the catalogue has it in words."""
    number = getattr(error, "errno", None)
    key = f"os.{errno.errorcode.get(number, '') if number is not None else ''}"
    return Text(key) if key in entries("en") else getattr(error, "strerror", None) or str(error)


def debugging() -> bool:
    """Whether PALMO_DEBUG asks for tracebacks."""
    return os.environ.get("PALMO_DEBUG", "") not in ("", "0")


def texts(error: BaseException) -> list[Text]:
    """What an error says, one Text per problem; what is a fault of Palmo itself says so."""
    several = getattr(error, "texts", None)
    one = getattr(error, "text", None)
    if several is not None:
        return list(several)
    if isinstance(one, Text):
        return [one]
    if error.args and isinstance(error.args[0], Said):
        return [said(error.args[0])]
    if isinstance(error, OSError) and error.strerror:
        why = reason(error)
        return [text("error.at", at=str(error.filename), what=why) if error.filename else _as_text(why)]
    if isinstance(error, ValueError | OSError) and str(error):
        return [said(line) for line in str(error).split("\n")]
    return [text("error.fault", kind=type(error).__name__, what=str(error))]


def sentence(error: BaseException, lang: str = "en") -> str:
    """One line per problem in a language. Control characters are spelled out, passwords left out."""
    lines = (without_passwords(translate(one, lang).replace("\n", " ")) for one in texts(error))
    return "\n".join(_readable(visible(line)) for line in lines)


def _readable(line: str) -> str:
    return line if len(line) <= _LONGEST else f"{line[:_BEGINNING]} … {line[-_END:]}"


def visible(words: str) -> str:
    """The words with every character but a new line that would steer a terminal spelled out."""
    return CONTROL.sub(lambda found: found[0] if found[0] == "\n" else f"\\u{ord(found[0]):04x}", words)


def _as_text(value: Text | str) -> Text:
    return value if isinstance(value, Text) else said(value)


def _plain(value: Value) -> float | int | str | Text:
    if isinstance(value, Said):
        return said(value)
    return str(value) if isinstance(value, Path) else value
