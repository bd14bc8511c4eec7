"""How exactly figures are measured that nothing was tuned on: `python -m datasets.modelled`.

Random figures of the three classes, slim and stout, are set down three times each, anywhere and turned
anyhow, before an oblique camera and one from above. Corners, post tops, feet and facings are told with a
person's errors (0.5 px, 1.5 px, 2 degrees), and everything from the matte on is what a match gets.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from calibration.errors import CalibrationError
from calibration.result import RingCalibration
from calibration.ring import RingSpec
from calibration.solve import calibrate
from datasets.carrying import FRAMES, Place, carried
from datasets.figures import MAKERS, Figure, photograph, random_camera, random_figure, thickened
from vision.fighters import FighterClass, FighterSpec
from vision.fragments import Fragment
from vision.measuring.likelihood import wrap
from vision.measuring.matte import MatteError
from vision.measuring.measurer import Measurer

Array = NDArray[np.float64]

CLICK_SD_PX, FOOT_SD_PX, FACING_SD_DEG = 0.5, 1.5, 2.0
_RING = RingSpec(64, 64, 14, np.zeros((4, 2)))
_PLACES_CM, _THICKER = 25.0, (0.9, 1.6)
_FRAGMENTS = 3
_FLIP_DEG = 60.0
_KINDS: tuple[FighterClass, ...] = ("humanoid", "beast", "absurd")


@dataclass(frozen=True)
class Measured:
    """One fragment against the truth: errors in cm and degrees, the widest axis of the 95 % bar in cm, and
    the share of the two axes whose bar holds the truth."""

    kind: FighterClass
    oblique: bool
    number: int
    error: float
    inside: float
    width: float
    facing_error: float
    assumed: bool

    @property
    def flipped_unmarked(self) -> bool:
        """Whether the facing is far off and does not say that it was assumed."""
        return self.number > 0 and not self.assumed and self.facing_error > _FLIP_DEG


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the figures and write modelled.md."""
    parser = argparse.ArgumentParser(prog="python -m datasets.modelled", description=__doc__)
    parser.add_argument("--figures", type=int, default=35, help="of each class, before each kind of camera")
    parser.add_argument("--seed", type=int, default=2000, help="other figures, cameras, clicks")
    parser.add_argument("--carried", action="store_true", help="the hand that carries them is seen")
    parser.add_argument("--out", type=Path, default=Path("out"), help="folder for the table")
    options = parser.parse_args(arguments)
    measured: list[Measured] = []
    for kind in _KINDS:
        for oblique in (True, False):
            for number in range(options.figures):
                print(f"\r{kind}: figure {number + 1} of {options.figures}   ", end="", file=sys.stderr)
                measured += measure_figure(
                    kind, oblique, [options.seed, number], seen_carried=options.carried
                )
        print(file=sys.stderr)
    options.out.mkdir(parents=True, exist_ok=True)
    table = as_markdown(measured)
    (options.out / "modelled.md").write_text(table, encoding="utf-8")
    print(table)
    return 0


@dataclass(frozen=True, eq=False)
class Scene:
    """A random figure set down a few times: its fragments, each with where it really stands and faces."""

    spec: FighterSpec
    calibration: RingCalibration
    fragments: list[tuple[Fragment, Place]]


def scene(kind: FighterClass, oblique: bool, seed: Sequence[int], *, seen_carried: bool = False) -> Scene:
    """Set a random figure down three times: (figure, camera, clicks) follow from the seed."""
    rng = np.random.default_rng([*seed, int(oblique), sorted(MAKERS).index(kind)])
    figure = thickened(random_figure(rng, kind), rng.uniform(*_THICKER))
    camera, calibration = _set_up(rng, oblique)
    places = rng.uniform(-_PLACES_CM, _PLACES_CM, (_FRAGMENTS, 2))
    facings = rng.uniform(-180, 180, _FRAGMENTS)
    foot = camera.project(np.array([[*places[0], 0.0]]))[0] + rng.normal(0, FOOT_SD_PX, 2)
    told = wrap(float(facings[0] + rng.normal(0, FACING_SD_DEG)))
    spec = FighterSpec("F1", figure.height, told, foot_px=(float(foot[0]), float(foot[1])), kind=kind)
    # the hand has chances of its own: the figures are the same with and without it
    hand, before = np.random.default_rng([*seed, 1]), None
    fragments: list[tuple[Fragment, Place]] = []
    for number, (xy, facing) in enumerate(zip(places, facings, strict=True)):
        fragment = _fragment(figure.placed(xy, facing), camera, number, rng)
        here = Place(xy, float(facing))
        if before is not None and seen_carried:
            begin = fragment.first - FRAMES
            carry = carried(figure, camera, hand, before, here, begin=begin)
            fragment = replace(fragment, carry=carry)
        before = here
        fragments.append((fragment, here))
    return Scene(spec, calibration, fragments)


