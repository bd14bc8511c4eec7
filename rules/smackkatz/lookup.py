"""What belongs to a rule that somebody asks about: its house rules and the rules it hangs together with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules.engine.rulings import Catalogue, Choice
from rules.smackkatz.discussion import LOG, PROPOSALS
from rules.smackkatz.house_rules import Between
from rules.smackkatz.settled import SETTLED, related


@dataclass(frozen=True)
class HouseRule:
    """An option that belongs to a rule: what it may be set to, and what it is set to.

    `values` are all it may be, the default first; of a number only `low` and `high` are given, of anything
    else only the default.
    """

    name: str
    default: Any
    now: Any
    values: tuple[Any, ...]
    rules: tuple[str, ...]
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Lookup:
    """A rule of an edition with its house rules and the ids of related rules and rulings."""

    rule: str
    edition: str
    house_rules: tuple[HouseRule, ...]
    related: tuple[str, ...]


def look_up(
    rule: str, catalogue: Catalogue, edition: str, settings: Mapping[str, Any] | None = None
) -> Lookup:
    """What belongs to a rule; `settings` are the house rules in force, else those of the edition."""
    in_force = catalogue.resolve() if settings is None else settings
    row = LOG.get(rule) or PROPOSALS.get(rule)
    bound = tuple(dict.fromkeys((*(row.rules if row else ()), *related(rule))))
    options = (one for one in catalogue.choices if _belongs(one, rule) or (row and one.name in row.settings))
    return Lookup(rule, edition, tuple(_house_rule(one, in_force[one.name]) for one in options), bound)


def house_rules(catalogue: Catalogue, settings: Mapping[str, Any]) -> tuple[HouseRule, ...]:
    """All options of an edition; `settings` are those in force."""
    return tuple(_house_rule(one, settings[one.name]) for one in catalogue.choices)


def _belongs(choice: Choice, rule: str) -> bool:
    """Whether an option names a rule, or a ruling that settles it; a ruling has only its own options."""
    if rule in choice.rules:
        return True
    return not rule.startswith("RULING-") and any(rule in SETTLED.get(one, ()) for one in choice.rules)


def _house_rule(choice: Choice, now: Any) -> HouseRule:
    low, high = (choice.check.low, choice.check.high) if isinstance(choice.check, Between) else (None, None)
    values = choice.values or (choice.default,)
    return HouseRule(choice.name, choice.default, now, values, choice.rules, low, high)
