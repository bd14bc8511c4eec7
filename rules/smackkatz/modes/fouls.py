"""Fouls (catalogue 2.18): the player is warned before anything is rolled, the referee has the last word."""

from __future__ import annotations

from typing import Literal

from rules.engine.cite import cite
from rules.engine.request import REFEREE, Option, Procedure, Request
from rules.smackkatz import sight
from rules.smackkatz.abilities import Ring
from rules.smackkatz.asking import choose
from rules.smackkatz.legality.actor import actor
from rules.smackkatz.modes.endings import disqualify
from rules.text import Text

Foul = Literal["unconscious", "no_tag", "rope_hold", "weapon"]

RULES: dict[Foul, str] = {
    "unconscious": "FOUL-01",
    "no_tag": "FOUL-02",
    "rope_hold": "FOUL-03",
    "weapon": "FOUL-04",
}


@cite("FOUL-01", "FOUL-02", "FOUL-05", "STATUS-07", "MODE-12", "RULING-83", "RULING-98")
def foul_in(table: Ring, fighter: str, target: str) -> Foul | None:
    """What would make an attack of his on this rival a foul; nothing does in a match without DQ."""
    if table.rulings["disqualification"] == "off":
        return None
    if table.state.wrestlers[target].unconscious:
        return "unconscious"
    if not table.state.wrestlers[fighter].legal:
        return "no_tag"
    return None


@cite("FOUL-03", "RULING-66", "RULING-83", "MODE-12")
def rope_holds_are_fouls(table: Ring) -> bool:
    """Whether keeping a hold on somebody at the ropes can disqualify: not in a match without DQ."""
    by_ruling = table.rulings["rope_break"] == "release_and_dq"
    return by_ruling and bool(table.rulings["disqualification"] == "on")


@cite("RULING-83", "FOUL-01", "FOUL-02", "FOUL-03", "FOUL-04")
def warned(table: Ring, fighter: str, target: str, foul: Foul, step: str) -> Procedure[bool]:
    """D-22: the warning. Whether he goes on all the same; who withdraws is not asked again this turn."""
    rule = RULES[foul]
    options = (
        Option("withdraw", Text("option.withdraw"), rules=(rule,)),
        Option("insist", Text("option.insist"), rules=(rule,)),
    )
    text = Text("ask.foul", {"fighter": fighter, "target": target, "foul": Text(f"foul.{foul}")})
    said = yield from choose(table, fighter, f"{step} D-22", text, options, rule, "RULING-83")
    if said == "withdraw":
        table.record("foul_withdrawn", rule, "RULING-83", fighter=fighter, target=target, foul=foul)
    return said == "insist"


@cite("WIN-02", "FOUL-01", "FOUL-02", "FOUL-03", "FOUL-04", "RULING-83")
def called(table: Ring, fighter: str, target: str, foul: Foul, step: str) -> Procedure[bool]:
    """The referee confirms the foul, and it is a DQ, or saw none."""
    rule = RULES[foul]
    options = (
        Option("confirm", Text("option.confirm_foul", {"fighter": fighter}), rules=(rule, "WIN-02")),
        Option("dismiss", Text("option.no_foul"), rules=("RULING-83",)),
    )
    text = Text("ask.confirm_foul", {"fighter": fighter, "target": target, "foul": Text(f"foul.{foul}")})
    said = yield Request(
        "ruling", f"{step} D-22", REFEREE, text, fighter=fighter, options=options, rules=(rule, "RULING-83")
    )
    if said == "dismiss":
        table.record("foul_dismissed", "RULING-83", fighter=fighter, target=target, foul=foul)
        return False
    table.record("foul", rule, "RULING-83", fighter=fighter, target=target, foul=foul)
    disqualify(table, fighter, target, rule)
    return True


# ---------- weapons, a house rule


@cite("FOUL-04")
def weapon_options(table: Ring, fighter: str) -> tuple[Option, ...]:
    """Where weapons are a foul one can commit (a house rule): against each rival in reach, once a turn."""
    wrestler = table.state.wrestlers[fighter]
    in_force = table.rulings["weapons_foul"] and table.rulings["disqualification"] == "on"
    if not in_force or wrestler.warned or actor(table, fighter).reasons("strike"):
        return ()
    found = []
    for rival in table.state.playing:
        mate = wrestler.team is not None and wrestler.team == rival.team
        if rival.id == fighter or mate or foul_in(table, fighter, rival.id) is not None:
            continue
        near = sight.adjacent(table, fighter, rival.id)
        if near.answer or near.too_close:
            text = Text("option.weapon", {"target": rival.id})
            doubts = (near,) if near.too_close else ()
            found.append(Option(f"weapon:{rival.id}", text, (), rival.id, ("FOUL-04",), doubts))
    return tuple(found)


@cite("FOUL-04", "RULING-83", "WIN-02")
def use_weapon(table: Ring, fighter: str, target: str, step: str) -> Procedure[None]:
    """The foul: warned of, committed, and judged by the referee; no rule says what the weapon does."""
    if (yield from warned(table, fighter, target, "weapon", step)):
        table.record("attacked", "FOUL-04", fighter=fighter, target=target, action="weapon")
        yield from called(table, fighter, target, "weapon", step)
