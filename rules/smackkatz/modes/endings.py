"""How a match ends: eliminations, the last one left, and the referee's own word."""

from __future__ import annotations

from rules.engine.cite import cite
from rules.engine.request import REFEREE, Option, Procedure, Request
from rules.smackkatz.abilities import Ring
from rules.text import Text


@cite("WIN-03", "WIN-04", "WIN-05")
def eliminate(table: Ring, fighter: str, ending: str, rule: str) -> None:
    """Take a wrestler out of the match."""
    table.record("eliminated", rule, fighter=fighter, ending=ending)


@cite("WIN-05", "MODE-04", "MODE-11", "RULING-99", "RULING-102")
def check_endings(table: Ring) -> None:
    """After an event: does anybody go out, is the match decided?"""
    state = table.state
    if state.outcome is not None:
        return
    if table.rulings["over_the_top"]:
        for wrestler in state.playing:
            if wrestler.at_ringside:
                eliminate(table, wrestler.id, "over_the_top", "WIN-05")
    left = state.playing
    sides = {wrestler.team or wrestler.id for wrestler in left}
    if len(sides) > 1:
        return
    winners = [wrestler.id for wrestler in left]
    if not winners:
        table.record("match_over", "RULING-102", ending="draw", winners=winners)
        return
    last = next(fact for fact in reversed(table.facts) if fact.kind == "eliminated")
    rule = "MODE-11" if table.mode == "last_man_standing" else "MODE-04"
    table.record("match_over", rule, *last.rules, ending=last.values["ending"], winners=winners)


@cite("RULING-102")
def settle_endings(table: Ring) -> Procedure[None]:
    """At the end of a turn: if all that were left go out at once, by house rule the referee decides."""
    state = table.state
    if state.playing or table.rulings["simultaneous"] != "referee":
        check_endings(table)
        return
    last = [str(fact.fighter) for fact in table.facts if fact.kind == "eliminated"]
    options = tuple(Option(one, Text("option.wins", {"fighter": one}), rules=("RULING-102",)) for one in last)
    draw = Option("draw", Text("ending.draw"), rules=("RULING-102",))
    said = yield Request(
        "ruling", "Z5", REFEREE, Text("ask.simultaneous"), options=(*options, draw), rules=("RULING-102",)
    )
    winners = [] if said == "draw" else [said]
    table.record("match_over", "RULING-102", ending="draw" if said == "draw" else "referee", winners=winners)
