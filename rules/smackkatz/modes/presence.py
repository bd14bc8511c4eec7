"""Who comes in at the start of a turn: the beaten of an Iron Man match, late entrants of a Rumble."""

from __future__ import annotations

from rules.engine.cite import cite
from rules.smackkatz.abilities import Ring
from rules.smackkatz.modes.table import mode
from rules.smackkatz.state import START_STAMINA, MatchState

FIRST_ENTRANTS = 2
"""RULING-99, staggered: so many begin, then one more comes in each turn."""


@cite("MODE-06", "RULING-97", "RULING-99")
def arrivals(table: Ring) -> None:
    """Whoever has sat out long enough takes part again, from where his figure was left."""
    for wrestler in table.state.remaining:
        if wrestler.sits_out is None or table.state.turn <= wrestler.sits_out:
            continue
        if mode(table.mode).fall == "scores":
            stamina = half_stamina(wrestler.stamina, str(table.rulings["iron_man_stamina"]))
            table.record("returned", "MODE-06", "RULING-97", fighter=wrestler.id, stamina=stamina)
        else:
            table.record("made_entrance", "RULING-99", fighter=wrestler.id)


@cite("MODE-06", "RULING-97")
def half_stamina(current: int, reading: str) -> int:
    """Half of the starting value, or half of what he has (rounded towards 0)."""
    return START_STAMINA // 2 if reading == "half_of_start" else int(current / 2)


@cite("MODE-09", "RULING-99")
def stagger(state: MatchState) -> None:
    """Let two begin and the others come in one by one, in the order of the roster."""
    for turn, wrestler in enumerate(list(state.wrestlers.values())[FIRST_ENTRANTS:], start=1):
        wrestler.sits_out = turn
