"""A soft matte: how much of each pixel of an averaged crop belongs to the figure.

The colour table *finds* a figure with one model for the whole table; the matte *measures* it with a local
one, this figure's colours here against its surroundings here (local colour models: Rother, Kolmogorov &
Blake, *GrabCut*, SIGGRAPH 2004). Surroundings are the materials that reach the crop's border, and what
shadows make of them (`shadows`); what looks like neither and hangs together with the figure is a hat or a
shell of another colour, and the figure too. Ropes and posts are unknown, and their pixels take after their
neighbours.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats
from vision.colour.mixture import Mixture
from vision.colour.space import features
from vision.measuring.cut import coverage, smoothed
from vision.measuring.materials import chosen, materials, with_rim
from vision.measuring.refining import log_odds, refined
from vision.measuring.shadows import Shadows

Float = NDArray[np.float32]
Mask = NDArray[np.bool_]

# Share of frames and of neighbours in which the table must have seen the fighter for a pixel to teach its
# colours, the share at which it is no longer safely surroundings, and at which it never was the figure.
# White on cream is seen in specks.
_CORE_SUPPORT, _DOUBT_SUPPORT, _NO_SUPPORT = 0.65, 0.3, 0.05
_SUPPORT_BLUR_PX = 1.2
# A shadow may be taken for a white figure in some frames: the first colours come from what was always seen.
_SURE_SUPPORT = 0.9
_MIN_PIXELS = 12
_LEAST_OF_CORE, _GUESS = 0.4, 0.75
_MAX_SAMPLES = 1500
# How far from what the table saw the figure may reach, over the root of its area, and within how many px.
_REACH, _REACH_PX = 0.7, (6, 60)
# The largest hole, over the figure's area, that is not a gap between limbs.
_HOLE_SHARE = 0.02
_GROUND_MATERIALS, _FIGURE_MATERIALS = 6, 4
# A material is ground that is at least this often, relative to the others, in a frame of so many px.
_AT_BORDER, _BORDER_PX = 0.25, 3
# Squared distance from all grounds and shadows beyond which a pixel that the table saw is no shadow, at
# least and over that of what is furthest; when less than a share is, the ground looks like the figure.
_NO_SHADOW, _NO_SHADOW_SHARE, _TOLD_APART = (14.0, 4.0), 0.15, 0.25
_FIGURE_SD = 0.02
# A part that hangs on nothing else is the figure's when so much of it is sure.
_SURE_PART = 0.1
# Log density of what is neither this figure's colour nor the ground's; nats for what the table saw.
_SOMETHING_ELSE = -8.0
_SEEN = 0.5
# What is further than this many robust deviations from the hue of a figure's inner half is not learned at
# first; the floor is the noise of an averaged crop's hue (log units).
_HUE_GATE, _HUE_FLOOR = 3.5, 0.004
# Evidence (nats) beyond which a pixel is certain: one odd pixel must not outvote its neighbours.
_CERTAIN = 8.0
_ROUNDS = 3
# What is measured with silhouettes expects rims of a pixel or two; those of the network are this much softer,
# since it also says what it doubts.
_SHARPER = 3.0
# Differences of colours (log units) that are small to the network.
_LOOK_SCALE = np.array([0.02, 0.02, 0.08])


class MatteError(ValueError):
    """A crop from which no figure can be cut out: one sentence."""


def soft_matte(mean: Float, support: Float, unknown: Mask | None = None) -> Float:
    """The figure's coverage (H, W) of a crop by what it shows of shadows alone (see `Crop`)."""
    shadows, crop = Shadows(), Crop(mean, support, unknown)
    crop.teach(shadows, None)
    return crop.coverage(shadows)


@dataclass(frozen=True, eq=False)
class Reading:
    """What local colour models tell of a crop: the matte `alpha` (H, W), 0-1, and `planes` (PLANES, H, W) for
    the network that refines it.

    The planes are how the colours differ from the ground's and from the figure's (3 each), what speaks for
    the figure, its smooth share and `alpha` (as log odds), how often the table saw it, raw and blurred,
    furniture, other fighters, and a one."""

    planes: Float
    alpha: Float


