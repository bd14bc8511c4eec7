"""One way to say why something is not allowed."""

from __future__ import annotations

from rules.engine.request import Reason
from rules.text import Text


def reason(code: str, rule: str, **values: float | int | str | Text) -> Reason:
    """A refusal: key `why.<code>`."""
    return Reason(code, Text(f"why.{code}", dict(values)), rule)
