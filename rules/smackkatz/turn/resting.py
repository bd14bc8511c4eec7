"""Resting (Descansando) and the taunt (Burla): declared at the start of the turn (S5, D-01), or forced."""

from __future__ import annotations

from collections.abc import Iterator

from rules.engine.cite import cite
from rules.engine.listing import Listing
from rules.engine.request import REFEREE, Option, Pool, Procedure, Reason, Request
from rules.smackkatz.abilities import Ring
from rules.smackkatz.asking import roll
from rules.smackkatz.consequences.harm import gain_stamina
from rules.smackkatz.legality.actor import actor
from rules.smackkatz.legality.reasons import standing_reason
from rules.text import Text

NOBODY = Option("go_on", Text("option.go_on"), rules=("STATUS-10",))


@cite("STATUS-09", "STATUS-10", "STATUS-11", "SPECIAL-14", "RULING-88", "RULING-93")
def rest_reasons(table: Ring, fighter: str, action: str = "rest") -> tuple[Reason, ...]:
    """Why he may not rest (or taunt) this turn."""
    reasons = actor(table, fighter).reasons(action)
    if table.state.wrestlers[fighter].resting:
        reasons.append(standing_reason("resting", "STATUS-11"))
    return tuple(reasons)


def _option(table: Ring, fighter: str, action: str, rule: str) -> Option:
    text = Text(f"option.{action}", {"fighter": fighter})
    return Option(f"{action}:{fighter}", text, rest_reasons(table, fighter, action), fighter, (rule,))


@cite("STATUS-10", "SPECIAL-01", "SPECIAL-14", "BUILD-12", "BUILD-15")
def rest_options(table: Ring) -> Iterator[Option]:
    """Who rests, which absurd taunts instead, or that nobody else does either."""
    for one in table.state.playing:
        yield _option(table, one.id, "rest", "STATUS-10")
        if table.roster[one.id].kind == "absurd":
            yield _option(table, one.id, "taunt", "SPECIAL-14")
    yield NOBODY


@cite("STATUS-10", "STATUS-12", "SPECIAL-14", "RULING-88")
def rests(table: Ring) -> Procedure[None]:
    """Forced rests heal first; then declarations, one after another until there are no more."""
    at_once = table.rulings["rest_heals_at"] == "declaration"
    if at_once:
        for wrestler in table.state.playing:
            yield from heal(table, wrestler.id, "S5")
    offer = Listing(table, lambda: rest_options(table))
    while offer.offers_more_than(NOBODY.id):
        chosen = yield Request(
            "choose",
            "S5 D-01",
            REFEREE,
            Text("ask.rest", {"turn": table.state.turn}),
            options=offer.all,
            rules=("STATUS-10", "RULING-88"),
        )
        if chosen == "go_on":
            return
        action, _, fighter = chosen.partition(":")
        if action == "taunt":
            table.record("taunts", "SPECIAL-14", "STATUS-11", fighter=fighter)
        else:
            table.record("rests", "STATUS-10", "STATUS-11", fighter=fighter)
        if at_once:
            yield from heal(table, fighter, "S5")


@cite(
    "STATUS-09", "STATUS-12", "SPECIAL-14", "SPECIAL-15", "SPECIAL-16", "RULING-3", "RULING-74", "RULING-89"
)
def heal(table: Ring, fighter: str, step: str) -> Procedure[None]:
    """What a rest gives: one d6 of Stamina; a taunt what the edition makes of two of them."""
    wrestler = table.state.wrestlers[fighter]
    if not wrestler.resting or wrestler.unconscious or wrestler.healed:
        return
    if wrestler.rest_forced and not table.rulings["failed_finisher_heals"]:
        return
    table.record("rest_healed", "STATUS-12", fighter=fighter)
    if wrestler.taunting:
        text = Text("ask.taunt", {"fighter": fighter})
        thrown = yield from roll(table, f"{step} taunt", text, (Pool(fighter, 2),), "SPECIAL-14")
        gain_stamina(table, fighter, table.state.edition.specials.taunt(thrown[fighter]), "SPECIAL-14")
        return
    text = Text("ask.rest_heal", {"fighter": fighter})
    thrown = yield from roll(table, f"{step} rest", text, (Pool(fighter, 1),), "STATUS-12")
    gain_stamina(table, fighter, thrown[fighter][0], "STATUS-12")


@cite("STATUS-12", "RULING-88")
def late_heals(table: Ring) -> Procedure[None]:
    """By house rule a rest heals when the others act, not when it is declared."""
    if table.rulings["rest_heals_at"] == "own_activation":
        for wrestler in table.state.playing:
            yield from heal(table, wrestler.id, "OPEN_PHASE")


@cite("FIN-08", "STATUS-11", "RULING-74")
def force_rests(table: Ring) -> None:
    """S1: whoever's finisher came to nothing last turn rests through this one."""
    for wrestler in table.state.playing:
        if wrestler.must_rest:
            table.record("forced_rest", "FIN-08", "RULING-74", fighter=wrestler.id)


@cite("STATUS-11")
def end_rests(table: Ring) -> None:
    """Z3: resting ends with the turn."""
    for wrestler in table.state.playing:
        if wrestler.resting:
            table.record("rest_ended", "STATUS-11", fighter=wrestler.id)
