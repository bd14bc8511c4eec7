"""How often corners and post tops are proposed rightly: `python -m datasets.propose`.

Single pictures of the clips, spread over their length with whatever hands are in them, are given to the
finder without any click; what it proposes is compared with the true camera. Clips lie in
$PALMO_DATA/clips/NAME with clip.mp4, event.toml and truth.json.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from calibration.errors import CalibrationError
from calibration.propose import propose
from datasets.accuracy import true_camera
from datasets.clip_folder import clip_folder
from palmo.convert import ring_spec
from palmo.event import load_event
from vision.sources.open import open_source

WITHIN_PX = 3.0


@dataclass(frozen=True)
class Proposed:
    """One picture: how far each corner and each top is off in px, None where nothing was proposed."""

    clip: str
    frame: int
    corners_px: tuple[float, ...] | None
    tops_px: tuple[float, ...] | None


def main(arguments: Sequence[str] | None = None) -> int:
    """Propose on pictures of the clips and write propose.md."""
    parser = argparse.ArgumentParser(prog="python -m datasets.propose", description=__doc__)
    parser.add_argument("clips", nargs="*", default=["S1", "S2", "S3"], help="names under $PALMO_DATA/clips")
    parser.add_argument("--pictures", type=int, default=8, help="pictures of each clip")
    parser.add_argument("--out", type=Path, default=Path("out"), help="folder for the table")
    options = parser.parse_args(arguments)
    folder = clip_folder()
    if folder is None:
        return 2
    found = [one for clip in options.clips for one in proposed(folder / clip, options.pictures)]
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "propose.md").write_text(as_markdown(found), encoding="utf-8")
    print(as_markdown(found))
    return 0


def proposed(folder: Path, pictures: int) -> list[Proposed]:
    """What is proposed on so many pictures of one clip."""
    spec = ring_spec(load_event(folder / "event.toml"))
    with open_source(str(folder / "clip.mp4")) as source:
        frames = {frame.index: frame.image for frame in source}
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    camera = true_camera(truth)
    true = camera.project(spec.corners()), camera.project(spec.post_tops())
    found = []
    for number in np.linspace(0, max(frames), pictures).astype(int).tolist():
        try:
            one = propose(frames[number], spec.width_cm, spec.depth_cm, spec.post_height_cm)
        except CalibrationError:
            found.append(Proposed(folder.name, number, None, None))
            continue
        corners, tops = (
            tuple(np.linalg.norm(seen - real, axis=1).tolist())
            for seen, real in zip((one.corners_px, one.post_tops_px), true, strict=True)
        )
        found.append(Proposed(folder.name, number, corners, tops))
    return found


def as_markdown(found: Sequence[Proposed]) -> str:
    """A row for each clip; what was not proposed at all counts as not right."""
    lines = [
        f"| clip | pictures | corners within {WITHIN_PX:g} px | median | tops within {WITHIN_PX:g} px "
        "| median | nothing proposed |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for clip in dict.fromkeys(one.clip for one in found):
        here = [one for one in found if one.clip == clip]
        cells = [clip, str(len(here))]
        for points in ([one.corners_px for one in here], [one.tops_px for one in here]):
            off = [px for four in points if four is not None for px in four]
            cells.append(f"{sum(px < WITHIN_PX for px in off)} of {4 * len(here)}")
            cells.append(f"{np.median(off):.1f} px" if off else "-")
        cells.append(str(sum(one.corners_px is None for one in here)))
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
