"""Breaking away from a lock-up or melee (zafarse): a contest of Speed totals."""

from __future__ import annotations

from rules.engine.cite import cite
from rules.engine.request import Procedure
from rules.smackkatz.abilities import Ring, pool
from rules.smackkatz.asking import roll
from rules.smackkatz.legality import locked_with
from rules.text import Text, listed


@cite("LOCK-06", "LOCK-07", "LOCK-08", "RULING-21", "RULING-22", "RULING-24")
def break_away(table: Ring, fighter: str, step: str) -> Procedure[None]:
    """He and every rival who holds him add up their Speed dice; he needs the highest total, a tie frees."""
    rivals = locked_with(table, fighter)
    pools = tuple(pool(table, one, "speed", None) for one in (fighter, *rivals))
    text = Text("ask.break", {"fighter": fighter, "rivals": listed(rivals)})
    thrown = yield from roll(table, f"{step} break_lock_up", text, pools, "LOCK-06")
    totals = {name: sum(faces) for name, faces in thrown.items()}
    escaped = escapes(totals, fighter)
    table.record(
        "escaped" if escaped else "held", "LOCK-06", "LOCK-08" if escaped else "LOCK-07",
        fighter=fighter, rivals=rivals, totals=[totals[one] for one in (fighter, *rivals)],
    )  # fmt: skip
    if escaped:
        table.record("left_group", "LOCK-08", "RULING-24", fighter=fighter)
        return
    table.record("turn_over", "LOCK-07", fighter=fighter)
    if not table.rulings["failed_escape_keeps_defence"]:
        table.record("defended", "RULING-22", fighter=fighter, ability="none")


@cite("LOCK-07", "LOCK-08", "RULING-21")
def escapes(totals: dict[str, int], fighter: str) -> bool:
    """Whether no rival's total is higher (beating each one separately comes to the same)."""
    return all(total <= totals[fighter] for total in totals.values())
