"""What is wrong with something people gave us: in English for the log, and as a key for their own language.

The catalogue of sentences is not for this floor: each says its English here, and a test holds both alike.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.text import Text


@dataclass(frozen=True)
class Phrase:
    """A sentence or a part of one, said twice: in English and as a Text of the catalogue."""

    english: str
    text: Text


def phrase(english: str, key: str, /, **values: float | int | str | Phrase) -> Phrase:
    """The phrase of a key; `english` has its values in braces, which may be phrases themselves."""
    plain = {name: one.english if isinstance(one, Phrase) else one for name, one in values.items()}
    told = {name: one.text if isinstance(one, Phrase) else one for name, one in values.items()}
    return Phrase(english.format(**plain), Text(key, told))


class Problem(ValueError):
    """Something a person can put right: str() says it in English, `text` in the reader's language."""

    def __init__(self, what: Phrase) -> None:
        self.text = what.text
        super().__init__(what.english)
