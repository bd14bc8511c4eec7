"""What one look at a figure tells of another: how its sole lies there, and how far it has turned since.

The parts of the network that compare two looks were trained together with the one that guesses from a single
one (`datasets.train_shape`). As there, the answer is the mean of that for the pictures and that for their
mirror images.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.shape.look import Faced
from vision.shape.network import TURNS, Run, compared, log_share

Array = NDArray[np.float64]

# As in training.
_LEAST_SHARE, _SHARE_START, _SKEW, _HARMONICS = 0.03, 0.5, 0.3, 3
_MIRROR = np.diag([1.0, -1.0])
# Pictures that differ by less than the first share of what is in them tell more than the network dares to say
# (by how much: of modelled figures that the training did not see), and those that differ by more than the
# second what it says.
_UNLIKE, _SPREAD = (0.08, 0.15), (0.6, 1.0)


@dataclass(frozen=True, eq=False)
class Relation:
    """The sole of a look by that of another: `offset` (2,) + `by_other` (2, 2) @ its sole, with a
    `covariance` (2, 2); soles from the stands' middles, in heights along away and across."""

    offset: Array
    by_other: Array
    covariance: Array


def relation(before: Faced, after: Faced) -> Relation:
    """How the sole of a look lies by that of a look before, both with their facings."""
    gap = after.azimuth - before.azimuth
    plain = _related(before.guess.runs[0], after.guess.runs[0], gap)
    mirror = _related(before.guess.runs[1], after.guess.runs[1], -gap)
    spread = np.interp(unlike(before, after), _UNLIKE, _SPREAD)
    return Relation(
        (plain.offset + _MIRROR @ mirror.offset) / 2,
        (plain.by_other + _MIRROR @ mirror.by_other @ _MIRROR) / 2,
        spread**2 * (plain.covariance + _MIRROR @ mirror.covariance @ _MIRROR) / 2,
    )


def unlike(before: Faced, after: Faced) -> float:
    """The share (0-1) of two upright pictures' contents in which they differ."""
    one, other = before.look.picture, after.look.picture
    return float(np.abs(one - other).sum() / max(float(one.sum() + other.sum()), 1.0))


def azimuths(before: Faced, blind: Faced) -> Array:
    """The log probability (TURNS,) of the azimuth, evenly spaced from 0 on, of a look whose facing nobody
    told, by it and a look before whose facing is known."""
    plain, mirror = (
        compared("turn", np.concatenate([one.seen, other.seen]))
        for one, other in zip(before.guess.runs, blind.guess.runs, strict=True)
    )
    return log_share((plain + mirror[-np.arange(TURNS)]) / 2)


def _related(before: Run, after: Run, gap: float) -> Relation:
    angles = [f(m * gap) for m in range(1, _HARMONICS + 1) for f in (np.cos, np.sin)]
    raw = compared("pair", np.concatenate([before.seen, after.seen, np.array(angles, np.float32)]))
    first, second = _LEAST_SHARE + np.logaddexp(0.0, raw[6:8] + _SHARE_START)
    root = after.root @ np.array([[first, 0.0], [_SKEW * raw[8] * second, second]])
    by_other = after.root @ raw[2:6].reshape(2, 2) @ np.linalg.inv(before.root)
    return Relation(after.sole + after.root @ raw[:2] - by_other @ before.sole, by_other, root @ root.T)
