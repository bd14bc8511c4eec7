"""Breaking away from a lock-up or melee (zafarse): a contest of Speed totals."""

from __future__ import annotations

from rules.engine.cite import cite
from rules.engine.request import Procedure
from rules.smackkatz.abilities import Ring, pool
from rules.smackkatz.asking import roll
from rules.smackkatz.legality.actor import locked_with
from rules.text import Text, listed


@cite("LOCK-06", "LOCK-07", "LOCK-08", "RULING-21", "RULING-22", "RULING-24")
def break_away(table: Ring, fighter: str, step: str) -> Procedure[None]:
    """He and every rival who holds him add up their Speed dice; he needs the highest total, a tie frees.

    By house rule he contests each of them separately and must get away from all.
    """
    rivals = locked_with(table, fighter)
    separately = table.rulings["melee_escape"] == "beat_each_separately"
    contests = [[rival] for rival in rivals] if separately else [rivals]
    totals: list[int] = []
    escaped = True
    for against in contests:
        thrown = yield from _contest(table, fighter, against, step)
        escaped = escaped and all(thrown[rival] <= thrown[fighter] for rival in against)
        totals += [thrown[one] for one in (fighter, *against)]
    rule = "LOCK-08" if escaped else "LOCK-07"
    table.record(
        "escaped" if escaped else "held", "LOCK-06", rule, fighter=fighter, rivals=rivals, totals=totals
    )
    if escaped:
        table.record("left_group", "LOCK-08", "RULING-24", fighter=fighter)
        return
    table.record("turn_over", "LOCK-07", fighter=fighter)
    if not table.rulings["failed_escape_keeps_defence"]:
        table.record("defended", "RULING-22", fighter=fighter, ability="none")


@cite("LOCK-06", "RULING-21")
def _contest(table: Ring, fighter: str, rivals: list[str], step: str) -> Procedure[dict[str, int]]:
    """One roll of Speed by the escaper and these rivals; the faces are added up."""
    pools = tuple(pool(table, one, "speed", None) for one in (fighter, *rivals))
    text = Text("ask.break", {"fighter": fighter, "rivals": listed(rivals)})
    thrown = yield from roll(table, f"{step} break_lock_up", text, pools, "LOCK-06")
    return {name: sum(faces) for name, faces in thrown.items()}
