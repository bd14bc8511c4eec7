"""`palmo report`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from palmo.commands.common import FINE, LangOption, console, language, notes


def report(
    folder: Annotated[Path, typer.Argument(help="A match folder.", show_default=False)],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="The archive.", show_default="MATCH_FOLDER.zip")
    ] = None,
    whole: Annotated[
        bool, typer.Option("--all", help="All that is kept of the match, not only what was ruled on.")
    ] = False,
    lang: LangOption = None,
) -> int:
    """Bundle a match's evidence, rulings and reports as one archive for sending.

    The same folder gives the same archive, byte for byte.
    """
    from overlay.i18n import translate
    from palmo.errors import SaidError
    from palmo.review.bundle import bundle
    from rules.text import Text

    spoken = language(lang)
    whole_path = Path(os.path.realpath(folder))
    place = out or whole_path.with_name(f"{whole_path.name}.zip")
    if Path(os.path.realpath(place)).is_relative_to(whole_path):
        raise SaidError("error.review.inside", path=place, folder=folder)
    made = bundle(folder, place, whole=whole)
    counts = {"n": made.files, "rulings": made.rulings, "megabytes": made.size / 1e6}
    said = Text("report.bundled", {**counts, "path": str(place)})
    console().print(translate(said, spoken), markup=False)
    for damage in made.damage:
        notes().print(translate(damage, spoken), markup=False)
    return FINE
