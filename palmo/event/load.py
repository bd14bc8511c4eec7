"""Reading an event file: all problems at once, each with its line."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from palmo.errors import reason, text
from palmo.event.checks import cross_checks
from palmo.event.lines import KeyPath, key_lines, line_of
from palmo.event.model import Event
from palmo.event.problems import EventError, Problem, sentence, subject
from palmo.event.toml_errors import toml_problem
from rules.text import Text

# An event file is a page of text; anything larger is some other file given by mistake.
_MAX_BYTES = 1_000_000


def load_event(path: Path) -> Event:
    """Read and check an event file. Raises EventError with every problem found."""
    return event_of(_read(path), path)


def event_of(content: str, path: Path) -> Event:
    """Check a text that is, or is to become, the event file at a path. Raises EventError as `load_event`."""
    try:
        return _checked(path, _parsed(content, path), key_lines(content))
    except RecursionError:
        raise EventError(path, [Problem(None, "", text("error.event.nested"))]) from None


def _parsed(content: str, path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(content)
    except tomllib.TOMLDecodeError as error:
        raise EventError(path, [Problem(None, "", toml_problem(error))]) from None
    except ValueError:
        raise EventError(path, [Problem(None, "", text("error.event.digits"))]) from None


def event_error(path: Path, key: KeyPath, what: str | Text) -> EventError:
    """An error found later (by the rules, the camera) about a key of an event file that was read."""
    content = _read(path)
    line = line_of(key_lines(content), key)
    sentence = text("error.event.says", owner=subject(key, tomllib.loads(content)), what=what)
    return EventError(path, [Problem(line, _dotted(key), sentence)])


def _checked(path: Path, data: dict[str, Any], lines: dict[KeyPath, int]) -> Event:
    event: Event | None = None
    found: dict[KeyPath, Text] = {}
    try:
        event = Event.model_validate(data)
    except ValidationError as errors:
        for error in errors.errors():
            key = _present(error["loc"], data, missing=error["type"] == "missing")
            found.setdefault(key, sentence(error, key, data))
    for key, what in cross_checks(data):
        found.setdefault(key, text("error.event.about", owner=subject(key, data), what=what))
    if event is None or found:
        problems = [Problem(line_of(lines, key), _dotted(key), what) for key, what in found.items()]
        raise EventError(path, sorted(problems, key=lambda problem: problem.line or 0))
    return event


def _read(path: Path) -> str:
    try:
        with path.open("rb") as file:
            raw = file.read(_MAX_BYTES + 1)
    except FileNotFoundError:
        raise EventError(path, [Problem(None, "", text("error.event.none"))]) from None
    except OSError as error:
        raise EventError(path, [Problem(None, "", text("error.event.unread", why=reason(error)))]) from None
    if not raw.strip():
        raise EventError(path, [Problem(None, "", text("error.event.empty"))])
    try:
        return raw[:_MAX_BYTES].decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise EventError(path, [Problem(None, "", text("error.event.no_text"))]) from None


def _present(location: tuple[int | str, ...], data: object, *, missing: bool) -> KeyPath:
    """The part of a finding's location that exists in the file (unions append their branches)."""
    path: KeyPath = ()
    for part in location:
        keys = data if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ()
        if part not in keys:
            return (*path, part) if missing else path
        data = data[part]  # type: ignore[index]
        path += (part,)
    return path


def _dotted(key: KeyPath) -> str:
    return ".".join(str(part) for part in key)
