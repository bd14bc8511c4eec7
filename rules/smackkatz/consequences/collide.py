"""Two bodies that run into each other (WHIP-06), and how somebody is brought down by a fall or a blow."""

from __future__ import annotations

from typing import Literal

from rules.engine.cite import cite
from rules.smackkatz.abilities import Ring
from rules.smackkatz.consequences.harm import leave_group, lose_stamina

Fallen = Literal["standing", "lying", "knocked_down"]
"""What becomes of somebody hit: nothing, lying (Tumbado) or knocked down (Derribado)."""

COLLISION_LOSS = 3
"""WHIP-06: Stamina each of the two loses."""


@cite("WHIP-06", "STATUS-20", "STATUS-30", "STATUS-32", "RULING-46", "RULING-86")
def bring_down(table: Ring, fighter: str, status: Fallen, *rules: str) -> None:
    """Put him down as `status` says; a worse status is never improved. He leaves his lock-up or melee."""
    wrestler = table.state.wrestlers[fighter]
    if status == "standing" or wrestler.unconscious or not wrestler.playing:
        return
    if status == "knocked_down":
        table.record("knocked_down", *rules, "STATUS-30", "STATUS-32", fighter=fighter)
    elif wrestler.upright:
        table.record("went_down", *rules, "STATUS-20", fighter=fighter)
    leave_group(table, fighter, rules[0])


@cite("WHIP-06", "SUPLEX-08", "SUPLEX-12", "SPECIAL-08", "RULING-46", "RULING-55", "RULING-94")
def hurt(table: Ring, fighter: str, points: int, status: Fallen, *rules: str) -> None:
    """Somebody hit by a body, or who falls: so many points of Stamina, then down as `status` says."""
    lose_stamina(table, fighter, points, rules[0])
    bring_down(table, fighter, status, *rules)


@cite("WHIP-06", "RULING-46")
def collide(
    table: Ring,
    runner: str,
    hit: str,
    *,
    points: int = COLLISION_LOSS,
    status: Fallen = "lying",
) -> None:
    """The runner meets `hit`: each loses so many points and both lie (by default WHIP-06's numbers).

    What follows for somebody who was engaged when he was hit is the caller's (`aftermath.struck`).
    """
    table.record("collided", "WHIP-06", "RULING-46", fighter=runner, hit=hit)
    for fighter in (runner, hit):
        hurt(table, fighter, points, status, "WHIP-06", "RULING-46")
