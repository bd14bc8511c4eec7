"""What is wrong with a text that is no TOML, from what the standard parser says of it."""

from __future__ import annotations

import re
import tomllib

from palmo.errors import text
from rules.text import Text

# How the parser's messages begin, and what they mean to somebody who wrote the file.
_MEANINGS = (
    ("Invalid value", "value"),
    ("Expected '='", "equals"),
    ("Expected newline", "after"),
    ("Cannot overwrite", "twice"),
    ("Cannot declare", "twice"),
    ("Cannot mutate", "twice"),
    ("Unclosed array", "array"),
    ("Unclosed inline table", "array"),
    ("Unterminated string", "string"),
    ("Illegal character", "character"),
    ("Found invalid character", "character"),
    ("Expected ']'", "header"),
    ("Invalid initial character", "key"),
    ("Invalid statement", "key"),
    ("Unescaped", "escape"),
    ("Invalid hex value", "escape"),
)


def toml_problem(error: tomllib.TOMLDecodeError) -> Text:
    """The sentence, with the place where the parser stopped."""
    message = str(error)
    meaning = next((key for begin, key in _MEANINGS if message.startswith(begin)), "other")
    place = re.search(r"line (\d+), column (\d+)", message)
    what = text(f"error.toml.{meaning}")
    if place is None:
        return text("error.toml.end", what=what)
    return text("error.toml", line=int(place[1]), column=int(place[2]), what=what)
