"""The match log on disk: append-only, safe against a full disk and a power cut.

One line per log line of the engine. An undo is a line of its own, `{"undo": n}`: entries from number n
on no longer count, and nothing that was ever written is taken away. `{"note": ...}` is for people.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import IO, Literal

from palmo.errors import PalmoError

Sync = Literal["always", "never"]


class MatchFile:
    """Appends log lines to a file. A full disk never raises: lines wait in `waiting` and are tried again.

    `sync="always"` reaches the disk before `append` returns. Raises PalmoError when the file cannot be
    opened at all.
    """

    def __init__(self, path: Path, *, sync: Sync = "always") -> None:
        self.path = path
        self.waiting: list[str] = []
        self.problem: str | None = None
        self._sync = sync
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: IO[bytes] = path.open("ab", buffering=0)
        except OSError as error:
            raise PalmoError(f"{path}: the match log cannot be written ({error.strerror})") from None

    def append(self, lines: Iterable[str]) -> None:
        """Write lines, after those that are still waiting."""
        self.waiting += [line.rstrip("\n") + "\n" for line in lines]
        try:
            while self.waiting:
                self._write(self.waiting[0].encode())
                del self.waiting[0]
            if self._sync == "always":
                _reach_disk(self._file)
            self.problem = None
        except OSError as error:
            self.problem = f"{self.path}: {error.strerror}; {len(self.waiting)} lines are kept in memory"

    def undo(self, to: int) -> None:
        """Say that entries from number `to` on no longer count."""
        self.append([json.dumps({"undo": to})])

    def close(self) -> None:
        """Try once more to write what waits, and close."""
        if self.waiting:
            self.append([])
        self._file.close()

    def _write(self, data: bytes) -> None:
        """Write all of it or nothing: half a line would spoil the next one."""
        start = self._file.seek(0, os.SEEK_END) if self._file.seekable() else None
        written = self._file.write(data)
        if written != len(data):
            if start is not None:
                self._file.truncate(start)
            raise OSError(28, os.strerror(28))


def read_log_lines(path: Path) -> list[str]:
    """The lines that count: undone entries left out, a last line cut off by a power failure dropped.

    Raises PalmoError when the file cannot be read or an undo makes no sense.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise PalmoError(f"{path}: the match log cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise PalmoError(f"{path}: this is not a match log (it is not text)") from None
    *whole, rest = text.split("\n")
    if _is_json(rest):
        whole.append(rest)
    lines: list[str] = []
    for number, line in enumerate(whole, start=1):
        if line.startswith('{"note"'):
            continue
        undo = _undo_of(line)
        if undo is None:
            lines.append(line)
        elif 0 <= undo < len(lines):
            del lines[undo + 1 :]
        else:
            raise PalmoError(
                f"{path}, line {number}: undoes entry {undo}, and there is no such entry before it"
            )
    if not lines:
        raise PalmoError(f"{path}: the match log is empty")
    return lines


def _is_json(line: str) -> bool:
    try:
        json.loads(line)
    except json.JSONDecodeError:
        return False
    return True


def _undo_of(line: str) -> int | None:
    if not line.startswith('{"undo"'):
        return None
    try:
        value = json.loads(line)["undo"]
    except (json.JSONDecodeError, KeyError):
        return None
    return value if isinstance(value, int) else None


def _reach_disk(file: IO[bytes]) -> None:
    try:
        os.fsync(file.fileno())
    except OSError as error:
        # Pipes and some devices have no disk to reach.
        if error.errno != 22:
            raise
