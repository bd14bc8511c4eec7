"""S2: the unconscious recover and roll to wake; who fails too often is out for good."""

from __future__ import annotations

from rules.engine.cite import cite
from rules.engine.request import Pool, Procedure
from rules.smackkatz.abilities import Ring, effective
from rules.smackkatz.asking import roll
from rules.smackkatz.attacks.pin import woke
from rules.smackkatz.consequences.harm import gain_stamina
from rules.smackkatz.modes.endings import eliminate_together, settle_endings
from rules.text import Text


@cite("STATUS-04", "STATUS-05", "CHECK-04", "WIN-04", "RULING-77", "RULING-102")
def wake_ups(table: Ring) -> Procedure[None]:
    """Everybody who is out cold (by house rule the helpless too) rolls; the knock-out counts end together."""
    knocked_out = []
    for wrestler in [one for one in table.state.playing if one.unconscious or one.helpless]:
        if not wrestler.checked and (yield from _check(table, wrestler.id)):
            knocked_out.append(wrestler.id)
    eliminate_together(table, knocked_out, "knockout", "WIN-04")
    if knocked_out:
        yield from settle_endings(table, "S2")


@cite("STATUS-02", "CHECK-01", "CHECK-02", "CHECK-03", "WIN-04", "RULING-76", "RULING-77")
def _check(table: Ring, fighter: str) -> Procedure[bool]:
    """Recovery, then the stamina check. True when a failure was the last one allowed."""
    wrestler, checks = table.state.wrestlers[fighter], table.state.edition.checks
    if wrestler.unconscious and not wrestler.recovered:
        points = checks.recovery(lambda ability: effective(table, fighter, ability))
        gain_stamina(table, fighter, points, "STATUS-02")
    base = wrestler.stamina + (effective(table, fighter, "resistance") if checks.wake_resistance else 0)
    text = Text("ask.wake", {"fighter": fighter, "base": base})
    thrown = yield from roll(table, "S2 stamina_check", text, (Pool(fighter, 1, 10),), "CHECK-01")
    total = base + thrown[fighter][0]
    if total > 0:
        kind = "woke" if wrestler.unconscious else "no_longer_helpless"
        table.record(kind, "CHECK-02", "STATUS-04", fighter=fighter, total=total)
        woke(table, fighter)
        return False
    if not wrestler.unconscious:
        return False
    failed = wrestler.failed_checks + 1
    table.record("check_failed", "CHECK-01", fighter=fighter, total=total, count=failed)
    return bool(table.rulings["knockout_counts"] and failed >= table.rulings["knockout_count"])
