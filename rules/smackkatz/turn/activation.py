"""One wrestler's slot (D-02, D-03, D-04): actions in any order until he passes or can do no more."""

from __future__ import annotations

from rules.engine.cite import cite
from rules.engine.request import Option, Procedure
from rules.smackkatz import sight
from rules.smackkatz.abilities import Ring
from rules.smackkatz.asking import choose
from rules.smackkatz.legality import options as legality
from rules.smackkatz.legality.reasons import reason
from rules.smackkatz.movement.moving import close_block
from rules.smackkatz.turn.actions import ACTIONS
from rules.text import Text

PASS = Option("pass", Text("option.pass"), rules=("TURN-01",))


@cite("TURN-01", "TURN-02", "TURN-04", "RULING-12")
def options(table: Ring, fighter: str) -> tuple[Option, ...]:
    """Everything the wrestler could do now, the forbidden with all reasons."""
    wrestler = table.state.wrestlers[fighter]
    found = [legality.move_option(table, fighter)]
    if wrestler.at_ringside:
        found.append(legality.enter_option(table, fighter))
    elif wrestler.lying and wrestler.knocked_down is None and not wrestler.unconscious:
        found.append(_rise_option(table, fighter))
    else:
        found.append(legality.leave_option(table, fighter))
    if legality.locked_with(table, fighter):
        found.append(legality.break_option(table, fighter))
    for rival in table.state.playing:
        if rival.id == fighter:
            continue
        found.append(legality.strike_option(table, fighter, rival.id))
        if (rival.knocked_down is not None or rival.unconscious) and table.rulings[
            "downed_rule"
        ] == "auto_hit":
            found.append(legality.hit_downed_option(table, fighter, rival.id))
    return (*found, PASS)


@cite("STATUS-21", "RULING-35")
def _rise_option(table: Ring, fighter: str) -> Option:
    reasons = legality.rise_reasons(table, fighter)
    if table.state.wrestlers[fighter].entered and table.rulings["stand_after_entry"] == "next_turn":
        reasons.append(reason("entered_lying", "RULING-35"))
    return Option("get_up", Text("option.get_up"), tuple(reasons), rules=("STATUS-21",))


def _can_go_on(table: Ring, fighter: str) -> bool:
    """Whether there is anything left to choose but passing."""
    if table.state.outcome is not None or not table.state.wrestlers[fighter].playing:
        return False
    return any(option.legal and option.id != "pass" for option in options(table, fighter))


@cite("TURN-01", "RULING-12", "RULING-15", "STATUS-24")
def activate(table: Ring, fighter: str, step: str) -> Procedure[None]:
    """Let a wrestler act. A wrestler with nothing to choose is not asked."""
    table.record("activated", "TURN-01", fighter=fighter)
    text = Text("ask.act", {"fighter": fighter, "turn": table.state.turn})
    while _can_go_on(table, fighter):
        action = yield from choose(
            table, fighter, f"{step} D-04", text, lambda: options(table, fighter), "TURN-01", "RULING-12"
        )
        if action == "pass":
            break
        yield from _carry_out(table, fighter, action, step)
    if table.state.outcome is None:
        table.record("activation_ended", "TURN-01", fighter=fighter)


def _carry_out(table: Ring, fighter: str, action: str, step: str) -> Procedure[None]:
    name, _, target = action.partition(":")
    if target:
        if not (yield from _still_near(table, fighter, target, step)):
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
