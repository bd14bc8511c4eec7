"""`palmo calibrate`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from palmo.commands.common import (
    FINDING,
    FINE,
    EventOption,
    JsonOption,
    LangOption,
    console,
    language,
    notes,
    print_json,
)

app = typer.Typer(help="Calibrate and check: how good is the camera over the ring?", no_args_is_help=True)


@app.callback()
def _calibrate() -> None:
    """Keep `ring` a sub-command."""


@app.command("ring")
def ring(
    source: Annotated[
        str, typer.Argument(help="A photo, clip, camera number or address.", show_default=False)
    ],
    event: EventOption,
    picture: Annotated[
        Path | None,
        typer.Option("--picture", help="Write the picture with the ring drawn on it, to check by eye."),
    ] = None,
    as_json: JsonOption = False,
    lang: LangOption = None,
) -> int:
    """Solve the camera from the event file's corners and post tops, and check it on what was left out.

    Exit code 1 when the verdict is "redo".
    """
    from overlay.i18n import translate
    from palmo.event import load_event
    from palmo.outputs import keep_apart
    from palmo.pictures import first_picture, write_picture
    from palmo.ring_report import ring_report

    spoken = language(lang)
    keep_apart({"the source": source, "the event file": event}, {"--picture": picture})
    image = first_picture(source)
    report = ring_report(event, load_event(event), image)
    if as_json:
        print_json(report.to_json())
    else:
        for line in report.lines():
            console().print(translate(line, spoken), markup=False)
    if picture is not None:
        write_picture(picture, report.picture(image))
        notes().print(f"[dim]Check picture: {picture}[/dim]")
    return FINDING if report.check.verdict == "redo" else FINE
