"""What careless clicks cost: `python -m datasets.clicks`.

Corners and post tops of the clips are clicked anew again and again, with 0.5 to 4 px of noise, with and
without the tops; each calibration, with the mat's edges in the picture, is compared with the true camera over
the whole mat. Clips lie in $PALMO_DATA/clips/NAME with clip.mp4, event.toml and truth.json.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from calibration.errors import CalibrationError
from calibration.ring import RingSpec
from calibration.solve import calibrate
from datasets.accuracy import true_camera
from datasets.clip_folder import clip_folder
from palmo.convert import ring_spec
from palmo.event import load_event
from vision.sources.open import open_source

Array = NDArray[np.float64]

NOISES_PX, HEIGHTS_CM = (0.5, 1.0, 2.0, 4.0), (0.0, 5.0, 10.0)
# Points along each side of the mat at which a calibration is compared with the truth.
_SIDE = 6


@dataclass(frozen=True)
class Drawn:
    """One calibration: rms error in mm at each of HEIGHTS_CM and the share of coordinates in the 95 % bar, or
    None when the clicks were refused."""

    clip: str
    noise_px: float
    tops: bool
    rms_mm: tuple[float, ...] | None
    inside: float | None


def main(arguments: Sequence[str] | None = None) -> int:
    """Calibrate the clips again and again and write clicks.md."""
    parser = argparse.ArgumentParser(prog="python -m datasets.clicks", description=__doc__)
    parser.add_argument("clips", nargs="*", default=["S1", "S2", "S3"], help="names under $PALMO_DATA/clips")
    parser.add_argument("--draws", type=int, default=20, help="how often each is clicked")
    parser.add_argument("--out", type=Path, default=Path("out"), help="folder for the table")
    options = parser.parse_args(arguments)
    folder = clip_folder()
    if folder is None:
        return 2
    drawn: list[Drawn] = []
    for name in options.clips:
        spec, camera, picture = load_ring(folder / name)
        for noise in NOISES_PX:
            for tops in (True, False):
                print(f"\r{name}: {noise:g} px   ", end="", file=sys.stderr)
                drawn += [
                    calibrated(name, spec, camera, picture, noise, tops, n) for n in range(options.draws)
                ]
        print(file=sys.stderr)
    options.out.mkdir(parents=True, exist_ok=True)
    table = as_markdown(drawn)
    (options.out / "clicks.md").write_text(table, encoding="utf-8")
    print(table)
    return 0


def load_ring(folder: Path) -> tuple[RingSpec, Camera, NDArray[np.uint8]]:
    """The ring of a clip as its event file has it, the true camera, and the first picture."""
    spec = ring_spec(load_event(folder / "event.toml"))
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    with open_source(str(folder / "clip.mp4")) as source:
        first = next(iter(source))
    return spec, true_camera(truth), first.image


def calibrated(
    name: str,
    spec: RingSpec,
    camera: Camera,
    picture: NDArray[np.uint8] | None,
    noise_px: float,
    tops: bool,
    draw: int,
) -> Drawn:
    """One draw of the clicks about the truth, and how far the calibration it gives is off."""
    rng = np.random.default_rng([draw, round(10 * noise_px), int(tops), *name.encode()])
    clicked = replace(
        spec,
        corners_px=camera.project(spec.corners()) + rng.normal(0, noise_px, (4, 2)),
        post_tops_px=camera.project(spec.post_tops()) + rng.normal(0, noise_px, (4, 2)) if tops else None,
    )
    try:
        found = calibrate(clicked, camera.size, image=picture)
    except CalibrationError:
        return Drawn(name, noise_px, tops, None, None)
    rms, inside = [], []
    for z in HEIGHTS_CM:
        points = _over_mat(spec, z)
        xy, covariance = found.plane_points(camera.project(points), z)
        away = xy - points[:, :2]
        rms.append(10 * float(np.sqrt((away**2).sum(axis=1).mean())))
        sd = np.sqrt(np.diagonal(covariance, axis1=1, axis2=2))
        inside.append(float((np.abs(away) <= 1.96 * sd).mean()))
    return Drawn(name, noise_px, tops, tuple(rms), float(np.mean(inside)))


def as_markdown(drawn: Sequence[Drawn]) -> str:
    """The table: a row for each clip, noise and kind of clicks; rms pooled over draws."""
    heights = " / ".join(f"{z:g}" for z in HEIGHTS_CM)
    lines = [
        f"| clip | clicks | rms at {heights} cm, mm | worst draw | in the 95 % bar | refused |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    cases = dict.fromkeys((d.clip, d.noise_px, d.tops) for d in drawn)
    for clip, noise, tops in cases:
        here = [d for d in drawn if (d.clip, d.noise_px, d.tops) == (clip, noise, tops)]
        taken = [d.rms_mm for d in here if d.rms_mm is not None]
        bars = [d.inside for d in here if d.inside is not None]
        rms = np.sqrt(np.mean(np.square(taken), axis=0)) if taken else []
        row = (
            clip, f"{noise:g} px, {'with post tops' if tops else 'corners only'}",
            " / ".join(f"{value:.2f}" for value in rms) or "-",
            f"{max(max(values) for values in taken):.2f}" if taken else "-",
            f"{100 * np.mean(bars):.0f}%" if bars else "-",
            f"{len(here) - len(taken)} of {len(here)}",
        )  # fmt: skip
        lines.append("| " + " | ".join(row) + " |")
    return "\n".join(lines) + "\n"


def _over_mat(spec: RingSpec, z: float) -> Array:
    """Points (N, 3) in a grid over the mat at height z."""
    x, y = np.meshgrid(*(np.linspace(-half, half, _SIDE) for half in spec.half))
    return np.column_stack([x.ravel(), y.ravel(), np.full(x.size, z)])


if __name__ == "__main__":
    sys.exit(main())
