"""Scenarios by topic: which function plays which kind of worked scenario."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Scenario = dict[str, Any]
HANDLERS: dict[str, Callable[[Scenario], None]] = {}


def topic(*names: str) -> Callable[[Callable[[Scenario], None]], Callable[[Scenario], None]]:
    def register(function: Callable[[Scenario], None]) -> Callable[[Scenario], None]:
        for name in names:
            HANDLERS[name] = function
        return function

    return register


def stats(scenario: Scenario) -> dict[str, dict[str, Any]]:
    """What the scenario gives for the wrestlers, by name, without geometry."""
    return {
        name: {k: v for k, v in values.items() if k not in ("rope_gap", "pos", "facing", "used", "wounds")}
        for name, values in scenario["given"].items()
        if len(name) == 1 and isinstance(values, dict)
    }
