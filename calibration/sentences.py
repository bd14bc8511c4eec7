"""Sentences that remember what they say: English here, with the key and the values for other languages.

The lower floors have no catalogue of messages and still have to speak: their errors and warnings are such
sentences, and the floors above say them in the reader's language.
"""

from __future__ import annotations

import string
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

Value = float | int | str | Path


class Said(str):
    """The English sentence of a template such as "{px:.0f} px off", with its `key` and `values`.

    Values are numbers, words, paths, or other Said (which are translated too).
    """

    key: str
    values: Mapping[str, Value]

    def __new__(cls, key: str, template: str, /, **values: Value) -> Self:
        """Fill in the template; numbers without a format are written as short as they can be."""
        made = super().__new__(cls, _English().vformat(template, (), values))
        made.key, made.values = key, values
        return made


class _English(string.Formatter):
    def format_field(self, value: Any, format_spec: str) -> str:
        if not format_spec and isinstance(value, float):
            return f"{value:g}"
        return str(format(value, format_spec))
