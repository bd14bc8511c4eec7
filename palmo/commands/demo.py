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
    port: Annotated[
        int,
        typer.Option(
            "--port", min=0, max=65535, help="Port of the live pages; another one when it is taken."
        ),
    ] = 8080,
    lang: LangOption = None,
) -> int:
    """The bundled clip through everything: calibration, video, four verdicts, live pages. Needs no camera."""
    from overlay.i18n import translate
    from palmo.demo_files import DEMO_CLIP, DEMO_EVENT
    from palmo.event import load_event
    from palmo.judging import sentences
    from palmo.live.serving import free_port
    from palmo.live.session import run_live
    from palmo.pictures import first_picture, frame_count, write_picture
    from palmo.ring_report import ring_report
    from palmo.tracking import save_tracks, track_recording, write_video
    from rules.text import Text

    spoken, screen, clip = language(lang), console(), str(DEMO_CLIP)

    def head(number: int, key: str) -> None:
        screen.print(f"{number}. {translate(Text(key), spoken)}", style="bold", markup=False)

    head(1, "demo.ring")
    image = first_picture(clip)
    report = ring_report(DEMO_EVENT, load_event(DEMO_EVENT), image)
    for line in report.lines():
        screen.print(f"   {translate(line, spoken)}", markup=False)
    write_picture(out / "ring.png", report.picture(image))

    head(2, "demo.track")
    with progress("   tracks", frame_count(clip)) as tick:
        tracked = track_recording(clip, DEMO_EVENT, tick=tick)
    save_tracks(out / "tracks.jsonl", tracked.frames)
    with progress("   video", len(tracked.frames)) as tick:
        write_video(tracked, clip, out / "annotated.mp4", spoken, tick=tick)
    for name in ("ring.png", "tracks.jsonl", "annotated.mp4"):
        screen.print(f"   {out / name}", markup=False)

    head(3, "demo.verdicts")
    for judgement in tracked.judgements:
        for text in sentences(judgement):
            screen.print(f"   {translate(text, spoken)}", markup=False)

    head(4, "demo.live")
    stay = sys.stdin.isatty() and sys.stdout.isatty() if serve is None else serve
    run_live(
        clip,
        DEMO_EVENT,
        port=free_port(port),
        folder=out / "live",
        seed=1,
        until_end=not stay,
        loop=stay,
        lang=spoken,
        say=lambda line: screen.print(f"   {line}", markup=False),
    )
    return FINE
