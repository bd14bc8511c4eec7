"""The pin (catalogue 2.19, 4.6): put on, counted over the turns, escaped, broken."""

from __future__ import annotations

from rules.engine.cite import cite
from rules.engine.request import REFEREE, Option, Pool, Procedure, Reason, Request
from rules.geometry import gap, moved
from rules.scene import Figure
from rules.smackkatz import sight
from rules.smackkatz.abilities import Ring, effective
from rules.smackkatz.asking import choose, roll, see
from rules.smackkatz.consequences.harm import leave_group
from rules.smackkatz.consequences.landing import bodies_on_mat, put
from rules.smackkatz.consequences.rising import look_at_risen
from rules.smackkatz.legality.reasons import reason
from rules.smackkatz.modes.endings import fall
from rules.smackkatz.movement.forced import pushed
from rules.text import Text


@cite("TURN-07", "PIN-01", "RULING-12", "RULING-81")
def pin(table: Ring, attacker: str, target: str, step: str) -> Procedure[None]:
    """Pin a rival who is down: placed touching him, the first check at once; it ends the activation."""
    table.record("pinned", "TURN-07", "RULING-81", fighter=attacker, target=target)
    if table.rulings["pin_needs_touch"]:
        yield from _put_on(table, attacker, target, step)
    table.record("turn_over", "RULING-12", fighter=attacker)
    yield from _check(table, target, step)


@cite("RULING-81")
def _put_on(table: Ring, attacker: str, target: str, step: str) -> Procedure[None]:
    """Have the pinner put on the pinned one; anywhere he touches him will do."""
    figures = table.state.scene.figures
    if attacker not in figures or target not in figures:
        return
    figure, lying = figures[attacker], figures[target]
    _, ((ax, ay), (bx, by)) = gap(figure, lying)

    def check(placed: Figure) -> tuple[Reason, ...]:
        away, _ = gap(placed, lying)
        if away.value - away.error95 <= sight.TOUCH_CM:
            return ()
        return (reason("not_touching", "RULING-81", fighter=attacker, target=target, away=away.value),)

    placed = yield Request(
        "place",
        step,
        REFEREE,
        Text("ask.place_pin", {"fighter": attacker, "target": target}),
        fighter=attacker,
        rules=("RULING-81",),
        proposal=moved(figure, figure.x + bx - ax, figure.y + by - ay),
        check=check,
    )
    see(table, {attacker: placed}, "RULING-81")


@cite("PIN-02", "PIN-03", "PIN-04", "PIN-07", "RULING-78", "RULING-113")
def _check(table: Ring, victim: str, step: str) -> Procedure[None]:
    """One kick-out check: he escapes, or is counted; the last count is the fall."""
    one = table.state.wrestlers[victim]
    pinner, number = str(one.pinned_by), one.pin_failures + 1
    passed, total = yield from _kick_out(table, victim, step)
    if passed:
        table.record("kicked_out", "PIN-02", fighter=victim, by=pinner, total=total)
        yield from _after_escape(table, victim, number, step)
        return
    rule = "PIN-07" if one.unconscious else "PIN-03"
    table.record("pin_counted", rule, "RULING-113", fighter=victim, by=pinner, count=number)
    at_once = one.unconscious and table.rulings["pin_on_unconscious"] == "instant_win"
    if at_once or number >= table.rulings["pin_failures_to_lose"]:
        fall(table, pinner, victim, "pin", "PIN-07" if at_once else "PIN-04")


@cite("PIN-01", "PIN-02", "PIN-07", "SHEET-08", "STATUS-06", "RULING-78")
def _kick_out(table: Ring, victim: str, step: str) -> Procedure[tuple[bool, int]]:
    """Stamina + Resistance + d10 must be above 0; the unconscious fail without dice."""
    one = table.state.wrestlers[victim]
    if one.unconscious:
        return False, one.stamina
    helped = table.state.edition.checks.pin_resistance
    base = one.stamina + (effective(table, victim, "resistance") if helped else 0)
    text = Text("ask.pin_check", {"fighter": victim, "base": base, "count": one.pin_failures + 1})
    thrown = yield from roll(table, f"{step} pin_check", text, (Pool(victim, 1, 10),), "PIN-01")
    total = base + thrown[victim][0]
    return total > 0, total


@cite("PIN-05", "PIN-06", "RULING-80")
def _after_escape(table: Ring, victim: str, number: int, step: str) -> Procedure[None]:
    """D-21: out at the first count he may get up for free; later he stays lying. No extra activation."""
    one = table.state.wrestlers[victim]
    was_down = one.knocked_down is not None
    if was_down and not table.rulings["kickout_clears_knocked_down"]:
        return
    if number > 1:
        table.record("lies", "PIN-06", "RULING-80", fighter=victim)
        return
    rises = False
    if one.lies_until is None or one.lies_until < table.state.turn:
        options = (
            Option("get_up", Text("option.get_up_free"), rules=("PIN-05",)),
            Option("stay", Text("option.stay_down"), rules=("PIN-05",)),
        )
        text = Text("ask.kicked_out", {"fighter": victim})
        said = yield from choose(table, victim, f"{step} D-21", text, options, "PIN-05", "RULING-80")
        rises = said == "get_up"
    if rises:
        table.record("stood_up", "PIN-05", "RULING-80", fighter=victim)
        table.record("acts_last", "RULING-80", "STATUS-24", fighter=victim)
    elif was_down:
        table.record("lies", "RULING-80", fighter=victim)
    if was_down:
        # He may be up again, but the turn of the fall is still lost to him.
        table.record("turn_over", "RULING-80", fighter=victim)
    if rises:
        yield from look_at_risen(table, [victim], step)


