"""`palmo calibrate palm`."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from palmo.commands.common import (
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


class Side(StrEnum):
    """A hand."""

    left = "left"
    right = "right"


def palm(
    event: EventOption,
    photo: Annotated[
        list[str],
        typer.Option(
            "--photo",
            "--source",
            "-s",
            help="A picture, clip or camera; several for several placements.",
            show_default=False,
        ),
    ],
    player: Annotated[
        str | None,
        typer.Option(
            "--player",
            help="Whose hand it is: the id in the event file.",
            show_default="needed but for --page",
        ),
    ] = None,
    tip: Annotated[
        list[str] | None,
        typer.Option(
            "--tip",
            help="An end as u,v in pixels, two per picture: thumb, then little finger. Left out, the hand is "
            "looked for.",
            show_default=False,
        ),
    ] = None,
    closed: Annotated[
        bool, typer.Option("--closed", help="The closed hand (half a palm): across its fingers.")
    ] = False,
    hand: Annotated[
        Side | None,
        typer.Option("--hand", help="Which hand, to be noted down.", show_default="as it looks, palm down"),
    ] = None,
    picture: Annotated[
        Path | None, typer.Option("--picture", help="Write the pictures with what was measured.")
    ] = None,
    dry: Annotated[bool, typer.Option("--dry", help="Measure only; leave the event file as it is.")] = False,
    page: Annotated[
        bool, typer.Option("--page", help="Lay, tap and check all hands in the browser instead.")
    ] = False,
    port: PortOption = 8080,
    host: HostOption = "127.0.0.1",
    as_json: JsonOption = False,
    lang: LangOption = None,
) -> int:
    """Measure a player's hand laid on the mat, and write it into the event file.

    Lay it down three times, stretched as far as it goes; then once more with --closed, fingers together.
    """
    from overlay.i18n import translate
    from palmo.calibrating.palms import measure_palm, write_palm
    from palmo.calibrating.pointing import pixel
    from palmo.errors import SaidError
    from palmo.outputs import keep_apart
    from palmo.pictures import write_picture
    from palmo.setting_up.session import serve_setup
    from rules.text import Text

    spoken = language(lang)
    if page:
        serve_setup(photo, event, ("hands",), host=host, port=port, lang=spoken, say=say)
        return FINE
    if player is None or not player.strip():
        raise SaidError("error.palm.whose")
    keep_apart({"event": str(event), "source": photo}, {"--picture": picture})
    tips = [pixel(one) for one in tip or []]
    report = measure_palm(
        event, player, photo, tips, "closed" if closed else "open", None if hand is None else hand.value
    )
    if picture is not None:
        write_picture(picture, report.picture(spoken))
    if as_json:
        print_json(report.to_json())
    else:
        for line in report.lines():
            console().print(translate(line, spoken), markup=False)
    if picture is not None:
        notes().print(
            translate(Text("ring.check", {"path": str(picture)}), spoken), style="dim", markup=False
        )
    if not dry:
        write_palm(event, report)
        notes().print(
            translate(Text("palm.written", {"path": str(event)}), spoken), style="dim", markup=False
        )
    return FINE
