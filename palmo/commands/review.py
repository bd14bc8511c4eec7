"""`palmo review`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from palmo.commands.common import FINE, LangOption, language, notes, progress


def review(
    folder: Annotated[
        Path | None, typer.Argument(help="A match folder of palmo live.", show_default=False)
    ] = None,
    clip: Annotated[
        str | None, typer.Option("--clip", help="Review a clip instead; needs --event.", show_default=False)
    ] = None,
    event: Annotated[
        Path | None, typer.Option("--event", "-e", help="The event file of the clip.", show_default=False)
    ] = None,
    out: Annotated[
        Path, typer.Option("--out", "-o", help="The match folder that is made of the clip.")
    ] = Path("out/review"),
    session: Annotated[
        int | None, typer.Option("--session", min=1, help="Which start of palmo live.", show_default="newest")
    ] = None,
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="Port of the page; 0: any free one.")
    ] = 8090,
    host: Annotated[
        str, typer.Option("--host", help="Listen on this address; 0.0.0.0 lets tablets in, with a key.")
    ] = "127.0.0.1",
    lang: LangOption = None,
) -> int:
    """Settle a dispute on the recording: frame by frame, measured with anyone's palm, with a report.

    Ctrl-C ends it; everything is kept in the match folder.
    """
    from overlay.i18n import translate
    from palmo.errors import SaidError
    from palmo.pictures import frame_count
    from palmo.review.from_clip import folder_of_clip
    from palmo.review.serving import run_review
    from rules.text import Text

    spoken = language(lang)
    if (folder is None) == (clip is None):
        raise SaidError("error.review.which")
    if clip is not None and event is None:
        raise SaidError("error.review.clip_event")

    def say(line: str) -> None:
        notes().print(line, markup=False)

    if clip is not None and event is not None:
        with progress("Tracking", frame_count(clip)) as tick:
            made = folder_of_clip(clip, event, out, tick=tick)
        folder, session = out, int(made.name)
        say(translate(Text("review.folder", {"path": str(out)}), spoken))
    assert folder is not None
    run_review(folder, session=session, host=host, port=port, lang=spoken, say=say)
    return FINE
