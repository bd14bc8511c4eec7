"""Citations: which function carries out which printed rule, collected for the table of rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

F = TypeVar("F", bound=Callable[..., object])

_CITED: dict[str, list[str]] = {}


def cite(*rules: str) -> Callable[[F], F]:
    """Mark a function as the code of these rules (ids of the catalogue)."""

    def mark(function: F) -> F:
        place = f"{function.__module__}.{function.__qualname__}"
        for rule in rules:
            places = _CITED.setdefault(rule, [])
            if place not in places:
                places.append(place)
        return function

    return mark


def citations(package: str = "") -> dict[str, tuple[str, ...]]:
    """Rule id -> the functions that cite it, of modules imported so far under `package`."""
    chosen = {
        rule: tuple(place for place in places if place.startswith(package)) for rule, places in _CITED.items()
    }
    return {rule: places for rule, places in sorted(chosen.items()) if places}
