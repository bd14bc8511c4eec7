"""`palmo live`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from palmo.commands.common import FINE, EventOption, LangOption, language


def live(
    source: Annotated[
        str, typer.Option("--source", "-s", help="A camera number, a clip or an address.", show_default=False)
    ],
    event: EventOption,
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="Port of the pages; 0: any free one.")
    ] = 8080,
    host: Annotated[
        str, typer.Option("--host", help="Listen on this address; 0.0.0.0 lets phones in, with a key.")
    ] = "127.0.0.1",
    folder: Annotated[
        Path | None,
        typer.Option(
            "--folder", help="Match folder; an interrupted match in it goes on.", show_default="out/match-..."
        ),
    ] = None,
    record: Annotated[
        bool, typer.Option("--record", help="Record the pictures into the match folder.")
    ] = False,
    keep: Annotated[
        float, typer.Option("--keep", min=0, help="Minutes of pictures kept for `palmo review`; 0: none.")
    ] = 10.0,
    keep_mb: Annotated[
        float, typer.Option("--keep-mb", min=0, help="The most room they may take, in megabytes.")
    ] = 1000.0,
    loop: Annotated[
        bool,
        typer.Option("--loop", help="Play a clip again when it is over; the match and its time go on."),
    ] = False,
    seed: Annotated[
        int | None, typer.Option("--seed", help="Seed of the digital dice.", show_default="random")
    ] = None,
    lang: LangOption = None,
) -> int:
    """Run a match live: the picture with its overlay, a page for OBS, the match panel. Ctrl-C ends it."""
    from palmo.live.buffer import Limits
    from palmo.live.session import run_live

    run_live(
        source,
        event,
        host=host,
        port=port,
        folder=folder,
        record=record,
        limits=Limits(keep, keep_mb),
        loop=loop,
        seed=seed,
        lang=language(lang),
    )
    return FINE
