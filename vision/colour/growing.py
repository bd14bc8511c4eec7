"""Growing fighters in a picture from where their colour is sure, and how far a faint colour may go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from vision.arrays import Floats, Image, Mask
from vision.colour.box_checks import too_much
from vision.colour.mixture import Mixture
from vision.colour.models import LOG_PRIOR, REJECT_SD, grow, seed_model
from vision.colour.space import features
from vision.fighters import FighterSpec
from vision.finding.region import Rect

# By how much a colour may have to be likelier a fighter's than anything else's (log), least first; the share
# of the mat that may be taken for the fighter before it has to, and what that weighs against the figure's.
_MARGINS = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0)
_MAT_TAKEN, _MATS_WEIGHT = 0.05, 4.0


@dataclass(frozen=True, eq=False)
class Grown:
    """Where a fighter is (H, W), the model of its colour, and the margin (log) it was grown with."""

    region: Mask
    model: Mixture
    margin: float


@dataclass(frozen=True, eq=False)
class Grower:
    """Grows fighters in a picture (H, W, 3), each in its window, not over ropes and posts (H, W).

    scales are pixels per cm in the windows.
    """

    image: Image
    furniture: Mask
    windows: Mapping[str, Rect]
    scales: Mapping[str, float]

    def grown(self, spec: FighterSpec, seeds: Mask, rivals: Sequence[Mixture], *, faint: bool) -> Grown:
        """What grows from seeds (H, W); of a faint colour, with the least margin that makes it not too much
        for the figure, if there is one."""
        first = self._grown(spec, seeds, rivals, 0.0)
        if not faint:
            return first
        for margin in _MARGINS:
            one = self._grown(spec, seeds, rivals, margin) if margin else first
            if not self._too_much(spec, one):
                return one
        return first

    def best(self, spec: FighterSpec, seeds: Sequence[Mask], contrast: Mixture) -> Mask:
        """The seeds (H, W) of several from which most grows that is not too much for the figure."""
        found = [self._grown(spec, one, [contrast], 0.0) for one in seeds]
        sizes = [0 if self._too_much(spec, one) else int(one.region.sum()) for one in found]
        return seeds[int(np.argmax(sizes))]

    def _too_much(self, spec: FighterSpec, grown: Grown) -> bool:
        return too_much(spec, grown.region, self.windows[spec.id], self.scales[spec.id])

    def _grown(self, spec: FighterSpec, seeds: Mask, rivals: Sequence[Mixture], margin: float) -> Grown:
        u0, v0, u1, v1 = self.windows[spec.id]
        start = seeds[v0:v1, u0:u1]
        pixels = features(self.image[v0:v1, u0:u1])
        allowed = ~self.furniture[v0:v1, u0:u1] | start
        inside, model = grow(pixels, start, allowed, seed_model(pixels[start]), rivals, margin=margin)
        region = np.zeros(self.image.shape[:2], dtype=bool)
        region[v0:v1, u0:u1] = inside
        return Grown(region, model, margin)


def least_margin(grown: Grown, contrast: Mixture, own: Floats, mat: Floats) -> float:
    """By how much a colour must be likelier a fighter's (log): more than it was grown with only where much of
    the mat (N, 3) is taken for it, and then what leaves most of its own (M, 3) and least of the mat."""
    figure, mats = (_lead(grown.model, contrast, points) for points in (own, mat))
    if not len(mats) or np.mean(mats > grown.margin) < _MAT_TAKEN:
        return grown.margin
    return max(
        (margin for margin in _MARGINS if margin >= grown.margin),
        key=lambda margin: float(np.mean(figure > margin) - _MATS_WEIGHT * np.mean(mats > margin)),
    )


def _lead(own: Mixture, contrast: Mixture, points: Floats) -> Floats:
    """By how much points (N, 3) are likelier a fighter's than its contrast's (log), as the table counts."""
    lead = own.log_likelihood(points) + LOG_PRIOR - contrast.log_likelihood(points)
    return np.where(own.nearest(points) > REJECT_SD, -np.inf, lead)
