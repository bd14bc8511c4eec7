"""`palmo doctor`."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from palmo.commands.common import FINDING, FINE, JsonOption, console, print_json

_MARKS = {"fine": "[green]fine   [/]", "note": "[yellow]note   [/]", "trouble": "[red]trouble[/]"}


def doctor(
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="The port palmo live would use.")
    ] = 8080,
    as_json: JsonOption = False,
) -> int:
    """Can this machine run a match? Camera, codecs, port, browser, speed, with the bundled clip.

    Exit code 1 when something would stop a match.
    """
    from rich.markup import escape

    from palmo.diagnosis import diagnose

    checks = []
    for check in diagnose(port):
        checks.append(check)
        if not as_json:
            console().print(f"{_MARKS[check.health]}  {check.name:<14} {escape(check.sentence)}")
    if as_json:
        print_json([asdict(check) for check in checks])
    return FINDING if any(check.health == "trouble" for check in checks) else FINE
