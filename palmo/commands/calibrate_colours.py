"""`palmo calibrate colours`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from palmo.commands.common import (
    FINDING,
    FINE,
    EventOption,
    HostOption,
    JsonOption,
    LangOption,
    PortOption,
    console,
    language,
    notes,
    print_json,
    say,
)


def colours(
    event: EventOption,
    source: Annotated[
        str,
        typer.Option("--source", "-s", help="A photo, clip, camera number or address.", show_default=False),
    ],
    at: Annotated[
        list[str] | None,
        typer.Option(
            "--at", help="Point at a fighter: F1=u,v. Written into the event file.", show_default=False
        ),
    ] = None,
    picture: Annotated[
        Path | None, typer.Option("--picture", help="Write the picture of what would be mixed up.")
    ] = None,
    page: Annotated[bool, typer.Option("--page", help="Point at the fighters in the browser.")] = False,
    port: PortOption = 8080,
    host: HostOption = "127.0.0.1",
    as_json: JsonOption = False,
    lang: LangOption = None,
) -> int:
    """Rate the fighters' colours under this light: which ones, and which of mat and table, would be mixed up.

    Exit code 1 when two cannot be told apart.
    """
    from overlay.i18n import translate
    from palmo.calibrating.colours import colours_report
    from palmo.calibrating.pointing import boxed, pointed, write_boxes
    from palmo.outputs import keep_apart
    from palmo.pictures import write_picture
    from palmo.setting_up.session import serve_setup
    from palmo.workbench import open_workbench
    from rules.text import Text

    spoken = language(lang)
    if page:
        serve_setup([source], event, ("fighters",), host=host, port=port, lang=spoken, say=say)
        return FINE
    keep_apart({"source": source, "event": str(event)}, {"--picture": picture})
    points = [pointed(one) for one in at or []]
    with open_workbench(source, event, boxed(event, points)) as bench:
        report = colours_report(bench)
        if picture is not None:
            write_picture(picture, report.picture(bench.first.image, spoken))
    if points:
        # Only now: a live loop that watches the file never sees a box that is refused.
        write_boxes(event, points)
    if as_json:
        print_json(report.to_json())
    else:
        for line in report.lines():
            console().print(translate(line, spoken), markup=False)
    if picture is not None:
        notes().print(
            translate(Text("ring.check", {"path": str(picture)}), spoken), style="dim", markup=False
        )
    return FINDING if report.verdict == "same" else FINE
