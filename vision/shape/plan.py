"""The plan view of a figure from all the looks at it.

A convex plan view is its support function: how far it reaches in every direction. From one side that is seen
well across the view and guessed along it; looks from other sides fill in, each with the weight of its
certainty, so that the order in which they came does not matter. Looks that contradict each other by far more
than their sds allow do not show the same shape: it was bent.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.shape.look import ANGLES, Faced

Array = NDArray[np.float64]

# How far two looks at the same figure disagree about where its sole is, in heights: what is added to the sds
# of another look's support.
_DRIFT = 0.03
# Mean squared gap, in variances, between the plan views of two looks at one figure: beyond it, it was bent.
# Of modelled figures that nobody touched 1 % of pairs reach it, and 1 % of looks the lower one against the
# median of several others.
BENT, BENT_BY_MOST = 3.0, 2.0
# How many times further off than told a rim is, of figures of makers that the network was not taught on (the
# rendered clips; `python -m datasets.accuracy`).
_STRANGERS = 1.15
# Outlines that stick out by less than this, in cm, are straight.
_STRAIGHT_CM = 0.03


def reach(looks: Sequence[Faced], here: Faced | None = None) -> Array:
    """The support function (DIRECTIONS,) about the sole's middle, in heights, from the front anticlockwise.

    `here`, one of the looks, is where the figure is shown now: its outline is seen there and not guessed.
    """
    weights = _weights(looks, here)
    return np.asarray(sum(w * look.reach[0] for w, look in zip(weights, looks, strict=True)) / sum(weights))


def rim_sds(looks: Sequence[Faced], here: Faced) -> tuple[float, float]:
    """How far the plan view's rim is off in the look `here`, sd in heights: away and across."""
    sds = _STRANGERS / np.sqrt(sum(_weights(looks, here)))
    along = np.cos(ANGLES + here.azimuth) ** 2
    return _mean_sd(sds, along**2), _mean_sd(sds, (1 - along) ** 2)


def _mean_sd(sds: Array, weights: Array) -> float:
    return float(np.sqrt((weights * sds**2).sum() / weights.sum()))


def _weights(looks: Sequence[Faced], here: Faced | None) -> list[Array]:
    return [1 / (look.reach[1] ** 2 + (0.0 if look is here else _DRIFT**2)) for look in looks]


def plan_view(looks: Sequence[Faced], here: Faced, xy: Array, facing: float) -> Array:
    """The outline (N, 2) in ring cm, anticlockwise, of the figure in the look `here`, which stands at xy (2,)
    and faces `facing` (radians)."""
    far = reach(looks, here) * here.look.stand.height_cm
    return polygon(ANGLES + facing, far) + xy


def contradiction(a: Faced, b: Faced) -> float:
    """The mean squared gap between two looks' plan views, in variances: about 1 for one shape."""
    (first, first_sd), (second, second_sd) = a.reach, b.reach
    return float(np.mean((first - second) ** 2 / (first_sd**2 + second_sd**2 + 2 * _DRIFT**2)))


def polygon(angles: Array, far: Array) -> Array:
    """The outline (M, 2), anticlockwise, of what is within `far` (N,) of the origin in directions (N,)."""
    ways = np.column_stack([np.cos(angles), np.sin(angles)])
    box = 2 * float(np.abs(far).max()) * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    for way, limit in zip(ways, far, strict=True):
        box = _cut(box, way, float(limit))
    simple = cv2.approxPolyDP(box.astype(np.float32), _STRAIGHT_CM, closed=True).reshape(-1, 2)
    return np.asarray(simple if len(simple) >= 3 else box, np.float64)


def _cut(corners: Array, way: Array, limit: float) -> Array:
    """A convex polygon (N, 2) without what lies further than a limit (Sutherland & Hodgman, CACM 1974)."""
    over = corners @ way - limit
    if (over >= 0).all():
        # directions that contradict each other cut nothing away
        return corners
    kept: list[Array] = []
    for i, corner in enumerate(corners):
        after = (i + 1) % len(corners)
        if over[i] <= 0:
            kept.append(corner)
        if (over[i] <= 0) != (over[after] <= 0):
            share = over[i] / (over[i] - over[after])
            kept.append(corner + share * (corners[after] - corner))
    return np.array(kept)
