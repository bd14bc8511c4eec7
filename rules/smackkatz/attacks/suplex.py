"""The Suplex over turns (catalogue 4.6): grab, upkeep at the end of each further turn, reversal."""

from __future__ import annotations

from rules.engine.cite import cite
from rules.engine.request import Procedure
from rules.smackkatz.abilities import Ring
from rules.smackkatz.attacks.defence import counter_hits
from rules.smackkatz.attacks.exchange import Exchange, counter_blow, declare, exchange
from rules.smackkatz.attacks.hoist import free_palms, get_loose, lift
from rules.smackkatz.consequences.aftermath import settle, struck
from rules.smackkatz.consequences.drops import drop
from rules.smackkatz.edition import Defence
from rules.smackkatz.state import Wrestler


@cite("SUPLEX-01", "SUPLEX-02", "SUPLEX-03", "SUPLEX-04", "COUNTER-11", "SHEET-14", "RULING-67")
def suplex(table: Ring, attacker: str, target: str, step: str) -> Procedure[None]:
    """Declare, roll, let the rival Counter; one success left is a grab."""
    declare(table, attacker, target, "suplex", "SUPLEX-02")
    result = yield from exchange(table, attacker, target, "suplex", step, defended_by="counter")
    if result.net > 0:
        yield from _grab(table, result, step)
    elif _reversed(table, result) and not table.state.wrestlers[target].engaged:
        # Whoever has his hands full pays back with a blow after all.
        lift(table, target, attacker, "COUNTER-11", "RULING-67")
    else:
        yield from counter_blow(table, result, step)
    yield from settle(table, step)


@cite("SUPLEX-02", "SUPLEX-04", "RULING-41", "PIN-10")
def _grab(table: Ring, result: Exchange, step: str) -> Procedure[None]:
    """What the rival was engaged in is over; then he is up, and the sixes left are free palms."""
    yield from struck(table, result.attacker, result.target, step, None)
    target = table.state.wrestlers[result.target]
    if target.hoists is not None:
        # Whoever is lifted himself can hold nobody up.
        yield from drop(table, target.hoists, None, step)
    lift(table, result.attacker, result.target, "SUPLEX-02")
    yield from free_palms(table, result.attacker, result.sixes, step)


@cite("COUNTER-11", "PROP-08", "PROP-15", "RULING-67")
def _reversed(table: Ring, result: Exchange) -> bool:
    """By house rule an out-countered Suplex is turned round instead of paid back with a blow.

    As with the blow it takes a critical (or what else `counter_hits` counts); one who lies is not lifted.
    """
    if table.rulings["counter_vs_suplex"] != "reverse_suplex" or not result.beaten:
        return False
    reading = str(table.rulings["counter_hits"])
    hits = counter_hits(reading, result.defence_faces, result.stopped, result.successes)
    both = (table.state.wrestlers[one] for one in (result.attacker, result.target))
    return hits > 0 and all(one.upright for one in both)


@cite("SUPLEX-13", "SUPLEX-14", "RULING-52")
def keep(table: Ring, holder: str, step: str) -> Procedure[None]:
    """The holder keeps his rival up for this turn, which is all he does; when he rolls is a house rule."""
    table.record("keeps_hoisting", "SUPLEX-13", "RULING-52", fighter=holder)
    if table.rulings["suplex_upkeep"] == "holder_activation":
        yield from _keep_up(table, holder, step)


@cite("SUPLEX-14", "SUPLEX-15", "RULING-52")
def upkeep(table: Ring, step: str) -> Procedure[None]:
    """Z1: each holder who has held since before this turn, did not throw and has not rolled yet."""
    for holder in [one.id for one in table.state.playing]:
        if table.state.outcome is not None:
            return
        if _due(table, table.state.wrestlers[holder]):
            yield from _keep_up(table, holder, step)


def _due(table: Ring, holder: Wrestler) -> bool:
    rolled = holder.attacked and table.rulings["suplex_upkeep"] == "holder_activation"
    return holder.hoists is not None and holder.hoisted_in < table.state.turn and not rolled


@cite(
    "SUPLEX-14", "SUPLEX-15", "SUPLEX-16", "SUPLEX-17", "COUNTER-11", "COUNTER-12", "RULING-18", "RULING-52",
)  # fmt: skip
def _keep_up(table: Ring, holder: str, step: str) -> Procedure[None]:
    """The repeated roll, which the hoisted may Counter (D-15); without a success he gets loose (D-16)."""
    hoisted = str(table.state.wrestlers[holder].hoists)
    defence: Defence | None = "counter" if table.state.edition.suplex.upkeep_countered else None
    result = yield from exchange(
        table, holder, hoisted, "suplex", f"{step} D-15", defended_by=defence, declared=False
    )
    if result.net > 0:
        table.record("kept_up", "SUPLEX-14", fighter=holder, target=hoisted)
        yield from free_palms(table, holder, result.sixes, step)
        return
    if _reversed(table, result):
        table.record("got_loose", "SUPLEX-17", fighter=hoisted, holder=holder)
        lift(table, hoisted, holder, "COUNTER-11", "RULING-67")
        return
    yield from get_loose(table, hoisted, step)
    yield from counter_blow(table, result, step)
    yield from settle(table, step)
