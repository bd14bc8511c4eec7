"""Writing again what waits for room on the disk, for as long as a session runs."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Self

from palmo.errors import Spoken

_log = logging.getLogger(__name__)


class LogKeeper:
    """Calls `retry` every so many seconds in a thread of its own; a context manager.

    Apart from the loop, because a match goes on when no pictures come any more.
    """

    def __init__(self, retry: Callable[[], None], every_s: float = 1.0) -> None:
        self._retry = retry
        self._every_s = every_s
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="palmo log", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stop.wait(self._every_s):
            try:
                self._retry()
            except Exception:
                _log.exception(Spoken("fault.log"))
