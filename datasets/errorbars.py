"""Do error bars hold? `python -m datasets.errorbars`: each source of error alone, then all together.

Two kinds of worlds. *Twin*: figures that are what is believed of figures, without pictures
(`datasets.errorbars_twin`); one source at a time is switched on, in the world and in the belief. *Pictures*:
random figures before random cameras (`datasets.errorbars_tables`), measured as in a match, first with
everything that is told and seen exact, so that only the figures themselves are uncertain, then with all.
Points, moves, palms, gaps between two figures and bearings are compared with the truth.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

from datasets import errorbars_scenes as scenes
from datasets.errorbars_bars import Bar, length_bar, point_bars, table
from datasets.errorbars_scenes import PALM_SD_CM, Neighbours
from datasets.errorbars_tables import KINDS, RING, Stood, Switches, set_up, stands
from datasets.errorbars_twin import Noise, Standing, exactly, placements
from datasets.figures import HEIGHTS
from vision.fighters import FighterSpec
from vision.measuring.displacement import displacement
from vision.measuring.measurer import EDGE_SD_PX

_TOLD = FighterSpec("", 1.0, 0.0)

# What is on in each twin world; the tap can only err about a body that is not known already.
TWINS = {
    "corners, posts, lens": (Noise(), True),
    "height of the fighter": (Noise(height_cm=_TOLD.height_sd_cm), False),
    "pixels, averaging, time": (Noise(middle_px=EDGE_SD_PX), False),
    "facing as told": (Noise(facing_deg=_TOLD.facing_sd_deg), False),
    "build of the figure": (Noise(body=True), False),
    "tap, with the build": (Noise(tap_px=_TOLD.foot_sd_px, body=True), False),
    "all, twin": (
        Noise(_TOLD.foot_sd_px, _TOLD.height_sd_cm, _TOLD.facing_sd_deg, EDGE_SD_PX, body=True), True,
    ),
}  # fmt: skip
NOTHING_TOLD = Switches(camera=False, tap=False, height=False, facing=False, pixels=False)
PICTURES = {"figures, pictures": NOTHING_TOLD, "all, pictures": Switches()}
HAND = "hand-span"
# A place with less variance than this (in cm^2: a thousandth of a millimetre) has no bar to be tested.
_CERTAIN = 1e-8


@dataclass(frozen=True)
class Study:
    """All bars, and what was said of neighbours."""

    bars: list[Bar]
    neighbours: list[Neighbours]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the study and write errorbars.md and errorbars.json."""
    parser = argparse.ArgumentParser(prog="python -m datasets.errorbars", description=__doc__)
    parser.add_argument(
        "--twins", type=int, default=150, help="twin figures for each source (three places each)"
    )
    parser.add_argument(
        "--tables", type=int, default=60, help="tables of two pictured figures for each world"
    )
    parser.add_argument("--fragments", type=int, default=3, help="how often the two are set down")
    parser.add_argument("--long", type=int, default=12, help="tables on which they are set down eight times")
    parser.add_argument("--seed", type=int, default=7000, help="other figures, cameras and errors")
    parser.add_argument("--out", type=Path, default=Path("out"), help="folder for the two files")
    options = parser.parse_args(arguments)
    study = Study([], [])
    for source in TWINS:
        study.bars.extend(twin_bars(source, options.twins, options.seed))
    study.bars.extend(hand_bars(options.twins, options.seed))
    for source, on in PICTURES.items():
        pictured(study, source, on, options.tables, options.fragments, options.seed)
    if options.long:
        pictured(study, "all, long matches", Switches(), options.long, 8, options.seed + 1)
    options.out.mkdir(parents=True, exist_ok=True)
    text = as_markdown(study)
    (options.out / "errorbars.md").write_text(text, encoding="utf-8")
    raw = {"bars": [asdict(b) for b in study.bars], "neighbours": [asdict(n) for n in study.neighbours]}
    (options.out / "errorbars.json").write_text(json.dumps(raw), encoding="utf-8")
    print(text)
    return 0


def as_markdown(study: Study) -> str:
    """Both tables."""
    return f"{table(study.bars)}\n{scenes.verdicts(study.neighbours)}"


def twin_bars(source: str, figures: int, seed: int) -> Iterator[Bar]:
    """The bars of places and moves when only this source errs."""
    noise, camera_errs = TWINS[source]
    for number in range(figures):
        rng = np.random.default_rng([seed, number])
        camera, calibration = set_up(rng, bool(rng.random() < 0.6), camera_errs)
        kind = KINDS[number % 3]
        half = float(RING.half[0]) - 6.0
        places = [Standing(rng.uniform(-half, half, 2), float(rng.uniform(-np.pi, np.pi))) for _ in range(3)]
        known = calibration if camera_errs else exactly(calibration, camera)
        height = float(rng.uniform(*HEIGHTS[kind]))
        found = placements(camera, known, height, places, noise, rng)
        for i, (place, here) in enumerate(zip(places, found, strict=True)):
            if float(np.trace(here.covariance)) < _CERTAIN:
                # this source does not touch such figures: training knew the heights of tall ones as well
                continue
            bar = Bar(source, "point", group=str(number), seen=i + 1)
            yield from point_bars(bar, here.xy - place.xy, here.covariance)
            if i:
                true = float(np.hypot(*(place.xy - places[i - 1].xy)))
                moved = displacement(found[i - 1], here)
                yield length_bar(
                    replace(bar, kind="move"), moved.length_cm - true, moved.sd_cm, moved.interval95_cm, true
                )


def hand_bars(figures: int, seed: int) -> Iterator[Bar]:
    """The bars in palms of moves whose places are exact, by hands that are not."""
    rng = np.random.default_rng([seed, 1])
    for number in range(3 * figures):
        true = float(rng.uniform(5, 60))
        measured = scenes.in_palms(true, 0.0, PALM_SD_CM * float(rng.standard_normal()))
        palms = true / scenes.PALM_CM
        yield length_bar(
            Bar(HAND, "palms", group=str(number)),
            measured.value - palms,
            measured.sd,
            measured.interval(),
            palms,
        )


def pictured(study: Study, source: str, on: Switches, tables: int, fragments: int, seed: int) -> None:
    """Add the bars of pictured tables to the study."""
    for number in range(tables):
        print(f"\r{source}: table {number + 1} of {tables}   ", end="", file=sys.stderr)
        # a player's hand is measured once
        palm_error = PALM_SD_CM * float(np.random.default_rng([seed, number, 2]).standard_normal())
        before: list[Stood] = []
        for stood in stands([seed, number], fragments, on):
            for figure in stood:
                bar = _bar(source, number, figure, before)
                study.bars.extend(scenes.point(bar, figure))
                for last in before:
                    if last.fighter == figure.fighter:
                        study.bars.extend(scenes.move(replace(bar, kind="move"), last, figure, palm_error))
            held, neighbours = scenes.gap(_bar(source, number, stood[0], before, "gap"), *stood)
            study.bars.append(held)
            study.neighbours.append(neighbours)
            study.bars.extend(scenes.bearings(_bar(source, number, stood[0], before, "bearing"), *stood))
            before = stood
    print(file=sys.stderr)


def _bar(source: str, number: int, figure: Stood, before: list[Stood], kind: str = "point") -> Bar:
    turned = [figure.turned_since(last) for last in before if last.fighter == figure.fighter]
    about = "assumed" if figure.pose.facing_source == "assumed" and figure.number else "known"
    return Bar(
        source, kind, group=f"{number}{figure.fighter}", seen=figure.number + 1,  # type: ignore[arg-type]
        turn=turned[0] if turned else 0.0, about=about,
    )  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
