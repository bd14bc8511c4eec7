"""What a wrestler may do in his slot and why not: catalogue 5.2 and 5.3, every refusal with its rule."""

from __future__ import annotations

from rules.engine.cite import cite
from rules.engine.request import Option, Reason
from rules.questions import Finding
from rules.smackkatz import sight
from rules.smackkatz.abilities import Ring, effective, speed_left
from rules.smackkatz.legality.reasons import reason
from rules.smackkatz.state import Wrestler
from rules.text import Text


@cite("STATUS-30", "STATUS-03", "STATUS-11", "RULING-87", "RULING-86")
def posture_reasons(table: Ring, wrestler: Wrestler) -> list[Reason]:
    """Why his posture keeps him from moving or attacking."""
    reasons = []
    if wrestler.unconscious:
        reasons.append(reason("unconscious", "STATUS-03"))
    elif wrestler.helpless:
        reasons.append(reason("helpless", "STATUS-03"))
    elif wrestler.knocked_down is not None:
        reasons.append(reason("knocked_down", "STATUS-30"))
    elif wrestler.lying and not table.rulings["lying_may_attack"]:
        reasons.append(reason("lying", "RULING-87"))
    if wrestler.resting:
        reasons.append(reason("resting", "STATUS-11"))
    return reasons


def locked_with(table: Ring, fighter: str) -> list[str]:
    """The members of his lock-up or melee he is still engaged with: near him, or not known to be away."""
    group = table.state.group_of(fighter)
    near = [one for one in group if one != fighter and _linked(sight.adjacent(table, fighter, one))]
    return near


def _linked(finding: Finding) -> bool:
    return finding.answer or (finding.too_close and finding.distance is None)


@cite("TURN-02", "TURN-03", "LOCK-05", "STATUS-13", "RULING-12", "RULING-13")
def movement_reasons(table: Ring, fighter: str) -> list[Reason]:
    """Why he may not move, turn or step back."""
    wrestler = table.state.wrestlers[fighter]
    reasons = posture_reasons(table, wrestler)
    if wrestler.lying and table.rulings["lying_may_attack"]:
        reasons.append(reason("lying", "RULING-87"))
    if locked_with(table, fighter):
        reasons.append(reason("locked_up", "LOCK-05"))
    if wrestler.defended:
        reasons.append(reason("defended_move", "TURN-03"))
    if wrestler.moved:
        reasons.append(reason("moved", "RULING-12"))
    if wrestler.turn_over:
        reasons.append(reason("turn_over", "LOCK-07"))
    return reasons


@cite("MOVE-01", "FACE-01", "MOVE-05")
def move_option(table: Ring, fighter: str) -> Option:
    """Forward palms, the turn with its half palm and the step back, in one block."""
    reasons = movement_reasons(table, fighter)
    free_step = table.rulings["step_back_cost"] == 0 and not table.state.wrestlers[fighter].stepped_back
    if speed_left(table, fighter) < 1 and not free_step:
        reasons.append(reason("no_speed", "MOVE-01"))
    return Option("move", Text("option.move"), tuple(reasons), rules=("MOVE-01", "FACE-01", "MOVE-05"))


@cite("STATUS-21", "RULING-13", "RULING-35")
def rise_reasons(table: Ring, fighter: str) -> list[Reason]:
    """Why a lying wrestler may not get up."""
    wrestler = table.state.wrestlers[fighter]
    reasons = []
    if wrestler.unconscious:
        reasons.append(reason("unconscious", "STATUS-05"))
    elif wrestler.helpless:
        reasons.append(reason("helpless", "STATUS-03"))
    elif wrestler.knocked_down is not None:
        reasons.append(reason("knocked_down", "STATUS-30"))
    if wrestler.resting:
        reasons.append(reason("resting", "STATUS-11"))
    if wrestler.defended:
        reasons.append(reason("defended_move", "RULING-13"))
    if wrestler.turn_over:
        reasons.append(reason("turn_over", "STATUS-23"))
    if speed_left(table, fighter) < 1:
        reasons.append(reason("no_speed", "STATUS-21"))
    return reasons


@cite("STATUS-53", "RULING-35", "RULING-12")
def enter_option(table: Ring, fighter: str) -> Option:
    """Back into the ring for one Speed, arriving lying."""
    wrestler = table.state.wrestlers[fighter]
    lying = wrestler.lying and wrestler.knocked_down is None
    reasons = rise_reasons(table, fighter) if lying else movement_reasons(table, fighter)
    if not lying and _speed_after_block(table, fighter) < 1:
        reasons.append(reason("no_speed", "STATUS-53"))
    return _at_the_ropes(table, fighter, "enter_ring", "STATUS-53", reasons)


@cite("RULING-34", "RULING-12")
def leave_option(table: Ring, fighter: str) -> Option:
    """Out of the ring on purpose, for one Speed."""
    reasons = movement_reasons(table, fighter)
    if table.rulings["voluntary_exit"] == "forbidden":
        reasons.append(reason("exit_forbidden", "RULING-34"))
    if _speed_after_block(table, fighter) < 1:
        reasons.append(reason("no_speed", "RULING-34"))
    return _at_the_ropes(table, fighter, "leave_ring", "RULING-34", reasons)


def _speed_after_block(table: Ring, fighter: str) -> int:
    block = table.state.block_cost if table.state.active == fighter else 0
    return speed_left(table, fighter) - block


