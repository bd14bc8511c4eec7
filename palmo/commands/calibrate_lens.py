"""`palmo calibrate lens`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from palmo.commands.common import FINDING, FINE, JsonOption, LangOption, console, language, notes, print_json

if TYPE_CHECKING:
    from palmo.calibrating.lens_report import LensReport
    from palmo.calibrating.views import Collected


def lens(
    sources: Annotated[
        list[str],
        typer.Argument(
            help="Photos, a folder of photos, a recording, a camera's number.", show_default=False
        ),
    ],
    board: Annotated[str, typer.Option("--board", help="charuco or chessboard.")] = "charuco",
    squares: Annotated[
        str, typer.Option("--squares", help="Squares across and down, all of them counted.")
    ] = "10x7",
    inner: Annotated[
        str | None,
        typer.Option(
            "--inner", help="Instead of --squares: inner corners, as OpenCV counts them.", show_default=False
        ),
    ] = None,
    square_mm: Annotated[
        float, typer.Option("--square-mm", help="The side of a square as measured on the print.")
    ] = 25.0,
    fisheye: Annotated[
        bool, typer.Option("--fisheye", help="A very wide lens: fit the wide-angle model.")
    ] = False,
    keep_all: Annotated[
        bool, typer.Option("--keep-all", help="Use views too that all others contradict.")
    ] = False,
    seconds: Annotated[
        float, typer.Option("--seconds", min=1, help="How long a camera is watched at most.")
    ] = 120.0,
    picture: Annotated[
        Path | None,
        typer.Option("--picture", help="Write the picture to check by eye; live it shows what is missing."),
    ] = None,
    event: Annotated[
        Path | None, typer.Option("--event", "-e", help="Write the lens into this event file.")
    ] = None,
    as_json: JsonOption = False,
    lang: LangOption = None,
) -> int:
    """Calibrate the lens with a printed board (`palmo calibrate board`) held still in many places and slants.

    Prints the [camera] of the event file, or writes it there with --event. Exit code 1 when the verdict is
    "redo"; nothing is written then.
    """
    from calibration.heldout import Verdict
    from overlay.i18n import translate
    from palmo.calibrating.asked import asked_board
    from palmo.calibrating.lens_picture import guidance_picture, lens_picture
    from palmo.calibrating.lens_report import advice, lens_report
    from palmo.calibrating.views import collect
    from palmo.event.edit import read_text
    from palmo.outputs import keep_apart
    from palmo.pictures import write_picture
    from rules.text import Text

    spoken = language(lang)
    wanted = asked_board(board, squares, inner, square_mm)
    given = {"source": sources} if event is None else {"source": sources, "event": str(event)}
    keep_apart(given, {"--picture": picture})
    if event is not None:
        read_text(event)  # Before any work: there must be an event file to write into.

    def taken(found: Collected) -> None:
        what = advice(found.coverage)
        text = Text("lens.taken", {"n": len(found.views), "what": what[0] if what else Text("lens.go_on")})
        notes().print(translate(text, spoken), style="dim", markup=False)
        so_far = None if picture is None else guidance_picture(found, spoken)
        if picture is not None and so_far is not None:
            write_picture(picture, so_far)

    report = lens_report(collect(sources, wanted, seconds, taken), wanted, wide=fisheye, keep_all=keep_all)
    if picture is not None:
        write_picture(picture, lens_picture(report, spoken))
    bad = report.check.verdict is Verdict.REDO
    if as_json:
        print_json(report.to_json())
    else:
        for line in report.lines():
            console().print(translate(line, spoken), markup=False)
        if event is None and not bad:
            console().print("\n[camera]\n" + "\n".join(report.block()), markup=False)
    if event is not None and not bad:
        _write(event, report)
        notes().print(
            translate(Text("lens.written", {"path": str(event)}), spoken), style="dim", markup=False
        )
    if picture is not None:
        notes().print(
            translate(Text("ring.check", {"path": str(picture)}), spoken), style="dim", markup=False
        )
    return FINDING if bad else FINE


def _write(event: Path, report: LensReport) -> None:
    from palmo.event.edit import read_text, rewrite, with_table

    rewrite(event, with_table(read_text(event), "camera", report.block()))
