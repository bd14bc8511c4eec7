"""What a match leaves for the next one (catalogue 8.3): titles, carried injuries, the result to keep."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules.engine.cite import cite
from rules.smackkatz.abilities import Ring
from rules.smackkatz.sheet import CARRIED
from rules.smackkatz.state import Wrestler

INJURY = 2
"""STATUS-62: so many wounds in one ability are an injury."""


@dataclass(frozen=True)
class League:
    """A finished match as a league keeps it.

    `sheets`: fighter -> what belongs on the sheet for the next match besides the ten abilities and the
    finisher: `edition`, `titles` and, after an injury, `carry_malus`. Wounds, Stamina and a used-up
    finisher stay behind in the match.
    """

    mode: str
    edition: str
    ending: str
    winners: tuple[str, ...]
    sheets: Mapping[str, Mapping[str, Any]]

    def to_json(self) -> dict[str, Any]:
        """Plain data for programs."""
        return {
            "mode": self.mode,
            "edition": self.edition,
            "ending": self.ending,
            "winners": list(self.winners),
            "sheets": {name: dict(sheet) for name, sheet in self.sheets.items()},
        }


@cite("LEAGUE-01", "LEAGUE-02", "LEAGUE-03", "STATUS-60", "STATUS-63", "SHEET-18", "PROP-16", "RULING-96")
def league(table: Ring, title: str = "") -> League | None:
    """The record of a match that is over; None while it goes on. `title` is what its winners have won.

    A new title's ability is left empty: its player chooses.
    """
    outcome = table.state.outcome
    if outcome is None:
        return None
    form = table.state.edition.form
    sheets = {}
    for name, wrestler in table.state.wrestlers.items():
        sheet: dict[str, Any] = {"edition": form.edition}
        titles = [dict(one) for one in wrestler.sheet.titles]
        if title and form.titles and name in outcome.winners:
            titles.append({"title": title, "ability": ""})
        if titles:
            sheet["titles"] = titles
        malus = injuries(wrestler) if form.carries_injuries else {}
        if malus:
            sheet["carry_malus"] = malus
        sheets[name] = sheet
    return League(table.mode, form.edition, outcome.ending, outcome.winners, sheets)


@cite("STATUS-63", "LEAGUE-02")
def injuries(wrestler: Wrestler) -> dict[str, int]:
    """What this match's injuries take from him in the next one; those he came with are over now."""
    return {ability: CARRIED for ability, count in wrestler.wounds.items() if count >= INJURY}
