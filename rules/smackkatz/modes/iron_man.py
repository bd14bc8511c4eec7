"""The Iron Man match: most falls within one hour of play."""

from __future__ import annotations

from rules.engine.cite import cite
from rules.engine.request import REFEREE, Option, Procedure, Request
from rules.smackkatz.abilities import Ring
from rules.smackkatz.modes.sides import members, sides_left, win
from rules.smackkatz.modes.table import mode
from rules.text import Text, listed

HOUR_S = 3600.0
"""MODE-05: one hour of play."""


def runs_by_the_clock(table: Ring) -> bool:
    """Whether this match ends by time."""
    return mode(table.mode).fall == "scores"


@cite("MODE-05", "RULING-97")
def look_at_clock(table: Ring) -> Procedure[None]:
    """At the end of a turn: the clock, or the referee for it, says whether the hour is over."""
    if not runs_by_the_clock(table) or table.state.outcome is not None or _is_over(table):
        return
    options = (
        Option("play_on", Text("option.play_on"), rules=("MODE-05",)),
        Option("time_up", Text("option.time_up"), rules=("MODE-05",)),
    )
    sides = [Text("score.side", {"side": side, "falls": falls}) for side, falls in score(table).items()]
    text = Text("ask.time", {"score": listed(sides)})
    said = yield Request("choose", "Z5 time", REFEREE, text, options=options, rules=("MODE-05",))
    if said == "time_up":
        table.record("time_up", "MODE-05", seconds=HOUR_S)
        decide(table)


def _is_over(table: Ring) -> bool:
    return table.state.clock_s >= HOUR_S


def score(table: Ring) -> dict[str, int]:
    """Falls of each side still in the match, in roster order."""
    wrestlers = table.state.wrestlers
    return {side: sum(wrestlers[one].falls for one in members(table, side)) for side in sides_left(table)}


@cite("MODE-05", "RULING-97")
def decide(table: Ring) -> None:
    """Once the hour is over: the leader wins; a tie is a draw or, by house rule, goes to the next fall."""
    if not _is_over(table):
        return
    falls = score(table)
    leaders = [side for side, count in falls.items() if count == max(falls.values())]
    if len(leaders) == 1:
        win(table, leaders[0], "time", "MODE-05")
    elif table.rulings["iron_man_tie"] == "draw":
        table.record("match_over", "RULING-97", ending="draw", winners=[])
    else:
        table.record("sudden_death", "RULING-97", sides=leaders)
