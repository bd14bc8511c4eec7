"""Wounds of the current edition: one ability drawn by a d10; the second in the same one is an injury."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.engine.cite import cite
from rules.engine.request import Modifier, Pool, Procedure
from rules.smackkatz.abilities import Ring
from rules.smackkatz.asking import roll
from rules.smackkatz.sheet import ABILITIES, MAIN
from rules.smackkatz.state import Wrestler
from rules.text import Text


@cite("STATUS-60", "STATUS-62", "RULING-91")
def terms(wrestler: Wrestler, ability: str, rulings: Mapping[str, Any]) -> tuple[Modifier, ...]:
    """-1 for a wound, the injury's total for two or more in the same ability."""
    wounds = wrestler.wounds.get(ability, 0)
    if wounds == 0:
        return ()
    if wounds == 1:
        return (Modifier(Text("term.wound"), -1, "STATUS-60"),)
    return (Modifier(Text("term.injury"), int(rulings["injury_total"]), "STATUS-62"),)


@cite("STATUS-62")
def injured(wrestler: Wrestler) -> bool:
    """Two wounds in one ability."""
    return any(count > 1 for count in wrestler.wounds.values())


@cite("STRIKE-08", "STATUS-60", "STATUS-62", "RULING-90", "RULING-91")
def inflict(table: Ring, fighter: str, causer: str, step: str) -> Procedure[None]:
    """One wound in an ability drawn with a d10."""
    names = ABILITIES if table.rulings["wound_pool"] == "all_ten" else MAIN
    thrown = yield from roll(
        table,
        f"{step} wound",
        Text("ask.wound", {"fighter": fighter}),
        (Pool(fighter, 1, 10),),
        "STATUS-60",
        "RULING-90",
    )
    ability = names[(thrown[fighter][0] - 1) % len(names)]
    rule = "STATUS-62" if ability in table.state.wrestlers[fighter].wounds else "STATUS-60"
    table.record("wounded", rule, "STRIKE-08", fighter=fighter, ability=ability)
