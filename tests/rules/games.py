"""Every edition and mode there is, opened with wrestlers it accepts: what the conformance suite runs on."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from rules.engine.match import Match
from rules.engine.request import ORIGINS
from rules.roster import Entrant, Roster
from rules.smackkatz.book import CURRENT, EARLIER, SmackKatz
from rules.smackkatz.modes import table as modes
from tests.rules.playing import HAND, RING, SHEET, STRONG, random_answer

BOOKS = {book.edition: book for book in (CURRENT, EARLIER)}


@dataclass(frozen=True)
class Game:
    """A rulebook and one of its modes."""

    book: SmackKatz
    mode: str

    def __str__(self) -> str:
        return f"{self.book.edition}-{self.mode}"

    def opened(self, seed: int = 0, **settings: Any) -> Match[Any]:
        """A match of two to five wrestlers, or as many as the mode needs; every other one is strong."""
        kind = modes.mode(self.mode)
        count = min(kind.most, max(kind.fewest, 2 + seed % 4))
        entrants = tuple(self._entrant(number, kind.teams_of) for number in range(count))
        return Match(self.book, Roster(entrants, RING), mode=self.mode, **settings)

    def played(self, seed: int, answers: int = 200) -> Match[Any]:
        """A random match of so many answers at most."""
        rng = random.Random(f"{self}:{seed}")
        match = self.opened(seed)
        for _ in range(answers):
            if match.request is None:
                break
            match.answer(random_answer(match, rng), rng.choice(ORIGINS))
        return match

    def replayed(self, lines: list[str]) -> Match[Any]:
        """The match a log tells."""
        return Match.replay(lines, self.book)

    def _entrant(self, number: int, teams_of: int | None) -> Entrant:
        # Scores by place: the editions call some of them otherwise.
        scores = (SHEET if number % 2 else STRONG).values()
        sheet = dict(zip(self.book.rules.form.abilities, scores, strict=True))
        team = None if teams_of is None else f"T{number // teams_of}"
        name = f"F{number + 1}"
        return Entrant(
            name, f"Luchador {name}", name.lower(), HAND, ("humanoid", "absurd")[number % 2], sheet, team
        )


GAMES = [Game(book, mode) for book in BOOKS.values() for mode in book.modes]
