"""Submission (Sumisión) and the hold it begins (catalogue 2.14, 4.6): kept up, reversed, broken, lost."""

from __future__ import annotations

from rules.engine.cite import cite
from rules.engine.request import Option, Pool, Procedure
from rules.smackkatz.abilities import Ring, effective
from rules.smackkatz.asking import choose, roll
from rules.smackkatz.attacks.exchange import Exchange, declare, exchange
from rules.smackkatz.attacks.pin import release
from rules.smackkatz.attacks.rope_break import hold_at_ropes, rope_break
from rules.smackkatz.consequences.aftermath import settle, struck
from rules.smackkatz.consequences.blow import finisher_damage
from rules.smackkatz.consequences.drops import drop
from rules.smackkatz.consequences.harm import leave_group, lose_stamina
from rules.smackkatz.consequences.release import break_hold, free
from rules.smackkatz.modes.endings import fall, meaning_of_falls
from rules.smackkatz.modes.fouls import rope_holds_are_fouls
from rules.smackkatz.turn.order import initiative
from rules.text import Text

__all__ = ["attempt", "break_hold", "grab", "loss", "submission", "upkeep"]

MOST = 5
"""SUBM-12: the most a hold costs in one turn (what counts towards it is RULING-60)."""


@cite("SUBM-01", "SHEET-15", "STATUS-25")
def submission(table: Ring, attacker: str, target: str, step: str) -> Procedure[None]:
    """The Submission as the turn's attack."""
    yield from attempt(table, attacker, target, step)


@cite("SUBM-01", "SUBM-02", "SUBM-04", "TECH-01", "TECH-05", "TECH-10", "FIN-04")
def attempt(table: Ring, attacker: str, target: str, step: str) -> Procedure[bool]:
    """Roll for the grab, let the rival answer with Technique, resolve. Returns whether the grab came off."""
    declare(table, attacker, target, "submission", "SUBM-01")
    found = yield from exchange(table, attacker, target, "submission", step, defended_by="technique")
    if found.net > 0:
        yield from grab(table, attacker, target, found.sixes, step)
        return True
    if reverses(table, found):
        yield from _reverse(table, target, attacker, step)
    return False


@cite(
    "SUBM-03", "SUBM-04", "SUBM-05", "SUBM-06", "STATUS-20", "STATUS-40", "STATUS-43", "RULING-60",
    "RULING-81",
)  # fmt: skip
def grab(table: Ring, holder: str, victim: str, sixes: int, step: str) -> Procedure[None]:
    """The grab came off: what the victim was engaged in is over, both lie, and the hold bites at once."""
    yield from struck(table, holder, victim, step, None)
    lifted = table.state.wrestlers[victim].hoists
    if lifted is not None:
        # Where only damage makes him drop (RULING-56) his hands are needed all the same.
        yield from drop(table, lifted, None, step)
    pinner = table.state.wrestlers[victim].pinned_by
    if pinner is not None:
        # Only a finisher reaches somebody who is pinned (5.3), and nobody is pinned in a hold.
        release(table, pinner, "RULING-81")
    _out_of_lock_ups(table, holder, victim, "SUBM-04")
    lying = yield from _lying(table, holder, victim, step)
    table.record(
        "hold_began", "SUBM-04", "SUBM-06", "STATUS-40", fighter=holder, target=victim, turns=1, lying=lying
    )
    if rope_holds_are_fouls(table):
        yield from hold_at_ropes(table, holder, step)
    yield from _bite(table, holder, sixes, step)


@cite("SUBM-06", "STATUS-40")
def _lying(table: Ring, holder: str, victim: str, step: str) -> Procedure[bool]:
    """Both lie; in an edition that lets them stand the holder chooses."""
    upright = table.state.wrestlers[holder].upright and table.state.wrestlers[victim].upright
    if not (table.state.edition.hold.standing and upright):
        return True
    options = (
        Option("lying", Text("option.hold_lying"), rules=("SUBM-06",)),
        Option("standing", Text("option.hold_standing"), rules=("SUBM-06",)),
    )
    text = Text("ask.hold_posture", {"fighter": holder, "target": victim})
    said = yield from choose(table, holder, step, text, options, "SUBM-06")
    return said == "lying"


def _out_of_lock_ups(table: Ring, holder: str, victim: str, rule: str) -> None:
    for one in (victim, holder):
        leave_group(table, one, rule)


@cite("SUBM-03", "SUBM-05", "SUBM-11", "SUBM-12", "FIN-10", "RULING-60", "RULING-73")
def loss(table: Ring, holder: str, turns: int, sixes: int = 0) -> int:
    """What a hold costs in its n-th turn: n times Strength, at most five from the second turn on.

    Sixes and the finisher's +3 come on top (by house rule they count towards the five).
    """
    base = effective(table, holder, "strength")
    extra = sixes + finisher_damage(table, holder)
    if not table.state.edition.hold.accumulates:
        return base + extra
    base *= turns
    if turns < table.rulings["submission_cap_from_turn"]:
        return base + extra
    capped_whole = table.rulings["submission_cap_scope"] == "total"
    return min(MOST, base + extra) if capped_whole else min(MOST, base) + extra


