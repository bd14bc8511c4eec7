"""What a wrestler can do with his slot: the name of each action and the procedure that carries it out."""

from __future__ import annotations

from collections.abc import Callable

from rules.engine.cite import cite
from rules.engine.request import Procedure
from rules.smackkatz import sight
from rules.smackkatz.abilities import Ring
from rules.smackkatz.attacks import dive, suplex, throw
from rules.smackkatz.attacks.charge import charge
from rules.smackkatz.attacks.strike import hit_downed, strike
from rules.smackkatz.consequences import landing, rising
from rules.smackkatz.modes.endings import check_endings
from rules.smackkatz.movement import moving
from rules.smackkatz.turn.breakaway import break_away

Action = Callable[[Ring, str, str, str], Procedure[None]]
"""table, fighter, target ("" when there is none), step."""


def _alone(procedure: Callable[[Ring, str, str], Procedure[None]]) -> Action:
    """An action without a target."""

    def carried_out(table: Ring, fighter: str, target: str, step: str) -> Procedure[None]:
        yield from procedure(table, fighter, step)

    return carried_out


@cite("STATUS-53", "STATUS-54", "RULING-34", "RULING-35")
def _cross(table: Ring, fighter: str, leaving: bool, step: str) -> Procedure[None]:
    """Leave or enter the ring for one Speed."""
    at_ropes = yield from sight.settle(table, sight.on_ropes(table, fighter), step)
    if not at_ropes:
        return
    moving.close_block(table, fighter, final=False)
    table.record("paid_speed", "RULING-34" if leaving else "STATUS-53", fighter=fighter, speed=1)
    yield from landing.cross_ropes(table, fighter, leaving, step)
    if leaving:
        table.record("left_ring", "RULING-34", fighter=fighter)
        check_endings(table)
    else:
        table.record("entered_ring", "STATUS-53", "STATUS-54", fighter=fighter)


def enter(table: Ring, fighter: str, step: str) -> Procedure[None]:
    """Back into the ring, arriving lying."""
    yield from _cross(table, fighter, False, step)


def leave(table: Ring, fighter: str, step: str) -> Procedure[None]:
    """Out of the ring on purpose, arriving standing."""
    yield from _cross(table, fighter, True, step)


ACTIONS: dict[str, Action] = {
    "move": _alone(moving.move),
    "enter_ring": _alone(enter),
    "leave_ring": _alone(leave),
    "get_up": _alone(rising.get_up),
    "break_lock_up": _alone(break_away),
    "strike": strike,
    "hit_downed": hit_downed,
    "charge": charge,
    "suplex": suplex.suplex,
    "throw": _alone(throw.throw),
    "keep_hoisting": _alone(suplex.keep),
    "climb_post": _alone(dive.climb),
    "climb_down": _alone(dive.climb_down),
    "dive": _alone(dive.dive),
}
"""Option id before the colon -> its procedure. An action that is not here is not offered."""
