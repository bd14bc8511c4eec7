"""How a set of errors spreads."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Spread:
    """Median, 95th percentile and largest of `count` absolute errors; NaN when there are none."""

    count: int
    median: float
    p95: float
    largest: float


def spread(values: Iterable[float]) -> Spread:
    """The Spread of the finite values."""
    array = np.asarray([value for value in values if np.isfinite(value)], float)
    if array.size == 0:
        return Spread(0, float("nan"), float("nan"), float("nan"))
    median, p95 = np.percentile(array, [50, 95])
    return Spread(int(array.size), float(median), float(p95), float(array.max()))


def share(hits: int, of: int) -> float:
    """A share between 0 and 1; NaN of nothing."""
    return hits / of if of else float("nan")
