"""Sides of a match: a team, or a wrestler who fights alone."""

from __future__ import annotations

from rules.engine.cite import cite
from rules.smackkatz.abilities import Ring
from rules.smackkatz.state import Wrestler


def side(table: Ring, fighter: str) -> str:
    """His team, or himself when he fights alone."""
    return _side(table.state.wrestlers[fighter])


def _side(wrestler: Wrestler) -> str:
    return wrestler.team or wrestler.id


def members(table: Ring, of_side: str) -> list[str]:
    """Everybody of a side, those who went out included."""
    return [one for one in table.state.wrestlers if side(table, one) == of_side]


def sides_left(table: Ring) -> list[str]:
    """The sides with somebody still in the match, in roster order."""
    return list(dict.fromkeys([_side(one) for one in table.state.remaining]))


@cite("MODE-08")
def win(table: Ring, winning: str, ending: str, *rules: str) -> None:
    """The match is over: everybody of that side has won, those who went out included."""
    table.record("match_over", *dict.fromkeys(rules), ending=ending, winners=members(table, winning))
