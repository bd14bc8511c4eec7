"""What a person is told when something cannot be done."""

from __future__ import annotations

import os
import re

from rules.text import Text

# Characters that steer a terminal or turn a line around instead of being seen.
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


class PalmoError(ValueError):
    """Something the user can put right: str() is one sentence that says how."""


class SaidError(PalmoError):
    """A PalmoError with its sentence in the catalogue: `text` can be said in the reader's language."""

    def __init__(self, key: str, **values: float | int | str | Text) -> None:
        from overlay.i18n import translate

        self.text = Text(key, values)
        super().__init__(translate(self.text, "en"))


def debugging() -> bool:
    """Whether PALMO_DEBUG asks for tracebacks."""
    return os.environ.get("PALMO_DEBUG", "") not in ("", "0")


def sentence(error: BaseException) -> str:
    """One line per problem; what is a fault of Palmo itself says so. Control characters are spelled out."""
    lines = _told(error).split("\n")
    return "\n".join(CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", line) for line in lines)


def _told(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    if isinstance(error, ValueError | OSError) and str(error):
        return str(error)
    kind = type(error).__name__
    return f"Palmo failed ({kind}: {error}); run it again with PALMO_DEBUG=1 and report what it prints"
