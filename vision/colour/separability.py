"""Rating a palette: which colours a camera will mix up, before the match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np

from calibration.sentences import Said
from vision.arrays import Floats
from vision.colour.mixture import Mixture
from vision.colour.models import ColourError, Taught

# The share of pixels that look more like the other colour: above the first it is worth a warning, above the
# second the two cannot be told apart.
CLOSE, SAME = 0.03, 0.20
# What a step of 565 and the picture's noise add to a colour's spread.
_BLUR = 0.03

# What fighters are rated against besides each other.
GROUNDS = ("mat", "table")

Verdict = Literal["apart", "close", "same"]


@dataclass(frozen=True)
class PairRating:
    """How well two colours can be told apart: `confusion` is the share of pixels that look like the other's.

    `other` is a fighter or the name of a ground. Of a ground it is the larger of both shares: a hundredth of
    the mat in a fighter's colour is many pixels.
    """

    fighter: str
    other: str
    confusion: float

    @property
    def verdict(self) -> Verdict:
        """apart, close (worth a warning) or same (cannot be told apart)."""
        if self.confusion >= SAME:
            return "same"
        return "close" if self.confusion >= CLOSE else "apart"

    def __str__(self) -> str:
        texts = {
            "apart": "can be told apart",
            "close": "are close in colour: keep them apart on the table, or repaint one",
            "same": "cannot be told apart by their colours: repaint one",
        }
        share = f"{100 * self.confusion:.0f} % of the pixels could be the other's"
        if self.other in GROUNDS:
            return f"{self.fighter} and the {self.other} {texts[self.verdict].split(':')[0]} ({share})"
        return f"{self.fighter} and {self.other} {texts[self.verdict]} ({share})"


def rate_palette(
    fighters: Sequence[Taught], grounds: dict[str, tuple[Mixture, Floats]] | None = None
) -> list[PairRating]:
    """Rate every pair of taught fighters, and each against every ground, worst first.

    grounds are what is no fighter by its name (GROUNDS): its model and a sample (N, 3) of its pixels that
    were not taught. A fighter's own pixels were chosen for not looking like them, so the sample tells more.
    """
    models = {taught.fighter: taught.model.blurred(_BLUR) for taught in fighters}
    ratings = [
        PairRating(
            one.fighter,
            two.fighter,
            _confusion(one.sample, two.sample, models[one.fighter], models[two.fighter]),
        )
        for one, two in combinations(fighters, 2)
    ]
    for name, (model, sample) in (grounds or {}).items():
        ground = model.blurred(_BLUR)
        for taught in fighters:
            own = models[taught.fighter]
            strays = [_strays(taught.sample, own, ground)]
            if len(sample):
                strays.append(_strays(sample, ground, own))
            ratings.append(PairRating(taught.fighter, name, max(strays)))
    return sorted(ratings, key=lambda rating: -rating.confusion)


def same_pairs(fighters: Sequence[Taught]) -> list[PairRating]:
    """The pairs of fighters that cannot be told apart."""
    models = {taught.fighter: taught.model.blurred(_BLUR) for taught in fighters}
    ratings = [
        PairRating(
            one.fighter,
            two.fighter,
            _confusion(one.sample, two.sample, models[one.fighter], models[two.fighter]),
        )
        for one, two in combinations(fighters, 2)
    ]
    return [rating for rating in ratings if rating.verdict == "same"]


def same_seeds(seeds: Mapping[str, Floats], models: Mapping[str, Mixture]) -> list[tuple[str, str]]:
    """The pairs whose boxes show one colour, before anything is grown."""
    found = []
    for one, two in combinations(seeds, 2):
        alike = [
            np.mean(models[b].log_likelihood(seeds[a]) > models[a].log_likelihood(seeds[a]) - 1.5)
            for a, b in ((one, two), (two, one))
        ]
        if min(alike) > 0.5:
            found.append((one, two))
    return found


def one_figure(one: str, two: str) -> ColourError:
    """What is said of two boxes of one colour that lie on one figure."""
    return ColourError(
        Said(
            "error.colour.same_box",
            "fighters {one} and {two} cannot be told apart: their colour boxes show the same "
            "colour; repaint one of them, or move a box that lies on the wrong figure",
            one=one,
            two=two,
        )
    )


def of_one_colour(one: str, two: str) -> Said:
    """What is said of two figures of one colour."""
    return Said(
        "warning.colour.pair",
        "fighters {one} and {two} cannot be told apart by their colours (colour_box_px), only by where they "
        "stand: move one at a time and keep them apart, or repaint one of them",
        one=one,
        two=two,
    )


def _confusion(one: Floats, two: Floats, first: Mixture, second: Mixture) -> float:
    return (_strays(one, first, second) + _strays(two, second, first)) / 2


def _strays(sample: Floats, own: Mixture, other: Mixture) -> float:
    """The share of a sample (N, 3) that looks more like the other material than its own."""
    return float(np.mean(other.log_likelihood(sample) > own.log_likelihood(sample)))
