"""One wrestler's slot (D-02, D-03, D-04): actions in any order until he passes or can do no more."""

from __future__ import annotations

from rules.engine.cite import cite
from rules.engine.request import Option, Procedure
from rules.smackkatz import sight
from rules.smackkatz.abilities import Ring
from rules.smackkatz.asking import choose
from rules.smackkatz.legality import options as legality
from rules.smackkatz.movement.moving import close_block
from rules.smackkatz.turn.actions import ACTIONS
from rules.text import Text

LAST = ("pass", "keep_hoisting")
"""Answers after which nothing more follows in this slot."""


@cite("TURN-01", "RULING-12", "RULING-15", "STATUS-24")
def activate(table: Ring, fighter: str, step: str) -> Procedure[None]:
    """Let a wrestler act. A wrestler with nothing to choose is not asked."""
    table.record("activated", "TURN-01", fighter=fighter)
    text = Text("ask.act", {"fighter": fighter, "turn": table.state.turn})
    while _can_go_on(table, fighter):
        action = yield from choose(
            table, fighter, f"{step} D-04", text, lambda: options(table, fighter), "TURN-01", "RULING-12"
        )
        if action != "pass":
            yield from _carry_out(table, fighter, action, step)
        if action in LAST:
            break
    if table.state.outcome is None:
        table.record("activation_ended", "TURN-01", fighter=fighter)


def options(table: Ring, fighter: str) -> tuple[Option, ...]:
    """What he may do now and why not, of the actions there are."""
    return tuple(
        one
        for one in legality.options(table, fighter)
        if one.id == "pass" or one.id.partition(":")[0] in ACTIONS
    )


def _can_go_on(table: Ring, fighter: str) -> bool:
    """Whether there is anything left to choose but passing."""
    if table.state.outcome is not None or not table.state.wrestlers[fighter].playing:
        return False
    return any(option.legal and option.id != "pass" for option in options(table, fighter))


def _carry_out(table: Ring, fighter: str, action: str, step: str) -> Procedure[None]:
    name, _, target = action.partition(":")
    rival = table.state.wrestlers[fighter].finisher_on if name == "finisher" else target
    if rival:
        if not (yield from _still_near(table, fighter, rival, step)):
            return
        close_block(table, fighter, final=not table.rulings["split_move"])
    yield from ACTIONS[name](table, fighter, target, step)


@cite("ATK-02", "RULING-30", "RULING-31")
def _still_near(table: Ring, fighter: str, target: str, step: str) -> Procedure[bool]:
    """Whether the target really is in reach; doubts go to the referee before anything is rolled."""
    if table.accepted is not None:
        # It was done against the rules, and the referee lets it stand.
        return True
    near = yield from sight.settle(table, sight.adjacent(table, fighter, target), step)
    if near and table.rulings["attack_needs_front"]:
        near = yield from sight.settle(table, sight.in_front(table, fighter, target), step)
    return near
