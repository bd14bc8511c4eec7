"""Whips on a table set up by hand: who stands where, and how the questions on the way are answered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rules.engine.request import Request
from rules.engine.rulebook import Table
from rules.scene import Figure
from rules.smackkatz.attacks.whip import launch, whip
from rules.smackkatz.state import MatchState
from tests.rules.playing import figure
from tests.rules.smackkatz.harness import drive

Said = Mapping[str, Any]
"""Answers by a word of the request's step: D-05 the aim, D-07 dodge, D-08 and D-09 at the ropes, ..."""

PAIR = {"A": figure("A", 0, 0, 180), "B": figure("B", -7, 0, 0)}
"""A in the middle, B on his left: straight behind A is the right."""
AT_THE_ROPES = {"D-08": "hang_on", "D-09": "ringside"}


def place(found: Table[MatchState], fighter: str) -> tuple[float, float]:
    """Where he stands, to the millimetre."""
    one = found.state.scene.figures[fighter]
    return round(one.x, 1), round(one.y, 1)


def answering(said: Said) -> Callable[[Request], Any]:
    """Answer by the decision point in the step; several answers for one are given in turn."""
    left = {name: list(value) if isinstance(value, list) else value for name, value in said.items()}

    def answer(request: Request) -> Any:
        for name, value in left.items():
            if name in request.step or name == request.kind:
                chosen = value.pop(0) if isinstance(value, list) else value
                option = request.option(chosen)
                assert option is not None, f"{request} has no {chosen}: {[one.id for one in request.options]}"
                assert option.legal, option
                return chosen
        raise AssertionError(f"nobody said how to answer {request}")

    return answer


def whipped(
    found: Table[MatchState],
    dice: Mapping[str, Any],
    said: Said,
    asked: list[Request] | None = None,
    by: str = "A",
    on: str = "B",
) -> None:
    """Play a whole whip of one on another."""
    drive(
        whip(found, by, on, "OPEN_PHASE"),
        dice,
        answering({"D-05": "turn:0", "D-11": "no"} | dict(said)),
        asked,
    )


def launched(
    found: Table[MatchState],
    heading: float,
    palms: int,
    dice: Mapping[str, Any],
    said: Said,
    *,
    technique_tried: bool = False,
    asked: list[Request] | None = None,
) -> None:
    """Play the run of B, launched by A."""
    run = launch(found, "A", "B", heading, palms, "OPEN_PHASE", technique_tried=technique_tried)
    drive(run, dice, answering({"D-11": "no"} | dict(said)), asked)


def towards_the_right(gap: float, **more: Figure) -> dict[str, Figure]:
    """B with so many cm to the right ropes, A just beside him on that side, so that he pulls B over there."""
    b = figure("B", 35.0 - 3.0 - gap, 0.0, 0.0)
    return {"B": b, "A": figure("A", b.x + 7.0, 0.0, 180.0)} | more


def at_a_post() -> dict[str, Any]:
    return {"B": figure("B", 20, 20, 0), "A": figure("A", 25, 25, 225)}
