"""What `palmo track` makes of the rendered library: `python -m datasets.library_table`.

Every clip and still of datasets/library is tracked with its own event file and compared with its truth. A
still is shown for a second. What Palmo refuses stands in the table with its sentence.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from datasets.into_docs import with_table
from palmo.errors import SaidError
from palmo.evaluate.report import Evaluation, evaluate
from palmo.evaluate.spread import spread
from palmo.evaluate.truth import load_truth
from palmo.event import EventError
from palmo.tracking import track_recording
from vision.sources.frames import SourceError
from vision.tracks import TrackFrame

LIBRARY = Path(__file__).parent / "library"
PAGE = Path(__file__).parent.parent / "docs" / "accuracy.md"
_STILL_FRAMES = 10


@dataclass(frozen=True)
class Result:
    """One clip or still: what came out, or why nothing did."""

    name: str
    found: Evaluation | None
    refused: str


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the library and print its tables; with --write put them into docs/accuracy.md."""
    parser = argparse.ArgumentParser(prog="python -m datasets.library_table", description=__doc__)
    parser.add_argument(
        "names", nargs="*", help="clips and stills, such as L01 or T07; all of them otherwise"
    )
    parser.add_argument("--write", action="store_true", help="put the tables into docs/accuracy.md")
    options = parser.parse_args(arguments)
    folders = [
        folder for folder in sorted(LIBRARY.iterdir()) if not options.names or folder.name in options.names
    ]
    clips = _measured(folder for folder in folders if (folder / "clip.mp4").exists())
    stills = _measured(folder for folder in folders if (folder / "still.jpg").exists())
    tables = {}
    if clips:
        tables["the library's clips"] = clips_table(clips)
    if stills:
        tables["the library's stills"] = stills_table(stills)
    print("\n".join(tables.values()))
    if options.write:
        page = PAGE.read_text(encoding="utf-8")
        for name, table in tables.items():
            page = with_table(page, name, table)
        PAGE.write_text(page, encoding="utf-8")
    return 0


def measure(folder: Path) -> Result:
    """Track one folder of the library and compare it with its truth."""
    truth = load_truth(folder / "truth.json")
    try:
        if (folder / "clip.mp4").exists():
            return Result(folder.name, evaluate(_tracks(folder / "clip.mp4", folder), truth), "")
        with tempfile.TemporaryDirectory() as shown:
            for number in range(_STILL_FRAMES):
                (Path(shown) / f"{number:03d}.jpg").symlink_to((folder / "still.jpg").resolve())
            return Result(folder.name, evaluate(_tracks(Path(shown), folder), truth), "")
    except (EventError, SaidError, SourceError) as error:
        return Result(folder.name, None, str(error).splitlines()[0].split(": ", 1)[-1])


def _tracks(source: Path, folder: Path) -> list[TrackFrame]:
    return track_recording(str(source), folder / "event.toml").frames


def clips_table(results: Sequence[Result]) -> str:
    """Clips in rows, all of them pooled last, then the worst of each column by name."""
    lines = [
        "| clip | moves: median, largest mm | turns: median, largest deg | flips unmarked, assumed "
        "| ground point: median, 95 % mm | in the 95 % bar | outline IoU | missing | wrong identity "
        "| hands noticed | falls missed |",
        "| --- " * 11 + "|",
    ]
    for result in results:
        found = result.found
        if found is None:
            lines.append(f"| {result.name} | refused: {result.refused} " + "| " * 9 + "|")
            continue
        stood, moves = found.standing, found.moves
        assumed = sum(move.assumed for move in moves.moves)
        lines.append(
            f"| {result.name} | {_pair(10 * moves.length_cm.median, 10 * moves.length_cm.largest)} of "
            f"{len(moves.moves)}{f', {moves.missed} missed' if moves.missed else ''} "
            f"| {_pair(moves.turn_deg.median, moves.turn_deg.largest)} | {moves.flips_unmarked}, {assumed} "
            f"| {_pair(10 * stood.position_cm.median, 10 * stood.position_cm.p95)} "
            f"| {100 * stood.inside_95:.0f} % | {stood.outline_iou.median:.2f} | {100 * stood.missing:.1f} % "
            f"| {stood.wrong_identity} | {100 * found.states.held_noticed:.0f} % | {moves.falls_missed} |"
        )
    return "\n".join([*lines, "", *_pooled(results), "", *_worst(results)])