def measure_figure(
    kind: FighterClass, oblique: bool, seed: Sequence[int], *, seen_carried: bool = False
) -> Iterator[Measured]:
    """Set a random figure down three times and measure it."""
    staged = scene(kind, oblique, seed, seen_carried=seen_carried)
    measurer = Measurer(staged.calibration, [staged.spec])
    for number, (fragment, place) in enumerate(staged.fragments):
        try:
            pose = measurer.measure(number, fragment)
        except MatteError:
            return
        gap, sd = pose.xy - place.xy, np.sqrt(np.diag(pose.covariance))
        yield Measured(
            kind,
            oblique,
            number,
            error=float(np.hypot(*gap)),
            inside=float(np.mean(np.abs(gap) <= 1.96 * sd)),
            width=float(2 * 1.96 * sd.max()),
            facing_error=abs(wrap(float(pose.facing_deg - place.facing_deg))),
            assumed=pose.facing_source == "assumed",
        )


def as_markdown(measured: Sequence[Measured]) -> str:
    """The table of all figures: places first, then turns."""
    lines = [
        "| seen | fragment | class | n | error, median cm | 95 % | in the 95 % bar | bar, median cm | 95 % |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for oblique in (True, False):
        for later in (False, True):
            for kind in (*_KINDS, None):
                lines += _places(measured, oblique, later, kind)
    lines += [
        "",
        "| seen | turns | error, median deg | 95 % | assumed | over 60 deg off | of these unmarked |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for oblique in (True, False):
        lines += _turns([m for m in measured if m.oblique == oblique and m.number > 0], _seen(oblique))
    return "\n".join(lines) + "\n"


def _places(measured: Sequence[Measured], oblique: bool, later: bool, kind: FighterClass | None) -> list[str]:
    chosen = [
        m for m in measured if m.oblique == oblique and (m.number > 0) == later and kind in (m.kind, None)
    ]
    if not chosen:
        return []
    error, width = ([getattr(m, name) for m in chosen] for name in ("error", "width"))
    row = (
        _seen(oblique), "later, turned" if later else "first, tapped", kind or "all", str(len(chosen)),
        f"{np.median(error):.2f}", f"{np.percentile(error, 95):.2f}",
        f"{100 * np.mean([m.inside for m in chosen]):.1f}%",
        f"{np.median(width):.2f}", f"{np.percentile(width, 95):.2f}",
    )  # fmt: skip
    return ["| " + " | ".join(row) + " |"]


def _turns(turned: Sequence[Measured], seen: str) -> list[str]:
    if not turned:
        return []
    called = [m.facing_error for m in turned if not m.assumed] or [float("nan")]
    row = (
        seen, str(len(turned)), f"{np.median(called):.1f}", f"{np.percentile(called, 95):.1f}",
        f"{100 * np.mean([m.assumed for m in turned]):.0f}%",
        str(sum(m.facing_error > _FLIP_DEG for m in turned)), str(sum(m.flipped_unmarked for m in turned)),
    )  # fmt: skip
    return ["| " + " | ".join(row) + " |"]


def _seen(oblique: bool) -> str:
    return "obliquely" if oblique else "from above"


def _set_up(rng: np.random.Generator, oblique: bool) -> tuple[Camera, RingCalibration]:
    """A camera that sees the whole ring, and its calibration by clicks alone."""
    while True:
        camera = random_camera(rng, oblique=oblique)
        corners, tops = (camera.project(points) for points in (_RING.corners(), _RING.post_tops()))
        clicked = RingSpec(
            _RING.width_cm,
            _RING.depth_cm,
            _RING.post_height_cm,
            corners + rng.normal(0, CLICK_SD_PX, (4, 2)),
            tops + rng.normal(0, CLICK_SD_PX, (4, 2)),
        )
        try:
            return camera, calibrate(clicked, camera.size)
        except CalibrationError:
            # a corner outside the picture: nobody would set a camera up like this
            continue


def _fragment(figure: Figure, camera: Camera, number: int, rng: np.random.Generator) -> Fragment:
    look = photograph(figure, camera, rng, pad=16)
    support = (look.silhouette > 0.6).astype(np.float32)
    first = 60 * number
    return Fragment("F1", first, first + 30, 20, look.origin, look.picture, support, 0.1)


if __name__ == "__main__":
    sys.exit(main())
