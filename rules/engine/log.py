"""The match log: a header and one entry per answer. Plain data, one JSON line each; no file access here."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rules.engine.facts import Fact
from rules.engine.overrule import word_of
from rules.engine.request import ORIGINS, Origin
from rules.problem import Problem, phrase
from rules.roster import Roster
from rules.value_type import value_type

FORMAT = 1
"""Version of the log's format; raised when a line's meaning changes."""


class LogError(Problem):
    """A log that cannot be read: says which line and what is wrong with it."""


@dataclass(frozen=True)
class Header:
    """What a match was opened with."""

    rulebook: str
    edition: str
    mode: str
    rulings: Mapping[str, Any]
    roster: Roster
    engine: str

    def to_json(self) -> dict[str, Any]:
        """The header's line."""
        return {
            "format": FORMAT,
            "engine": self.engine,
            "rulebook": self.rulebook,
            "edition": self.edition,
            "mode": self.mode,
            "rulings": dict(self.rulings),
            "roster": self.roster.to_json(),
        }


@value_type
class Entry:
    """One answer: what was asked, what came back from whom, and what followed from it.

    `answer` is the checked form, `raw` the same as plain data. `at` is the caller's time stamp in
    seconds, kept and never interpreted.
    """

    n: int
    request: Mapping[str, Any]
    answer: Any = field(compare=False)
    raw: Any
    origin: Origin
    facts: tuple[Fact, ...]
    at: float | None = None

    @property
    def overrules(self) -> bool:
        """Whether this is the referee's own word instead of an answer to what was asked."""
        return word_of(self.raw) is not None

    def to_json(self) -> dict[str, Any]:
        """The entry's line."""
        rules = dict.fromkeys(rule for fact in self.facts for rule in fact.rules)
        line: dict[str, Any] = {"n": self.n, "request": dict(self.request), "answer": self.raw}
        line["origin"] = self.origin
        if self.at is not None:
            line["at"] = self.at
        return {**line, "facts": [fact.to_json() for fact in self.facts], "rules": list(rules)}


@dataclass(frozen=True)
class Log:
    """A header and its entries."""

    header: Header
    entries: tuple[Entry, ...]

    def lines(self) -> list[str]:
        """The log as JSON lines, without line ends."""
        return [dump(self.header.to_json()), *(dump(entry.to_json()) for entry in self.entries)]


def dump(data: Any) -> str:
    """One line of JSON, always written the same way."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def parse(lines: Iterable[str]) -> tuple[Header, list[dict[str, Any]]]:
    """The header and the raw entries of a log's lines; raises LogError with the line."""
    found = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    if not found:
        raise LogError(phrase("The match log is empty.", "log.empty"))
    data = [_parsed(number, line) for number, line in found]
    try:
        header = _header(data[0])
    except KeyError as error:
        what = "Line {line} of the match log is not a header: {what} is missing or wrong."
        raise LogError(phrase(what, "log.no_header", line=found[0][0], what=str(error))) from error
    for (number, _), entry in zip(found[1:], data[1:], strict=True):
        missing = {"n", "request", "answer", "origin", "facts"} - entry.keys()
        if missing:
            lacks = "Line {line} of the match log lacks {missing}."
            raise LogError(phrase(lacks, "log.lacks", line=number, missing=", ".join(sorted(missing))))
        if entry["origin"] not in ORIGINS:
            unknown = "Line {line} of the match log has an unknown origin '{origin}'."
            raise LogError(phrase(unknown, "log.origin", line=number, origin=str(entry["origin"])))
    return header, data[1:]


def _parsed(number: int, line: str) -> dict[str, Any]:
    try:
        data = json.loads(line)
    except RecursionError:
        deep = phrase("Line {line} of the match log is nested too deeply.", "log.nested", line=number)
        raise LogError(deep) from None
    except ValueError as error:
        # Besides what is not JSON: numbers of thousands of digits.
        what = getattr(error, "msg", "a number is too long")
        no_json = "Line {line} of the match log is not JSON: {what}."
        raise LogError(phrase(no_json, "log.no_json", line=number, what=what)) from error
    if not isinstance(data, dict):
        raise LogError(phrase("Line {line} of the match log is not an object.", "log.no_object", line=number))
    return data


def _header(data: Mapping[str, Any]) -> Header:
    if data["format"] != FORMAT:
        other = "This log has format {format}; this engine reads format {reads}."
        raise LogError(phrase(other, "log.format", format=str(data["format"]), reads=FORMAT))
    for key, kind in (("rulebook", str), ("edition", str), ("mode", str), ("engine", str), ("rulings", dict)):
        if not isinstance(data[key], kind):
            raise KeyError(key)
    try:
        roster = Roster.from_json(data["roster"])
    except (KeyError, TypeError, AttributeError) as error:
        raise KeyError("roster") from error
    return Header(
        data["rulebook"],
        data["edition"],
        data["mode"],
        data["rulings"],
        roster,
        data["engine"],
    )