@cite("SUBM-05", "SUBM-07", "SUBM-08", "SUBM-11", "LOG-10", "STATUS-07", "RULING-60", "RULING-65")
def _bite(table: Ring, holder: str, sixes: int, step: str) -> Procedure[None]:
    """The turn's loss, then the check whatever Stamina is left; out cold the hold ends, except without DQ."""
    victim = str(table.state.wrestlers[holder].holds)
    turns = table.state.wrestlers[holder].hold_turns
    lose_stamina(table, victim, loss(table, holder, turns, sixes), "SUBM-05" if turns == 1 else "SUBM-11")
    # Where tap-outs mean nothing nobody is asked to give up.
    survived = meaning_of_falls(table) == "nothing" or (yield from _check(table, victim, step))
    if not survived:
        fall(table, holder, victim, "tap_out", "SUBM-07")
    elif table.state.wrestlers[victim].unconscious and table.rulings["disqualification"] == "on":
        table.record("hold_ended", "STATUS-07", "RULING-65", fighter=holder, target=victim)
    if table.state.outcome is None:
        yield from settle(table, step)


@cite("CHECK-05", "CHECK-06", "SUBM-07", "STATUS-42", "RULING-59", "RULING-108")
def _check(table: Ring, victim: str, step: str) -> Procedure[bool]:
    """The submission check: Stamina + d10 (by house rule + Resistance) below 0 taps out."""
    base = table.state.wrestlers[victim].stamina
    if table.rulings["submission_check_resistance"]:
        base += effective(table, victim, "resistance")
    text = Text("ask.submission_check", {"fighter": victim, "base": base})
    thrown = yield from roll(table, f"{step} submission_check", text, (Pool(victim, 1, 10),), "CHECK-05")
    total = base + thrown[victim][0]
    kind = "submission_survived" if total >= 0 else "tapped_out"
    table.record(kind, "CHECK-06", "RULING-59", fighter=victim, total=total)
    return total >= 0


@cite("TECH-10", "COUNTER-18", "SUBM-10", "STATUS-41", "RULING-64")
def reverses(table: Ring, found: Exchange) -> bool:
    """Whether the defence beat the roll with a critical among its dice (or, by edition, avoided it)."""
    if not table.state.edition.defences.hold_reversal_needs_critical:
        return found.tried and found.net == 0
    return found.beaten and any(face >= table.rulings["reversal_critical"] for face in found.defence_faces)


@cite("TECH-10", "SUBM-10", "COUNTER-18", "RULING-64", "RULING-104")
def _reverse(table: Ring, holder: str, victim: str, step: str) -> Procedure[None]:
    """The defender takes the hold over: a new one, whose loss and check come at once (or next turn)."""
    release(table, holder, "RULING-79")
    hoisted = table.state.wrestlers[holder].hoists
    if hoisted is not None:
        # Where holders may defend (another edition), his hands are needed now.
        yield from drop(table, hoisted, None, step)
    at_once = table.rulings["reversal_damage"] == "immediate"
    _out_of_lock_ups(table, holder, victim, "TECH-10")
    lying = yield from _lying(table, holder, victim, step)
    table.record(
        "hold_reversed", "TECH-10", "SUBM-10", "RULING-64", fighter=holder, target=victim,
        turns=int(at_once), lying=lying,
    )  # fmt: skip
    if at_once:
        yield from _bite(table, holder, 0, step)
    else:
        yield from settle(table, step)


# ---------- over the turns


def _due(table: Ring) -> list[str]:
    """Holders whose hold began in an earlier turn and has not been kept up in this one."""
    return [
        one.id
        for one in table.state.playing
        if one.holds is not None
        and one.hold_in < table.state.turn
        and not one.attacked
        # Whoever has gone out meanwhile is let go of when things are settled.
        and table.state.wrestlers[one.holds].playing
    ]


_MOMENT = {"lying_phase": "LYING_PHASE", "start_of_turn": "TURN_START"}
"""RULING-63: the phase in which the house has holds kept up."""


@cite("SUBM-09", "STATUS-24", "RULING-63")
def upkeep(table: Ring, step: str) -> Procedure[None]:
    """Holds begun in an earlier turn are kept up, in the order of a d6 roll if several (lying phase a).

    Called in both phases the house may choose for it; in the other one nothing happens.
    """
    if table.state.phase != _MOMENT[table.rulings["hold_upkeep"]]:
        return
    for holder in (yield from initiative(table, _due(table), step)):
        if table.state.outcome is not None:
            return
        # A hold kept up before this one may have ended this one.
        if holder in _due(table):
            yield from _keep_up(table, holder, step)


@cite("SUBM-08", "SUBM-09", "SUBM-11", "RULING-13", "RULING-63", "STATUS-41")
def _keep_up(table: Ring, holder: str, step: str) -> Procedure[None]:
    """D-17: roll again or let go; D-18: Technique. A failed roll frees the victim with his turn intact."""
    victim = str(table.state.wrestlers[holder].holds)
    table.record("keeps_hold", "RULING-63", fighter=holder, target=victim)
    if table.rulings["rope_break"] != "off" and (yield from rope_break(table, holder, victim, step)):
        return
    options = (
        Option("keep_hold", Text("option.keep_hold", {"target": victim}), rules=("RULING-63",)),
        Option("let_go", Text("option.let_go", {"target": victim}), rules=("RULING-63",)),
    )
    text = Text("ask.keep_hold", {"fighter": holder, "target": victim})
    said = yield from choose(table, holder, f"{step} D-17", text, options, "SUBM-08", "RULING-63")
    if said == "let_go":
        yield from free(table, holder, step)
        return
    threshold = int(table.rulings["hold_upkeep_threshold"])
    found = yield from exchange(
        table,
        holder,
        victim,
        "submission",
        step,
        defended_by="technique",
        declared=False,
        threshold=threshold,
    )
    if found.net > 0:
        turns = table.state.wrestlers[holder].hold_turns + 1
        table.record("hold_lasts", "SUBM-08", "SUBM-11", fighter=holder, target=victim, turns=turns)
        yield from _bite(table, holder, found.sixes, step)
    elif reverses(table, found):
        yield from _reverse(table, victim, holder, step)
    else:
        yield from free(table, holder, step)
