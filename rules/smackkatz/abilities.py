"""Effective abilities and the pools rolled with them, every term with its rule (RULING-61)."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from rules.engine.cite import cite
from rules.engine.request import Modifier, Pool
from rules.engine.rulebook import Table
from rules.smackkatz.state import MatchState, Wrestler
from rules.text import Text

Ring = Table[MatchState]
"""The table of a SmackKatz match, as its procedures receive it."""

FATIGUED_AT = 10
"""FATIGUE-01."""
FINISHER_BONUS = 3
"""FIN-02."""


@lru_cache(maxsize=512)
def _term(key: str, value: int, rule: str) -> Modifier:
    return Modifier(Text(f"term.{key}"), value, rule)


@cite("STATUS-60", "STATUS-62", "STATUS-63", "RULING-62")
def _lasting(table: Ring, wrestler: Wrestler, ability: str) -> list[Modifier]:
    """The sheet's score and what lasts: wounds, injuries, with the floor of RULING-62."""
    score = wrestler.sheet.scores[ability]
    terms = [_term("sheet", score, "SHEET-21")]
    floor = min(int(table.rulings["ability_floor"]), score)
    lost = list(table.state.edition.wounds.terms(wrestler, ability, table.rulings))
    carried = wrestler.sheet.carry_malus.get(ability, 0)
    for term in (_term("carried_injury", carried, "STATUS-63"), *lost):
        value = max(term.value, floor - sum(one.value for one in terms))
        if value < 0:
            terms.append(replace(term, value=value))
    return terms


@cite("FATIGUE-01", "FATIGUE-02", "RULING-61", "PROP-01", "PROP-02")
def _capped(table: Ring, wrestler: Wrestler, ability: str, terms: list[Modifier]) -> None:
    """Cut the running total at the caps in force."""
    caps = []
    if table.rulings["absolute_ability_cap"] != "none":
        caps.append((int(table.rulings["absolute_ability_cap"]), "absolute_cap", "PROP-02"))
    in_scope = table.rulings["fatigue_scope"] == "all" or ability == "counter"
    if table.rulings["fatigue_cap"] != "off" and in_scope and wrestler.stamina <= FATIGUED_AT:
        caps.append((int(table.rulings["fatigue_cap"]), "fatigue", "FATIGUE-01"))
    for cap, key, rule in caps:
        over = sum(term.value for term in terms) - cap
        if over > 0:
            terms.append(_term(key, -over, rule))


@cite("FIN-02", "RULING-61", "RULING-73")
def _finishing(table: Ring, wrestler: Wrestler, ability: str, terms: list[Modifier]) -> None:
    """What an active finisher adds."""
    if wrestler.finisher_bonus and ability in table.state.edition.finisher.boosts:
        terms.append(_term("finisher", FINISHER_BONUS, "FIN-02"))


@cite("STATUS-22", "COUNTER-13")
def _momentary(table: Ring, wrestler: Wrestler, ability: str, terms: list[Modifier]) -> None:
    """What holds for the moment only; may bring a pool to 0."""
    if ability != "counter":
        return
    if wrestler.lying:
        terms.append(_term("lying", -1, "STATUS-22"))
    if wrestler.counters_used:
        terms.append(_term("counter_decay", -wrestler.counters_used, "COUNTER-13"))


def terms_of(table: Ring, fighter: str, ability: str) -> tuple[Modifier, ...]:
    """Every term of a wrestler's effective ability; their sum, at least 0, is the pool."""
    return _known_terms(table, fighter, ability)[0]


def _known_terms(table: Ring, fighter: str, ability: str) -> tuple[tuple[Modifier, ...], int]:
    """The terms and what they come to."""
    one = table.state.wrestlers[fighter]
    wounds, tired = tuple(one.wounds.items()), one.stamina <= FATIGUED_AT
    # All that the terms hang on, but for his sheet and the house rules.
    now = (terms_of, fighter, ability, wounds, tired, one.finisher_bonus, one.lying, one.counters_used)
    found: tuple[tuple[Modifier, ...], int] | None = table.constants.get(now)
    if found is None:
        terms = _terms(table, one, ability)
        found = table.constants[now] = (terms, max(0, sum(term.value for term in terms)))
    return found


def _terms(table: Ring, wrestler: Wrestler, ability: str) -> tuple[Modifier, ...]:
    terms = _lasting(table, wrestler, ability)
    # The finisher goes over the caps, unless the house has it otherwise (RULING-61).
    steps = (_capped, _finishing) if table.rulings["finisher_over_cap"] else (_finishing, _capped)
    for step in steps:
        step(table, wrestler, ability, terms)
    _momentary(table, wrestler, ability, terms)
    return tuple(terms)


def effective(table: Ring, fighter: str, ability: str) -> int:
    """The ability as it counts now."""
    return _known_terms(table, fighter, ability)[1]


def pool(
    table: Ring,
    fighter: str,
    ability: str,
    threshold: int | None = 4,
    extra: tuple[Modifier, ...] = (),
) -> Pool:
    """The dice of an ability roll: the sum of the effective ability's terms and the extra ones."""
    terms = (*terms_of(table, fighter, ability), *extra)
    return Pool(fighter, max(0, sum(term.value for term in terms)), 6, ability, threshold, terms)


def successes(faces: tuple[int, ...], threshold: int) -> int:
    """How many dice reach the threshold."""
    return sum(face >= threshold for face in faces)


def sixes(faces: tuple[int, ...]) -> int:
    """Criticals: natural sixes."""
    return sum(face == 6 for face in faces)


@cite("FATIGUE-01")
def fatigued(table: Ring, wrestler: Wrestler) -> bool:
    """Whether the fatigue cap is on for him."""
    return table.rulings["fatigue_cap"] != "off" and wrestler.stamina <= FATIGUED_AT


@cite("TURN-01", "STATUS-53", "STATUS-21")
def speed_left(table: Ring, fighter: str) -> int:
    """Speed points he has not spent this turn (an open block of movement not counted)."""
    return max(0, effective(table, fighter, "speed") - table.state.wrestlers[fighter].spent)