class Crop:
    """An averaged BGR crop (H, W, 3), 0-255, with a figure in it.

    `support` (H, W) is the share of frames in which the colour table saw this fighter: it only says where
    to learn the colours. `unknown` (H, W) marks furniture, `others` (H, W) other fighters. Raises MatteError
    when too little was seen.
    """

    def __init__(
        self, mean: Float, support: Float, unknown: Mask | None = None, others: Mask | None = None
    ) -> None:
        nothing = np.zeros(support.shape, np.bool_)
        self._mean, self._support = mean, support
        self._unknown = nothing if unknown is None else unknown
        self._smooth = np.asarray(cv2.GaussianBlur(support, (0, 0), _SUPPORT_BLUR_PX), np.float32)
        self._core = _largest((self._smooth >= _CORE_SUPPORT) & ~self._unknown)
        self._seen = int(np.count_nonzero(self._core))
        if self._seen < _MIN_PIXELS:
            raise MatteError(
                f"only {self._seen} pixels of the figure were seen, too few for an outline: "
                "teach its colour again or bring the camera nearer"
            )
        self._colours = features(mean)
        self._others = nothing if others is None else others & ~self._core
        self._not_around = self._unknown | _dilated(self._others, 2)
        perhaps = self._core | (self._smooth > _DOUBT_SUPPORT)
        root = np.sqrt(self._seen)
        self._near = _dilated(perhaps, int(np.clip(_REACH * root, *_REACH_PX)))
        self._around = self._outside(_dilated(perhaps, int(np.clip(0.15 * root, 3, 6))))

    def teach(self, shadows: Shadows, key: Hashable) -> None:
        """Let a table's shadows learn from what is around the figure; a key is believed once."""
        shadows.learn(key, _thinned(self._colours[self._around]), self._ground(self._around))

    def coverage(self, shadows: Shadows) -> Float:
        """How much of each pixel (H, W) is the figure's, 0-1. Raises MatteError when it cannot be told."""
        reading = self.read(shadows)
        evidence = refined(reading.planes, reading.alpha)
        figure = _sure_parts(evidence > 0, self._core)
        self._check(evidence, figure, _LEAST_OF_CORE * self._seen)
        alpha = 1 / (1 + np.exp(-_SHARPER * evidence))
        alpha[(evidence > 0) & ~figure] = 0.0
        return np.asarray(alpha, np.float32)

    def read(self, shadows: Shadows) -> Reading:
        """What local colour models tell of the crop, sure or not."""
        around, figure = self._around, None
        for _ in range(_ROUNDS):
            ground = self._ground(around)
            lit_and_shadowed = shadows.on(ground, self._hue_gap(ground, figure))
            sure = self._first(lit_and_shadowed) if figure is None else _eroded(figure & ~self._unknown)
            own = materials(_thinned(self._colours[sure]), _FIGURE_MATERIALS).blurred(_FIGURE_SD)
            beside = _at_the_rim(ground, shadows)
            shaded = shadows.on(own, 0.0)
            evidence = self._evidence(*with_rim(shaded, lit_and_shadowed, own, beside))
            share = smoothed(evidence, self._colours, self._unknown)
            figure = _sure_parts(share > 0.5, sure)
            try:
                self._check(evidence, figure, _MIN_PIXELS)
                around = self._outside(_dilated(figure, 3))
            except MatteError:
                break
        assert figure is not None
        alpha = coverage(self._mean, _without_holes(figure), self._unknown)
        return Reading(self._planes(around, sure, evidence, share, alpha), alpha)

    def _planes(self, around: Mask, sure: Mask, evidence: Float, share: Float, alpha: Float) -> Float:
        """The planes (PLANES, H, W) of a `Reading`."""
        flat = [
            np.arcsinh((self._colours - np.median(self._colours[where], axis=0)) / _LOOK_SCALE)
            for where in (around, sure)
        ]
        said = [evidence / _CERTAIN, log_odds(share) / _CERTAIN, log_odds(alpha) / _CERTAIN]
        told = [self._support, self._smooth, self._unknown, self._others, np.ones_like(alpha)]
        return np.asarray([*np.concatenate(flat, axis=-1).transpose(2, 0, 1), *said, *told], np.float32)

    def _outside(self, perhaps: Mask) -> Mask:
        around = ~perhaps & ~self._not_around
        if np.count_nonzero(around) < _MIN_PIXELS:
            raise MatteError(
                "the figure's colour fills its whole crop, with nothing around it to compare with: "
                "teach its colour again"
            )
        return around

    def _ground(self, around: Mask) -> Mixture:
        """The materials of the surroundings that are not only found beside the figure."""
        places = np.flatnonzero(around)
        places = places[:: len(places) // _MAX_SAMPLES + 1]
        points = self._colours.reshape(-1, 3)[places]
        found = materials(points, _GROUND_MATERIALS)
        nearest = found.distances(points).argmin(axis=1)
        at_border = _frame(around.shape).ravel()[places]
        usual = max(float(at_border.mean()), 1e-3)
        count = len(found.weights)
        shares = np.bincount(nearest, at_border, count) / np.maximum(np.bincount(nearest, None, count), 1)
        kept = shares >= min(_AT_BORDER * usual, float(shares.max()))
        return chosen(found, kept)

    def _first(self, ground: Mixture) -> Mask:
        """Where the figure's colours are learned at first: what the table always saw, and no shadow."""
        sure = self._core & (self._smooth >= _SURE_SUPPORT)
        if np.count_nonzero(sure) < 0.3 * self._seen:
            sure = self._core
        away = np.zeros(sure.shape)
        away[sure] = ground.distances(self._colours[sure]).min(axis=1)
        enough = max(_TOLD_APART * np.count_nonzero(sure), _MIN_PIXELS)
        furthest = _NO_SHADOW_SHARE * float(np.percentile(away[sure], 75))
        for least in _NO_SHADOW:
            apart = _without_specks(sure & (away > max(least, furthest)))
            if np.count_nonzero(apart) >= enough:
                return apart
        return _trunk(self._colours, sure)

    def _hue_gap(self, ground: Mixture, figure: Mask | None) -> float:
        """How far the figure's hue is from that of its most frequent ground."""
        hue = np.median(self._colours[self._core if figure is None else figure][:, :2], axis=0)
        return float(np.hypot(*(hue - ground.means[ground.weights.argmax(), :2])))

    def _evidence(self, own: Mixture, ground: Mixture) -> Float:
        """How much speaks for the figure (H, W), in nats."""
        points = self._colours[self._near]
        mine = np.logaddexp(own.log_likelihood(points), _SOMETHING_ELSE)
        evidence = np.full(self._near.shape, -_CERTAIN, np.float32)
        evidence[self._near] = np.clip(mine - ground.log_likelihood(points), -_CERTAIN, _CERTAIN)
        evidence[self._smooth > _CORE_SUPPORT] += _SEEN
        evidence[self._smooth < _NO_SUPPORT] -= _SEEN
        evidence[self._unknown] = 0.0
        evidence[self._others] = -_CERTAIN
        return evidence

    def _check(self, evidence: Float, figure: Mask, least: float) -> None:
        """Raise MatteError when less than that is left of what the table saw, or what is found is a guess."""
        found = np.count_nonzero(figure & self._core & ~self._unknown)
        if (
            found < max(least, _MIN_PIXELS)
            or np.mean(1 / (1 + np.exp(-evidence[figure & ~self._unknown]))) < _GUESS
        ):
            raise MatteError(
                "the figure cannot be told from what is around it: give it a mat of another colour, "
                "or teach its colour again"
            )


def _at_the_rim(ground: Mixture, shadows: Shadows) -> Floats:
    """What the ground looks like where a figure ends (K, 3): lit or in its shadow."""
    order = np.argsort(-ground.weights)
    steps = shadows.steps()
    return np.concatenate([ground.means[order[:3]], ground.means[order[0]] + steps])


def _frame(shape: tuple[int, ...]) -> Mask:
    """The pixels along a crop's border."""
    frame = np.ones(shape, np.bool_)
    frame[_BORDER_PX:-_BORDER_PX, _BORDER_PX:-_BORDER_PX] = False
    return frame


def _thinned(samples: Floats) -> Floats:
    return samples[:: len(samples) // _MAX_SAMPLES + 1]


def _trunk(colours: Floats, figure: Mask) -> Mask:
    """The figure without what differs in hue from its inner half: a shadow taken for a white figure hangs on
    its side, and is a little bluer than its material."""
    depth = cv2.distanceTransform(figure.astype(np.uint8), cv2.DIST_L2, 5)
    hue = colours[..., :2]
    trunk = hue[depth >= 0.5 * depth.max()]
    middle = np.median(trunk, axis=0)
    spread = 1.4826 * np.median(np.abs(trunk - middle), axis=0) + _HUE_FLOOR
    alike = figure & (np.abs(hue - middle) <= _HUE_GATE * spread).all(axis=-1)
    return alike if np.count_nonzero(alike) >= 0.3 * np.count_nonzero(figure) else figure


def _ellipse(radius: int) -> NDArray[np.uint8]:
    size = 2 * radius + 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)), np.uint8)


