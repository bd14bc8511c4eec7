"""How probable is every turn? What a scan over the circle left unexplained, made a probability.

A solid that was made from the pictures misses them by a misfit whose usual size nobody knows: it differs from
figure to figure. The likelihood of a turn is then a power of its misfit, as that of a sum of squares with
unknown variance is (Jeffreys, *Theory of Probability*, 1939, 3.4), times what the shading says against it.
The weights of `turn_weights.json` were fitted to modelled figures by `python -m datasets.turning`. A small
share of the probability is spread over the circle: sometimes a picture is not what it seems.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

Array: TypeAlias = NDArray[np.float64]

CIRCLE = np.arange(-180.0, 180.0)
# Turns further than this from the likeliest are rivals; nearer ones are its error.
RIVAL_DEG = 60.0
# The middle of a dip is taken this far around its deepest point.
_DIP_DEG = 25.0
# Samples further apart than this belong to different dips, in degrees.
_GAP_DEG = 6.0
# Between its samples a misfit is believed to fall to this share of the least one.
_LEAST_OF_SAMPLED = 0.7
# Rivals that together have less than this share are not listed.
_LEAST_SHARE = 1e-3
_MOST_MODES = 4
_LEAST_SD_DEG = 1.0


@dataclass(frozen=True)
class Weights:
    """Powers of the misfit of the silhouettes and of a carry (each plus a floor), weights of the shading and
    of what fronts look like, the share of the probability that is spread over the circle, and by what to
    multiply the width of a dip: what misfits have in common says nothing against a turn's neighbours."""

    misfit: float
    misfit_floor: float
    shading: float
    front: float
    carry: float
    carry_floor: float
    stray: float
    width: float


@cache
def fitted() -> Weights:
    """The weights that were fitted to modelled figures."""
    text = files("vision.measuring").joinpath("turn_weights.json").read_text(encoding="utf-8")
    return Weights(**json.loads(text)["weights"])


@dataclass(frozen=True, eq=False)
class Scan:
    """Turns (N,) that were tried, ascending in -180..180 degrees: the misfit of each (N,), what the shading
    says against it (N,), and how much more than others it looks like what figures turn to the camera when
    they face so (N,), both in nats."""

    angles_deg: Array
    misfits: Array
    against: Array
    front: Array


@dataclass(frozen=True)
class Mode:
    """A turn in degrees with its sd, and the probability (0-1) that the right one is near it."""

    turn_deg: float
    sd_deg: float
    share: float


def probabilities(scan: Scan, weights: Weights) -> Array:
    """The probability (360,) of each turn of CIRCLE."""
    support = np.full(len(CIRCLE), -np.inf)
    for run in _runs(scan):
        inside, misfit, against, front = _between(run)
        power = weights.misfit * np.log(misfit + weights.misfit_floor)
        support[inside] = weights.front * front - weights.shading * against - power
    share = np.exp(support - support.max())
    return np.asarray((1 - weights.stray) * share / share.sum() + weights.stray / len(CIRCLE))


def modes(probability: Array, width: float) -> list[Mode]:
    """The turns around which the probability (360,) is gathered, the likeliest first, RIVAL_DEG apart.

    The first takes all that is within RIVAL_DEG of it, its sd counts it all, times `width`; there are two at
    least.
    """
    left = probability.copy()
    found: list[Mode] = []
    while len(found) < 2 or (len(found) < _MOST_MODES and left.sum() > _LEAST_SHARE):
        peak = float(CIRCLE[int(np.argmax(_smooth(left)))])
        away = (CIRCLE - peak + 180.0) % 360.0 - 180.0
        near, dip = np.abs(away) <= RIVAL_DEG, np.abs(away) <= _DIP_DEG
        share = float(left[near].sum())
        middle = float(left[dip] @ away[dip]) / max(float(left[dip].sum()), 1e-300)
        spread = float(left[near] @ (away[near] - middle) ** 2) / max(share, 1e-300)
        found.append(
            Mode(wrap(peak + middle), float(np.hypot(width * np.sqrt(spread), _LEAST_SD_DEG)), share)
        )
        left[near] = 0.0
    return found


def judged_by_carry(found: Sequence[Mode], misfits: Sequence[float], weights: Weights) -> list[Mode]:
    """The modes once the misfit of each with a carry is known, the likeliest first."""
    power = np.array([weights.carry * np.log(misfit + weights.carry_floor) for misfit in misfits])
    share = np.array([mode.share for mode in found]) * np.exp(power.min() - power)
    share *= sum(mode.share for mode in found) / share.sum()
    judged = [Mode(m.turn_deg, m.sd_deg, float(s)) for m, s in zip(found, share, strict=True)]
    return sorted(judged, key=lambda mode: -mode.share)


def wrap(degrees: float) -> float:
    """An angle brought to -180 <= angle < 180."""
    return (degrees + 180.0) % 360.0 - 180.0


def _smooth(probability: Array) -> Array:
    """The probability, so that a broad hill counts for more than a spike beside it."""
    return sum((np.roll(probability, step) for step in range(-4, 5)), np.zeros(len(CIRCLE)))


def _runs(scan: Scan) -> list[Scan]:
    """The stretches of the circle that were sampled closely; one over +-180 is continued beyond."""
    cuts = np.flatnonzero(np.diff(scan.angles_deg) > _GAP_DEG) + 1
    columns = (scan.angles_deg, scan.misfits, scan.against, scan.front)
    pieces = [Scan(*parts) for parts in zip(*(np.split(column, cuts) for column in columns), strict=True)]
    first, last = pieces[0], pieces[-1]
    if first.angles_deg[0] + 360.0 - last.angles_deg[-1] <= _GAP_DEG:
        pieces[-1] = Scan(
            np.concatenate([last.angles_deg, first.angles_deg + 360.0]),
            np.concatenate([last.misfits, first.misfits]),
            np.concatenate([last.against, first.against]),
            np.concatenate([last.front, first.front]),
        )
    return pieces


def _between(run: Scan) -> tuple[NDArray[np.int64], Array, Array, Array]:
    """Index into CIRCLE, misfit, shading and front (M,) at every whole degree of a stretch."""
    angles = run.angles_deg
    degrees = np.arange(np.ceil(angles[0]), np.floor(angles[-1]) + 1)
    against, front = (np.interp(degrees, angles, column) for column in (run.against, run.front))
    misfit = np.interp(degrees, angles, run.misfits)
    if len(angles) > 3:
        smooth = CubicSpline(angles, run.misfits)(degrees)
        # between two samples a dip may lie, but neither a hill nor a hole
        highest = np.maximum(*(_nearest(degrees, angles, run.misfits, side) for side in (0, 1)))
        misfit = np.clip(smooth, _LEAST_OF_SAMPLED * run.misfits.min(), highest)
    index = (degrees.astype(np.int64) + 180) % len(CIRCLE)
    return index, misfit, against, front


def _nearest(degrees: Array, angles: Array, values: Array, side: int) -> Array:
    """The value of the sample before (0) or after (1) each degree."""
    after = np.clip(np.searchsorted(angles, degrees, side="left"), 1, len(angles) - 1)
    return np.asarray(values[after - 1 + side])
