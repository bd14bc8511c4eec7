"""Hits that land (catalogue 4.4): Strength dice, Stamina, criticals."""

from __future__ import annotations

from rules.engine.cite import cite
from rules.engine.request import Modifier, Procedure
from rules.smackkatz.abilities import Ring, effective, pool, sixes
from rules.smackkatz.asking import roll
from rules.smackkatz.consequences.aftermath import settle, struck
from rules.smackkatz.consequences.harm import knock_down, lose_stamina
from rules.text import Text

STRENGTH_THRESHOLD = 4
"""STRIKE-04: no 3+ bonus on damage."""
FINISHER_DAMAGE = 3
"""FIN-10."""


@cite(
    "STRIKE-03", "STRIKE-04", "STRIKE-05", "STRIKE-06", "STRIKE-08", "STRIKE-09", "FIN-10", "FIN-11",
    "RULING-37", "RULING-38", "RULING-40", "RULING-73", "COUNTER-10", "LOG-07", "LOG-17", "LOG-20",
)  # fmt: skip
def land(
    table: Ring, attacker: str, target: str, hits: int, step: str, strike_dice: tuple[int, ...]
) -> Procedure[None]:
    """Damage of so many hits: Strength dice, at most ten; two sixes knock down, three also wound.

    `strike_dice` are the faces of the attack roll (empty for a counter blow, which has none).
    """
    dice = pool(table, attacker, "strength", STRENGTH_THRESHOLD, _per_hit(table, attacker, hits))
    text = Text("ask.strength", {"fighter": attacker, "target": target, "hits": hits})
    thrown = yield from roll(table, step, text, (dice,), "STRIKE-03", "STRIKE-09")
    faces = thrown[attacker]
    damage = sum(face in (4, 5) for face in faces) + 2 * sixes(faces)
    lose_stamina(table, target, damage, "STRIKE-04" if not sixes(faces) else "STRIKE-05")
    bonus = finisher_damage(table, attacker, hits)
    lose_stamina(table, target, bonus, "FIN-10")
    damage += bonus
    yield from struck(table, attacker, target, step, damage)
    counted = strike_dice if table.rulings["knockdown_criticals"] == "strike_dice" and strike_dice else faces
    criticals = sixes(counted)
    down_from = 2 if table.rulings["three_criticals"] == "knockdown_and_wound" or criticals == 2 else 99
    if criticals >= down_from and table.state.outcome is None:
        yield from knock_down(table, target, attacker, step)
    if criticals >= 3 and table.state.wrestlers[target].playing and table.state.outcome is None:
        yield from table.state.edition.wounds.inflict(table, target, attacker, step)
    if bonus and table.state.outcome is None:
        fell(table, target)
    yield from settle(table, step)


@cite("FIN-10", "RULING-73", "LOG-17")
def finisher_damage(table: Ring, attacker: str, hits: int = 1) -> int:
    """What an active finisher adds to a connecting attack: three, once (by house rule for each hit)."""
    if not table.state.wrestlers[attacker].finisher_bonus:
        return 0
    return FINISHER_DAMAGE * (hits if table.rulings["finisher_damage"] == "per_hit" else 1)


@cite("FIN-10", "FIN-11", "RULING-73")
def finisher_mark(table: Ring, attacker: str, target: str) -> None:
    """What a finisher adds to an attack without Strength dice, such as a whip: three, and the fall."""
    bonus = finisher_damage(table, attacker)
    if bonus and table.state.wrestlers[target].playing:
        lose_stamina(table, target, bonus, "FIN-10")
        fell(table, target)


@cite("FIN-11")
def fell(table: Ring, target: str) -> None:
    """A finishing attack leaves him lying, unless he is worse off already (where the edition says so)."""
    wrestler = table.state.wrestlers[target]
    if table.state.edition.finisher.fells and wrestler.playing and wrestler.upright:
        table.record("fell", "FIN-11", fighter=target)
        if table.state.group_of(target):
            table.record("left_group", "FIN-11", fighter=target)


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
