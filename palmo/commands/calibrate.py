"""`palmo calibrate`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from palmo.commands import calibrate_colours, calibrate_lens, calibrate_palm, calibrate_ring, calibrate_sheets
from palmo.commands.common import (
    FINDING,
    FINE,
    HostOption,
    JsonOption,
    LangOption,
    PortOption,
    console,
    language,
    notes,
    print_json,
)

app = typer.Typer(help="Calibrate and check: how good is the camera over the ring?", no_args_is_help=True)


@app.callback()
def _calibrate() -> None:
    """Keep `ring` a sub-command."""


@app.command("ring")
def ring(
    source: Annotated[
        str, typer.Argument(help="A photo, clip, camera number or address.", show_default=False)
    ],
    event: Annotated[
        Path | None,
        typer.Option(
            "--event", "-e", help="The event file of this set-up.", show_default="needed but for --frame"
        ),
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option("--picture", help="Write the picture with the ring drawn on it, to check by eye."),
    ] = None,
    error_map: Annotated[
        Path | None,
        typer.Option("--map", help="Write the picture with the 95 % error over the table drawn on it."),
    ] = None,
    frame: Annotated[
        Path | None,
        typer.Option(
            "--frame", help="Write the first picture as it is, to read pixels from; needs no event file yet."
        ),
    ] = None,
    propose: Annotated[
        bool, typer.Option("--propose", help="Find corners and post tops in the picture, without clicks.")
    ] = False,
    save: Annotated[
        bool, typer.Option("--save", help="With --propose: write them into the event file.")
    ] = False,
    page: Annotated[
        bool, typer.Option("--page", help="Propose, drag and check the points in the browser.")
    ] = False,
    port: PortOption = 8080,
    host: HostOption = "127.0.0.1",
    as_json: JsonOption = False,
    lang: LangOption = None,
) -> int:
    """Solve the camera from the event file's corners and post tops, and check it on what was left out.

    To set a table up begin with `palmo calibrate ring 0 --frame out/frame.png` and read the pixels off it.
    Exit code 1 when the verdict is "redo".
    """
    from overlay.i18n import translate
    from palmo.errors import SaidError
    from palmo.event import load_event
    from palmo.outputs import keep_apart
    from palmo.pictures import first_picture, write_picture
    from palmo.ring_report import ring_report
    from rules.text import Text

    spoken = language(lang)

    def remark(key: str, path: Path) -> None:
        notes().print(translate(Text(key, {"path": str(path)}), spoken), style="dim", markup=False)

    if (propose or page) and event is None:
        raise SaidError("error.propose.event")
    if event is None and (frame is None or picture is not None or error_map is not None or as_json):
        raise SaidError("usage.frame")
    inputs = {"source": source} | ({} if event is None else {"event": str(event)})
    keep_apart(inputs, {"--picture": picture, "--map": error_map, "--frame": frame})
    if event is not None and page:
        return calibrate_ring.ring_page(source, event, host=host, port=port, lang=spoken)
    if event is not None and propose:
        return calibrate_ring.propose_ring(
            source, event, save=save, picture=picture, as_json=as_json, lang=spoken
        )
    image = first_picture(source)
    if frame is not None:
        write_picture(frame, image)
        remark("ring.frame", frame)
    if event is None:
        return FINE
    report = ring_report(event, load_event(event), image)
    if as_json:
        print_json(report.to_json())
    else:
        for line in report.lines():
            console().print(translate(line, spoken), markup=False)
    if picture is not None:
        write_picture(picture, report.picture(image))
        notes().print(
            translate(Text("ring.check", {"path": str(picture)}), spoken), style="dim", markup=False
        )
    if error_map is not None:
        from overlay.error_map import map_layer, on_picture

        write_picture(error_map, on_picture(image, map_layer(report.calibration, spoken)))
        remark("ring.map", error_map)
    return FINDING if report.check.verdict == "redo" else FINE


app.command("lens")(calibrate_lens.lens)
app.command("board")(calibrate_sheets.board)
app.command("tags")(calibrate_sheets.tags)
app.command("colours")(calibrate_colours.colours)
app.command("palm")(calibrate_palm.palm)
