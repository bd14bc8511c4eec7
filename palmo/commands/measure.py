"""`palmo measure`."""

from __future__ import annotations

import math
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


def measure(
    tracks: Annotated[Path, typer.Option("--tracks", help="What `palmo track` wrote.", show_default=False)],
    event: EventOption,
    fighter: Annotated[
        str, typer.Option("--fighter", "-f", help="The fighter's id or name.", show_default=False)
    ],
    start: Annotated[
        float, typer.Option("--from", help="A time before the move, in seconds.", show_default=False)
    ],
    end: Annotated[
        float, typer.Option("--to", help="A time after the move, in seconds.", show_default=False)
    ],
    allow: Annotated[
        float | None,
        typer.Option("--allow", min=0, help="Palms allowed.", show_default="judge by the Speed on its sheet"),
    ] = None,
    as_json: JsonOption = False,
    lang: LangOption = None,
) -> int:
    """Measure one move in centimetres and in the palms of the fighter's player, and judge it.

    A position is the average of the whole stretch in which the fighter stood around that time.
    Exit code 1 when the move is beyond what is allowed or too close to call.
    """
    from overlay.i18n import translate
    from palmo.errors import SaidError
    from palmo.event import load_event
    from palmo.judging import as_json as plain
    from palmo.judging import fighter_called, judge, sentences, stillness
    from palmo.read_tracks import tracks_of
    from palmo.ring_file import load_doubts, load_warning
    from palmo.stays import Move, stay_at

    spoken = language(lang)
    if end <= start:
        raise SaidError("error.measure.order", end=end, start=start)
    if allow is not None and not math.isfinite(allow):
        raise SaidError("error.measure.allow", allow=allow)
    setup = load_event(event)
    frames = tracks_of(setup, tracks)
    who = fighter_called(setup, fighter).id
    move = Move(stay_at(frames, who, start), stay_at(frames, who, end))
    judgement = judge(setup, move, allow_palms=allow)
    ring = load_warning(tracks)
    for warning in [*([] if ring is None else [ring]), *load_doubts(tracks, who)]:
        notes().print(f"palmo: {translate(warning, spoken)}", markup=False)
    if as_json:
        print_json(plain(judgement))
    else:
        said = sentences(judgement)
        if move.still:
            said = (stillness(judgement, start, end), *said[1:])
        for text in said:
            console().print(translate(text, spoken), markup=False)
    return FINE if judgement.ruling.verdict == "within" else FINDING
