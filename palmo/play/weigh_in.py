"""What the referee is reminded of before a match begins."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.markup import escape

from overlay.i18n import translate
from rules.engine.match import Match
from rules.smackkatz.book import SmackKatz
from rules.smackkatz.weigh_in import reminders


def show_reminders(match: Match[Any], lang: str, console: Console) -> None:
    """Print the rulebook's advice for the weigh-in, with its rules."""
    if not isinstance(match.rulebook, SmackKatz):
        return
    for text, rules in reminders():
        cited = escape("(" + ", ".join(rules) + ")")
        console.print(f"[dim]· {escape(translate(text, lang))} {cited}[/]")
