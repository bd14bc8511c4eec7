"""The turn as a state machine (catalogue 4.1): start of turn, lock-ups, open phase, lying phase, end."""

from __future__ import annotations

from rules.engine.cite import cite
from rules.engine.request import Procedure
from rules.smackkatz import sight
from rules.smackkatz.abilities import Ring
from rules.smackkatz.asking import look
from rules.smackkatz.attacks.dive import divers_rise
from rules.smackkatz.attacks.finisher import end_of_turn as finishers_end
from rules.smackkatz.attacks.finisher import start_of_turn as finishers_start
from rules.smackkatz.attacks.pin import counts_at_slot, last_counts, second_counts
from rules.smackkatz.attacks.submission import upkeep as keep_holds
from rules.smackkatz.attacks.suplex import upkeep as keep_up
from rules.smackkatz.consequences.aftermath import settle
from rules.smackkatz.modes.endings import eliminate_together, settle_endings
from rules.smackkatz.modes.iron_man import look_at_clock
from rules.smackkatz.modes.presence import arrivals
from rules.smackkatz.turn.activation import activate
from rules.smackkatz.turn.lockup import detect, lockup_phase
from rules.smackkatz.turn.lying import lying_phase
from rules.smackkatz.turn.order import initiative
from rules.smackkatz.turn.resting import end_rests, force_rests, late_heals, rests
from rules.smackkatz.turn.slots import late_queue, may_act, slot
from rules.smackkatz.turn.waking import wake_ups
from rules.text import Text


@cite("TURN-01", "INIT-04", "INIT-06", "RULING-11", "RULING-114")
def turn(table: Ring) -> Procedure[None]:
    """One full round in which everybody may act."""
    table.record("turn_began", "RULING-11", turn=table.state.turn + 1)
    yield from _from_phase(table, "TURN_START")


@cite("LOG-02")
def resume(table: Ring) -> Procedure[None]:
    """A turn broken off by a correction: whoever was acting goes on, then the phase and those after it."""
    active, phase = table.state.active, table.state.phase
    table.record("taken_up", "LOG-02", phase=phase)
    if active is not None and may_act(table, table.state.wrestlers[active]):
        yield from activate(table, active, phase)
    elif active is not None:
        table.record("activation_ended", "LOG-02", fighter=active)
    if table.state.outcome is None:
        yield from _from_phase(table, phase)


@cite("RULING-114")
def _from_phase(table: Ring, first: str) -> Procedure[None]:
    phases = {
        "TURN_START": _start,
        "LOCKUP_PHASE": lockup_phase,
        "OPEN_PHASE": _open,
        "LYING_PHASE": lying_phase,
        "LATE_QUEUE": late_queue,
        "TURN_END": _upkeep,
        "TURN_CLOSE": _close,
    }
    names = list(phases)
    for name in names[names.index(first) :]:
        table.record("phase_began", "RULING-114", phase=name)
        yield from phases[name](table)
        if table.state.outcome is not None:
            return


@cite("RULING-11")
def _start(table: Ring) -> Procedure[None]:
    """S1 timers, S2 wake-ups, S3 pin counts, S4 snapshot, S5 rests."""
    arrivals(table)
    _timers(table)
    for step in (wake_ups, second_counts, _holds_at_once, _snapshot, rests):
        yield from step(table)
        if table.state.outcome is not None:
            return


@cite("STATUS-30", "STATUS-31", "STATUS-20", "FIN-08", "FIN-09", "RULING-86")
def _timers(table: Ring) -> None:
    """S1: whoever was knocked down two turns ago is lying now; last turn's finisher no longer defends."""
    for wrestler in table.state.playing:
        if wrestler.knocked_down is not None and table.state.turn >= wrestler.knocked_down + 2:
            table.record("lies", "STATUS-31", fighter=wrestler.id)
    finishers_start(table)
    force_rests(table)


@cite("RULING-63")
def _holds_at_once(table: Ring) -> Procedure[None]:
    """By house rule holds are kept up at the start of the turn."""
    yield from keep_holds(table, "S3")
    yield from settle(table, "S3")


