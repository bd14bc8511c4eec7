"""Getting up: for one Speed, and the look at where somebody who stands again faces."""

from __future__ import annotations

from rules.engine.cite import cite
from rules.engine.request import Procedure
from rules.smackkatz.abilities import Ring
from rules.smackkatz.asking import look
from rules.text import Text, listed


@cite("STATUS-21", "RULING-105")
def get_up(table: Ring, fighter: str, step: str) -> Procedure[None]:
    """Stand up for one Speed, facing where the player likes; the figure is seen again."""
    table.record("paid_speed", "STATUS-21", fighter=fighter, speed=1)
    table.record("stood_up", "STATUS-21", fighter=fighter)
    yield from look_at_risen(table, [fighter], step)


@cite("RULING-105")
def look_at_risen(table: Ring, risen: list[str], step: str) -> Procedure[None]:
    """Have those who got up observed: facing any way, or (house rule) the way they lay."""
    key = "ask.risen" if table.rulings["free_facing_on_rise"] else "ask.risen_kept"
    single = risen[0] if len(risen) == 1 else None
    yield from look(table, step, Text(key, {"fighter": listed(risen)}), "RULING-105", fighter=single)
