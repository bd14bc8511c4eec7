"""A smooth cut: pixels that look alike belong together.

Mean-field inference on the grid of pixels (Kraehenbuehl & Koltun, NIPS 2011, with the eight neighbours only):
each pixel is drawn towards what its neighbours are taken for, the more the less their colours differ.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats
from vision.colour.space import linear

Float = NDArray[np.float32]
Mask = NDArray[np.bool_]
_Pair = tuple[tuple[slice, slice], tuple[slice, slice], Float]

# How strongly neighbours agree (nats) whose colours are the same, what of it is left where they differ by
# more than these sds, and how often everybody is asked.
_TIE, _LEFT = 1.2, 0.1
_ALIKE_SD = np.array([0.1, 0.1, 0.15])
_ROUNDS = 12
# The rim's pixels lie within this of the cut; colours on both sides are averaged over this much.
_RIM_PX, _SIDE_SD_PX = 1, 2.0
# Sides that differ by less than the first share of their light say nothing about a pixel between them;
# beyond the sum of both they say all.
_LEAST_STEP, _FULL_STEP = 0.06, 0.1
_BLACK = 0.02
# The lens's own blur of a sharp edge.
_EDGE_SD_PX = 0.6


def smoothed(evidence: Float, colours: Floats, unknown: Mask) -> Float:
    """The probability (H, W) that a pixel is the figure, from evidence (H, W) in nats and features (H, W, 3).

    Nothing is known of the colours of `unknown` pixels: they take after all their neighbours.
    """
    pairs = list(_pairs((colours / _ALIKE_SD).astype(np.float32), unknown))
    share = _logistic(evidence)
    for _ in range(_ROUNDS):
        drawn, leaning = evidence.copy(), 2 * share - 1
        for one, other, tie in pairs:
            drawn[one] += tie * leaning[other]
            drawn[other] += tie * leaning[one]
        share = np.asarray((share + _logistic(drawn)) / 2, np.float32)
    return share


def _logistic(evidence: Float) -> Float:
    return np.asarray(1 / (1 + np.exp(-evidence)), np.float32)


def _pairs(colours: Float, unknown: Mask) -> list[_Pair]:
    """All neighbours, each pair once: where the one and the other are, and their tie."""
    pairs: list[_Pair] = []
    rows, columns = unknown.shape
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        one = slice(0, rows - down), slice(max(0, -right), columns - max(0, right))
        other = slice(down, rows), slice(max(0, right), columns + min(0, right))
        gap = np.square(colours[one] - colours[other]).sum(axis=-1)
        gap[unknown[one] | unknown[other]] = 0.0
        tie = _TIE * (np.exp(-gap / 2) + _LEFT) / np.hypot(down, right)
        pairs.append((one, other, np.asarray(tie, np.float32)))
    return pairs


def coverage(mean: Float, solid: Mask, unknown: Mask) -> Float:
    """How much of each pixel (H, W) is the figure's, cut out roughly as `solid`, of a BGR picture (H, W, 3).

    Light adds up: a pixel of the rim shows so much of the figure as it lies from the colour outside to the
    colour inside. Where these do not differ, an edge is as soft as the lens makes it.
    """
    light = np.asarray(linear(mean), np.float32)
    cut = solid.astype(np.uint8)
    kernel = np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * _RIM_PX + 1,) * 2), np.uint8)
    inner = (cv2.erode(cut, kernel) > 0) & ~unknown
    outer = (cv2.dilate(cut, kernel) == 0) & ~unknown
    inside, near = _average(light, inner)
    outside, far = _average(light, outer)
    way = inside - outside
    step = np.sqrt(np.square(way).sum(axis=-1))
    along = ((light - outside) * way).sum(axis=-1) / (step**2 + 1e-9)
    bright = np.linalg.norm(inside, axis=-1) + np.linalg.norm(outside, axis=-1) + _BLACK
    trust = np.clip((step / bright - _LEAST_STEP) / _FULL_STEP, 0, 1) * (np.minimum(near, far) > _BLACK)
    soft = np.asarray(cv2.GaussianBlur(cut.astype(np.float32), (0, 0), _EDGE_SD_PX), np.float32)
    trust[inner | outer | unknown] = 0.0
    return np.asarray(trust * np.clip(along, 0, 1) + (1 - trust) * soft, np.float32)


def _average(light: Float, mask: Mask) -> tuple[Float, Float]:
    """The mean light (H, W, 3) of a mask's pixels around each pixel, and how many there are."""
    here = mask.astype(np.float32)
    weight = np.asarray(cv2.GaussianBlur(here, (0, 0), _SIDE_SD_PX), np.float32)
    total = np.asarray(cv2.GaussianBlur(light * here[..., None], (0, 0), _SIDE_SD_PX), np.float32)
    return total / (weight[..., None] + np.float32(1e-6)), weight
