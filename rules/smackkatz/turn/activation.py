"""One wrestler's slot (D-02, D-03, D-04): actions in any order until he passes or can do no more."""

from __future__ import annotations

from rules.engine.cite import cite
from rules.engine.request import Option, Procedure
from rules.smackkatz import sight
from rules.smackkatz.abilities import Ring
from rules.smackkatz.asking import choose, look
from rules.smackkatz.attacks.strike import hit_downed, strike
from rules.smackkatz.consequences import landing
from rules.smackkatz.legality import options as legality
from rules.smackkatz.modes.endings import check_endings
from rules.smackkatz.movement.moving import close_block, move
from rules.smackkatz.turn.breakaway import break_away
from rules.text import Text, listed

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
        reasons.append(legality.reason("entered_lying", "RULING-35"))
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
    if name == "move":
        yield from move(table, fighter, step)
    elif name in ("enter_ring", "leave_ring"):
        yield from _cross(table, fighter, name, step)
    elif name == "get_up":
        yield from get_up(table, fighter, step)
    elif name == "break_lock_up":
        yield from break_away(table, fighter, step)
    elif (yield from _still_near(table, fighter, target, step)):
        close_block(table, fighter, final=not table.rulings["split_move"])
        if name == "strike":
            yield from strike(table, fighter, target, step)
        else:
            hit_downed(table, fighter, target)


@cite("ATK-02", "RULING-30", "RULING-31")
def _still_near(table: Ring, fighter: str, target: str, step: str) -> Procedure[bool]:
    """Whether the target really is in reach; doubts go to the referee before anything is rolled."""
    near = yield from sight.settle(table, sight.adjacent(table, fighter, target), step)
    if near and table.rulings["attack_needs_front"]:
        near = yield from sight.settle(table, sight.in_front(table, fighter, target), step)
    return near


@cite("STATUS-53", "STATUS-54", "RULING-34", "RULING-35")
def _cross(table: Ring, fighter: str, action: str, step: str) -> Procedure[None]:
    """Leave or enter the ring for one Speed."""
    at_ropes = yield from sight.settle(table, sight.on_ropes(table, fighter), step)
    if not at_ropes:
        return
    close_block(table, fighter, final=False)
    leaving = action == "leave_ring"
    rule = "RULING-34" if leaving else "STATUS-53"
    table.record("paid_speed", rule, fighter=fighter, speed=1)
    yield from landing.cross_ropes(table, fighter, leaving, step)
    if leaving:
        table.record("left_ring", "RULING-34", fighter=fighter)
        check_endings(table)
    else:
        table.record("entered_ring", "STATUS-53", "STATUS-54", fighter=fighter)


@cite("STATUS-21", "RULING-105")
def get_up(table: Ring, fighter: str, step: str) -> Procedure[None]:
    """Stand up for one Speed, facing where the player likes; the figure is seen again."""
    table.record("paid_speed", "STATUS-21", fighter=fighter, speed=1)
    table.record("stood_up", "STATUS-21", fighter=fighter)
    yield from look_at_risen(table, [fighter], step)


@cite("RULING-105")
def look_at_risen(table: Ring, risen: list[str], step: str) -> Procedure[None]:
    """Have those who got up observed: facing any way, or (house rule) the way they lay."""
    key = "ask.risen" if table.rulings["free_facing_on_rise"] else "ask.risen_kept"
    single = risen[0] if len(risen) == 1 else None
    yield from look(table, step, Text(key, {"fighter": listed(risen)}), "RULING-105", fighter=single)