def _dilated(mask: Mask, radius: int) -> Mask:
    return np.asarray(cv2.dilate(mask.astype(np.uint8), _ellipse(radius)), np.bool_)


def _eroded(mask: Mask) -> Mask:
    """A mask without its rim of mixed pixels, unless nothing would be left."""
    inner = np.asarray(cv2.erode(mask.astype(np.uint8), _ellipse(1)), np.bool_)
    return inner if np.count_nonzero(inner) >= _MIN_PIXELS else mask


def _largest(mask: Mask) -> Mask:
    """The largest 8-connected component of a mask."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8))
    if count < 2:
        return mask
    return np.asarray(labels == 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA])), np.bool_)


def _sure_parts(mask: Mask, sure: Mask) -> Mask:
    """The parts of a mask of which enough is sure, and that in which most of it is."""
    _, labels = cv2.connectedComponents(mask.astype(np.uint8))
    numbers = labels.ravel()
    found = np.bincount(numbers, sure.ravel())
    kept = found >= _SURE_PART * np.maximum(np.bincount(numbers), 1)
    found[0] = 0.0
    kept[found.argmax()] = True
    kept[0] = False
    return np.asarray(kept[labels], np.bool_)


def _without_specks(mask: Mask) -> Mask:
    return np.asarray(cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, _ellipse(1)), np.bool_)


def _without_holes(figure: Mask) -> Mask:
    """The figure with its small holes closed: a dark eye or a deep fold is the figure too."""
    closed = cv2.morphologyEx(figure.astype(np.uint8), cv2.MORPH_CLOSE, _ellipse(2))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(1 - closed, connectivity=4)
    small = stats[:count, cv2.CC_STAT_AREA] < _HOLE_SHARE * np.count_nonzero(figure)
    small[0] = True  # label 0 is what is closed already
    return np.asarray(figure | small[labels], np.bool_)
