"""The match as it was at a moment of the recording: its log replayed up to the entry given by then."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from palmo.errors import text, texts
from palmo.play.table import replayed
from rules.annotations import FighterTag
from rules.engine.log import Entry, Log
from rules.engine.match import Match
from rules.scene import Figure, Hand, Scene
from rules.smackkatz.abilities import speed_left
from rules.smackkatz.movement.moving import blockers, in_the_way, may_step_back, may_turn
from rules.text import Text

# After a figure has gone on, an answer about where it stood may still come so much later.
_ANSWERED_S = 1.0


@dataclass(frozen=True)
class Terms:
    """On what terms a fighter moved: what `judge_move` and `legal_region` want to know beside the places.

    `entries` is how many entries of the log led to them.
    """

    entries: int
    speed: int
    rulings: dict[str, Any]
    may_turn: bool
    may_step_back: bool
    escape: bool
    turns_freely: bool
    at_ringside: bool
    others: tuple[Figure, ...]
    blockers: dict[str, Any]


class Past:
    """A match log seen from a session of a recording. Safe to use from several threads.

    `trouble` says why it cannot be replayed, if so. The log is replayed once; to another moment of it the
    match is taken back, or on again.
    """

    def __init__(self, log: Path, first: int, *, wanted: bool = False) -> None:
        """`first` entries had been given before the session began; a log that is `wanted` should be there."""
        self.trouble: Text | None = None
        self._first = first
        self._log: Log | None = None
        self._match: Match[Any] | None = None
        self._lock = threading.Lock()
        if log.is_file():
            try:
                self._match = replayed(log)
                self._log = self._match.log
            except ValueError as error:
                self.trouble = texts(error)[0]
        elif wanted:
            self.trouble = text("review.no_log", path=log)
        self._now = len(self._entries)

    @property
    def known(self) -> bool:
        """Whether there is a match to look at."""
        return self._log is not None

    def entries_at(self, t: float) -> int:
        """How many entries had been given at a time of the session, in seconds."""
        count = min(self._first, len(self._entries))
        while count < len(self._entries) and ((at := self._entries[count].at) is None or at <= t):
            count += 1
        return count

    def entries_told_by(self, t: float) -> int:
        """How many entries can have to do with what was seen until a time in seconds."""
        return self.entries_at(t + _ANSWERED_S)

    def lines(self, entries: int) -> list[str]:
        """The log's lines up to so many entries, as the engine writes them."""
        return [] if self._log is None else Log(self._log.header, self._log.entries[:entries]).lines()

    def labels(self, scene: Scene) -> list[FighterTag] | None:
        """Everybody's label over a scene of the session, with what the match knew of them then."""
        with self._at(self.entries_at(scene.t)) as match:
            if match is None:
                return None
            return [one for one in match.annotations(scene) if isinstance(one, FighterTag)]

    def hand(self, fighter: str, t: float) -> Hand | None:
        """With whose measures a fighter moved at a time of the session, in seconds; None without a match."""
        with self._at(self.entries_at(t)) as match:
            return None if match is None else match.scene.hands.get(fighter)

    def asked_between(self, fighter: str, start: float, end: float) -> int | None:
        """How many entries had been given when the table was asked for a fighter's move.

        Its answer came between two times in seconds; None when there is none such.
        """
        for number, entry in enumerate(self._entries[self._first :], start=self._first):
            asked = entry.request.get("kind") == "observe" and entry.request.get("fighter") == fighter
            if asked and entry.at is not None and start <= entry.at <= end:
                return number
        return None

    def terms(self, fighter: str, move: tuple[float, float, float]) -> Terms | None:
        """On what terms a fighter moved; None when the match knows nothing of it.

        `move` are the times in seconds at which it was last seen before, arrived, and was last seen there.
        """
        left, arrived, last = move
        asked = self.asked_between(fighter, arrived, last + _ANSWERED_S)
        entries = self.entries_at(left) if asked is None else asked
        with self._at(entries) as match:
            if match is None or fighter not in match.state.wrestlers or match.state.active != fighter:
                return None
            table = match.table
            wrestler = table.state.wrestlers[fighter]
            return Terms(
                entries=entries,
                speed=speed_left(table, fighter),
                rulings=dict(table.rulings),
                may_turn=may_turn(table, fighter),
                may_step_back=may_step_back(table, fighter),
                escape=bool(wrestler.left) and not wrestler.stepped_back,
                turns_freely=table.state.edition.movement.turns_freely,
                at_ringside=wrestler.at_ringside,
                others=in_the_way(table, fighter),
                blockers=blockers(table, fighter),
            )

    def rulings(self, t: float) -> dict[str, Any] | None:
        """The house rules as they were agreed on at a time in seconds; None without a match."""
        with self._at(self.entries_at(t)) as match:
            return None if match is None else dict(match.table.rulings)

    @property
    def _entries(self) -> tuple[Entry, ...]:
        return () if self._log is None else self._log.entries

    @contextmanager
    def _at(self, entries: int) -> Iterator[Match[Any] | None]:
        """The match after so many entries, while nobody else takes it elsewhere; None without one."""
        with self._lock:
            if self._match is not None:
                if entries < self._now:
                    self._match.undo(entries)
                    self._now = entries
                while self._now < entries and self._match.redo():
                    self._now += 1
            yield self._match
