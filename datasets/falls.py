"""How falls are noticed and placed: `python -m datasets.falls`.

Modelled figures of all makers stand before a camera, and are then set down turned, or fall over any side
(`datasets.fall_samples`). Silhouettes are cut out of their pictures, and everything after that is what a
match gets.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from datasets.fall_samples import bounding_middle, fallen
from datasets.figures import Figure, photograph, random_camera
from datasets.lessons import KINDS
from datasets.makers import MORE_MAKERS, made
from datasets.shape_samples import HEIGHT_SD
from vision.fighters import FighterClass
from vision.measuring.experience import Experience
from vision.measuring.facing import Known
from vision.measuring.likelihood import wrap
from vision.measuring.matte import soft_matte
from vision.measuring.posture import judge
from vision.measuring.registration import FragmentView
from vision.measuring.silhouette import SHARE_OF_HEIGHT, Silhouette

Array = NDArray[np.float64]

_PLACES_CM, _OBLIQUE = 22.0, 0.6
# A head that points further off than this is the wrong end, or no end at all.
_WRONG_DEG = 45.0


@dataclass(frozen=True)
class Case:
    """A figure that fell or was turned: what was said, and of one that fell how far off its middle (in
    heights) and where its head is said to point (degrees) are, and whether the middle's 95 % bar held."""

    kind: FighterClass
    oblique: bool
    fell: bool
    said_to_lie: bool
    middle: float = 0.0
    head: float = 0.0
    held: bool = True


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m datasets.falls", description=__doc__)
    parser.add_argument("--figures", type=int, default=10, help="of each maker")
    parser.add_argument("--seed", type=int, default=3, help="other figures, cameras, places")
    options = parser.parse_args(arguments)
    found: list[Case] = []
    for number in range(options.figures):
        for maker in MORE_MAKERS:
            print(f"\r{number + 1} of {options.figures}: {maker}          ", end="", file=sys.stderr)
            found += cases(np.random.default_rng([options.seed, number, *maker.encode()]), maker)
    print(file=sys.stderr)
    print(as_markdown(found))
    return 0


def cases(rng: np.random.Generator, maker: str) -> Iterator[Case]:
    """A random figure of a maker as it is turned, and as it falls, if it does not stay upright."""
    figure, oblique = made(rng, maker), bool(rng.random() < _OBLIQUE)
    camera = random_camera(rng, oblique=oblique)
    told = figure.height * (1 + rng.normal(0, HEIGHT_SD))
    facing, turned = rng.uniform(-180, 180, 2)
    stood, again = (_view(rng, figure.placed(_place(rng), f), camera, told) for f in (facing, turned))
    kind = next(one for one in KINDS if one == figure.kind)
    experience, known = Experience(camera, told, kind), [Known(stood, facing)]
    stance = judge(known, again, camera, told, experience)
    yield Case(kind, oblique, False, stance.posture == "lying")
    lies = fallen(rng, figure)
    if lies is None:
        return
    lying = replace(lies[0], centres=lies[0].centres + np.array([*_place(rng), 0.0]))
    view = _view(rng, lying, camera, told)
    stance = judge(known, view, camera, told, experience)
    found = experience.fallen(stood, facing, view)
    off = found.xy - bounding_middle(lying, lies[1])
    yield Case(
        kind, oblique, True, stance.posture == "lying",
        middle=float(np.hypot(*off)) / told,
        head=abs(wrap(stance.facing_deg - float(np.degrees(lies[1])))),
        held=bool(off @ np.linalg.solve(found.covariance, off) < 5.99),
    )  # fmt: skip


def as_markdown(found: Sequence[Case]) -> str:
    """A table by class, obliquely and from above, and a line of all."""
    lines = [
        "| figures | fell | noticed | stood | said to lie | middle off, median and 95 % | in its 95 % bar "
        "| head off by more than 45 degrees |",
        "| --- " * 8 + "|",
    ]
    for kind in KINDS:
        for oblique in (True, False):
            some = [case for case in found if case.kind == kind and case.oblique == oblique]
            if any(case.fell for case in some):
                lines.append(_row(f"{kind}, {'oblique' if oblique else 'from above'}", some))
    return "\n".join([*lines, _row("all", found)]) + "\n"


def _row(name: str, found: Sequence[Case]) -> str:
    fell, stood = ([case for case in found if case.fell == down] for down in (True, False))
    noticed = [case for case in fell if case.said_to_lie]
    middle = np.array([case.middle for case in fell])
    return (
        f"| {name} | {len(fell)} | {_share([case.said_to_lie for case in fell])} | {len(stood)} "
        f"| {sum(case.said_to_lie for case in stood)} "
        f"| {np.median(middle):.3f}, {np.percentile(middle, 95):.3f} heights "
        f"| {_share([case.held for case in fell])} | {_share([case.head > _WRONG_DEG for case in noticed])} |"
    )


def _share(held: Sequence[bool]) -> str:
    return f"{np.mean(held):.0%}" if held else "-"


def _place(rng: np.random.Generator) -> Array:
    return rng.uniform(-_PLACES_CM, _PLACES_CM, 2)


def _view(rng: np.random.Generator, figure: Figure, camera: Camera, told: float) -> FragmentView:
    """What is cut out of a picture of the figure, as the measurer gives it to a stance."""
    look = photograph(figure, camera, rng)
    alpha = soft_matte(look.picture, np.asarray(look.silhouette > 0.5, np.float32), None)
    middle = Silhouette(look.origin, alpha).steady_centroid.reshape(1, 2)
    axis = camera.to_plane(middle, SHARE_OF_HEIGHT * told)[0]
    return FragmentView(look.origin, alpha, None, axis, look.picture)


if __name__ == "__main__":
    sys.exit(main())
