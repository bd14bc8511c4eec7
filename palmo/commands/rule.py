"""`palmo match rule`."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.markup import escape

from palmo.commands.common import FINE, JsonOption, LangOption, console, language, print_json


def rule(
    wanted: Annotated[str, typer.Argument(metavar="ID", help="Its id, as in STRIKE-06 or RULING-37.")],
    edition: Annotated[
        str, typer.Option("--edition", help="The edition of the rules: current or earlier.")
    ] = "current",
    lang: LangOption = None,
    as_json: JsonOption = False,
) -> int:
    """Say what a rule means, which house rules belong to it and which rulings settle its doubts."""
    from overlay.rule_sheet import rule_view
    from palmo.play.asked import asked, sheet_lines
    from palmo.play.rulebooks import edition_of

    spoken = language(lang)
    found = asked(wanted, edition_of(edition))
    if as_json:
        print_json(rule_view(found, spoken))
        return FINE
    out = console()
    for line, style in sheet_lines(found, spoken):
        out.print(escape(line), style=style)
    return FINE
