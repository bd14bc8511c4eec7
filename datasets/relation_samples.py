"""Figures seen again and again, often from nearly the same side: what one look tells of another is learned
from them. Many moves turn a figure little."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from datasets.makers import MORE_MAKERS, made
from datasets.shape_samples import (
    DISTANCE_CM,
    DISTANCE_JITTER,
    HEIGHT_SD,
    KINDS,
    TILT_DEG,
    TILT_JITTER_DEG,
    seen_from,
    set_down,
)

Array = NDArray[np.float64]

VIEWS = 6
# The second look is from about the side of the first, the third from not far of it, the others from anywhere.
_ALIKE_SD_DEG, _NEAR_DEG = 5.0, 40.0


def chunk(seed: Sequence[int], makers: Sequence[str], figures: int) -> dict[str, NDArray[np.generic]]:
    """Arrays of VIEWS looks at each of many figures, figure by figure: `picture` (N, CELLS, CELLS) 0-255,
    `tilt`, `distance`, `azimuth` and `sole` (N, 2) as in `datasets.shape_samples.Sample`, and `kind` and
    `maker` as numbers."""
    rng = np.random.default_rng(seed)
    names = list(MORE_MAKERS)
    columns: dict[str, list[object]] = {
        name: [] for name in ("picture", "tilt", "distance", "azimuth", "sole", "kind", "maker")
    }
    for number in range(figures):
        maker = makers[number % len(makers)]
        for look in _looks(rng, maker):
            for name, value in (look | {"maker": names.index(maker)}).items():
                columns[name].append(value)
    return {name: np.asarray(values) for name, values in columns.items()}


def _looks(rng: np.random.Generator, maker: str) -> list[dict[str, object]]:
    figure = set_down(rng, made(rng, maker))
    tilt = rng.uniform(*np.radians(TILT_DEG))
    distance = rng.uniform(*DISTANCE_CM)
    told = figure.height * (1 + rng.normal(0, HEIGHT_SD))
    looks: list[dict[str, object]] = []
    for azimuth in _azimuths(rng):
        here = max(0.01, tilt + np.radians(rng.uniform(-TILT_JITTER_DEG, TILT_JITTER_DEG)))
        far = distance * rng.uniform(1 - DISTANCE_JITTER, 1 + DISTANCE_JITTER)
        placed = figure.placed(np.zeros(2), float(np.degrees(azimuth)))
        seen = seen_from(rng, placed, told, here, far)
        looks.append(
            {
                "picture": np.rint(255 * seen.picture).astype(np.uint8),
                "tilt": seen.stand.tilt,
                "distance": seen.stand.distance,
                "azimuth": seen.azimuth(azimuth),
                "sole": seen.stand.axes.T @ (-seen.stand.middle) / told,
                "kind": KINDS.index(figure.kind),
            }
        )
    return looks


def _azimuths(rng: np.random.Generator) -> Array:
    first = rng.uniform(-np.pi, np.pi)
    alike = first + np.radians(rng.normal(0, _ALIKE_SD_DEG))
    near = first + np.radians(rng.uniform(-_NEAR_DEG, _NEAR_DEG))
    return np.array([first, alike, near, *rng.uniform(-np.pi, np.pi, VIEWS - 3)])
