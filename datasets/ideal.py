"""What errors would be left if a source of them were gone: `python -m datasets.ideal`.

The clips of `datasets/library` are measured as by `datasets.accuracy`, and again with corners, taps on the
feet, silhouettes, or several of them as the truth has them. What is left with all of them is what nobody
knows of the figures' shapes.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from datasets.accuracy import LIBRARY, PEOPLE, Clip, Drawn, Hands, clip_folders, load_clip, measure_draw
from datasets.render.scene_file import load_scene
from datasets.render.timeline import Timeline
from datasets.silhouettes import exact_silhouette, still_seconds
from vision.colour.models import ColourError
from vision.fragments import Fragment
from vision.measuring.measurer import Measurer
from vision.measuring.told import ToldError

Alpha = NDArray[np.float32]

# Name, hands, and whether silhouettes are exact.
_WAYS = (
    ("as people click and tap", PEOPLE, False),
    ("exact corners", Hands(click_px=0.0), False),
    ("exact taps", Hands(foot_px=0.0), False),
    ("exact silhouettes", PEOPLE, True),
    ("exact silhouettes and taps", Hands(foot_px=0.0), True),
)
# Too few pixels of a figure for the true silhouette to be what was found.
_FEWEST_PX = 12


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the clips in every way and print the table."""
    parser = argparse.ArgumentParser(prog="python -m datasets.ideal", description=__doc__)
    parser.add_argument("clips", nargs="*", default=[str(LIBRARY)], help="clip folders with their scene.toml")
    parser.add_argument("--draws", type=int, default=2, help="how often the taps are drawn again")
    options = parser.parse_args(arguments)
    drawn = {name: Drawn() for name, _, _ in _WAYS}
    for folder in clip_folders(options.clips):
        try:
            clip = load_clip(folder)
        except (CalibrationError, ColourError, ToldError) as error:
            print(f"{folder.name} was refused: {error}", file=sys.stderr)
            continue
        exact = measurer_with(exact_silhouettes(clip, Timeline(load_scene(folder / "scene.toml"))))
        for name, hands, cut_out in _WAYS:
            print(f"{clip.name}, {name}", file=sys.stderr)
            for draw in range(options.draws):
                drawn[name].extend(measure_draw(clip, draw, hands, exact if cut_out else Measurer))
    print(as_markdown(drawn))
    return 0


def exact_silhouettes(clip: Clip, timeline: Timeline) -> dict[tuple[str, int], Alpha]:
    """The true mattes of a clip's fragments, by fighter and number."""
    every = {
        (fragment.fighter, number): exact_silhouette(timeline, fragment, still_seconds(clip, fragment))
        for number, fragment, _ in clip.fragments
    }
    return {key: alpha for key, alpha in every.items() if np.count_nonzero(alpha > 0.5) >= _FEWEST_PX}


def measurer_with(mattes: dict[tuple[str, int], Alpha]) -> type[Measurer]:
    """A measurer that is given the mattes of fragments instead of cutting them out."""

    class Exact(Measurer):
        def _matte(self, number: int, fragment: Fragment) -> Alpha:
            known = mattes.get((fragment.fighter, number))
            return super()._matte(number, fragment) if known is None else known

    return Exact


def as_markdown(drawn: dict[str, Drawn]) -> str:
    """A line for every way: medians and 95 %."""
    lines = [
        "| | ground point with tap, mm | without | moves | plan-view IoU |",
        "| --- | --- | --- | --- | --- |",
    ]
    for name, found in drawn.items():
        points = [[s.error for s in found.standing if s.tapped is tapped] for tapped in (True, False)]
        moves = [abs(move.error) for move in found.moves if move.tapped]
        cells = [_errors(one) for one in (*points, moves)]
        iou = np.median([s.iou for s in found.standing if s.tapped])
        lines.append(f"| {name} | {' | '.join(cells)} | {iou:.2f} |")
    return "\n".join(lines) + "\n"


def _errors(cm: Sequence[float]) -> str:
    median, most = 10 * np.percentile(cm, [50, 95])
    return f"{median:.1f} / {most:.1f}"


if __name__ == "__main__":
    sys.exit(main())