def stills_table(results: Sequence[Result]) -> str:
    """All stills pooled by figure, and the worst by name."""
    read = [
        (r.name, id_, s) for r in results if r.found for id_, s in r.found.per_fighter.items() if s.samples
    ]
    placed = [(name, id_, s) for name, id_, s in read if np.isfinite(s.position_cm.median)]
    refused = [f"{r.name}: {r.refused}" for r in results if r.found is None]
    if not placed:
        return "\n".join(["No still was measured.", *refused])
    point = spread(s.position_cm.median for _, _, s in placed)
    iou = [s.outline_iou.median for _, _, s in placed if np.isfinite(s.outline_iou.median)]
    inside = [s.inside_95 for _, _, s in placed]
    wrong = sum(s.wrong_identity > 0 for _, _, s in placed)
    worst = sorted(placed, key=lambda one: -one[2].position_cm.median)[:3]
    lines = [
        f"{len(results)} stills, {len(read)} figures in those that were not refused: ground point "
        f"{10 * point.median:.1f} mm (median) and {10 * point.p95:.1f} mm (95 %), "
        f"{100 * np.mean(inside):.0f} % in the 95 % bar, outline IoU {np.median(iou):.2f}, "
        f"{len(read) - len(placed)} not found, {wrong} taken for another.",
        "",
        "Worst: " + ", ".join(f"{n} {i} ({10 * s.position_cm.median:.0f} mm)" for n, i, s in worst) + ".",
    ]
    return "\n".join([*lines, *(["", *[f"- refused {one}" for one in refused]] if refused else [])])


def _pooled(results: Sequence[Result]) -> list[str]:
    moves = [move for r in results if r.found for move in r.found.moves.moves]
    lengths = spread(abs(move.length_error_cm) for move in moves)
    turns = spread(move.turn_error_deg for move in moves if not move.assumed)
    flips = sum(move.flipped and not move.assumed for move in moves)
    wrong = sum(r.found.standing.wrong_identity for r in results if r.found)
    return [
        f"All {len(moves)} moves: {10 * lengths.median:.1f} mm (median), {10 * lengths.p95:.1f} mm (95 %), "
        f"{sum(move.tracked_cm is None for move in moves)} missed. Turns that were not marked as assumed: "
        f"{turns.median:.1f} and {turns.p95:.1f} degrees; {flips} unmarked flips, "
        f"{sum(move.assumed for move in moves)} assumed. Pictures of a figure under another's name: {wrong}."
    ]


def _worst(results: Sequence[Result]) -> list[str]:
    found = [(r.name, r.found) for r in results if r.found]
    moves = [(name, move) for name, one in found for move in one.moves.moves]
    columns: list[tuple[str, list[tuple[float, str]]]] = [
        ("move", _ranked((10 * abs(m.length_error_cm), f"{n} {m.fighter}") for n, m in moves)),
        ("turn", _ranked((m.turn_error_deg, f"{n} {m.fighter}") for n, m in moves)),
        (
            "ground point",
            _ranked(
                (10 * s.position_cm.median, f"{n} {id_}")
                for n, one in found
                for id_, s in one.per_fighter.items()
            ),
        ),
        ("missing", _ranked((100 * one.standing.missing, n) for n, one in found)),
    ]
    units = {"move": "mm", "turn": "degrees", "ground point": "mm", "missing": "%"}
    said = [f"{name} {where} ({value:.1f} {units[name]})" for name, ((value, where), *_) in columns]
    return ["Worst: " + ", ".join(said) + "."] if found else []


def _ranked(values: Iterable[tuple[float, str]]) -> list[tuple[float, str]]:
    """The largest first; what could not be measured is left out, and something is always there."""
    return sorted((v for v in values if np.isfinite(v[0])), reverse=True) or [(0.0, "none")]


def _pair(one: float, other: float) -> str:
    return f"{one:.1f}, {other:.1f}"


def _measured(folders: Iterable[Path]) -> list[Result]:
    cv2.setNumThreads(1)
    say: Callable[[str], int] = sys.stderr.write
    results = []
    for folder in folders:
        say(f"\r{folder.name} ")
        results.append(measure(folder))
    say("\n")
    return results


if __name__ == "__main__":
    sys.exit(main())
