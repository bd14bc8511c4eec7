"""How soon a moved camera is noticed, and what else is taken for one: `python -m datasets.guard`.

The clips' pictures are shifted, turned and zoomed by fractions of a pixel up to many, at random moments, and
the time until the guard says so is measured. Then every clip is played again and again for ten minutes as it
is, with grain and a light that wavers: nothing may be noticed. Clips lie in $PALMO_DATA/clips/NAME with
clip.mp4 and event.toml.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.guard import ReferenceView
from calibration.guard_watch import GuardWatch
from datasets.clip_folder import clip_folder
from palmo.workbench import open_workbench

Image = NDArray[np.uint8]
KINDS = ("shift", "turn", "zoom")
SIZES_PX = (0.5, 1.0, 2.0, 3.0, 5.0, 10.0)
_FPS = 10.0
_PATIENCE_S = 4.0
# Every fourth picture is kept in memory: the guard does not look more often.
_KEPT = 4


@dataclass(frozen=True)
class Trial:
    """One movement: after how many seconds it was noticed, None when it never was."""

    clip: str
    kind: str
    px: float
    noticed_s: float | None


@dataclass(frozen=True)
class Still:
    """One clip played for a while: how often the guard said moved or lost, and what a look costs."""

    clip: str
    minutes: float
    moved: int
    lost: int
    largest_px: float
    ms_per_s: float


def main(arguments: Sequence[str] | None = None) -> int:
    """Move and leave alone every clip, and write guard.md."""
    parser = argparse.ArgumentParser(prog="python -m datasets.guard", description=__doc__)
    parser.add_argument("clips", nargs="*", default=["S1", "S2", "S3"], help="names under $PALMO_DATA/clips")
    parser.add_argument("--trials", type=int, default=10, help="movements of every kind and size")
    parser.add_argument("--minutes", type=float, default=10.0, help="how long a clip is left alone")
    parser.add_argument("--out", type=Path, default=Path("out"), help="folder for the table")
    options = parser.parse_args(arguments)
    folder = clip_folder()
    if folder is None:
        return 2
    trials: list[Trial] = []
    stills: list[Still] = []
    for clip in options.clips:
        view, pictures = _opened(folder / clip)
        trials += moved(clip, view, pictures, options.trials)
        stills.append(left_alone(clip, view, pictures, options.minutes))
    table = as_markdown(trials, stills)
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "guard.md").write_text(table, encoding="utf-8")
    print(table)
    return 0


def moved(clip: str, view: ReferenceView, pictures: Sequence[Image], count: int) -> list[Trial]:
    """Movements of every kind and size, each at a random moment between two looks."""
    rng = np.random.default_rng(7)
    found = []
    for kind in KINDS:
        for px in SIZES_PX:
            for _ in range(count):
                matrix = movement(kind, px, pictures[0].shape, rng)
                found.append(Trial(clip, kind, px, _noticed(view, pictures, matrix, rng)))
    return found


def movement(kind: str, px: float, shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[np.float64]:
    """A movement (2, 3) of the picture by px: everywhere, or at a quarter of its width from the middle."""
    height, width = shape[:2]
    sign = float(rng.choice([-1.0, 1.0]))
    if kind == "shift":
        angle = rng.uniform(0, 2 * np.pi)
        return np.array([[1.0, 0.0, px * np.cos(angle)], [0.0, 1.0, px * np.sin(angle)]])
    share = sign * px / (width / 4)
    degrees, factor = (np.degrees(share), 1.0) if kind == "turn" else (0.0, 1.0 + share)
    return np.asarray(cv2.getRotationMatrix2D((width / 2, height / 2), degrees, factor), dtype=np.float64)


def left_alone(clip: str, view: ReferenceView, pictures: Sequence[Image], minutes: float) -> Still:
    """The clip again and again, nothing moved."""
    rng = np.random.default_rng(11)
    watch, said_moved, said_lost, largest, spent = GuardWatch(view), 0, 0, 0.0, 0.0
    for number, (t, picture) in enumerate(_played(pictures, 60 * minutes, rng)):
        started = time.thread_time()
        changed = watch.see(t, picture)
        spent += time.thread_time() - started
        if changed:
            said_moved += watch.condition.moved_px is not None
            said_lost += watch.condition.lost
        if number % 10 == 0:
            largest = max(largest, view.look(picture).shift_px)
    return Still(clip, minutes, said_moved, said_lost, largest, 1e3 * spent / (60 * minutes))


def _noticed(
    view: ReferenceView, pictures: Sequence[Image], matrix: NDArray[np.float64], rng: np.random.Generator
) -> float | None:
    watch = GuardWatch(view)
    start = int(rng.integers(len(pictures)))
    watch.see(0.0, pictures[start])
    moved_t = float(rng.uniform(0.05, 0.8))
    for number in range(1, round((_PATIENCE_S + moved_t) * _FPS)):
        t = number / _FPS
        if t < moved_t:
            watch.see(t, pictures[start])
            continue
        kept = pictures[(start + number // _KEPT) % len(pictures)]
        size = (kept.shape[1], kept.shape[0])
        seen = cv2.warpAffine(kept, matrix, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
        if watch.see(t, np.asarray(seen, dtype=np.uint8)) and watch.condition.moved_px is not None:
            return t - moved_t
    return None


def _played(
    pictures: Sequence[Image], seconds: float, rng: np.random.Generator
) -> Iterator[tuple[float, Image]]:
    """The pictures in a circle with fresh grain and a wavering light."""
    grain = [rng.integers(-6, 7, pictures[0].shape, dtype=np.int16) for _ in range(5)]
    step = _KEPT / _FPS
    for number in range(int(seconds / step)):
        light = 1.0 + 0.1 * np.sin(number / 37.0)
        picture = pictures[number % len(pictures)] * light + grain[int(rng.integers(len(grain)))]
        yield number * step, np.clip(picture, 0, 255).astype(np.uint8)


def _opened(folder: Path) -> tuple[ReferenceView, list[Image]]:
    with open_workbench(str(folder / "clip.mp4"), folder / "event.toml") as bench:
        view = ReferenceView.of(bench.first.image, bench.calibration)
        pictures = [frame.image for frame in bench.frames() if frame.index % _KEPT == 0]
    if view is None:
        raise SystemExit(f"{folder}: too little of the ring is in the picture")
    return view, pictures


def as_markdown(trials: Sequence[Trial], stills: Sequence[Still]) -> str:
    """Two tables: movements by kind and size pooled over clips, and every clip left alone."""
    lines = ["| movement | " + " | ".join(f"{px:g} px" for px in SIZES_PX) + " |"]
    lines.append("| --- |" + " --- |" * len(SIZES_PX))
    for kind in KINDS:
        cells = []
        for px in SIZES_PX:
            here = [one.noticed_s for one in trials if one.kind == kind and one.px == px]
            seen = [s for s in here if s is not None]
            worst = f", {np.median(seen):.1f} s, worst {max(seen):.1f} s" if seen else ""
            cells.append(f"{len(seen)} of {len(here)}{worst}")
        lines.append(f"| {kind} | " + " | ".join(cells) + " |")
    lines += ["", "| clip left alone | minutes | said moved | said lost | largest shift | cost |"]
    lines.append("| --- | --- | --- | --- | --- | --- |")
    for one in stills:
        row = (one.clip, f"{one.minutes:g}", one.moved, one.lost, f"{one.largest_px:.2f} px")
        lines.append("| " + " | ".join(map(str, row)) + f" | {one.ms_per_s:.1f} ms/s |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
