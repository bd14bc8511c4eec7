"""An event file that is being filled in: as it stands on the disk, or a draft that is not yet complete."""

from __future__ import annotations

import tempfile
import threading
import tomllib
from pathlib import Path
from typing import Any, Protocol

from palmo.errors import SaidError, reason
from palmo.event import Event, EventError, load_event
from palmo.event.edit import rewrite
from palmo.event.load import event_of
from palmo.event.watch import stamp_of
from palmo.outputs import replacing
from rules.text import Text

# What a new event file begins with: the tables that every set-up has once.
_NEW = '[ring]\n\n[match]\nrulebook = "smackkatz"\n'


class EventText(Protocol):
    """The text of an event file, to be read and changed."""

    @property
    def path(self) -> Path:
        """Where it stands, or will."""
        ...

    @property
    def written(self) -> Path:
        """Where the last change was written."""
        ...

    def read(self) -> str:
        """As it is now. Raises PalmoError."""
        ...

    def write(self, text: str) -> None:
        """Change it. Raises EventError or PalmoError."""
        ...


class EventFile:
    """An event file on the disk: what is written into it must be a whole event file."""

    def __init__(self, path: Path) -> None:
        self.path = self.written = path

    def read(self) -> str:
        """Its text. Raises PalmoError."""
        return _read(self.path)

    def write(self, text: str) -> None:
        """Put a changed text in its place. Raises EventError or PalmoError."""
        rewrite(self.path, text)


class Draft:
    """An event file in the making, from nothing if there is none.

    It is written with every change, so that nothing is lost; but a whole file is only ever replaced by a
    whole one: until it is whole again, the draft stands beside it, and the next set-up goes on with it. What
    somebody else saves into the file meanwhile holds from then on. Who reads it to change it holds `lock`,
    because a set-up may be open in two browsers.
    """

    def __init__(self, path: Path) -> None:
        """Raises EventError when the file is there and is no TOML, PalmoError when it cannot be read, or
        when nothing that is written would stay there."""
        _check_keeps(path)
        self.path = path
        self.lock = threading.RLock()
        self._stamp = stamp_of(self.path)
        self.written = path
        self._beside = path.with_name(f"{path.stem}.draft.toml")
        self._text = self._left_behind() or (_read(path) if path.exists() else "")
        if not self._text.strip():
            self._text = _NEW
        try:
            data = tomllib.loads(self._text)
        except tomllib.TOMLDecodeError:
            load_event(path)
            raise
        if not isinstance(data.get("ring", {}), dict):
            load_event(path)
        if "ring" not in data:
            self._text = f"[ring]\n\n{self._text}"

    def read(self) -> str:
        """Its text."""
        self._take_over()
        return self._text

    def write(self, text: str) -> None:
        """Take a changed text over. Raises PalmoError when it cannot be written to the disk, or would go
        over what somebody else is saving there."""
        with self.lock:
            if self._stamp != stamp_of(self.path):
                raise SaidError("error.event.edited", path=self.path)
            before, self._text = self._text, text
            goal = self._beside if not self.whole and _whole(self.path) else self.path
            try:
                with replacing(goal) as place:
                    place.write_text(text, encoding="utf-8")
                if goal == self.path:
                    self._beside.unlink(missing_ok=True)
            except OSError as error:
                # What is not on the disk is not to be begun with.
                self._text = before
                raise SaidError("error.event.unwritten", path=goal, why=reason(error)) from None
            self.written = goal
            self._stamp = stamp_of(self.path)

    @property
    def data(self) -> dict[str, Any]:
        """What stands in it."""
        return tomllib.loads(self.read())

    @property
    def whole(self) -> bool:
        """Whether a match could be played with it."""
        return not self.problems()

    def event(self) -> Event:
        """The event. Raises EventError while it is not whole."""
        return event_of(self.read(), self.path)

    def problems(self) -> list[Text]:
        """What is still missing or wrong."""
        try:
            self.event()
        except EventError as error:
            return list(error.texts)
        return []

    def _left_behind(self) -> str | None:
        """The draft that an earlier set-up left beside the file, if nobody saved the file since."""
        try:
            newer = self._beside.stat().st_mtime_ns > self.path.stat().st_mtime_ns
            text = _read(self._beside) if newer else None
            if text is None or not isinstance(tomllib.loads(text).get("ring"), dict):
                return None
        except (OSError, tomllib.TOMLDecodeError, SaidError, RecursionError):
            return None
        self.written = self._beside
        return text

    def _take_over(self) -> None:
        """Read what somebody else saved, as soon as it is TOML with a ring."""
        with self.lock:
            stamp = stamp_of(self.path)
            if stamp == self._stamp:
                return
            if stamp is None:  # It was deleted: the next change makes it again.
                self._stamp = stamp
                return
            try:
                text = _read(self.path)
                if isinstance(tomllib.loads(text).get("ring"), dict):
                    self._text, self._stamp = text, stamp
            except (tomllib.TOMLDecodeError, SaidError, RecursionError):
                return


def _check_keeps(path: Path) -> None:
    """Say at the beginning, not after the first change, that nothing would be kept. Raises PalmoError."""
    if path.exists() and not path.is_file():
        raise SaidError("setup.no_file", path=path)
    try:
        folder = next(one for one in path.resolve().parents if one.exists())
        with tempfile.TemporaryFile(dir=folder):
            return
    except OSError as error:
        raise SaidError("setup.no_room", path=path, why=reason(error)) from None


def _whole(path: Path) -> bool:
    try:
        load_event(path)
    except EventError:
        return False
    return True


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except (OSError, UnicodeDecodeError) as error:
        why = reason(error) if isinstance(error, OSError) else str(error)
        raise SaidError("error.propose.unread", path=path, why=why) from None
