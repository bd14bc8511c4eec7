"""What a blow does: Stamina, knock-down, the fall to ringside, wounds, unconsciousness, elimination."""

from __future__ import annotations

from rules.engine.cite import cite
from rules.engine.request import Procedure
from rules.smackkatz import sight
from rules.smackkatz.abilities import Ring
from rules.smackkatz.consequences import landing
from rules.smackkatz.modes.endings import check_endings


@cite("STATUS-01", "STATUS-03", "STATUS-08", "RULING-75", "RULING-76", "SHEET-21")
def lose_stamina(table: Ring, fighter: str, points: int, rule: str) -> None:
    """Take Stamina away; a loss that leaves -10 or less knocks out (the threshold is a ruling)."""
    wrestler = table.state.wrestlers[fighter]
    if points <= 0:
        return
    left = wrestler.stamina - points
    if table.rulings["stamina_floor"] != "none":
        left = max(left, int(table.rulings["stamina_floor"]))
    table.record("stamina_lost", rule, fighter=fighter, points=wrestler.stamina - left, to=left)
    if left <= table.rulings["knockout_threshold"] and not wrestler.unconscious:
        table.record("knocked_out", "STATUS-01", "STATUS-08", fighter=fighter)
        leave_group(table, fighter, "STATUS-03")
    elif left < 0 and table.rulings["helpless_when"] == "negative" and not wrestler.unconscious:
        table.record("helpless", "STATUS-03", "RULING-75", fighter=fighter)
        leave_group(table, fighter, "STATUS-03")


@cite("SHEET-21", "RULING-76")
def gain_stamina(table: Ring, fighter: str, points: int, rule: str) -> None:
    """Give Stamina back, up to the ceiling."""
    wrestler = table.state.wrestlers[fighter]
    ceiling = table.rulings["stamina_ceiling"]
    to = wrestler.stamina + points
    to = to if ceiling == "none" else max(wrestler.stamina, min(to, int(ceiling)))
    if to > wrestler.stamina:
        table.record("stamina_gained", rule, fighter=fighter, points=to - wrestler.stamina, to=to)


def leave_group(table: Ring, fighter: str, rule: str) -> None:
    """Take him out of his lock-up or melee, if he is in one."""
    if table.state.group_of(fighter):
        table.record("left_group", rule, fighter=fighter)


@cite("STRIKE-06", "STRIKE-07", "STATUS-30", "STATUS-32", "RULING-39", "RULING-86")
def knock_down(table: Ring, fighter: str, causer: str, step: str) -> Procedure[None]:
    """Put him down with a red card; next to the ropes he falls out to ringside."""
    wrestler = table.state.wrestlers[fighter]
    if not wrestler.unconscious:
        table.record("knocked_down", "STRIKE-06", "STATUS-30", "STATUS-32", fighter=fighter)
    leave_group(table, fighter, "STATUS-30")
    if wrestler.at_ringside or not table.state.edition.knockdown_falls_out:
        return
    near = yield from sight.settle(table, sight.on_ropes(table, fighter), step)
    if near:
        table.record("fell_to_ringside", "STRIKE-07", "RULING-39", fighter=fighter)
        yield from landing.put_outside(table, fighter, causer, step)
        lose_stamina(table, fighter, int(table.rulings["strike_ringside_damage"]), "RULING-39")
        check_endings(table)
