"""How a match goes on when the camera cannot say where the figures stand: the referee decides."""

from __future__ import annotations

from typing import Any

from rules.engine.answers import AS_PROPOSED
from rules.engine.request import Option, Request
from rules.text import Text

NOBODY_SAW = "nobody_saw"


def with_decision(request: Request) -> Request:
    """The request with the answer that needs no camera among its options; others as they are."""
    if request.kind == "observe":
        option = Option(NOBODY_SAW, Text("live.decide"))
    elif request.kind == "place" and request.proposal is not None:
        option = Option(AS_PROPOSED, Text("live.as_proposed"))
    else:
        return request
    return Request(
        request.kind,
        request.step,
        request.who,
        request.text,
        fighter=request.fighter,
        options=(*request.options, option),
        rules=request.rules,
        finding=request.finding,
        proposal=request.proposal,
        check=request.check,
    )


def as_engine_answer(request: Request | None, value: Any) -> Any:
    """What an answer from a page means to the engine: nobody saw anything is an observation of nothing."""
    if value == NOBODY_SAW and request is not None and request.kind == "observe":
        return {}
    return value
