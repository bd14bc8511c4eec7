"""Files that are written: never over an input, and an earlier one stays until the new one is whole."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from palmo.errors import SaidError
from rules.text import Text
from vision.sources.files import IMAGE_SUFFIXES


def keep_apart(inputs: Mapping[str, str | Path | Sequence[str]], outputs: Mapping[str, Path | None]) -> None:
    """Refuse outputs that would overwrite an input or each other; inputs are `source`, `clip` or `event`, one
    or several of a kind.

    To be asked before any work. Raises PalmoError.
    """
    wanted = {name: path for name, path in outputs.items() if path is not None}
    for name, path in wanted.items():
        if path.is_dir():
            raise SaidError("error.output.folder", name=name, path=path)
        for other, source in _each(inputs):
            if _same(path, source):
                raise SaidError("error.output.overwrites", name=name, path=path, other=_called(other))
            if path.suffix.lower() in IMAGE_SUFFIXES and _same(path.parent, source):
                raise SaidError("error.output.among", name=name, path=path, other=_called(other))
    names = list(wanted)
    for number, name in enumerate(names):
        for other in names[number + 1 :]:
            if _same(wanted[name], wanted[other]):
                raise SaidError("error.output.same", name=name, other=other, path=wanted[name])


def _each(inputs: Mapping[str, str | Path | Sequence[str]]) -> Iterator[tuple[str, Path]]:
    for name, given in inputs.items():
        for one in [given] if isinstance(given, str | Path) else given:
            yield name, Path(one)


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A place beside `path` to write to; it takes the place of `path` when all went well, else it is gone.

    What is no file (a pipe, a terminal) is written to directly. Raises OSError.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    goal = path.resolve()
    if goal.exists() and not goal.is_file():
        yield path
        return
    beside = goal.with_name(f".{goal.stem[:200]}.{os.getpid()}.part{goal.suffix}")
    try:
        yield beside
        if goal.exists():
            shutil.copymode(goal, beside)
        beside.replace(goal)
    finally:
        beside.unlink(missing_ok=True)


def unused(path: Path) -> Path:
    """The path, or one with a number when there is something already: nothing is overwritten."""
    number, free = 2, path
    while free.exists():
        free = path.with_stem(f"{path.stem}-{number}")
        number += 1
    return free


def _same(one: Path, other: Path) -> bool:
    """Whether two paths are one file, through links too; a path that does not exist is its own name."""
    if "\0" in f"{one}{other}":  # No file is called that.
        return False
    try:
        return one.samefile(other)
    except OSError:
        return os.path.realpath(one) == os.path.realpath(other)


def _called(given: str) -> Text:
    """What an input is called in a sentence: source, clip or event."""
    return Text(f"error.input.{given}")
