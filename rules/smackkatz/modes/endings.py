"""How a match ends (catalogue 8.1): falls, fouls, eliminations, the last one left, the referee's word."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from rules.engine.cite import cite
from rules.engine.request import REFEREE, Option, Procedure, Reason, Request
from rules.smackkatz.abilities import Ring
from rules.smackkatz.legality.reasons import standing_reason
from rules.smackkatz.modes import iron_man, tags
from rules.smackkatz.modes.sides import side, sides_left, win
from rules.smackkatz.modes.table import Fall, mode
from rules.text import Text

FallKind = Literal["pin", "tap_out"]


@cite("SETUP-04", "MODE-10", "RULING-99")
def meaning_of_falls(table: Ring) -> Fall:
    """What a pin or tap-out means in this match."""
    if table.mode == "katz_rumble" and table.rulings["rumble_pins"]:
        return "eliminates"
    return mode(table.mode).fall


@cite("RULING-98", "RULING-99", "RULING-100")
def pin_reasons(table: Ring, fighter: str, target: str) -> tuple[Reason, ...]:
    """What the mode has against a pin: falls that mean nothing, a member without the tag."""
    wrestlers = table.state.wrestlers
    if meaning_of_falls(table) == "nothing":
        return (standing_reason("no_falls", "RULING-99" if table.mode == "katz_rumble" else "RULING-100"),)
    if not (wrestlers[fighter].legal and wrestlers[target].legal):
        return (standing_reason("pin_without_tag", "RULING-98"),)
    return ()


@cite("WIN-01", "MODE-03", "MODE-04", "MODE-05", "MODE-08", "RULING-99", "RULING-100")
def fall(table: Ring, winner: str, loser: str, kind: FallKind, rule: str) -> None:
    """A pin or tap-out was scored: it ends the pin or hold, and what else it means is the mode's."""
    table.record("fall", rule, "WIN-01", fighter=winner, loser=loser, ending=kind)
    meaning = meaning_of_falls(table)
    if meaning == "decides":
        win(table, side(table, winner), kind, mode(table.mode).rule, rule)
    elif meaning == "eliminates":
        eliminate(table, loser, kind, rule)
        check_endings(table)
    elif meaning == "scores":
        table.record("scored", "MODE-05", fighter=winner, ending=kind)
        table.record("sits_out", "MODE-06", "RULING-97", fighter=loser)
        iron_man.decide(table)


@cite("WIN-02", "FOUL-01", "FOUL-02", "RULING-83")
def disqualify(table: Ring, offender: str, victim: str, rule: str) -> None:
    """A foul stood: the victim's side wins, the offender goes out or the rival scores, by the mode."""
    table.record("disqualified", rule, "WIN-02", fighter=offender, victim=victim)
    meaning = mode(table.mode).foul
    if meaning == "opponent_scores":
        table.record("scored", "WIN-02", fighter=victim, ending="disqualification")
        iron_man.decide(table)
        return
    two_sides = len(sides_left(table)) == 2 and meaning == "by_ruling"
    if two_sides or (meaning == "by_ruling" and table.rulings["dq_multi"] == "victim_wins"):
        win(table, side(table, victim), "disqualification", "WIN-02", rule)
    else:
        eliminate(table, offender, "disqualification", rule)
        check_endings(table)


@cite("WIN-03", "WIN-04", "WIN-05", "RULING-102")
def eliminate(table: Ring, fighter: str, ending: str, rule: str) -> None:
    """Take a wrestler out of the match."""
    eliminate_together(table, [fighter], ending, rule)


@cite("RULING-102")
def eliminate_together(table: Ring, fighters: Sequence[str], ending: str, rule: str) -> None:
    """Take out all who go out at the same moment."""
    for fighter in fighters:
        table.record("eliminated", rule, fighter=fighter, ending=ending, together=list(fighters))
    for fighter in fighters:
        tags.pass_on(table, fighter)


@cite("WIN-05", "MODE-04", "MODE-08", "MODE-10", "MODE-11", "RULING-99", "RULING-102")
def check_endings(table: Ring) -> None:
    """After an event: does anybody go out, is the match decided?"""
    state = table.state
    if state.outcome is not None:
        return
    if table.rulings["over_the_top"]:
        outside = [one.id for one in state.playing if one.at_ringside and one.legal]
        eliminate_together(table, outside, "over_the_top", "WIN-05")
    left = sides_left(table)
    if len(left) > 1:
        return
    if left:
        win(table, left[0], _last_ending(table), mode(table.mode).rule)
    elif table.rulings["simultaneous"] != "referee":
        table.record("match_over", "RULING-102", ending="draw", winners=[])


def _last_ending(table: Ring) -> str:
    """How the last to leave went out."""
    return table.state.wrestlers[table.state.last_out[-1]].out or "draw"


@cite("RULING-102")
def settle_endings(table: Ring, step: str = "Z5") -> Procedure[None]:
    """At the end of a step: if all that were left went out at once, by house rule the referee decides."""
    check_endings(table)
    if table.state.outcome is not None or table.state.remaining:
        return
    last = list(dict.fromkeys(side(table, one) for one in table.state.last_out))
    options = tuple(Option(one, Text("option.wins", {"fighter": one}), rules=("RULING-102",)) for one in last)
    draw = Option("draw", Text("ending.draw"), rules=("RULING-102",))
    said = yield Request(
        "ruling", step, REFEREE, Text("ask.simultaneous"), options=(*options, draw), rules=("RULING-102",)
    )
    if said == "draw":
        table.record("match_over", "RULING-102", ending="draw", winners=[])
    else:
        win(table, said, "referee", "RULING-102")
