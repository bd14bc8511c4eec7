"""What of a picture would be taken for another fighter, by the very table that a match is tracked with.

Where a match would refuse colours that are alike, every fighter is taught alone instead, so that both show
their whole figures and the confusion can be seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.arrays import Image, Mask, as_bytes, dilated
from vision.colour.mixture import Mixture
from vision.colour.models import ColourError
from vision.colour.separability import PairRating, rate_palette
from vision.colour.table import ColourTable, Labels, label_picture
from vision.colour.teaching import Grounds, Palette, figure_window, teach_palette
from vision.fighters import FighterSpec
from vision.finding.region import TableView

# The rim of a figure mixes its colour with what lies behind: pixels this near to it are nobody's stray.
_RIM_PX = 3
# Strays narrower than this are no patch.
_BROAD_PX = 5
# What a match refuses boxes with that lie on one figure.
_ALIKE = "error.colour.same_box"


@dataclass(frozen=True, eq=False)
class Confusions:
    """A palette rated, worst pair first, with what the look-up table makes of the picture (H, W).

    Labels are 1.. for the fighters in the palette's order; watched (H, W) is where fighters can be.
    """

    palette: Palette
    ratings: tuple[PairRating, ...]
    labels: Labels
    watched: Mask

    def region(self, fighter: str) -> Mask:
        """The fighter's figure (H, W)."""
        return next(one.region for one in self.palette.fighters if one.fighter == fighter)

    def seen_as(self, fighter: str) -> Mask:
        """Every pixel (H, W) that is taken for this fighter."""
        names = [one.fighter for one in self.palette.fighters]
        return np.asarray(self.labels == self.palette.labels[names.index(fighter)])

    def taken(self, one: str, other: str) -> Mask:
        """The pixels (H, W) of one fighter that are taken for the other."""
        return np.asarray(self.region(one) & self.seen_as(other))

    def strays(self, fighter: str) -> Mask:
        """The pixels (H, W) of mat and table that are taken for this fighter."""
        figures = np.any([one.region for one in self.palette.fighters], axis=0)
        bare = dilated(as_bytes(figures), _RIM_PX) == 0
        return np.asarray(self.watched & bare & self.seen_as(fighter))

    def patches(self, fighter: str) -> Mask:
        """Those strays (H, W) that lie together: no lines along an edge and no single pixels, which nobody
        takes for a figure."""
        broad = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (_BROAD_PX, _BROAD_PX))
        return np.asarray(cv2.morphologyEx(as_bytes(self.strays(fighter)), cv2.MORPH_OPEN, broad) > 0)


def confusions(
    image: Image, fighters: Sequence[FighterSpec], grounds: Grounds, table: TableView
) -> Confusions:
    """Rate the palette of a picture (H, W, 3) BGR. Raises ColourError for a fighter that cannot be taught."""
    try:
        palette = teach_palette(image, fighters, grounds, table)
    except ColourError as error:
        if getattr(error.args[0], "key", "") != _ALIKE:
            raise
        palette = _taught_alone(image, fighters, grounds, table)
    ratings = rate_palette(palette.fighters, palette.grounds)
    labels = label_picture(image, ColourTable(palette).labels)
    return Confusions(palette, tuple(ratings), labels, grounds.watched & ~grounds.furniture)


def _taught_alone(
    image: Image, fighters: Sequence[FighterSpec], grounds: Grounds, table: TableView
) -> Palette:
    """A palette of fighters that were not told apart from each other."""
    windows = {spec.id: _window(spec, table, grounds.watched) for spec in fighters}
    alone = [
        teach_palette(
            image, [spec], _without(grounds, [windows[o.id] for o in fighters if o is not spec]), table
        )
        for spec in fighters
    ]
    return Palette(
        fighters=tuple(one.fighters[0] for one in alone),
        background=_joined([one.background for one in alone]),
        mat=alone[0].mat,
        mat_sample=alone[0].mat_sample,
        around_sample=alone[0].around_sample,
        labels=tuple(range(1, len(alone) + 1)),
    )


def _window(spec: FighterSpec, table: TableView, watched: Mask) -> Mask:
    """Where a fighter's figure can reach (H, W); nowhere for one that has to be found by its colour first."""
    inside = np.zeros_like(watched)
    if spec.colour_box_px is not None:
        u0, v0, u1, v1 = figure_window(spec, table)
        inside[v0:v1, u0:u1] = True
    return inside


def _without(grounds: Grounds, windows: Sequence[Mask]) -> Grounds:
    """The grounds with other figures no part of what a fighter is told apart from."""
    return replace(grounds, watched=grounds.watched & ~np.any(windows, axis=0)) if windows else grounds


def _joined(parts: Sequence[Mixture]) -> Mixture:
    """Several mixtures as one, each with the same weight."""
    return Mixture(
        np.concatenate([one.means for one in parts]),
        np.concatenate([one.covariances for one in parts]),
        np.concatenate([one.weights for one in parts]) / len(parts),
    )
