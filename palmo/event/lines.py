"""Which line of a TOML file each key stands on: the standard parser does not say.

The text has already been accepted by `tomllib`, so this only has to find keys, not judge them.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator

KeyPath = tuple[str | int, ...]

_STRING_OR_COMMENT = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}|' r"'''.*?'{3,5}|" r'"(?:[^"\\\n]|\\.)*"|' r"'[^'\n]*'|#[^\n]*", re.DOTALL
)


def key_lines(text: str) -> dict[KeyPath, int]:
    """Map every key path of a valid TOML text, e.g. ("fighter", 1, "height_cm"), to its line (from 1)."""
    lines: dict[KeyPath, int] = {}
    tables: dict[KeyPath, int] = {}
    table: KeyPath = ()
    for number, head in _heads(text):
        if head.startswith("["):
            table = _table(head, tables)
            lines.setdefault(table, number)
        else:
            lines[table + _names(tomllib.loads(f"{head} = 0"))] = number
    return lines


def line_of(lines: dict[KeyPath, int], path: KeyPath) -> int | None:
    """The line of a path, or of the nearest thing that contains it; None when nothing does."""
    for length in range(len(path), 0, -1):
        if path[:length] in lines:
            return lines[path[:length]]
    return None


def _heads(text: str) -> Iterator[tuple[int, str]]:
    """Yield (line, head) per statement; a head is a `[table]` header or what stands left of the `=`."""
    # Strings and comments are blanked, newlines kept, so that brackets and `=` inside them do not count.
    masked = _STRING_OR_COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text).split("\n")
    depth = 0
    for number, (line, original) in enumerate(zip(masked, text.split("\n"), strict=True), start=1):
        if depth == 0 and line.lstrip().startswith("["):
            yield number, original.strip()
            continue
        if depth == 0 and "=" in line:
            yield number, original[: line.index("=")].strip()
        depth += sum(line.count(c) for c in "[{") - sum(line.count(c) for c in "]}")


def _table(header: str, tables: dict[KeyPath, int]) -> KeyPath:
    """The path a header opens; `[[x]]` counts up, and `[x.y]` goes under the newest `x`."""
    names = _names(tomllib.loads(header))
    path: KeyPath = ()
    for name in names[:-1]:
        path += (name,)
        if path in tables:
            path += (tables[path],)
    path += (names[-1],)
    if header.startswith("[["):
        tables[path] = tables.get(path, -1) + 1
        path += (tables[path],)
    return path


def _names(nested: object) -> tuple[str, ...]:
    """The names on the way into a parsed one-key document."""
    names: list[str] = []
    while nested and isinstance(nested, dict | list):
        if isinstance(nested, list):
            nested = nested[0]
            continue
        name, nested = next(iter(nested.items()))
        names.append(name)
    return tuple(names)
