"""`palmo evaluate`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from palmo.commands.common import FINE, JsonOption, console, print_json


def evaluate(
    tracks: Annotated[Path, typer.Argument(help="What `palmo track` wrote.", show_default=False)],
    truth: Annotated[Path, typer.Argument(help="The truth.json of the clip.", show_default=False)],
    as_json: JsonOption = False,
) -> int:
    """Compare tracks with the truth: position, facing, identity, states, moves, coverage."""
    from palmo.evaluate import as_json as plain
    from palmo.evaluate import evaluate as compare
    from palmo.evaluate import load_truth, tables
    from vision.tracks_file import read_tracks

    evaluation = compare(read_tracks(tracks), load_truth(truth))
    if as_json:
        print_json(plain(evaluation))
    else:
        console().print(tables(evaluation))
    return FINE
