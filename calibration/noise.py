"""How noisy the clicks are, by what contradicts them: per kind of click, and per click that stands out.

A hand that is steady on the corners may be careless on the post tops, and one slip of the mouse says nothing
of the other seven clicks. The stated noise is the belief; the residuals, as many as are free, correct it
(scaled inverse chi-square), and a click far outside its kind loses weight (Huber, Robust Statistics, 1981).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.adjust import Fit, Observations, Problem
from calibration.camera import Array

# The stated noise counts like this many measured degrees of freedom, and no estimate falls below this share
# of it: sixteen numbers cannot prove a steadier hand.
NOISE_BELIEF = 2.0
NOISE_FLOOR = 0.8
_HAND_BELIEF = 4.0
# 95 % of plane normal errors lie within this many standard deviations: further out a click is a slip.
_SLIP = 2.45
_ROUNDS = 4


@dataclass(frozen=True, eq=False)
class Clicks:
    """The clicks at their stated noise: what they are called and which kind (N,) each is of."""

    seen: Observations
    kind: NDArray[np.intp]
    names: tuple[str, ...]

    def __len__(self) -> int:
        """How many clicks."""
        return len(self.names)

    def at(self, factors: Array) -> Observations:
        """The observations with every click's noise so many times the stated one, (N,)."""
        return self.seen.scaled(factors)


def estimated(clicks: Clicks, fit: Fit, factors: Array) -> Array:
    """The factors (N,) by the residuals of a fit that was made with `factors`."""
    count = len(clicks)
    own = np.linalg.norm(fit.residuals[:count], axis=1) * factors
    freedom = np.maximum(fit.freedom[:count], 0.0)
    # The same hand clicked both kinds: what all clicks say together is what is believed of each.
    hand, found = _levelled(own, freedom, 1.0, NOISE_BELIEF)
    kinds = np.unique(clicks.kind)
    if len(kinds) > 1:
        for kind in kinds:
            of_kind = clicks.kind == kind
            found[of_kind] = _levelled(own[of_kind], freedom[of_kind], hand, _HAND_BELIEF)[1]
    return found


def _levelled(own: Array, freedom: Array, believed: float, weight_of_belief: float) -> tuple[float, Array]:
    """The noise level of some clicks, and each click's own where it stands out."""
    outlying = np.ones(len(own))
    level = believed
    for _ in range(_ROUNDS):
        weight = 1.0 / np.square(outlying)
        squares, count = float((weight * np.square(own)).sum()), float((weight * freedom).sum())
        variance = (weight_of_belief * believed**2 + squares) / (weight_of_belief + count)
        level = max(NOISE_FLOOR, float(np.sqrt(variance)))
        outlying = np.maximum(1.0, own / (_SLIP * level))
    return level, np.asarray(level * outlying, dtype=np.float64)


def settled(
    problem: Problem, clicks: Clicks, others: Observations | None, start: Fit, factors: Array
) -> tuple[Fit, Array]:
    """Fit and noise in turn until they agree."""
    fit = start
    if others is None:
        # Without a picture too little is free to tell one kind from the other.
        clicks = replace(clicks, kind=np.zeros_like(clicks.kind))
    for _ in range(_ROUNDS):
        seen = clicks.at(factors).widened(len(problem.slip_sd))
        fit = problem.fit(seen if others is None else seen.joined(others), fit)
        before, factors = factors, estimated(clicks, fit, factors)
        if np.allclose(before, factors, rtol=0.02):
            break
    return fit, before


def strangeness(clicks: Clicks, fit: Fit, factors: Array) -> float:
    """How unlikely the clicks' residuals are with their noise unknown (Student's t), in nats."""
    squares = np.square(fit.residuals[: len(clicks)] * factors[:, None]).sum(axis=1)
    return float(
        sum(
            (NOISE_BELIEF + 2 * (clicks.kind == kind).sum())
            / 2
            * np.log1p(squares[clicks.kind == kind].sum() / NOISE_BELIEF)
            for kind in np.unique(clicks.kind)
        )
    )
