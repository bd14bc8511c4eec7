"""Reloading an event file while a match runs."""

from __future__ import annotations

from pathlib import Path

from palmo.event.load import load_event
from palmo.event.model import Event
from palmo.event.problems import EventError


class EventWatcher:
    """Keeps the newest valid event of a file.

    `event` is always usable; `error` is the reason why the file as it is now is not (None when it is).
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.event: Event = load_event(path)
        self.error: EventError | None = None
        self._stamp = stamp_of(self.path)

    def poll(self) -> bool:
        """Look at the file again; True when `event` or `error` changed. Never raises for a bad file."""
        stamp = stamp_of(self.path)
        if stamp == self._stamp:
            return False
        self._stamp = stamp
        try:
            event = load_event(self.path)
        except EventError as error:
            changed = str(error) != str(self.error)
            self.error = error
            return changed
        changed = event != self.event or self.error is not None
        self.event, self.error = event, None
        return changed


def stamp_of(path: Path) -> tuple[int, int, int] | None:
    """What changes when a file is saved anew; None when there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
