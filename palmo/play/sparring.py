"""A whole match played by simulated players on a made-up table with digital dice."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from palmo.play.players import PLAYERS, Name, Player
from palmo.play.rulebooks import rulebook
from palmo.play.tabletop import Tabletop
from rules.engine.match import Match
from rules.engine.request import Origin, Pool, Rejected, Request
from rules.roster import Entrant, Roster
from rules.scene import Hand, Ring

MOST_ANSWERS = 20_000
"""A match that is not over by then is given up as unfinished."""
_RING = Ring(70.0, 70.0)


@dataclass(frozen=True)
class Bout:
    """What is played: everything but the chance. `seed` and a number make one match of it.

    Rulebooks are named, not held: a bout goes to other processes.
    """

    roster: Roster
    mode: str
    rulebook: str = "smackkatz"
    edition: str = "current"
    players: Name = "random"
    rulings: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    most_answers: int = MOST_ANSWERS

    def chance(self, number: int) -> random.Random:
        """The chance of match number so-and-so."""
        return random.Random(f"{self.seed}:{number}")


@dataclass(frozen=True)
class Played:
    """One match in numbers. `ending` is None when it was given up."""

    number: int
    answers: int
    turns: int
    ending: str | None
    winners: tuple[str, ...]
    actions: Mapping[str, int]
    faces: Mapping[tuple[int, int], int]
    """(sides, face) -> how often it fell."""


class Sparring:
    """Plays one match answer by answer; `match` may be looked at in between."""

    def __init__(self, bout: Bout, number: int = 0) -> None:
        self._rng = bout.chance(number)
        self._most = bout.most_answers
        self.number = number
        self.match: Match[Any] = Match(rulebook(bout), bout.roster, mode=bout.mode, rulings=bout.rulings)
        self._player: Player = PLAYERS[bout.players](self._rng)
        self._tabletop = Tabletop(self._rng, self._player.eager)
        self._answers = 0
        self._actions: Counter[str] = Counter()
        self._faces: Counter[tuple[int, int]] = Counter()

    def play(self) -> Played:
        """Until the match is over or has taken too many answers."""
        while self.match.request is not None and self._answers < self._most:
            self.step()
        outcome = self.match.outcome
        return Played(
            self.number,
            self._answers,
            int(getattr(self.match.state, "turn", 0)),
            None if outcome is None else outcome.ending,
            () if outcome is None else outcome.winners,
            dict(sorted(self._actions.items())),
            dict(sorted(self._faces.items())),
        )

    def step(self) -> None:
        """Give one answer."""
        request = self.match.request
        assert request is not None
        answer, origin = self.answer(request)
        try:
            self.match.answer(answer, origin)
        except Rejected:
            # A silhouette where the rules themselves do not want the figure: the referee lets it stand.
            if request.kind != "place":
                raise
            self.match.answer({"accept": {"answer": answer}}, "referee")
        self._answers += 1

    def answer(self, request: Request) -> tuple[Any, Origin]:
        """What the players, the dice or the table answer."""
        match request.kind:
            case "choose" | "ruling":
                legal = [option for option in request.options if option.legal]
                chosen = self._player.choose(self.match, request, legal).id
                if request.kind == "choose":
                    self._actions[chosen.partition(":")[0]] += 1
                return chosen, "referee" if request.kind == "ruling" else "player"
            case "roll":
                return [self._roll(pool) for pool in request.dice for _ in range(pool.count)], "dice"
            case "observe":
                return self._tabletop.view(self.match, request), "camera"
            case "place":
                return self._tabletop.placed(self.match, request), "camera"

    def _roll(self, pool: Pool) -> int:
        # Far quicker than randint, and dice are most of a match.
        face = int(self._rng.random() * pool.faces) + 1
        self._faces[pool.faces, face] += 1
        return face


def sparring_roster(
    count: int, main: tuple[str, ...], fighting: tuple[str, ...], seed: int = 0, teams_of: int | None = None
) -> Roster:
    """So many made-up wrestlers: ten points in each half of the sheet, one to four in each ability."""
    rng = random.Random(f"roster:{seed}")
    entrants = []
    for number in range(count):
        sheet = {**_points(main, rng), **_points(fighting, rng)}
        palm = round(rng.uniform(16.0, 21.0), 1)
        name, kind = f"F{number + 1}", ("humanoid", "beast", "absurd")[number % 3]
        team = None if teams_of is None else f"T{number // teams_of + 1}"
        hand = Hand(palm, round(palm * 0.45, 1))
        entrants.append(Entrant(name, f"Luchador {number + 1}", f"p{number + 1}", hand, kind, sheet, team))
    return Roster(tuple(entrants), _RING)


def _points(abilities: tuple[str, ...], rng: random.Random) -> dict[str, int]:
    points = dict.fromkeys(abilities, 1)
    while sum(points.values()) < 10:
        ability = rng.choice([one for one in abilities if points[one] < 4])
        points[ability] += 1
    return points
