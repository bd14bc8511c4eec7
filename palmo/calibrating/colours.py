"""What is said of a palette: which fighters the camera would mix up, and a picture of that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from typing import Any

import cv2
import numpy as np

from calibration.furniture import furniture_mask
from calibration.result import RingCalibration
from overlay.i18n import translate
from overlay.palette import bgr
from palmo.blame import blaming
from palmo.calibrating.drawing import INK, MAGENTA, PAPER, captioned, shrunk, write_on_plate
from palmo.convert import fighter_specs
from palmo.workbench import Workbench
from rules.text import Text
from vision.arrays import Image, Mask, as_bytes
from vision.colour.confusion import Confusions, confusions
from vision.colour.separability import GROUNDS, PairRating
from vision.colour.teaching import Grounds
from vision.fighters import FighterSpec
from vision.finding.region import TableView
from vision.pipeline import FURNITURE_MARGIN_PX

_WIDTH_PX = 1200
# Ratings of pairs that are well apart are said for so many of the worst only.
_SAID_APART = 3
# Patches that have fewer pixels than this share of a fighter's own are not worth a line.
_STRAYS = 0.1


@dataclass(frozen=True, eq=False)
class ColoursReport:
    """The confusions of a palette with names and colours (`#rrggbb`) by fighter."""

    found: Confusions
    names: Mapping[str, str]
    colours: Mapping[str, str]

    @property
    def verdict(self) -> str:
        """apart, strays (where mat or table would be taken for a fighter), close or same: the worst that was
        found."""
        pairs = self.found.ratings[0].verdict if self.found.ratings else "apart"
        return "strays" if pairs == "apart" and self._strays else pairs

    @cached_property
    def _strays(self) -> list[Text]:
        """What is said of each fighter for whom a patch of mat or table would be taken."""
        lines = []
        for taught in self.found.palette.fighters:
            own = int(self.found.region(taught.fighter).sum())
            strays = int(self.found.patches(taught.fighter).sum())
            if strays > _STRAYS * own:
                values: dict[str, float | int | str | Text] = {
                    "fighter": self.names[taught.fighter],
                    "n": strays,
                    "own": own,
                }
                lines.append(Text("colours.strays", values))
        return lines

    def lines(self) -> list[Text]:
        """The report for a person, worst pair first."""
        worth = [one for one in self.found.ratings if one.verdict != "apart"]
        apart = [one for one in self.found.ratings if one.verdict == "apart"][:_SAID_APART]
        count = len(self._strays) if self.verdict == "strays" else len(worth)
        pairs = [self._pair(one) for one in worth + apart]
        return [*pairs, *self._strays, Text(f"colours.verdict.{self.verdict}", {"n": count})]

    def to_json(self) -> dict[str, Any]:
        """The report for a program."""
        fighters = [one.fighter for one in self.found.palette.fighters]
        return {
            "verdict": self.verdict,
            "pairs": [
                {
                    "fighter": one.fighter,
                    "other": one.other,
                    "confusion": one.confusion,
                    "verdict": one.verdict,
                }
                for one in self.found.ratings
            ],
            "fighters": {
                name: {
                    "pixels": int(self.found.region(name).sum()),
                    "strays": int(self.found.strays(name).sum()),
                    "patches": int(self.found.patches(name).sum()),
                    "taken_for": {
                        other: int(self.found.taken(name, other).sum()) for other in fighters if other != name
                    },
                }
                for name in fighters
            },
        }

    def picture(self, image: Image, lang: str) -> Image:
        """The watched part of the picture in grey; what would be taken for a fighter has its colour.

        Figures are outlined in their own colour; what of a figure would be taken for another one is magenta.
        """
        grey = cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
        drawn = as_bytes(cv2.addWeighted(grey, 0.55, np.full_like(image, 255), 0.15, 0))
        rows, columns = (np.flatnonzero(self.found.watched.any(axis=axis)) for axis in (1, 0))
        fighters = [taught.fighter for taught in self.found.palette.fighters]
        for one, two in permutations(fighters, 2):
            drawn[self.found.taken(one, two)] = MAGENTA
        for one in fighters:
            drawn[self.found.strays(one)] = bgr(self.colours[one])
        view = shrunk(drawn[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1].copy(), _WIDTH_PX)
        for taught in self.found.palette.fighters:
            region = taught.region[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
            self._outline(view, region, taught.fighter)
        return captioned(view, translate(Text("colours.sheet"), lang))

    def _outline(self, view: Image, region: Mask, fighter: str) -> None:
        larger = cv2.resize(region.astype(np.uint8), view.shape[1::-1], interpolation=cv2.INTER_NEAREST)
        outlines, _ = cv2.findContours(larger, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        cv2.drawContours(view, outlines, -1, PAPER, 4, cv2.LINE_AA)
        cv2.drawContours(view, outlines, -1, bgr(self.colours[fighter]), 2, cv2.LINE_AA)
        v, u = np.nonzero(larger)
        if len(u):
            at = (int(u.mean()) - 20, int(v.max()) + 6)
            write_on_plate(view, self.names[fighter], at, 15, PAPER, INK)

    def _pair(self, rating: PairRating) -> Text:
        ground = rating.other in GROUNDS
        other: str | Text = Text(f"colours.{rating.other}") if ground else self.names[rating.other]
        values = {"one": self.names[rating.fighter], "two": other, "percent": 100 * rating.confusion}
        return Text(f"colours.pair.{rating.verdict}", dict(values))


def colours_report(bench: Workbench) -> ColoursReport:
    """Rate the palette on the first picture. Raises EventError for a colour that cannot be taught."""
    names = {fighter.id: fighter.name for fighter in bench.event.fighter}
    with blaming(bench.event_path, bench.event):
        return rate_colours(
            bench.first.image, bench.calibration, fighter_specs(bench.event), names, bench.colours
        )


def rate_colours(
    image: Image,
    calibration: RingCalibration,
    fighters: Sequence[FighterSpec],
    names: Mapping[str, str],
    colours: Mapping[str, str],
) -> ColoursReport:
    """Rate the palette of some fighters on a picture. Raises ColourError for one that cannot be taught."""
    table = TableView(calibration.camera, calibration.spec.width_cm, calibration.spec.depth_cm)
    furniture = furniture_mask(calibration, FURNITURE_MARGIN_PX)
    found = confusions(image, fighters, Grounds(table.watched, table.mat, furniture), table)
    return ColoursReport(found, names, colours)
