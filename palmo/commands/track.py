"""`palmo track`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from palmo.commands.common import (
    FINE,
    EventOption,
    JsonOption,
    LangOption,
    console,
    language,
    notes,
    print_json,
    progress,
)


def track(
    clip: Annotated[str, typer.Argument(help="A video file or a folder of pictures.", show_default=False)],
    event: EventOption,
    out: Annotated[Path, typer.Option("--out", "-o", help="Where the tracks go.")] = Path("out/tracks.jsonl"),
    video: Annotated[Path | None, typer.Option("--video", help="Write the annotated video here.")] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Say per frame which gate refused what.")
    ] = False,
    as_json: JsonOption = False,
    lang: LangOption = None,
) -> int:
    """Follow the fighters through a recording and judge every move."""
    from overlay.i18n import translate
    from palmo.errors import said
    from palmo.judging import headline
    from palmo.outputs import keep_apart
    from palmo.pictures import frame_count
    from palmo.ring_file import save_ring
    from palmo.tracking import legend, save_tracks, track_recording, write_video
    from rules.text import Text

    spoken = language(lang)
    keep_apart({"clip": clip, "event": event}, {"--out": out, "--video": video})
    total = frame_count(clip)
    with progress("Tracking", total) as tick:
        tracked = track_recording(clip, event, tick=tick)
    save_tracks(out, tracked.frames)
    ring = tracked.bench.ring_warning
    warnings = [said(warning) for warning in tracked.warnings]
    save_ring(out, tracked.bench.check.verdict, ring, warnings)
    if video is not None:
        with progress("Drawing", total) as tick:
            write_video(tracked, clip, video, spoken, tick=tick)
    if ring is not None:
        notes().print(f"palmo: {translate(ring, spoken)}", markup=False)
    for warning in warnings:
        notes().print(f"palmo: {translate(warning, spoken)}", markup=False)
    if as_json:
        refused = {"explain": [one.to_json() for one in tracked.explanations]}
        print_json(tracked.to_json() | {"out": str(out)} | (refused if explain else {}))
        return FINE
    for one in tracked.explanations if explain else ():
        console().print(str(one), markup=False)
    for text in legend(tracked.explanations) if explain else ():
        console().print(translate(text, spoken), markup=False)
    counts = {"frames": len(tracked.frames), "fighters": len(tracked.bench.event.fighter)}
    done = Text("track.done", {**counts, "path": str(out)})
    console().print(translate(done, spoken), markup=False)
    for judgement in tracked.judgements:
        console().print(translate(headline(judgement), spoken), markup=False)
    if video is not None:
        console().print(translate(Text("track.video", {"path": str(video)}), spoken), markup=False)
    return FINE
