"""The Strike (catalogue 4.3 and 4.4) with its reaction window, and the automatic hit on the downed."""

from __future__ import annotations

from rules.engine.cite import cite
from rules.engine.request import Modifier, Procedure
from rules.smackkatz import sight
from rules.smackkatz.abilities import Ring, effective, pool, sixes, successes
from rules.smackkatz.asking import roll
from rules.smackkatz.attacks.counter import defend
from rules.smackkatz.consequences.harm import knock_down, lose_stamina, wound
from rules.smackkatz.modes.endings import check_endings
from rules.text import Text

THRESHOLD = 4
"""STRIKE-01."""
LOCKED_THRESHOLD = 3
"""STRIKE-02, COUNTER-04."""


@cite("STRIKE-02", "COUNTER-04", "RULING-18", "RULING-106")
def threshold(table: Ring, a: str, b: str) -> int:
    """What a die must show between these two: 3 inside their lock-up while still adjacent, else 4."""
    group = table.state.group_of(a)
    if b not in group or not sight.adjacent(table, a, b).answer:
        return THRESHOLD
    bonus = len(group) == 2 or table.rulings["melee_threshold_bonus"]
    return LOCKED_THRESHOLD if bonus else THRESHOLD


@cite("STRIKE-01", "STRIKE-02", "ATK-01", "ATK-02", "COUNTER-05", "COUNTER-06", "RULING-32")
def strike(table: Ring, attacker: str, target: str, step: str) -> Procedure[None]:
    """Declare, roll, let the rival defend, compare, resolve."""
    table.record("attacked", "STRIKE-01", fighter=attacker, target=target, action="strike")
    needed = threshold(table, attacker, target)
    rule = "STRIKE-02" if needed == LOCKED_THRESHOLD else "STRIKE-01"
    dice = pool(table, attacker, "strike", needed)
    text = Text("ask.strike", {"fighter": attacker, "target": target, "threshold": needed})
    thrown = yield from roll(table, step, text, (dice,), rule)
    hits = successes(thrown[attacker], needed)
    if hits == 0:
        table.record("missed", "STRIKE-01", fighter=attacker, target=target)
        return
    net, blow = yield from defend(table, attacker, target, hits, needed, step)
    if net > 0:
        yield from land(table, attacker, target, net, step, thrown[attacker])
    if blow > 0:
        table.record("counter_blow", "COUNTER-10", "RULING-67", fighter=target, target=attacker, hits=blow)
        yield from land(table, target, attacker, blow, step, ())


@cite(
    "STRIKE-03", "STRIKE-04", "STRIKE-05", "STRIKE-06", "STRIKE-08", "STRIKE-09",
    "RULING-37", "RULING-38", "RULING-40", "COUNTER-10",
)  # fmt: skip
def land(
    table: Ring, attacker: str, target: str, hits: int, step: str, strike_dice: tuple[int, ...]
) -> Procedure[None]:
    """Damage of so many hits: Strength dice, at most ten; two sixes knock down, three also wound."""
    dice = pool(table, attacker, "strength", THRESHOLD, _per_hit(table, attacker, hits))
    text = Text("ask.strength", {"fighter": attacker, "target": target, "hits": hits})
    thrown = yield from roll(table, step, text, (dice,), "STRIKE-03", "STRIKE-09")
    faces = thrown[attacker]
    damage = sum(face in (4, 5) for face in faces) + 2 * sixes(faces)
    lose_stamina(table, target, damage, "STRIKE-04" if not sixes(faces) else "STRIKE-05")
    counted = strike_dice if table.rulings["knockdown_criticals"] == "strike_dice" and strike_dice else faces
    criticals = sixes(counted)
    down_from = 2 if table.rulings["three_criticals"] == "knockdown_and_wound" or criticals == 2 else 99
    check_endings(table)
    if criticals >= down_from:
        yield from knock_down(table, target, attacker, step)
    if criticals >= 3 and table.state.wrestlers[target].playing and table.state.outcome is None:
        yield from wound(table, target, step)


@cite("STRIKE-03", "STRIKE-09", "RULING-40", "LOG-13")
def _per_hit(table: Ring, attacker: str, hits: int) -> tuple[Modifier, ...]:
    """The Strength dice of the hits after the first, and what the ceiling of ten takes away again."""
    strength = effective(table, attacker, "strength")
    terms = []
    if hits > 1:
        terms.append(Modifier(Text("term.more_hits", {"hits": hits}), strength * (hits - 1), "STRIKE-03"))
    cap = table.rulings["strength_dice_cap"]
    if cap != "none" and strength * hits > cap:
        terms.append(Modifier(Text("term.dice_cap"), int(cap) - strength * hits, "STRIKE-09"))
    return tuple(terms)


@cite("STATUS-33", "FOUL-06", "FOUL-07", "RULING-84", "RULING-85")
def hit_downed(table: Ring, attacker: str, target: str) -> None:
    """The one automatic hit on a knocked-down wrestler: Strength in Stamina, no dice, no defence."""
    unconscious = table.state.wrestlers[target].unconscious
    rule = "FOUL-06" if unconscious else "STATUS-33"
    table.record("attacked", rule, fighter=attacker, target=target, action="hit_downed")
    table.record("hit_while_down", rule, fighter=target, by=attacker)
    lose_stamina(table, target, effective(table, attacker, "strength"), rule)
    check_endings(table)
