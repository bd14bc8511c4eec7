"""The Strike (catalogue 4.4), and the automatic hit on the downed."""

from __future__ import annotations

from rules.engine.cite import cite
from rules.engine.request import Procedure
from rules.smackkatz.abilities import Ring, effective
from rules.smackkatz.attacks.exchange import counter_blow, declare, exchange
from rules.smackkatz.consequences.aftermath import settle
from rules.smackkatz.consequences.blow import finisher_damage, land
from rules.smackkatz.consequences.harm import lose_stamina
from rules.smackkatz.edition import Defence

__all__ = ["blow", "hit_downed", "land", "strike"]


@cite("STRIKE-01", "ATK-01")
def strike(table: Ring, attacker: str, target: str, step: str) -> Procedure[None]:
    """The Strike as the turn's attack."""
    yield from blow(table, attacker, target, step)


@cite("STRIKE-01", "STRIKE-02", "ATK-01", "ATK-02", "COUNTER-05", "COUNTER-06", "RULING-32", "RULING-41")
def blow(
    table: Ring, attacker: str, target: str, step: str, defended_by: Defence | None = "counter"
) -> Procedure[bool]:
    """Declare, roll, let the rival defend, compare, resolve. Returns whether it connected."""
    declare(table, attacker, target, "strike", "STRIKE-01")
    found = yield from exchange(table, attacker, target, "strike", step, defended_by=defended_by)
    before = table.state.wrestlers[target].stamina
    if found.net > 0:
        yield from land(table, attacker, target, found.net, step, found.faces)
    connected = found.net > 0
    if table.rulings["connects"] == "damage":
        hurt = before - table.state.wrestlers[target].stamina
        connected = hurt > finisher_damage(table, attacker, found.net)
    yield from counter_blow(table, found, step)
    return connected


@cite("STATUS-33", "FOUL-06", "FOUL-07", "FIN-10", "RULING-84", "RULING-85")
def hit_downed(table: Ring, attacker: str, target: str, step: str) -> Procedure[None]:
    """The one automatic hit on a knocked-down wrestler: Strength in Stamina, no dice, no defence."""
    unconscious = table.state.wrestlers[target].unconscious
    rule = "FOUL-06" if unconscious else "STATUS-33"
    declare(table, attacker, target, "hit_downed", rule)
    table.record("hit_while_down", rule, fighter=target, by=attacker)
    lose_stamina(table, target, effective(table, attacker, "strength"), rule)
    lose_stamina(table, target, finisher_damage(table, attacker), "FIN-10")
    yield from settle(table, step)
