"""Imported before the rules it makes every function that cites rules note when it is called.

Only `datasets.cited` does so: the rules themselves pay nothing for it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import FunctionType
from typing import Any

from rules.engine import cite as citing

ENTERED: set[str] = set()
"""Rule ids whose code has been entered since this was last cleared."""
_mark = citing.cite


def _noting(*rules: str) -> Callable[[Any], Any]:
    """`cite`, and a note at each call."""

    def mark(function: Any) -> Any:
        marked = _mark(*rules)(function)
        if not isinstance(function, FunctionType):
            return marked

        @functools.wraps(function)
        def noted(*args: Any, **kwargs: Any) -> Any:
            ENTERED.update(rules)
            return function(*args, **kwargs)

        return noted

    return mark


citing.cite = _noting
