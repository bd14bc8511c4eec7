"""`palmo calibrate board` and `palmo calibrate tags`: sheets to print."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from palmo.commands.common import FINE, LangOption, language, notes

OutOption = Annotated[Path, typer.Option("--out", "-o", help="The PDF to write.", show_default=False)]
PaperOption = Annotated[str, typer.Option("--paper", help="a4, a3 or letter.")]
BoardOption = Annotated[str, typer.Option("--board", help="charuco or chessboard.")]
SquaresOption = Annotated[
    str, typer.Option("--squares", help="Squares across and down, all of them counted.")
]


def board(
    out: OutOption,
    paper: PaperOption = "a4",
    kind: BoardOption = "charuco",
    squares: SquaresOption = "10x7",
    square_mm: Annotated[float, typer.Option("--square-mm", help="The side of a square.")] = 25.0,
    lang: LangOption = None,
) -> int:
    """A board to calibrate the lens with, as PDF in exact millimetres.

    Print at 100 %, check the bar with a ruler, and glue the sheet on something flat.
    """
    from palmo.calibrating.asked import asked_board
    from palmo.calibrating.sheets import board_pdf

    spoken = language(lang)
    wanted = asked_board(kind, squares, None, square_mm)
    _write(out, board_pdf(wanted, paper.lower(), spoken), spoken)
    return FINE


def tags(
    out: OutOption,
    paper: PaperOption = "a4",
    tag_mm: Annotated[
        float, typer.Option("--tag-mm", min=15, max=80, help="The side of a tag's black square.")
    ] = 40.0,
    lang: LangOption = None,
) -> int:
    """Four tags for the corners of the mat, as PDF: with them the camera finds the corners by itself."""
    from calibration.boards_tags import CornerTags
    from palmo.calibrating.sheets import tags_pdf

    spoken = language(lang)
    _write(out, tags_pdf(CornerTags(tag_mm, tag_mm / 5), paper.lower(), spoken), spoken)
    return FINE


def _write(path: Path, content: bytes, lang: str) -> None:
    from overlay.i18n import translate
    from palmo.errors import SaidError, reason
    from palmo.outputs import keep_apart, replacing
    from rules.text import Text

    keep_apart({}, {"--out": path})
    if path.suffix.lower() != ".pdf":
        raise SaidError("error.sheet.suffix", path=path)
    try:
        with replacing(path) as place:
            place.write_bytes(content)
    except OSError as error:
        raise SaidError("error.sheet.unwritten", path=path, why=reason(error)) from None
    notes().print(translate(Text("sheet.print", {"path": str(path)}), lang), style="dim", markup=False)
