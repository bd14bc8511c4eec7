"""Changing single keys and tables of an event file, leaving every other character as its owner wrote it."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from palmo.errors import SaidError, reason
from palmo.event.lines import KeyPath, key_lines
from palmo.event.load import load_event
from palmo.event.problems import EventError
from palmo.outputs import replacing

_HEADER = re.compile(r"\s*\[")


def with_table(text: str, name: str, body: Sequence[str]) -> str:
    """The text with the table [name] holding these lines, in its old place, else in front of all tables."""
    lines = text.split("\n")
    block = [f"[{name}]", *body]
    known = key_lines(text)
    start = known.get((name,))
    if start is not None and lines[start - 1].strip().startswith("["):
        end = _end_of_table(known, lines, (name,), start)
        return "\n".join([*lines[: start - 1], *block, *lines[end:]])
    first = min(
        (line for path, line in known.items() if _is_table(lines, line, path)), default=len(lines) + 1
    )
    # A remark right above the first table belongs to that table.
    while first > 1 and lines[first - 2].lstrip().startswith("#"):
        first -= 1
    return "\n".join([*lines[: first - 1], *block, "", *lines[first - 1 :]])


def with_keys(text: str, table: KeyPath, values: Mapping[str, str]) -> str:
    """The text with these keys of a table, such as ("player", 0), changed or added.

    Values are as TOML writes them, on one line; remarks inside a list of several lines that is replaced go
    with it. Raises PalmoError when the table is not written as one.
    """
    _check_header(text, table)
    for key, value in values.items():
        lines = text.split("\n")
        known = key_lines(text)
        line = known.get((*table, key))
        if line is None:
            end = _end_of_table(known, lines, table, known[table])
            text = "\n".join([*lines[:end], f"{key} = {value}", *lines[end:]])
            continue
        old, after = lines[line - 1], _after_value(lines, line)
        remark = re.search(r"\s+#.*$", old) if after == line else None
        new = f"{old[: old.index('=') + 1]} {value}{remark[0] if remark else ''}"
        text = "\n".join([*lines[: line - 1], new, *lines[after:]])
    return text


def without_key(text: str, table: KeyPath, key: str) -> str:
    """The text without a key of a table; as it is when the table has no such key."""
    line = key_lines(text).get((*table, key))
    if line is None:
        return text
    lines = text.split("\n")
    return "\n".join([*lines[: line - 1], *lines[_after_value(lines, line) :]])


def with_new_table(text: str, name: str, values: Mapping[str, str]) -> str:
    """The text with one more [[name]] at its end."""
    body = [f"[[{name}]]", *(f"{key} = {value}" for key, value in values.items())]
    return text.rstrip("\n") + "\n\n" + "\n".join(body) + "\n"


def with_subtable(text: str, table: KeyPath, name: str) -> str:
    """The text with a table in a table, such as ("fighter", 0, "sheet") under the header [name].

    As it is when it is there already; else empty, after the keys of the table around it.
    """
    known = key_lines(text)
    if table in known:
        return text
    _check_header(text, table[:-1])
    lines = text.split("\n")
    end = _end_of_table(known, lines, table[:-1], known[table[:-1]])
    return "\n".join([*lines[:end], f"[{name}]", *lines[end:]])


def with_section(text: str, name: str) -> str:
    """The text with a table [name], empty at its end when it was not there."""
    return text if (name,) in key_lines(text) else f"{text.rstrip()}\n\n[{name}]\n"


def without_table(text: str, table: KeyPath) -> str:
    """The text without a table such as ("player", 0) and the tables in it. Raises PalmoError without one."""
    _check_header(text, table)
    lines, known = text.split("\n"), key_lines(text)
    start = known[table]
    others = [
        line
        for path, line in known.items()
        if line > start and _is_table(lines, line, path) and path[: len(table)] != table
    ]
    end = min(others, default=len(lines) + 1)
    # A remark right above the next table is that table's.
    while end - 2 >= start and lines[end - 2].lstrip().startswith("#"):
        end -= 1
    return "\n".join([*lines[: start - 1], *lines[end - 1 :]])


def rewrite(path: Path, text: str) -> None:
    """Put a changed text in the place of an event file, if it can be read. Raises EventError, PalmoError."""
    try:
        with tempfile.TemporaryDirectory() as folder:
            trial = Path(folder) / path.name
            trial.write_text(text, encoding="utf-8")
            _check(trial, path)
        with replacing(path) as place:
            place.write_text(text, encoding="utf-8")
    except OSError as error:
        raise SaidError("error.event.unwritten", path=path, why=reason(error)) from None


def _check(trial: Path, path: Path) -> None:
    """Read a trial; what is wrong with it is said of the file it is to become."""
    try:
        load_event(trial)
    except EventError as error:
        raise EventError(path, error.problems) from error


def read_text(path: Path) -> str:
    """The text of an event file that can be read. Raises EventError."""
    load_event(path)
    return path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")


def _check_header(text: str, table: KeyPath) -> None:
    """Refuse a table that has no header of its own: its keys stand on no lines that could be changed."""
    line = key_lines(text).get(table)
    if line is None or not _HEADER.match(text.split("\n")[line - 1]):
        several = any(isinstance(part, int) for part in table)
        name = ".".join(str(part) for part in table if isinstance(part, str))
        raise SaidError("error.event.inline", name=name, header=f"[[{name}]]" if several else f"[{name}]")


def _after_value(lines: Sequence[str], line: int) -> int:
    """The number of the last line of the value that begins on a line (from 1)."""
    value, after = lines[line - 1].split("#")[0], line
    while value.count("[") > value.count("]") and after < len(lines):
        value += lines[after].split("#")[0]
        after += 1
    return after


def _end_of_table(known: Mapping[KeyPath, int], lines: Sequence[str], table: KeyPath, start: int) -> int:
    """How many lines there are up to the last key of a table itself, values of several lines included."""
    after = [line for path, line in known.items() if line > start and _is_table(lines, line, path)]
    last = min(after, default=len(lines) + 1) - 1
    while last > start and not _holds_something(lines[last - 1]):
        last -= 1
    return last


def _is_table(lines: Sequence[str], line: int, path: KeyPath) -> bool:
    return bool(path) and _HEADER.match(lines[line - 1]) is not None


def _holds_something(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")