def _at_the_ropes(table: Ring, fighter: str, name: str, rule: str, reasons: list[Reason]) -> Option:
    ropes = sight.on_ropes(table, fighter)
    if not ropes.answer and not ropes.too_close:
        away = 0.0 if ropes.distance is None else round(ropes.distance.value, 1)
        reasons.append(reason("not_at_ropes", "RULING-33", distance=away, limit=ropes.limit or 0.0))
    doubts = (ropes,) if ropes.too_close else ()
    return Option(name, Text(f"option.{name}"), tuple(reasons), rules=(rule,), doubts=doubts)


@cite("LOCK-06", "RULING-21", "RULING-13")
def break_option(table: Ring, fighter: str) -> Option:
    """Try to break away from the lock-up or melee."""
    wrestler = table.state.wrestlers[fighter]
    reasons = posture_reasons(table, wrestler)
    if wrestler.escape_tried:
        reasons.append(reason("escape_tried", "RULING-21"))
    if wrestler.attacked:
        reasons.append(reason("escape_after_attack", "RULING-21"))
    if wrestler.defended:
        reasons.append(reason("defended_move", "RULING-13"))
    return Option("break_lock_up", Text("option.break_lock_up"), tuple(reasons), rules=("LOCK-06",))


@cite("TURN-04", "TURN-05", "MELEE-03", "ATK-02", "RULING-22")
def attack_reasons(table: Ring, fighter: str) -> list[Reason]:
    """Why he may not make any attack at all."""
    wrestler = table.state.wrestlers[fighter]
    reasons = posture_reasons(table, wrestler)
    if wrestler.attacked:
        reasons.append(reason("attacked", "TURN-04"))
    if wrestler.defended:
        reasons.append(reason("defended_attack", "TURN-05"))
    if wrestler.cannot_attack:
        reasons.append(reason("melee_last", "MELEE-03"))
    if wrestler.turn_over:
        reasons.append(reason("turn_over", "LOCK-07"))
    return reasons


@cite("LOCK-10", "RULING-98", "STATUS-27", "RULING-23", "RULING-31", "TURN-04")
def _target_reasons(table: Ring, fighter: str, target: str) -> tuple[list[Reason], tuple[Finding, ...]]:
    """Why this rival cannot be attacked from here, and the measurements it hangs on."""
    wrestler, rival = table.state.wrestlers[fighter], table.state.wrestlers[target]
    reasons = []
    doubts: list[Finding] = []
    near = sight.adjacent(table, fighter, target)
    if near.too_close:
        doubts.append(near)
    elif not near.answer:
        reasons.append(_not_adjacent(near, rival.id))
    if table.rulings["attack_needs_front"]:
        front = sight.in_front(table, fighter, target)
        if front.too_close:
            doubts.append(front)
        elif not front.answer:
            reasons.append(reason("not_in_front", "RULING-31", target=target))
    if wrestler.team is not None and wrestler.team == rival.team:
        reasons.append(reason("team_mate", "RULING-98", target=target))
    if target in wrestler.left and not table.rulings["attack_left_rival"]:
        reasons.append(reason("just_left", "LOCK-10", target=target))
    if wrestler.may_only_attack is not None and target not in wrestler.may_only_attack:
        reasons.append(reason("target_limit", "STATUS-27", target=target))
    return reasons, tuple(doubts)


def _not_adjacent(near: Finding, target: str) -> Reason:
    if near.distance is None:
        return reason("other_zone", "RULING-31", target=target)
    values = {"distance": round(near.distance.value, 1), "error": round(near.distance.error95, 2)}
    return reason("not_adjacent", "ATK-02", target=target, limit=near.limit or 0.0, **values)


@cite("STRIKE-01", "STATUS-34", "STATUS-07", "FOUL-05")
def strike_option(table: Ring, fighter: str, target: str) -> Option:
    """A Strike on this rival."""
    rival = table.state.wrestlers[target]
    reasons = attack_reasons(table, fighter)
    more, doubts = _target_reasons(table, fighter, target)
    reasons += more
    if rival.unconscious:
        reasons.append(reason("target_unconscious", "FOUL-05", target=target))
    elif rival.knocked_down is not None and table.rulings["downed_rule"] == "auto_hit":
        reasons.append(reason("target_knocked_down", "STATUS-34", target=target))
    if effective(table, fighter, "strike") < 1:
        reasons.append(reason("no_dice", "RULING-62"))
    text = Text("option.strike", {"target": target})
    return Option(f"strike:{target}", text, tuple(reasons), target, ("STRIKE-01",), doubts)


@cite("STATUS-33", "FOUL-05", "FOUL-06", "FOUL-07", "RULING-84", "RULING-85")
def hit_downed_option(table: Ring, fighter: str, target: str) -> Option:
    """The one automatic attack on a wrestler who is knocked down (or, without DQ, out cold)."""
    rival = table.state.wrestlers[target]
    reasons = attack_reasons(table, fighter)
    more, doubts = _target_reasons(table, fighter, target)
    reasons += more
    if rival.unconscious and table.rulings["disqualification"] == "on":
        reasons.append(reason("target_unconscious", "FOUL-05", target=target))
    limited = rival.downed_by if table.rulings["downed_attack_limit"] == "per_target" else ()
    if limited or fighter in rival.downed_by:
        reasons.append(reason("downed_limit", "STATUS-33", target=target))
    rule = "FOUL-06" if rival.unconscious else "STATUS-33"
    text = Text("option.hit_downed", {"target": target})
    return Option(f"hit_downed:{target}", text, tuple(reasons), target, (rule,), doubts)
