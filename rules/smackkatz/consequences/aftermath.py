"""What a resolved event entails for those bound to each other: who lets go of whom.

`struck` is for attacks that connect and for bodies that run into somebody; `settle` restores what must
always hold, whatever happened.
"""

from __future__ import annotations

from rules.engine.cite import cite
from rules.engine.request import Procedure
from rules.smackkatz.abilities import Ring


@cite(
    "SUPLEX-20", "SUPLEX-21", "PIN-08", "PIN-10", "RULING-41", "RULING-56", "RULING-58", "RULING-65",
    "RULING-82", "RULING-93",
)  # fmt: skip
def struck(table: Ring, attacker: str, target: str, step: str, damage: int | None) -> Procedure[None]:
    """An attack on somebody who is engaged has connected, or a body has hit him.

    `damage` is the Stamina it took; None for an attack that takes none of its own (a grab, a whip).
    """
    yield from ()


@cite("RULING-65", "RULING-46", "RULING-58", "PIN-11", "STATUS-23")
def settle(table: Ring, step: str) -> Procedure[None]:
    """Whoever can no longer hold, hoist or pin, lets go; repeated until nothing changes."""
    yield from ()
