"""How far one point of Speed carries a figure, and which tokens it may use."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from rules.engine.cite import cite
from rules.scene import Figure, Hand
from rules.value_type import value_type

BACK_UNLIMITED = 1_000


@value_type
class Stride:
    """The tokens of catalogue 6.1 for one figure: lengths in cm, costs in points of Speed.

    `palm` bounds a full palm F, `half` the half palm of a turn T, `back` a step back B. `turn` says
    whether the one facing change is still free (FACE-03), `backs` how many steps back are. With
    `escape` the first token is L, the step out of a broken lock-up (LOCK-08), which replaces B.
    """

    palm: float
    half: float
    back: float
    turn: bool = True
    backs: int = 1
    back_cost: int = 1
    escape: bool = False
    half_mandatory: bool = False
    turn_first: bool = True
    turns_freely: bool = False
    """The facing may change as often as Speed pays for it (earlier edition)."""


def front_reach(figure: Figure, heading: float) -> float:
    """How far the outline reaches beyond the ground point in a direction, cm (`e` of catalogue 6.2)."""
    dx, dy = math.cos(heading), math.sin(heading)
    return max((x - figure.x) * dx + (y - figure.y) * dy for x, y in figure.outline)


@cite("MOVE-02", "MOVE-03", "MOVE-04", "MOVE-05", "FACE-02", "FACE-03", "RULING-26", "RULING-27", "RULING-28")
def stride(
    figure: Figure,
    hand: Hand,
    rulings: Mapping[str, Any],
    *,
    may_turn: bool = True,
    may_step_back: bool = True,
    escape: bool = False,
    turns_freely: bool = False,
) -> Stride:
    """The tokens of a figure under the rulings, measured with its own player's hand.

    With the thumb at the leading edge a palm carries the centre one palm, whatever the figure's size;
    from the centre or the trailing edge the figure's own depth is lost from every palm (RULING-28).
    """
    lost, lost_back = _lost(figure, rulings["palm_origin"])
    unlimited = rulings["step_back_max"] == "unlimited"
    return Stride(
        palm=max(0.0, hand.palm - lost),
        half=max(0.0, hand.half_palm - lost),
        back=max(0.0, hand.half_palm - lost_back),
        turn=may_turn or turns_freely,
        backs=(BACK_UNLIMITED if unlimited else 1) if may_step_back and not escape else 0,
        back_cost=int(rulings["step_back_cost"]),
        escape=escape,
        half_mandatory=rulings["half_palm_move"] == "mandatory",
        turn_first=rulings["turn_order"] == "turn_first",
        turns_freely=turns_freely,
    )


@cite("RULING-28")
def _lost(figure: Figure, origin: str) -> tuple[float, float]:
    """What of the figure's own depth is lost from every palm forward and back, cm."""
    if origin == "leading_edge":
        return 0.0, 0.0
    front = front_reach(figure, figure.facing)
    rear = front_reach(figure, figure.facing + math.pi)
    return (front, rear) if origin == "center" else (front + rear, front + rear)
