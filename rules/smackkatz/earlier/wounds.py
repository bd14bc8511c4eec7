"""Wounds of the earlier edition: -1 in everything; the second is an injury its causer places."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.engine.cite import cite
from rules.engine.request import Modifier, Option, Procedure
from rules.smackkatz.abilities import Ring
from rules.smackkatz.asking import choose
from rules.smackkatz.earlier.sheet import EARLIER_FORM
from rules.smackkatz.state import Wrestler
from rules.text import Text

EVERYTHING = "everything"
"""What the first wound is a wound of."""


@cite("STATUS-60", "STATUS-62", "RULING-91")
def terms(wrestler: Wrestler, ability: str, rulings: Mapping[str, Any]) -> tuple[Modifier, ...]:
    """-1 in every ability once wounded; the injury's total in the injured one."""
    if wrestler.wounds.get(ability, 0):
        return (Modifier(Text("term.injury"), int(rulings["injury_total"]), "STATUS-62"),)
    if wrestler.wounds.get(EVERYTHING, 0):
        return (Modifier(Text("term.wound"), -1, "STATUS-60"),)
    return ()


@cite("STATUS-62")
def injured(wrestler: Wrestler) -> bool:
    """A second wound, whatever it is in."""
    return len(wrestler.wounds) > 1


@cite("STRIKE-08", "STATUS-60", "STATUS-62")
def inflict(table: Ring, fighter: str, causer: str, step: str) -> Procedure[None]:
    """The first counts everywhere, the second in a main ability of the causer's choice; then no more."""
    wounds = table.state.wrestlers[fighter].wounds
    if not wounds:
        table.record("wounded", "STATUS-60", "STRIKE-08", fighter=fighter, ability=EVERYTHING)
    elif len(wounds) == 1:
        options = tuple(
            Option(one, Text(f"ability.{one}"), rules=("STATUS-62",)) for one in EARLIER_FORM.main
        )
        text = Text("ask.injury", {"fighter": fighter})
        ability = yield from choose(table, causer, f"{step} wound", text, options, "STATUS-62")
        table.record("wounded", "STATUS-62", "STRIKE-08", fighter=fighter, ability=ability)
