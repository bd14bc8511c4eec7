"""`palmo live`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from palmo.commands.common import FINE, EventOption, LangOption, language, say


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
    ] = 2000.0,
    setup: Annotated[
        bool,
        typer.Option(
            "--setup", help="Set the table up in the browser first; the event file is made or changed."
        ),
    ] = False,
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
    from palmo.live.serving import Door
    from palmo.live.session import run_live

    spoken = language(lang)

    def run(door: Door | None = None, on_start: Callable[[], None] = lambda: None) -> None:
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
            lang=spoken,
            door=door,
            on_start=on_start,
        )

    if setup:
        from palmo.setting_up.session import set_up_and_play

        set_up_and_play(source, event, host=host, port=port, lang=spoken, say=say, match=run)
    else:
        run()
    return FINE
