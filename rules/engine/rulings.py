"""House rules: validated options, each the answer to one gap or contradiction of a rulebook."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rules.problem import Phrase, Problem, phrase


class RulingError(Problem):
    """A house rule that does not exist, has an impossible value or contradicts another one."""


@dataclass(frozen=True)
class Choice:
    """One option of the rulebook: its values (or a check for numbers), default first, and its rules.

    `check` returns None when a value is fine, else what was expected.
    """

    name: str
    default: Any
    rules: tuple[str, ...]
    values: tuple[Any, ...] = ()
    check: Callable[[Any], Phrase | None] | None = None

    def problem(self, value: Any) -> Phrase | None:
        """What is wrong with a value, or None."""
        if self.check is not None:
            return self.check(value)
        # 1 == True in Python: a house rule means exactly what it says.
        if any(value == one and type(value) is type(one) for one in self.values):
            return None
        return phrase("one of {values}", "ruling.one_of", values=_listed(self.values))


@dataclass(frozen=True)
class Conflict:
    """Settings that cannot all hold: option -> the value, or a test of it, that takes part."""

    when: Mapping[str, Any]
    rules: tuple[str, ...]
    why: Phrase

    def holds(self, settings: Mapping[str, Any]) -> bool:
        """Whether the settings contain this contradiction."""
        return all(self.takes_part(name, settings[name]) for name in self.when)

    def takes_part(self, name: str, value: Any) -> bool:
        """Whether this value of an option is one of those that contradict each other."""
        wanted = self.when[name]
        return bool(wanted(value)) if callable(wanted) else value == wanted and type(value) is type(wanted)


@dataclass(frozen=True)
class Named:
    """A proposal that may be agreed by its own name: true sets these options.

    `fixed`: the rules have taken it over, so that it cannot be refused.
    """

    settings: Mapping[str, Any]
    rules: tuple[str, ...]
    fixed: bool = False


class Rulings(dict[str, Any]):
    """The settings in force: every option of the catalogue with its value. To read, never to change."""


@dataclass(frozen=True)
class Catalogue:
    """All options of a rulebook and the combinations that contradict each other."""

    choices: tuple[Choice, ...]
    conflicts: tuple[Conflict, ...] = ()
    named: Mapping[str, Named] = field(default_factory=dict)

    def _spelled_out(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """The settings with the proposals agreed by name replaced by what they set."""
        found = {name: value for name, value in settings.items() if name not in self.named}
        said_by = dict.fromkeys(found, "")
        for name, value in settings.items():
            if name not in self.named:
                continue
            proposal = self.named[name]
            if not isinstance(value, bool) or (proposal.fixed and not value):
                wanted = phrase("true or false", "ruling.true_or_false")
                if proposal.fixed:
                    wanted = phrase("true, it is part of the rules", "ruling.fixed")
                raise RulingError(_unexpected(name, value, wanted, proposal.rules))
            for option, chosen in proposal.settings.items() if value else ():
                if option in found and (found[option] != chosen or type(found[option]) is not type(chosen)):
                    other = said_by[option] or f"{option} = {json.dumps(found[option])}"
                    means = phrase("{name} means {option} = {value}", "ruling.means",
                                   name=name, option=option, value=json.dumps(chosen))  # fmt: skip
                    raise RulingError(_contradiction(name, other, means, proposal.rules))
                found[option], said_by[option] = chosen, name
        return found

    def resolve(self, settings: Mapping[str, Any] | None = None) -> Rulings:
        """The defaults with these settings on top.

        Raises RulingError for an unknown name, an impossible value or a contradiction, naming rules.
        """
        known = {choice.name: choice for choice in self.choices}
        merged = {choice.name: choice.default for choice in self.choices}
        for name, value in self._spelled_out(settings or {}).items():
            if name not in known:
                raise RulingError(_unknown(name, [*known, *self.named]))
            problem = known[name].problem(value)
            if problem is not None:
                raise RulingError(_unexpected(name, value, problem, known[name].rules))
            merged[name] = value
        for conflict in self.conflicts:
            if conflict.holds(merged):
                one, other = (f"{name} = {json.dumps(merged[name])}" for name in conflict.when)
                raise RulingError(_contradiction(one, other, conflict.why, conflict.rules))
        return Rulings(merged)


def _listed(values: Iterable[Any]) -> str:
    return ", ".join(json.dumps(one) for one in values)


def _unexpected(name: str, value: Any, expected: Phrase, rules: tuple[str, ...]) -> Phrase:
    return phrase(
        "House rule {name} = {value}: expected {expected} ({rules}).", "ruling.unexpected",
        name=name, value=json.dumps(value), expected=expected, rules=", ".join(rules),
    )  # fmt: skip


def _contradiction(one: str, other: str, why: Phrase, rules: tuple[str, ...]) -> Phrase:
    return phrase(
        "House rules {one} and {other} contradict each other: {why} ({rules}).", "ruling.contradiction",
        one=one, other=other, why=why, rules=", ".join(rules),
    )  # fmt: skip


def _unknown(name: str, known: Collection[str]) -> Phrase:
    """With a hint when the name looks like a slip for a known one."""
    letters = set(name)
    best = max(known, key=lambda one: len(letters & set(one)) / len(letters | set(one)))
    shared = len(letters & set(best)) / max(len(letters | set(best)), 1)
    if shared > 0.7:
        return phrase("Unknown house rule '{name}'. Did you mean '{best}'?", "ruling.unknown_near",
                      name=name, best=best)  # fmt: skip
    return phrase("Unknown house rule '{name}'.", "ruling.unknown", name=name)
