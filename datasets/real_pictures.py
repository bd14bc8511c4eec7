"""How Palmo finds things in real pictures nobody made for it: one table, failures included.

`python -m datasets.real_pictures [--json] [--markdown] [--out DIR]`, with PALMO_DATA at the folder that holds
`real/`. --markdown writes the table into docs/real-pictures.md, --out draws what was found into DIR (the
pictures of some sets may not be passed on: keep DIR to yourself).
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import cv2
import numpy as np

from datasets.real_billiard import measure as measure_billiard
from datasets.real_clips import CLIPS
from datasets.real_lights import LIGHTS
from datasets.real_scoring import Row
from datasets.real_stills import STILLS, Drawing, Result
from vision.colour.models import ColourError

PAGE = Path(__file__).parent.parent / "docs" / "real-pictures.md"
_START, _END = "<!-- table -->\n", "<!-- end of table -->"


def billiard(root: Path) -> Result:
    """The measured table of datasets.real_billiard in the same form: errors in mm."""
    balls = measure_billiard(root)
    rows = []
    for lens in ("factory", "none"):
        of_lens = [ball for ball in balls if ball.lens == lens]
        far = max(of_lens, key=lambda ball: ball.distance_mm)
        distances = [ball.distance_mm for ball in of_lens]
        rows.append(
            Row(
                f"billiard_measured_mm, lens: {lens}", "calibration", "4 markers", len(of_lens), None, None,
                float(np.median(distances)), max(distances), "mm",
                f"{far.picture}: {far.distance_mm:.1f} mm off, stated sd "
                f"{far.sd_mm[0]:.1f} and {far.sd_mm[1]:.1f} mm",
            )
        )  # fmt: skip
    return rows, []


def measure(root: Path) -> Iterator[Result]:
    """Every set, one after another; one whose colours are refused is a row that says so.

    root holds `real/`; OSError when a set is not there.
    """
    for found in (billiard, *STILLS, *CLIPS, *LIGHTS):
        try:
            yield found(root)
        except ColourError as error:
            nothing = (None, None, None, None)
            yield [Row(found.__name__, "teaching", "refused", 0, *nothing, "", str(error))], []


def table(rows: Sequence[Row]) -> str:
    """The rows as a Markdown table."""
    lines = [
        "| set | by | taught | n | precision | recall | median, worst | worst picture | why, all pictures |",
        "|" + "---|" * 9,
    ]
    for row in rows:
        error = "" if row.error_median is None else f"{row.error_median:.2g}, {row.error_max:.2g} {row.unit}"
        lines.append(
            f"| {row.name} | {row.layer} | {row.taught} | {row.pieces} | {_share(row.precision)} "
            f"| {_share(row.recall)} | {error} | {row.worst} | {row.why} |"
        )
    return "\n".join(lines)


def into_page(page: str, rows: Sequence[Row]) -> str:
    """The page with its table replaced."""
    return re.sub(
        re.escape(_START) + ".*?" + re.escape(_END),
        lambda _: f"{_START}{table(rows)}\n{_END}",
        page,
        flags=re.DOTALL,
    )


def draw(folder: Path, drawing: Drawing) -> None:
    """What was found (boxes with the colour's name) and what is there (white marks), as a PNG."""
    picture = drawing.image.copy()
    for patch in drawing.patches:
        u0, v0, u1, v1 = patch.blob.rect
        cv2.rectangle(picture, (u0, v0), (u1, v1), (255, 0, 255), 2)
        cv2.putText(picture, patch.colour, (u0, v0 - 3), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (255, 0, 255), 1)
    for centres in drawing.truth.values():
        for u, v in centres:
            cv2.drawMarker(picture, (round(u), round(v)), (255, 255, 255), cv2.MARKER_CROSS, 10, 2)
    cv2.imwrite(str(folder / f"{drawing.name}.png"), picture)


def main(arguments: list[str]) -> int:
    """Print the table, or write it; 2 when the pictures are not there."""
    parser = argparse.ArgumentParser(prog="python -m datasets.real_pictures", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print the rows as JSON")
    parser.add_argument("--markdown", action="store_true", help="write the table into docs/real-pictures.md")
    parser.add_argument("--out", type=Path, help="draw what was found into this folder")
    options = parser.parse_args(arguments)
    root = os.environ.get("PALMO_DATA")
    if root is None:
        print("set PALMO_DATA to the folder that holds real/", file=sys.stderr)
        return 2
    rows: list[Row] = []
    try:
        for found, drawings in measure(Path(root)):
            rows += found
            if options.out is not None:
                options.out.mkdir(parents=True, exist_ok=True)
                for drawing in drawings:
                    draw(options.out, drawing)
    except OSError as error:
        print(error, file=sys.stderr)
        return 2
    if options.markdown:
        PAGE.write_text(into_page(PAGE.read_text(encoding="utf-8"), rows), encoding="utf-8")
    print(json.dumps([asdict(row) for row in rows], indent=1) if options.json else table(rows))
    return 0


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


if __name__ == "__main__":
    cv2.setNumThreads(1)
    sys.exit(main(sys.argv[1:]))
