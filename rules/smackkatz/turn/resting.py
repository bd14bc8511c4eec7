"""Resting (Descansando): declared at the start of the turn, one d6 of Stamina (S5, D-01)."""

from __future__ import annotations

from rules.engine.cite import cite
from rules.engine.request import REFEREE, Option, Pool, Procedure, Reason, Request
from rules.smackkatz.abilities import Ring
from rules.smackkatz.asking import roll
from rules.smackkatz.consequences.harm import gain_stamina
from rules.smackkatz.legality.reasons import reason
from rules.text import Text

NOBODY = Option("go_on", Text("option.go_on"), rules=("STATUS-10",))


@cite("STATUS-09", "STATUS-10", "RULING-88")
def rest_reasons(table: Ring, fighter: str) -> tuple[Reason, ...]:
    """Why he may not rest this turn."""
    wrestler = table.state.wrestlers[fighter]
    reasons = []
    if table.state.group_of(fighter):
        reasons.append(reason("rest_locked_up", "STATUS-10"))
    if wrestler.unconscious:
        reasons.append(reason("unconscious", "STATUS-03"))
    if wrestler.helpless:
        reasons.append(reason("helpless", "STATUS-03"))
    if wrestler.knocked_down is not None and not table.rulings["rest_while_knocked_down"]:
        reasons.append(reason("knocked_down", "RULING-88"))
    if wrestler.resting:
        reasons.append(reason("resting", "STATUS-11"))
    return tuple(reasons)


def rest_options(table: Ring) -> tuple[Option, ...]:
    """Who rests, or that nobody else does."""
    rests = tuple(
        Option(
            f"rest:{one.id}",
            Text("option.rest", {"fighter": one.id}),
            rest_reasons(table, one.id),
            one.id,
            ("STATUS-10",),
        )
        for one in table.state.playing
    )
    return (*rests, NOBODY)


@cite("STATUS-10", "STATUS-12", "RULING-88")
def rests(table: Ring) -> Procedure[None]:
    """Declarations, one after another until there are no more; each heals at once."""
    while any(option.legal for option in rest_options(table)[:-1]):
        chosen = yield Request(
            "choose",
            "S5 D-01",
            REFEREE,
            Text("ask.rest", {"turn": table.state.turn}),
            options=lambda: rest_options(table),
            rules=("STATUS-10", "RULING-88"),
        )
        if chosen == "go_on":
            return
        fighter = chosen.partition(":")[2]
        table.record("rests", "STATUS-10", "STATUS-11", fighter=fighter)
        if table.rulings["rest_heals_at"] == "declaration":
            yield from heal(table, fighter, "S5")


@cite("STATUS-09", "STATUS-12")
def heal(table: Ring, fighter: str, step: str) -> Procedure[None]:
    """One d6 of Stamina."""
    text = Text("ask.rest_heal", {"fighter": fighter})
    thrown = yield from roll(table, f"{step} rest", text, (Pool(fighter, 1),), "STATUS-12")
    gain_stamina(table, fighter, thrown[fighter][0], "STATUS-12")


@cite("STATUS-12", "RULING-88")
def late_heals(table: Ring) -> Procedure[None]:
    """By house rule a rest heals when the others act, not when it is declared."""
    if table.rulings["rest_heals_at"] == "own_activation":
        for wrestler in table.state.playing:
            if wrestler.resting:
                yield from heal(table, wrestler.id, "OPEN_PHASE")


@cite("STATUS-11")
def end_rests(table: Ring) -> None:
    """Z3: resting ends with the turn."""
    for wrestler in table.state.playing:
        if wrestler.resting:
            table.record("rest_ended", "STATUS-11", fighter=wrestler.id)
