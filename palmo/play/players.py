"""Simulated players: one who takes any legal option, and one with a little sense."""

from __future__ import annotations

import random
from typing import Any, Literal, Protocol

from rules.engine.match import Match
from rules.engine.request import Option, Request
from rules.smackkatz.modes.endings import meaning_of_falls

Name = Literal["random", "greedy"]


class Player(Protocol):
    """Chooses among the legal options of a request; never without one."""

    eager: bool
    """Whether he walks up to his rivals."""

    def choose(self, match: Match[Any], request: Request, legal: list[Option]) -> Option:
        """The option he takes."""
        ...


HOUR_TURNS = 60
"""A simulated hour of play: at the end of this turn the clock of an Iron Man match has run out."""


def clock(match: Match[Any], legal: list[Option]) -> Option | None:
    """What the clock says when a match that ends by time asks for it; None for any other question."""
    over = int(getattr(match.state, "turn", 0)) >= HOUR_TURNS
    by_id = {option.id: option for option in legal}
    return by_id.get("time_up" if over else "play_on") if "time_up" in by_id else None


SELDOM = {
    "rest": 0.1, "taunt": 0.1, "leave_ring": 0.2, "pass": 0.3, "stay": 0.3, "decline": 0.5, "hit_downed": 3.0,
}  # fmt: skip
"""How likely the random one takes a kind of option, against 1 for any other: by sheer chance somebody would
rest in every turn, and no match would end."""


class RandomPlayer:
    """Any kind of option, then any of that kind; what only spends time seldom."""

    eager = False

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def choose(self, match: Match[Any], request: Request, legal: list[Option]) -> Option:
        """Any of them."""
        told = clock(match, legal)
        if told is not None:
            return told
        kinds: dict[str, list[Option]] = {}
        for option in legal:
            kinds.setdefault(option.id.partition(":")[0], []).append(option)
        (kind,) = self._rng.choices(list(kinds), [SELDOM.get(one, 1.0) for one in kinds])
        return self._rng.choice(kinds[kind])


class GreedyPlayer:
    """Fights whenever he can, with what his sheet is best at; rests when spent, defends when he may."""

    eager = True

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._turn = 0
        self._taken: set[tuple[int, str | None, str]] = set()

    def choose(self, match: Match[Any], request: Request, legal: list[Option]) -> Option:
        """The option worth most; among equals any."""
        told = clock(match, legal)
        if told is not None:
            return told
        worth = [self._worth(match, request, option) for option in legal]
        best = max(worth)
        chosen = self._rng.choice([one for one, much in zip(legal, worth, strict=True) if much == best])
        self._taken.add((*self._now(match, request), chosen.id))
        return chosen

    def _now(self, match: Match[Any], request: Request) -> tuple[int, str | None]:
        turn = int(getattr(match.state, "turn", 0))
        if turn != self._turn:
            self._turn, self._taken = turn, set()
        return turn, request.fighter

    def _worth(self, match: Match[Any], request: Request, option: Option) -> float:
        action = option.id.partition(":")[0]
        aim = AIMS[wins_by(match)]
        if action == "move" and (*self._now(match, request), option.id) in self._taken:
            # Once a turn: whoever has come as near as he can would walk on the spot for ever.
            return 0.0
        if action in ATTACKS:
            worth = 50 + self._score(match, request, ATTACKS[action]) + WORTH.get(action, 0.0)
            return worth + aim.get(option.id, aim.get(action, 0.0))
        if action in aim:
            return aim[action]
        if action == "rest":
            return 10.0 if self._stamina(match, option.target) < SPENT else -1.0
        if action == "break_lock_up":
            return 60.0 if self._stamina(match, request.fighter) < SPENT else -1.0
        return WORTH.get(action, 0.0)

    def _score(self, match: Match[Any], request: Request, ability: str) -> float:
        if request.fighter is None:
            return 0.0
        return float(match.log.header.roster[request.fighter].sheet.get(ability, 0))

    def _stamina(self, match: Match[Any], fighter: str | None) -> int:
        wrestler = getattr(match.state, "wrestlers", {}).get(fighter)
        return int(getattr(wrestler, "stamina", SPENT))


def wins_by(match: Match[Any]) -> str:
    """What ends this match: being sent `out` of the ring, the knock-out `count`, or else a `fall`."""
    table = match.table
    if table.rulings.get("over_the_top"):
        return "out"
    return "count" if meaning_of_falls(table) == "nothing" else "fall"


SPENT = 8
"""At less Stamina than this the greedy one thinks of himself."""
ATTACKS = {
    "strike": "strike", "charge": "strike", "dive": "strike", "whip": "irish_whip", "suplex": "suplex",
    "submission": "submission", "hit_downed": "strength", "throw": "suplex", "keep_hoisting": "suplex",
}  # fmt: skip
"""Attacks -> the ability they are made with."""
WORTH = {
    "pin": 90.0, "finisher": 85.0, "hit_downed": 12.0, "throw": 20.0, "dive": 3.0, "keep_hoisting": -20.0,
    "counter": 30.0, "technique": 30.0, "dodge": 30.0, "get_up": 40.0, "enter_ring": 35.0, "move": 20.0,
    "keep": 15.0, "stands": 5.0, "yes": 5.0, "go_on": 2.0, "pass": 1.0, "decline": 1.0, "stay": 1.0,
    "climb_post": -5.0, "leave_ring": -10.0, "foul": -20.0, "again": -5.0,
}  # fmt: skip
"""What the greedy one thinks of the rest; of anything else he thinks nothing."""
AIMS: dict[str, dict[str, float]] = {
    "out": {
        "whip": 40.0, "throw:ringside": 40.0, "hit_downed": -70.0, "submission": -20.0, "ringside": 30.0,
        "ropes": 10.0, "hang_on": 30.0, "rest": -1.0, "enter_ring": 60.0,
    },
    "count": {"rest": -1.0, "hit_downed": 30.0, "submission": 2.0, "whip": -8.0},
    "fall": {"whip": -2.0},
}  # fmt: skip
"""What is worth more, or something else, where a match is won in another way than by a fall."""

PLAYERS: dict[Name, type[RandomPlayer] | type[GreedyPlayer]] = {
    "random": RandomPlayer,
    "greedy": GreedyPlayer,
}
"""The players there are."""
