"""`palmo doctor`."""

from __future__ import annotations

from typing import Annotated

import typer

from palmo.commands.common import FINDING, FINE, JsonOption, LangOption, console, language, print_json

_COLOURS = {"fine": "green", "note": "yellow", "trouble": "red"}


def doctor(
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="The port palmo live would use.")
    ] = 8080,
    as_json: JsonOption = False,
    lang: LangOption = None,
) -> int:
    """Can this machine run a match? Camera, codecs, port, browser, speed, with the bundled clip.

    Exit code 1 when something would stop a match.
    """
    from rich.markup import escape

    from overlay.i18n import translate
    from palmo.diagnosis import diagnose
    from rules.text import Text

    spoken, checks = language(lang), []
    for check in diagnose(port):
        checks.append(check)
        if not as_json:
            mark, name = (
                translate(Text(f"doctor.{key}"), spoken)
                for key in (f"health.{check.health}", f"name.{check.name.replace(' ', '_')}")
            )
            colour, found = _COLOURS[check.health], escape(translate(check.text, spoken))
            console().print(f"[{colour}]{mark:<8}[/] {name:<16} {found}")
    if as_json:
        print_json([check.to_json(spoken) for check in checks])
    return FINDING if any(check.health == "trouble" for check in checks) else FINE
