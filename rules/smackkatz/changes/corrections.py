"""Effects of the referee's own word: fields set, bonds ended, a turn broken off and taken up again."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rules.engine.facts import Fact
from rules.geometry import moved
from rules.scene import Figure
from rules.smackkatz.changes.registry import effect, of, told

if TYPE_CHECKING:
    from rules.smackkatz.state import MatchState, Wrestler

told("let_stand")

_BONDS = (
    ("hoists", "hoisted_by"), ("hoisted_by", "hoists"), ("holds", "held_by"), ("held_by", "holds"),
    ("pins", "pinned_by"), ("pinned_by", "pins"),
)  # fmt: skip


@effect("corrected")
def _corrected(state: MatchState, fact: Fact) -> None:
    wrestler = of(state, fact)
    field, value = str(fact.values["field"]), fact.values["value"]
    name, _, detail = field.partition(":")
    match name:
        case "posture":
            _set_posture(state, wrestler, str(value))
        case "zone":
            wrestler.at_ringside = value == "ringside"
        case "playing":
            # Leaving the match is a fact of its own.
            wrestler.out = None if value else wrestler.out
        case "sits_out":
            wrestler.sits_out = state.turn if value else None
        case "wounds":
            _set_wounds(wrestler, detail, int(value))
        case "position":
            x, y = value
            _put(state, moved(state.scene.figures[wrestler.id], float(x), float(y)))
        case "hand" | "hand_sd":
            hand = state.scene.hands[wrestler.id]
            names = ("palm", "half_palm") if name == "hand" else ("palm_sd", "half_palm_sd")
            hands = {**state.scene.hands, wrestler.id: replace(hand, **dict(zip(names, value, strict=True)))}
            state.scene = replace(state.scene, hands=hands)
        case "facing":
            figure = state.scene.figures[wrestler.id]
            turned = moved(figure, figure.x, figure.y, math.radians(value))
            _put(state, replace(turned, facing_assumed=False))
        case "bond" | "lock_up":
            # Told by the facts before this one.
            pass
        case _:
            setattr(wrestler, name, value)


def _set_posture(state: MatchState, wrestler: Wrestler, posture: str) -> None:
    wrestler.lying = posture == "lying"
    wrestler.knocked_down = state.turn if posture == "knocked_down" else None
    if posture == "unconscious" and not wrestler.unconscious:
        wrestler.failed_checks = 0
    wrestler.unconscious = posture == "unconscious"
    if posture == "standing":
        wrestler.helpless, wrestler.lies_until = False, None


def _set_wounds(wrestler: Wrestler, ability: str, count: int) -> None:
    wounds = {name: many for name, many in wrestler.wounds.items() if name != ability}
    wrestler.wounds = {**wounds, ability: count} if count else wounds


def _put(state: MatchState, figure: Figure) -> None:
    state.scene = replace(state.scene, figures={**state.scene.figures, figure.id: figure})


@effect("bonds_ended")
def _bonds_ended(state: MatchState, fact: Fact) -> None:
    wrestler = of(state, fact)
    for mine, other in _BONDS:
        rival = getattr(wrestler, mine)
        if rival is not None:
            _clear(wrestler, mine)
            _clear(state.wrestlers[rival], other)
    wrestler.on_post = None


_COUNTS: dict[str, dict[str, Any]] = {
    "hoists": {"hoisted_in": 0},
    "hoisted_by": {"hoisted_in": 0},
    "holds": {"hold_turns": 0, "hold_in": 0, "hold_at_ropes": 0},
    "pinned_by": {"pin_failures": 0},
}
"""What is counted while a bond lasts, on that side of it."""


def _clear(wrestler: Wrestler, bond: str) -> None:
    for name, value in {bond: None, **_COUNTS.get(bond, {})}.items():
        setattr(wrestler, name, value)


@effect("broken_off")
def _broken_off(state: MatchState, fact: Fact) -> None:
    state.broken_off, state.flight = True, None


@effect("taken_up")
def _taken_up(state: MatchState, fact: Fact) -> None:
    state.broken_off = False
    if state.phase == "TURN_START":
        # The snapshot comes again.
        state.groups = ()
