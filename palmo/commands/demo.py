"""`palmo demo`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from palmo.commands.common import FINE, LangOption, console, language, progress


def demo(
    out: Annotated[Path, typer.Option("--out", "-o", help="Where the results go.")] = Path("out"),
    serve: Annotated[
        bool | None,
        typer.Option(
            "--serve/--no-serve", help="Keep the live pages open.", show_default="when at a terminal"
        ),
    ] = None,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port of the live pages.")] = 8080,
    lang: LangOption = None,
) -> int:
    """The bundled clip through everything: calibration, video, four verdicts, live pages. Needs no camera."""
    from overlay.i18n import translate
    from palmo.demo_files import DEMO_CLIP, DEMO_EVENT
    from palmo.event import load_event
    from palmo.judging import sentences
    from palmo.live.session import run_live
    from palmo.pictures import first_picture, frame_count, write_picture
    from palmo.ring_report import ring_report
    from palmo.tracking import save_tracks, track_recording, write_video

    spoken, screen, clip = language(lang), console(), str(DEMO_CLIP)

    screen.print("[bold]1. The camera over the ring[/]")
    image = first_picture(clip)
    report = ring_report(DEMO_EVENT, load_event(DEMO_EVENT), image)
    for line in report.lines():
        screen.print(f"   {line}", markup=False)
    write_picture(out / "ring.png", report.picture(image))

    screen.print("[bold]2. Following six fighters through 14 seconds[/]")
    with progress("   Tracking", frame_count(clip)) as tick:
        tracked = track_recording(clip, DEMO_EVENT, tick=tick)
    save_tracks(out / "tracks.jsonl", tracked.frames)
    with progress("   Drawing", len(tracked.frames)) as tick:
        write_video(tracked, clip, out / "annotated.mp4", spoken, tick=tick)
    for name in ("ring.png", "tracks.jsonl", "annotated.mp4"):
        screen.print(f"   {out / name}", markup=False)

    screen.print("[bold]3. One verdict for each move[/]")
    for judgement in tracked.judgements:
        for text in sentences(judgement):
            screen.print(f"   {translate(text, spoken)}", markup=False)

    screen.print("[bold]4. Live[/]")
    stay = sys.stdin.isatty() and sys.stdout.isatty() if serve is None else serve
    run_live(
        clip,
        DEMO_EVENT,
        port=port,
        folder=out / "live",
        seed=1,
        until_end=not stay,
        say=lambda line: screen.print(f"   {line}", markup=False),
    )
    return FINE
