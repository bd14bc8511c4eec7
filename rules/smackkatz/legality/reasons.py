"""One way to say why something is not allowed."""

from __future__ import annotations

from functools import lru_cache

from rules.engine.request import Reason
from rules.questions import Finding
from rules.text import DeferredText, Text


def reason(code: str, rule: str, **values: float | int | str | Text) -> Reason:
    """A refusal: key `why.<code>`."""
    return Reason(code, Text(f"why.{code}", dict(values)), rule)


def scene_reason(code: str, rule: str, found: Finding, **values: float | int | str | Text) -> Reason:
    """A refusal by what was measured, with its numbers; by the referee's word (key `.told`) without them."""
    if found.told or found.distance is None:
        return Reason(code, Text(f"why.{code}.told", dict(values)), rule)
    measured, limit = found.distance, found.limit or 0.0

    def words() -> Text:
        away, error = round(measured.value, 1), round(measured.error95, 2)
        return Text(f"why.{code}", {**values, "distance": away, "error": error, "limit": limit})

    # Most refusals are never read.
    return Reason(code, DeferredText(words), rule)


@lru_cache(maxsize=4096)
def standing_reason(code: str, rule: str, target: str = "") -> Reason:
    """A refusal without numbers: made once, because options are asked for many times a second."""
    return reason(code, rule, target=target) if target else reason(code, rule)
