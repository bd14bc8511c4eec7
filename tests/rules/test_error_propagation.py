"""Gaps, bearings and palms scatter as their first-order standard deviations say: against drawn tables."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from rules.geometry import gap, moved
from rules.measured import Measured
from rules.questions import bearing
from rules.scene import Figure

DRAWS = 1500


def egg(name: str, x: float, y: float, covariance: tuple[float, float, float]) -> Figure:
    around = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    outline = tuple((x + 2.0 * math.cos(t), y + 1.4 * math.sin(t)) for t in around.tolist())
    return Figure(name, x, y, 0.4, outline, covariance, facing_sd=0.06)


def drawn(figure: Figure, covariance: tuple[float, float, float], rng: np.random.Generator) -> list[Figure]:
    xx, xy, yy = covariance
    shifts = rng.multivariate_normal([0, 0], [[xx, xy], [xy, yy]], DRAWS)
    turns = figure.facing_sd * rng.standard_normal(DRAWS)
    return [
        replace(moved(figure, figure.x + dx, figure.y + dy), facing=figure.facing + turn)
        for (dx, dy), turn in zip(shifts.tolist(), turns.tolist(), strict=True)
    ]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("outlined", [True, False])
def test_a_gap_scatters_as_it_says(seed: int, outlined: bool) -> None:
    rng = np.random.default_rng(seed)
    way = float(rng.uniform(0, 2 * np.pi))
    covariances = [tuple(np.array([0.04, 0.01, 0.09]) * rng.uniform(0.3, 1.5)) for _ in range(2)]
    a, b = (
        egg("A", 1.0, 2.0, covariances[0]),
        egg("B", 1 + 8 * math.cos(way), 2 + 8 * math.sin(way), covariances[1]),
    )
    tables = zip(drawn(a, covariances[0], rng), drawn(b, covariances[1], rng), strict=True)
    if outlined:
        # the same scatter, told of the outline; that of the position has no say then
        a, b = (replace(one, outline_covariance=one.covariance, covariance=(9.0, 0.0, 9.0)) for one in (a, b))
    said = gap(a, b)[0]
    assert np.std([gap(*pair)[0].value for pair in tables]) == pytest.approx(said.sd, rel=0.1)


@pytest.mark.parametrize("seed", range(4))
def test_a_bearing_scatters_as_it_says(seed: int) -> None:
    rng = np.random.default_rng(seed)
    way = 0.4 + math.radians(float(rng.uniform(30, 150)))
    covariance = (0.04, 0.01, 0.09)
    a, b = (
        egg("A", -3.0, 1.0, covariance),
        egg("B", -3 + 9 * math.cos(way), 1 + 9 * math.sin(way), covariance),
    )
    tables = zip(drawn(a, covariance, rng), drawn(b, covariance, rng), strict=True)
    assert np.std([bearing(*pair).value for pair in tables]) == pytest.approx(bearing(a, b).sd, rel=0.1)


def test_palms_scatter_as_they_say() -> None:
    rng = np.random.default_rng(5)
    length, hand = Measured(47.0, 0.3), Measured(19.5, 0.15)
    draws = (length.value + length.sd * rng.standard_normal(9000)) / (
        hand.value + hand.sd * rng.standard_normal(9000)
    )
    assert np.std(draws) == pytest.approx((length / hand).sd, rel=0.03)
