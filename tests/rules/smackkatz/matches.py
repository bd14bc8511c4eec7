"""A whole match played by hand in a test: start it, let everybody pass, go on to somebody's slot."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from rules.engine.match import Match
from rules.engine.request import Request
from rules.scene import Figure
from rules.smackkatz.book import CURRENT
from rules.smackkatz.state import MatchState
from tests.rules.playing import begun, figure, roster

PLACES = {"A": figure("A", -10, 0, 0), "B": figure("B", 10, 0, 180), "C": figure("C", 0, 25, 270)}


def started(figures: dict[str, Figure] = PLACES, **settings: Any) -> Match[MatchState]:
    return begun(Match(CURRENT, roster(len(figures)), **settings), figures)


def requests(match: Match[MatchState], answer: Callable[[Request], Any], most: int = 60) -> Iterator[Request]:
    """Play on by `answer`, giving each request; dice show ones unless `answer` says otherwise."""
    for _ in range(most):
        request = match.request
        if request is None:
            return
        yield request
        match.answer(answer(request))


def quietly(match: Match[MatchState]) -> Callable[[Request], Any]:
    """Nobody does anything: everybody passes, dice fall one to six in turn."""

    def answer(request: Request) -> Any:
        if request.kind == "observe":
            return dict(match.scene.figures)
        if request.kind == "roll":
            return [number % 6 + 1 for number in range(request.dice_count)]
        for wanted in ("go_on", "pass", "stay", "decline", "no"):
            if request.option(wanted):
                return wanted
        return request.options[0].id

    return answer


def to_act(match: Match[MatchState], fighter: str) -> None:
    """Go on until it is this fighter's slot."""
    calm = quietly(match)
    while (request := match.request) is not None and not (
        request.fighter == fighter and "D-04" in request.step
    ):
        match.answer(calm(request))
