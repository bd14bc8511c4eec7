"""Sentences for people, as a key and its values: the overlay turns them into Spanish or English."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Text:
    """A message key of the catalogue and the values its sentence needs.

    Values are numbers, strings, or other Texts (which are translated first).
    """

    key: str
    values: dict[str, float | int | str | Text] = field(default_factory=dict)
