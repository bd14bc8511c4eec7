"""One way to say why something is not allowed."""

from __future__ import annotations

from functools import lru_cache

from rules.engine.request import Reason
from rules.text import Text


def reason(code: str, rule: str, **values: float | int | str | Text) -> Reason:
    """A refusal: key `why.<code>`."""
    return Reason(code, Text(f"why.{code}", dict(values)), rule)


@lru_cache(maxsize=4096)
def standing_reason(code: str, rule: str, target: str = "") -> Reason:
    """A refusal without numbers: made once, because options are asked for many times a second."""
    return reason(code, rule, target=target) if target else reason(code, rule)
