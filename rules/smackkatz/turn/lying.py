"""The lying phase: those who wish rise together, roll initiative and act, last of all."""

from __future__ import annotations

from rules.engine.cite import cite
from rules.engine.listing import Listing
from rules.engine.request import Procedure
from rules.smackkatz import sight
from rules.smackkatz.abilities import Ring
from rules.smackkatz.asking import choose
from rules.smackkatz.attacks.submission import upkeep as keep_holds
from rules.smackkatz.consequences.aftermath import settle
from rules.smackkatz.consequences.landing import cross_ropes
from rules.smackkatz.consequences.rising import look_at_risen
from rules.smackkatz.legality import options as legality
from rules.smackkatz.state import Wrestler
from rules.smackkatz.turn.activation import activate
from rules.smackkatz.turn.order import initiative
from rules.smackkatz.turn.slots import may_act, slot
from rules.text import Text

STEP = "LYING_PHASE"


@cite("STATUS-24", "STATUS-26", "RULING-87")
def waiting(table: Ring) -> list[str]:
    """The lying wrestlers who have not had their slot and are bound to nobody."""
    return [
        one.id
        for one in table.state.playing
        if one.lying
        and not (one.acted or one.resting or one.unconscious or one.helpless or one.turn_over)
        and not (one.engaged or one.freed)
    ]


@cite("RULING-80", "STATUS-24")
def put_on_their_feet(table: Ring) -> list[str]:
    """Those who lay when their slot would have come and stand again, their turn not lost."""
    return [one.id for one in table.state.playing if may_act(table, one) and not one.acted]


@cite("STATUS-24", "STATUS-26", "STATUS-27", "RULING-63", "RULING-80", "RULING-87", "CHECK-03")
def lying_phase(table: Ring) -> Procedure[None]:
    """(a) Holds are kept up; (b) D-26 for each who lies, risers stand up at once; (c), (d) they act."""
    on_the_mat = [one.id for one in table.state.playing if one.lying]
    yield from keep_holds(table, STEP)
    yield from settle(table, STEP)
    if table.state.outcome is not None:
        return
    risers, others = [], []
    for fighter in waiting(table):
        chosen = yield from _decide(table, fighter)
        if chosen == "get_up":
            risers.append(fighter)
        elif chosen == "enter_ring" or table.rulings["lying_may_attack"]:
            others.append((fighter, chosen))
    yield from _rise(table, risers)
    for fighter, chosen in others:
        if chosen == "enter_ring":
            yield from _roll_in(table, fighter)
    yield from _limit_targets(table, on_the_mat, risers)
    still_down = [fighter for fighter, _ in others]
    actors = [*put_on_their_feet(table), *still_down]
    for fighter in (yield from initiative(table, actors, STEP)):
        wrestler = table.state.wrestlers[fighter]
        if fighter in still_down and wrestler.lying and _may_act_lying(wrestler):
            if table.state.outcome is None:
                yield from activate(table, fighter, STEP)
        else:
            yield from slot(table, fighter, STEP)


def _may_act_lying(wrestler: Wrestler) -> bool:
    return wrestler.playing and not (wrestler.acted or wrestler.turn_over or wrestler.engaged)


@cite("STATUS-21", "STATUS-53", "RULING-87")
def _decide(table: Ring, fighter: str) -> Procedure[str]:
    offer = Listing(table, lambda: legality.rise_options(table, fighter))
    if not offer.offers_more_than("stay"):
        return "stay"
    text = Text("ask.rise", {"fighter": fighter})
    chosen = yield from choose(
        table,
        fighter,
        f"{STEP} D-26",
        text,
        offer.all,
        "STATUS-26",
        "RULING-87",
    )
    if chosen == "enter_ring" and not (yield from sight.settle(table, sight.on_ropes(table, fighter), STEP)):
        return "stay"
    return chosen


@cite("STATUS-21", "STATUS-26", "RULING-105")
def _rise(table: Ring, risers: list[str]) -> Procedure[None]:
    for fighter in risers:
        table.record("paid_speed", "STATUS-21", fighter=fighter, speed=1)
        table.record("stood_up", "STATUS-21", "STATUS-26", fighter=fighter)
    if risers:
        yield from look_at_risen(table, risers, STEP)


@cite("STATUS-53", "STATUS-54", "RULING-35")
def _roll_in(table: Ring, fighter: str) -> Procedure[None]:
    table.record("paid_speed", "STATUS-53", fighter=fighter, speed=1)
    yield from cross_ropes(table, fighter, False, STEP)
    table.record("entered_ring", "STATUS-53", "STATUS-54", fighter=fighter)


@cite("STATUS-27", "RULING-87")
def _limit_targets(table: Ring, lying: list[str], risers: list[str]) -> Procedure[None]:
    """Several who rise together may attack only each other, and whoever is adjacent as they rise."""
    limit = table.rulings["lying_target_limit"]
    if limit == "off" or (limit == "when_several" and len(risers) < 2):
        return
    for fighter in risers:
        targets = [one for one in lying if one != fighter]
        for rival in table.state.playing:
            if rival.id in (fighter, *targets):
                continue
            if (yield from sight.settle(table, sight.adjacent(table, fighter, rival.id), STEP)):
                targets.append(rival.id)
        table.record("target_limit", "STATUS-27", fighter=fighter, targets=targets)
