"""How a match goes on when the camera cannot say where the figures stand: the referee decides."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from palmo.play.layout import starting_layout
from rules.engine.answers import AS_PROPOSED
from rules.engine.request import Option, Request
from rules.roster import Roster
from rules.text import Text

NOBODY_SAW = "nobody_saw"
AT_THE_START = "at_the_start"
# How far from its starting place a figure that a person put there may stand, in cm (one standard deviation).
_PUT_SD_CM = 2.0


def with_decision(request: Request, *, placed: bool) -> Request:
    """The request with the answers that need no camera among its options; others as they are.

    While nobody is `placed` yet they may all stand where they start: then the rules know who is next to
    whom, and need not ask for every pair.
    """
    if request.kind == "observe":
        at_the_start = () if placed else (Option(AT_THE_START, Text("live.at_the_start")),)
        added = (*at_the_start, Option(NOBODY_SAW, Text("live.decide")))
    elif request.kind == "place" and request.proposal is not None:
        added = (Option(AS_PROPOSED, Text("live.as_proposed")),)
    else:
        return request
    return Request(
        request.kind,
        request.step,
        request.who,
        request.text,
        fighter=request.fighter,
        options=(*request.options, *added),
        rules=request.rules,
        finding=request.finding,
        proposal=request.proposal,
        check=request.check,
    )


def as_engine_answer(request: Request | None, value: Any, roster: Roster) -> Any:
    """What an answer from a page means to the engine: nobody saw anything is an observation of nothing."""
    if request is None or request.kind != "observe":
        return value
    if value == AT_THE_START:
        about = (_PUT_SD_CM**2, 0.0, _PUT_SD_CM**2)
        return {id_: replace(one, covariance=about) for id_, one in starting_layout(roster).items()}
    return {} if value == NOBODY_SAW else value
