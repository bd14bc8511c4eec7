"""What a wrestler can do with his slot: the name of each action and the procedure that carries it out."""

from __future__ import annotations

from collections.abc import Callable

from rules.engine.cite import cite
from rules.engine.request import Procedure
from rules.smackkatz import sight
from rules.smackkatz.abilities import Ring
from rules.smackkatz.attacks.charge import charge
from rules.smackkatz.attacks.dive import climb, climb_down, dive
from rules.smackkatz.attacks.finisher import finish
from rules.smackkatz.attacks.pin import pin
from rules.smackkatz.attacks.strike import hit_downed, strike
from rules.smackkatz.attacks.submission import submission
from rules.smackkatz.attacks.suplex import keep, suplex
from rules.smackkatz.attacks.throw import throw
from rules.smackkatz.attacks.whip import whip
from rules.smackkatz.consequences import landing, rising
from rules.smackkatz.modes.endings import check_endings
from rules.smackkatz.modes.fouls import use_weapon
from rules.smackkatz.modes.tags import tag
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


def _finish(table: Ring, fighter: str, form: str, step: str) -> Procedure[None]:
    """The finishing attack: what stands after the colon is its form, the rival is known."""
    yield from finish(table, fighter, form, step)


def _submit(table: Ring, fighter: str, target: str, step: str) -> Procedure[None]:
    """A Submission; whether the grab came off matters to finishers alone."""
    yield from submission(table, fighter, target, step)


ACTIONS: dict[str, Action] = {
    "move": _alone(moving.move),
    "enter_ring": _alone(enter),
    "leave_ring": _alone(leave),
    "get_up": _alone(rising.get_up),
    "break_lock_up": _alone(break_away),
    "strike": strike,
    "charge": charge,
    "whip": whip,
    "suplex": suplex,
    "submission": _submit,
    "hit_downed": hit_downed,
    "pin": pin,
    "finisher": _finish,
    "climb_post": _alone(climb),
    "dive": _alone(dive),
    "climb_down": _alone(climb_down),
    "throw": _alone(throw),
    "keep_hoisting": _alone(keep),
    "tag": tag,
    "weapon": use_weapon,
}
"""Option id before the colon -> its procedure."""
