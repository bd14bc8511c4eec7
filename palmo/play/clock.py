"""The clock beside the ring: it counts the seconds of play, which the rules themselves never look at."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

from rules.engine.request import Request
from rules.smackkatz.modes.iron_man import HOUR_S
from rules.text import Text

NOTE = "clock_s"
"""Under this name a log file keeps the seconds played: a match that is continued goes on from there."""
ASK = "ask.time"
"""The question that the clock answers."""
_UP, _ON = "time_up", "play_on"


class PlayClock:
    """Seconds of play. It stands until it is started and goes on from `played_s`; `now` tells seconds."""

    def __init__(self, played_s: float = 0.0, now: Callable[[], float] = time.monotonic) -> None:
        self._played = played_s
        self._now = now
        self._since: float | None = None

    def start(self) -> None:
        """Let it run, if it does not already."""
        if self._since is None:
            self._since = self._now()

    @property
    def seconds(self) -> float:
        """Seconds played so far."""
        return self._played + (0.0 if self._since is None else self._now() - self._since)

    @property
    def answer(self) -> str:
        """What it says when a match that ends by time asks."""
        return _UP if self.seconds >= HOUR_S else _ON

    @property
    def text(self) -> Text:
        """How much has been played, for people."""
        key = "match.clock.over" if self.seconds >= HOUR_S else "match.clock"
        return Text(key, {"played": int(self.seconds // 60), "of": int(HOUR_S // 60)})


def asks_the_time(request: Request | None) -> bool:
    """Whether this is a question for the clock."""
    return request is not None and request.text.key == ASK


def seconds_in(log: Path) -> float:
    """The seconds played that a log file noted last; 0 for one that noted none or cannot be read."""
    found = 0.0
    try:
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return found
    for line in lines:
        if line.startswith('{"note"') and NOTE in line:
            try:
                found = float(json.loads(line)["note"][NOTE])
            except (ValueError, KeyError, TypeError, RecursionError):
                # A line that was cut off, or somebody's own words.
                continue
    return found
