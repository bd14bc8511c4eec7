"""What to write into the sheets for the next match, read from a finished one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.markup import escape

from overlay.i18n import translate
from rules.engine.match import Match
from rules.roster import Roster
from rules.smackkatz.book import SmackKatz
from rules.smackkatz.modes.league import League, league
from rules.text import Text, listed


def league_of(match: Match[Any], title: str = "") -> League | None:
    """The match as a league keeps it; None while it goes on or for a rulebook that carries nothing over."""
    return league(match.table, title) if isinstance(match.rulebook, SmackKatz) else None


def show_league(kept: League, roster: Roster, lang: str, console: Console) -> None:
    """Print the result and, fighter by fighter, the lines of `[fighter.sheet]` for the next match."""

    def say(text: Text) -> None:
        console.print(escape(translate(text, lang)))

    names = {entrant.id: entrant.name for entrant in roster.entrants}
    winners = listed([names[one] for one in kept.winners]) or Text("league.nobody")
    ending = Text(f"ending.{kept.ending}")
    say(Text("league.result", {"mode": Text(f"mode.{kept.mode}"), "ending": ending, "winners": winners}))
    say(Text("league.sheets"))
    for name, sheet in kept.sheets.items():
        console.print(escape(f"# {name}, {names[name]}"), style="bold")
        for line in sheet_lines(sheet):
            console.print(escape(line))
    if any(not title["ability"] for sheet in kept.sheets.values() for title in sheet.get("titles", ())):
        say(Text("league.title"))


def sheet_lines(sheet: Mapping[str, Any]) -> list[str]:
    """A sheet's carried entries as lines of TOML."""
    return [f"{key} = {_toml(value)}" for key, value in sheet.items()]


def _toml(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {_toml(one)}" for key, one in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(_toml(one) for one in value) + "]"
    return json.dumps(value, ensure_ascii=False)
