"""Sides of a match: a team, or a wrestler who fights alone."""

from __future__ import annotations

from rules.engine.cite import cite
from rules.smackkatz.abilities import Ring


def side(table: Ring, fighter: str) -> str:
    """His team, or himself when he fights alone."""
    return table.state.wrestlers[fighter].team or fighter


def members(table: Ring, of_side: str) -> list[str]:
    """Everybody of a side, those who went out included."""
    return [one for one in table.state.wrestlers if side(table, one) == of_side]


def sides_left(table: Ring) -> list[str]:
    """The sides with somebody still in the match, in roster order."""
    return list(dict.fromkeys(side(table, one.id) for one in table.state.remaining))


@cite("MODE-08")
def win(table: Ring, winning: str, ending: str, *rules: str) -> None:
    """The match is over: everybody of that side has won, those who went out included."""
    table.record("match_over", *dict.fromkeys(rules), ending=ending, winners=members(table, winning))
