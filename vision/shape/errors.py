"""How the errors of guesses hang together when one figure is seen from several sides.

The same view gives the same error, opposite views hardly related ones. In units of the root that a guess
gives its own error, the error is a random function of the azimuth from which the body is seen, as probable
turned or in a mirror: a sum of harmonics, the amplitudes along and across the view correlated (a sole that
lies further forward in the body is one error for all views: the first harmonic). What is left belongs to
the look alone. The amplitudes were fitted to figures that the network had not seen (`datasets.train_shape`)
and lie beside its weights.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.shape.network import kinship

Array = NDArray[np.float64]


def features(azimuth: float) -> Array:
    """The (2, Q) loadings, away and across, of the unit factors that a figure's errors share, when its
    front is at an azimuth (radians from `away` to `across`)."""
    columns = []
    for m, (away, across, both) in enumerate(kinship()[0]):
        if m == 0:
            columns += [[np.sqrt(away), 0.0], [0.0, np.sqrt(across)]]
            continue
        c, s = np.cos(m * azimuth), np.sin(m * azimuth)
        first = np.sqrt(max(away, 1e-12))
        second, third = both / first, np.sqrt(max(across - both**2 / first**2, 0.0))
        columns += [[first * c, second * s], [0.0, third * s], [first * s, -second * c], [0.0, -third * c]]
    return np.array(columns).T


def own_share() -> Array:
    """The variances (2,), away and across, of what a look's error shares with no other look."""
    return kinship()[1]


def kinship_of(gaps: Array, products: Array, orders: int) -> Array:
    """Variances along, across, and covariance (orders + 1, 3) of the harmonics, from pairs of looks at one
    figure: the azimuths' gaps (N,) and the products (N, 3) of their errors: away times away, across times
    across, away times the other's across less across times the other's away."""
    even = np.cos(np.outer(gaps, np.arange(orders + 1)))
    odd = np.sin(np.outer(gaps, np.arange(1, orders + 1)))
    away, across = (np.maximum(np.linalg.lstsq(even, p)[0], 0.0) for p in products[:, :2].T)
    both = np.zeros(orders + 1)
    both[1:] = np.linalg.lstsq(2 * odd, products[:, 2])[0]
    most = 0.98 * np.sqrt(away * across)
    return np.column_stack([away, across, np.clip(both, -most, most)])
