"""Sentences for people, as a key and its values: the overlay turns them into Spanish or English."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Text:
    """A message key of the catalogue and the values its sentence needs.

    Values are numbers, strings, or other Texts (which are translated first).
    """

    key: str
    values: dict[str, float | int | str | Text] = field(default_factory=dict)


def listed(names: Sequence[Text | str]) -> Text | str:
    """Several names as one value of a sentence: each is still translated or named by itself."""
    if len(names) == 1:
        return names[0]
    key = "list.last" if len(names) == 2 else "list"
    return Text(key, {"head": names[0], "tail": listed(names[1:])}) if names else ""
