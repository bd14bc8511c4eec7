"""The match as it was at a moment of the recording: its log replayed up to the entry given by then."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from palmo.errors import texts
from palmo.play.rulebooks import rulebook
from palmo.play.table import replayed
from rules.engine.log import Entry, Log, parse
from rules.engine.match import Match
from rules.scene import Figure
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
    """A match log seen from a session of a recording. `trouble` says why it cannot be replayed, if so."""

    def __init__(self, log: Path, first: int, end: int | None = None) -> None:
        """`first` entries had been given before the session began; from number `end` on, later ones were."""
        self.trouble: Text | None = None
        self._first = first
        self._log: Log | None = None
        if log.is_file():
            try:
                whole = replayed(log).log
                self._log = Log(whole.header, whole.entries[:end])
            except ValueError as error:
                self.trouble = texts(error)[0]

    @property
    def known(self) -> bool:
        """Whether there is a match to look at."""
        return self._log is not None

    def entries_at(self, t: float) -> int:
        """How many entries had been given at a time of the session, in seconds."""
        entries: tuple[Entry, ...] = () if self._log is None else self._log.entries
        count = min(self._first, len(entries))
        while count < len(entries) and ((at := entries[count].at) is None or at <= t):
            count += 1
        return count

    def entries_told_by(self, t: float) -> int:
        """How many entries can have to do with what was seen until a time in seconds."""
        return self.entries_at(t + _ANSWERED_S)

    def match_at(self, entries: int) -> Match[Any] | None:
        """The match after so many entries; None without one."""
        return None if self._log is None else _replayed(self._log, entries)

    def lines(self, entries: int) -> list[str]:
        """The log's lines up to so many entries, as the engine writes them."""
        return [] if self._log is None else Log(self._log.header, self._log.entries[:entries]).lines()

    def asked_between(self, fighter: str, start: float, end: float) -> int | None:
        """How many entries had been given when the table was asked for a fighter's move.

        Its answer came between two times in seconds; None when there is none such.
        """
        entries: tuple[Entry, ...] = () if self._log is None else self._log.entries
        for number, entry in enumerate(entries[self._first :], start=self._first):
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
        match = self.match_at(entries)
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


@lru_cache(maxsize=8)
def _cached(lines: tuple[str, ...]) -> Match[Any]:
    return Match.replay(lines, rulebook(parse(lines)[0]))


def _replayed(log: Log, entries: int) -> Match[Any]:
    return _cached(tuple(Log(log.header, log.entries[:entries]).lines()))