# ---------- the later counts


@cite("PIN-03", "PIN-04", "PIN-06", "RULING-11", "RULING-79")
def second_counts(table: Ring) -> Procedure[None]:
    """S3: every pin still on from last turn is counted again (unless the house counts later)."""
    yield from _count_all(table, "start_of_turn", "S3")


@cite("RULING-79")
def last_counts(table: Ring) -> Procedure[None]:
    """By house rule the later counts come at the end of the turn."""
    yield from _count_all(table, "end_of_turn", "Z1")


def _count_all(table: Ring, moment: str, step: str) -> Procedure[None]:
    if table.rulings["second_count"] != moment:
        return
    for pinner in [one.id for one in table.state.playing]:
        if table.state.outcome is not None:
            return
        if _due(table, pinner):
            yield from _count(table, pinner, step)


@cite("PIN-03", "RULING-79", "RULING-81")
def _count(table: Ring, pinner: str, step: str) -> Procedure[None]:
    """A later count, if he still touches his rival; else the pin is over and nobody is counted."""
    victim = str(table.state.wrestlers[pinner].pins)
    must_touch = table.rulings["pin_needs_touch"]
    if must_touch and not (yield from sight.settle(table, sight.still_pinning(table, pinner, victim), step)):
        release(table, pinner, "RULING-81")
        return
    yield from _check(table, victim, step)


def _due(table: Ring, pinner: str) -> bool:
    """Whether he keeps up a pin that has not been counted this turn."""
    wrestler = table.state.wrestlers[pinner]
    return wrestler.playing and wrestler.pins is not None and not table.state.wrestlers[wrestler.pins].counted


@cite("RULING-79")
def counts_at_slot(table: Ring, pinner: str) -> bool:
    """By house rule the later counts come in the pinner's own slot: whether that is all he has to do now."""
    return table.rulings["second_count"] == "pinner_activation" and _due(table, pinner)


@cite("RULING-79", "PIN-03")
def count_at_slot(table: Ring, pinner: str, step: str) -> Procedure[None]:
    """The pinner's slot under that house rule: the count, and nothing else."""
    table.record("turn_over", "RULING-79", fighter=pinner)
    yield from _count(table, pinner, step)


# ---------- how a pin ends without a count


@cite("PIN-11", "RULING-78")
def woke(table: Ring, victim: str) -> None:
    """A pinned wrestler comes to: he is pinned no longer (where the edition says so)."""
    pinner = table.state.wrestlers[victim].pinned_by
    if pinner is not None and table.state.edition.checks.waking_ends_pin:
        release(table, pinner, "PIN-11")


@cite("PIN-10", "STATUS-51", "RULING-79")
def release(table: Ring, pinner: str, rule: str) -> None:
    """The pin is over and nobody has won, by the rule given."""
    victim = table.state.wrestlers[pinner].pins
    if victim is not None:
        table.record("pin_ended", rule, fighter=pinner, target=victim)


@cite("PIN-08", "PIN-09", "PIN-10", "RULING-36", "RULING-82")
def break_pin(
    table: Ring, pinner: str, attacker: str | None, step: str, *, push: bool = True
) -> Procedure[None]:
    """A successful attack on the pinner: pin cancelled, pushed one palm, lying all through the next turn.

    Nobody is pushed out of a hold that has just been put on him, nor when nobody in particular hit him.
    """
    release(table, pinner, "PIN-10")
    leave_group(table, pinner, "PIN-09")
    through = table.rulings["broken_pin_lying"] == "full_next_turn"
    until = table.state.turn + 1 if through else table.state.turn
    table.record("knocked_off_pin", "PIN-09", "RULING-82", fighter=pinner, until=until)
    if push and attacker is not None and not table.state.wrestlers[pinner].at_ringside:
        yield from _push(table, pinner, attacker, step)


@cite("PIN-08", "RULING-36", "RULING-82")
def _push(table: Ring, pinner: str, attacker: str, step: str) -> Procedure[None]:
    figures = table.state.scene.figures
    if pinner not in figures or attacker not in figures:
        return
    causer = attacker if table.rulings["forced_palm"] == "causer" else pinner
    palm = table.state.scene.hands[causer].palm
    others = bodies_on_mat(table, pinner, but=(pinner, attacker))
    ghost = pushed(figures[pinner], figures[attacker], palm, table.state.scene.ring, others)
    text = Text("ask.place_pushed", {"fighter": pinner, "attacker": attacker})
    yield from put(table, ghost, step, text, "PIN-08", "RULING-82", facing_counts=False, tips_over=True)
