"""The match log on disk: append-only, safe against a full disk and a power cut.

One line per log line of the engine. An undo is a line of its own, `{"undo": n}`: entries from number n
on no longer count, and nothing that was ever written is taken away. `{"note": ...}` is for people.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from overlay.i18n import COUNT
from palmo.errors import SaidError, Value, reason, text
from palmo.kept_file import KeptFile, reach_disk
from rules.text import Text

Sync = Literal["always", "never"]


class MatchFile:
    """Appends log lines to a file. A full disk never raises: lines wait in `waiting` and are tried again.

    A last line that a power failure cut off goes to a file beside it, `<name>.torn`; a file that is taken
    away, replaced or emptied meanwhile is put back whole. `sync="always"` reaches the disk before `append`
    returns. Raises PalmoError when the file cannot be opened at all or another program has it open.
    """

    def __init__(self, path: Path, *, sync: Sync = "always") -> None:
        self.path = path
        self.waiting: list[str] = []
        self.problem: Text | None = None
        self._reason: Text | str = ""
        self._sync = sync
        self._mended = not path.is_file()
        self._file = KeptFile(path)

    def append(self, lines: Iterable[str]) -> None:
        """Write lines, after those that are still waiting."""
        self.waiting += [line.rstrip("\n") + "\n" for line in lines]
        try:
            # Not before the first line: a file that turns out to be no log of ours is never touched.
            if not self._mended:
                _mend(self.path)
                self._file.remember()
                self._mended = True
            self._file.restore()
            while self.waiting:
                self._write(_plain(self.waiting[0]))
                del self.waiting[0]
            if self._sync == "always":
                self._file.sync()
            self.problem = None
        except (OSError, SaidError) as error:
            self._reason = reason(error) if isinstance(error, OSError) else error.text
            self.problem = text("error.log.waits", path=self.path, why=self._reason, lines=len(self.waiting))

    def undo(self, to: int) -> None:
        """Say that entries from number `to` on no longer count."""
        self.append([json.dumps({"undo": to})])

    def retry(self) -> None:
        """Write what waits and put back what was taken away; to be called now and then."""
        if self.problem is not None or not self._file.intact:
            self.append([])

    def close(self) -> None:
        """Try once more to write what waits, and close.

        Raises PalmoError when lines are left: it says how many, and where they were put instead.
        """
        self.retry()
        lost = not self._file.intact
        if lost:
            kept = bytes(self._file.content).split(b"\n")[:-1]
            self.waiting[:0] = [line.decode("utf-8", "replace") + "\n" for line in kept]
        self._file.close()
        if self.waiting:
            raise self._left_over(whole=lost)

    def _left_over(self, *, whole: bool) -> SaidError:
        """Put what could not be written somewhere else, and say so; `whole`: nothing is left in its place."""
        values: dict[str, Value] = {"path": self.path, COUNT: len(self.waiting), "why": self._reason}
        try:
            with tempfile.NamedTemporaryFile(
                "wb", prefix="palmo-match-", suffix=".jsonl", delete=False
            ) as file:
                file.writelines(map(_plain, self.waiting))
        except OSError:
            sys.stderr.writelines(self.waiting)
            return SaidError("error.log.left.printed", **values)
        key = "error.log.left.whole" if whole else "error.log.left.elsewhere"
        return SaidError(key, **values, elsewhere=file.name)

    def _write(self, data: bytes) -> None:
        self._file.write(data)


def read_log_lines(path: Path) -> list[str]:
    """The lines of a log, each at its place: notes, undos, undone entries and a torn last line are empty.

    Raises PalmoError when the file cannot be read, holds nothing or an undo makes no sense.
    """
    try:
        # A device may never end.
        if path.is_char_device() or path.is_block_device():
            raise SaidError("error.log.no_text", path=path)
        raw = path.read_bytes()
    except OSError as error:
        raise SaidError("error.log.unread", path=path, why=reason(error)) from None
    kept, torn = _split(raw)
    try:
        lines = kept.decode("utf-8-sig").split("\n")
    except UnicodeDecodeError:
        raise SaidError("error.log.no_text", path=path) from None
    counted: list[int] = []
    for place, line in enumerate(lines):
        undo = _undo_of(line)
        if undo is not None and not 0 <= undo < len(counted) - 1:
            raise SaidError("error.log.undo", path=path, line=place + 1, undo=undo)
        if undo is not None:
            for gone in counted[undo + 1 :]:
                lines[gone] = ""
            del counted[undo + 1 :]
        if undo is not None or line.startswith('{"note"') or not line.strip():
            lines[place] = ""
        else:
            counted.append(place)
    if not counted:
        raise SaidError("error.log.torn" if torn else "error.log.empty", path=path)
    return lines


def _mend(path: Path) -> None:
    """End a last line that was left open, or take it out to a side file when it was cut off.

    Otherwise the next line would be glued onto it, and the log could never be read again.
    """
    with path.open("r+b") as file:
        raw = file.read()
        kept, torn = _split(raw)
        if torn:
            with path.with_name(f"{path.name}.torn").open("ab") as side:
                side.write(torn + b"\n")
                side.flush()
                reach_disk(side)
            file.truncate(len(kept))
        elif raw and not raw.endswith(b"\n"):
            file.write(b"\n")
        file.flush()
        reach_disk(file)


def _split(raw: bytes) -> tuple[bytes, bytes]:
    """What can be read, and the last line when it has no end and was cut off."""
    end = raw.rfind(b"\n") + 1
    tail = raw[end:]
    # A power cut leaves the beginning of a line, or zeros where it was to stand.
    cut = tail[:1] in (b"{", b"\0") and not _is_json(tail)
    return (raw[:end], tail) if cut else (raw, b"")


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _plain(line: str) -> bytes:
    """A line as it goes into a file. Half of a character, as a broken keyboard may send, is spelled out.

    What is spelled out is JSON's own way of writing it: a replay reads the same text back.
    """
    return line.encode("utf-8", "backslashreplace")


def _undo_of(line: str) -> int | None:
    if not line.startswith('{"undo"'):
        return None
    try:
        value = json.loads(line)["undo"]
    except (ValueError, RecursionError, KeyError):
        return None
    return value if isinstance(value, int) else None
