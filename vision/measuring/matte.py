"""A soft matte: how much of each pixel of an averaged crop belongs to the figure.

The colour table *finds* a figure with one model for the whole table; the matte *measures* it with a local
one, this figure's colours here against its surroundings here (local colour models: Rother, Kolmogorov &
Blake, *GrabCut*, SIGGRAPH 2004, without its graph cut: an averaged fragment has too little noise to need
one). Shadows are part of the surroundings; ropes and posts are unknown, and their pixels take the value
of their neighbours.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats
from vision.colour.mixture import by_clusters, by_shading
from vision.colour.space import features

Float = NDArray[np.float32]
Mask = NDArray[np.bool_]

# Share of frames and of neighbours in which the table must have seen the fighter for a pixel to teach its
# colours, and the share at which it is no longer safely surroundings. White on cream is seen in specks.
_CORE_SUPPORT, _DOUBT_SUPPORT = 0.65, 0.3
_SUPPORT_BLUR_PX = 1.2
# A shadow may be taken for a white figure in some frames: the first colours come from what was always seen.
_SURE_SUPPORT = 0.9
_MIN_PIXELS = 12
_LEAST_OF_CORE, _GUESS = 0.4, 0.75
_MAX_SAMPLES = 1500
# How far painting looks, and the largest hole, over the figure's area, that is not a gap between limbs.
_PAINT_RADIUS_PX = 5
_HOLE_SHARE = 0.02
_GROUND_CLUSTERS = 6
# Averaging removes noise, not the mixed pixels between two materials: spread added to every cluster.
_MIXED_SD = 0.03
# What is further than this many robust deviations from the hue of a figure's inner half is not learned at
# first; the floor is the noise of an averaged crop's hue (log units).
_HUE_GATE, _HUE_FLOOR = 3.5, 0.004
# Evidence (nats) beyond which a pixel is certain: one odd pixel must not outvote its neighbours.
_CERTAIN = 8.0


class MatteError(ValueError):
    """A crop from which no figure can be cut out: one sentence."""


def soft_matte(mean: Float, support: Float, unknown: Mask | None = None) -> Float:
    """The figure's coverage (H, W) in 0-1 of an averaged BGR crop (H, W, 3), 0-255.

    `support` (H, W) is the share of frames in which the colour table saw this fighter: it only says where
    to learn the colours. `unknown` (H, W) marks furniture. Raises MatteError when too little was seen.
    """
    if unknown is None:
        unknown = np.zeros(support.shape, np.bool_)
    smooth = np.asarray(cv2.GaussianBlur(support, (0, 0), _SUPPORT_BLUR_PX), np.float32)
    core = _largest((smooth >= _CORE_SUPPORT) & ~unknown)
    seen = int(np.count_nonzero(core))
    if seen < _MIN_PIXELS:
        raise MatteError(
            f"only {seen} pixels of the figure were seen, too few for an outline: "
            "teach its colour again or bring the camera nearer"
        )
    colours = features(mean)
    reach = int(np.clip(0.35 * np.sqrt(seen), 4, 14))
    margin = int(np.clip(0.15 * np.sqrt(seen), 3, 6))
    sure = core & (smooth >= _SURE_SUPPORT)
    sure = _trunk(colours, sure if np.count_nonzero(sure) >= 0.3 * seen else core)
    alpha = _classify(colours, sure, core | (smooth > _DOUBT_SUPPORT), unknown, margin)
    grown = _connected(alpha, core, reach) > 0.5
    _check(alpha, grown, core)
    # once more, with colours learned from all of the figure and not only from what the table knew
    alpha = _classify(colours, grown, grown, unknown, 2)
    alpha = _without_holes(_connected(alpha, grown, reach))
    _check(alpha, alpha > 0.5, core)
    return alpha


def _check(alpha: Float, figure: Mask, core: Mask) -> None:
    """Raise MatteError when most of what the table saw is lost, or most of what was found is a guess."""
    found = np.count_nonzero(figure & core)
    if found < max(_MIN_PIXELS, _LEAST_OF_CORE * np.count_nonzero(core)) or alpha[figure].mean() < _GUESS:
        raise MatteError(
            "the figure cannot be told from what is around it: give it a mat of another colour, "
            "or teach its colour again"
        )


def _classify(colours: Floats, figure: Mask, perhaps: Mask, unknown: Mask, margin: int) -> Float:
    """The figure's share (H, W), its colours learned from `figure`, the others more than `margin` px
    away from `perhaps`."""
    inner = _eroded(figure & ~unknown)
    around = ~_dilated(perhaps, margin) & ~unknown
    if np.count_nonzero(around) < _MIN_PIXELS:
        raise MatteError(
            "the figure's colour fills its whole crop, with nothing around it to compare with: "
            "teach its colour again"
        )
    here = by_shading(_thinned(colours[inner])).blurred(_MIXED_SD)
    ground = by_clusters(_thinned(colours[around]), _GROUND_CLUSTERS).with_shadows().blurred(_MIXED_SD)
    # only pixels near the figure can be its own
    asked = _dilated(perhaps | figure, margin + 14)
    points = colours[asked]
    evidence = np.full(figure.shape, -_CERTAIN, np.float32)
    evidence[asked] = np.clip(
        here.log_likelihood(points) - ground.log_likelihood(points), -_CERTAIN, _CERTAIN
    )
    # the lens and the codec blur neighbours into each other: they vote together
    votes = np.asarray(cv2.GaussianBlur(evidence, (3, 3), 0.6), np.float32)
    return _fill_unknown((1.0 / (1.0 + np.exp(-votes))).astype(np.float32), unknown)


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


def _fill_unknown(alpha: Float, unknown: Mask) -> Float:
    """Unknown pixels are painted in from both sides (Telea, J. Graphics Tools 9, 2004): a tail behind a rope
    goes on behind it."""
    if not unknown.any():
        return alpha
    levels = np.clip(255.0 * alpha, 0, 255).astype(np.uint8)
    painted = cv2.inpaint(levels, unknown.astype(np.uint8), _PAINT_RADIUS_PX, cv2.INPAINT_TELEA)
    return np.where(unknown, painted.astype(np.float32) / 255.0, alpha).astype(np.float32)


def _without_holes(alpha: Float) -> Float:
    """The matte with its small holes closed: a dark eye or a deep fold is the figure too."""
    solid = (alpha > 0.5).astype(np.uint8)
    closed = cv2.morphologyEx(solid, cv2.MORPH_CLOSE, _ellipse(2))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(1 - closed, connectivity=4)
    small = stats[:count, cv2.CC_STAT_AREA] < _HOLE_SHARE * np.count_nonzero(solid)
    small[0] = True  # label 0 is what is closed already
    return np.where((solid == 0) & small[labels], np.float32(1.0), alpha)


def _connected(alpha: Float, core: Mask, reach: int) -> Float:
    """What hangs together with the core, and nothing far from it."""
    solid = (alpha > 0.5).astype(np.uint8)
    _, labels = cv2.connectedComponents(solid)
    touching = np.unique(labels[core & (solid > 0)])
    kept = np.isin(labels, touching[touching > 0])
    return np.where(_dilated(kept, 1) & _dilated(core, reach), alpha, 0.0).astype(np.float32)