@cite("LOCK-01", "MELEE-01", "RULING-11")
def _snapshot(table: Ring) -> Procedure[None]:
    """S4: the table is observed, zones settled, lock-ups and melees found."""
    yield from look(table, "S4", Text("ask.snapshot", {"turn": table.state.turn}), "LOCK-01", "RULING-16")
    for wrestler in table.state.playing:
        # Whoever is held up is where his holder is, whoever stands on a post is in the ring.
        if wrestler.hoisted_by is None and wrestler.on_post is None:
            yield from _settle_zone(table, wrestler.id)
    yield from settle(table, "S4")
    yield from detect(table)


@cite("RULING-33", "ARENA-05", "STATUS-50")
def _settle_zone(table: Ring, fighter: str) -> Procedure[None]:
    """A figure seen on the other side of the ropes than it should be, or astride: the referee says."""
    wrestler = table.state.wrestlers[fighter]
    inside = sight.inside_ring(table, fighter)
    if not inside.too_close and inside.answer != wrestler.at_ringside:
        return
    doubtful = inside if inside.too_close else sight.doubted(table, inside)
    said = yield from sight.settle(table, doubtful, "S4")
    if said == wrestler.at_ringside:
        kind = "placed_in_ring" if said else "placed_outside"
        # Whoever he holds up is where he is.
        for one in (fighter, wrestler.hoists):
            if one is not None:
                table.record(kind, "RULING-33", fighter=one)


@cite("INIT-01", "INIT-03", "INIT-06", "STATUS-24", "RULING-9", "RULING-79", "RULING-80")
def _open(table: Ring) -> Procedure[None]:
    """Standing wrestlers outside the lock-ups roll initiative and act, holders and climbers included."""
    yield from late_heals(table)
    free = [
        one.id
        for one in table.state.playing
        if (may_act(table, one) or counts_at_slot(table, one.id))
        and not (one.acted or one.acts_last or table.state.group_of(one.id))
    ]
    for fighter in (yield from initiative(table, free, "OPEN_PHASE")):
        yield from slot(table, fighter, "OPEN_PHASE")


@cite("SUPLEX-14", "SUPLEX-15", "SUPLEX-18", "RULING-52", "RULING-79", "RULING-114")
def _upkeep(table: Ring) -> Procedure[None]:
    """Z1 upkeep of those held overhead (by house rule pins are counted here too), Z2 the late queue again."""
    yield from keep_up(table, "Z1")
    yield from last_counts(table)
    yield from settle(table, "Z1")
    yield from late_queue(table, "Z2")


@cite("WIN-03", "STATUS-51", "FIN-02", "SPECIAL-09", "RULING-92", "RULING-102")
def _close(table: Ring) -> Procedure[None]:
    """Z3 expiries, Z4 ringside counts, Z5 victory."""
    yield from divers_rise(table, "Z3")
    end_rests(table)
    finishers_end(table)
    count_ringside(table)
    yield from settle_endings(table)
    yield from look_at_clock(table)


@cite("WIN-03", "STATUS-51", "RULING-102")
def count_ringside(table: Ring) -> None:
    """Z4: everybody's turns at ringside; those counted out go out together."""
    counted_out = [one.id for one in table.state.playing if _counted_out(table, one.id)]
    eliminate_together(table, counted_out, "count_out", "WIN-03")


@cite("WIN-03", "RULING-92", "RULING-98")
def _counted_out(table: Ring, fighter: str) -> bool:
    """Whether he is counted out now. A partner who waits for the tag is not counted.

    A turn counts if he was at ringside at its start and at its end (or, by house rule, at its end).
    """
    wrestler = table.state.wrestlers[fighter]
    if not wrestler.at_ringside or not wrestler.legal:
        if wrestler.ringside_turns:
            table.record("ringside_reset", "RULING-92", fighter=fighter)
        return False
    if not (wrestler.began_at_ringside or table.rulings["count_out_from"] == "fall_turn"):
        return False
    if not wrestler.outside_counted:
        # A turn that is taken up while it closes has been counted.
        table.record("ringside_counted", "WIN-03", fighter=fighter, count=wrestler.ringside_turns + 1)
    return bool(table.rulings["count_out"] and wrestler.ringside_turns >= table.rulings["count_out_limit"])
