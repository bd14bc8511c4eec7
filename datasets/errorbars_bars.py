"""Error bars against the truth: one record for each, and how often they hold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2, norm

from rules.measured import K95

Array = NDArray[np.float64]

Kind = Literal["point", "axis", "move", "palms", "gap", "bearing"]
KINDS: tuple[Kind, ...] = get_args(Kind)
UNITS = {"point": "cm", "axis": "cm", "move": "cm", "palms": "palms", "gap": "cm", "bearing": "deg"}
# The nominal coverage everything is shown with.
NOMINAL = 0.95
# A direction with less than this share of the largest variance is certain.
_SURE = 1e-6


@dataclass(frozen=True)
class Bar:
    """One measured quantity with its bar, and the truth.

    `error` is measured less true (a distance for a point), `sd` what was said of it (the root of the mean
    variance for a point), `level` the nominal coverage of the smallest interval, or ellipse, that holds the
    truth: of honest bars it is uniform between 0 and 1. `width` is the full width of the 95 % bar (for a
    point of its longer axis). `group` names figures that share their luck: bars of one group are not
    independent. `seen` counts the fragments of the figure so far, `turn` is how far it turned since the one
    before, `about` says what kind of case it is.
    """

    source: str
    kind: Kind
    error: float = 0.0
    sd: float = 0.0
    level: float = 0.0
    width: float = 0.0
    group: str = ""
    seen: int = 1
    turn: float = 0.0
    about: str = ""

    @property
    def inside(self) -> bool:
        """Whether the 95 % bar holds the truth."""
        return self.level <= NOMINAL

    @property
    def pull(self) -> float:
        """The error in standard deviations."""
        return self.error / self.sd if self.sd > 0 else 0.0


def point_bars(bar: Bar, gap: Array, covariance: Array) -> list[Bar]:
    """The bars of a ground point that is `gap` (2,) off, its ellipse and each axis; `bar` says the rest.

    A direction in which nothing is uncertain (one source alone may act along a line) has no say.
    """
    variances, axes = np.linalg.eigh(covariance)
    real = variances > _SURE * variances[1]
    squared = float((np.square(axes.T @ gap)[real] / variances[real]).sum())
    ellipse = replace(
        bar,
        kind="point",
        error=float(np.hypot(*gap)),
        sd=float(np.sqrt(variances.mean())),
        level=float(chi2.cdf(squared, np.count_nonzero(real))),
        width=float(2 * K95 * np.sqrt(variances[1])),
    )
    sds = np.sqrt(np.diag(covariance))
    single = [
        normal_bar(replace(bar, kind="axis"), float(e), float(s)) for e, s in zip(gap, sds, strict=True)
    ]
    return [ellipse, *single]


def normal_bar(bar: Bar, error: float, sd: float) -> Bar:
    """The bar of a number with a normal error."""
    level = float(2 * norm.cdf(abs(error) / sd) - 1) if sd > 0 else float(error != 0)
    return replace(bar, error=error, sd=sd, level=level, width=2 * K95 * sd)


def length_bar(bar: Bar, error: float, sd: float, interval: tuple[float, float], true: float) -> Bar:
    """The bar of a length with its own 95 % interval, which may be one-sided near nothing."""
    low, high = interval
    plain = normal_bar(bar, error, sd)
    level = plain.level
    if plain.inside != (low <= true <= high):
        # where the interval is not value and sd, the interval decides
        level = NOMINAL if low <= true <= high else 1.0
    return replace(plain, level=level, width=high - low)


@dataclass(frozen=True)
class Coverage:
    """How many bars, the share whose 95 % bar holds the truth with its standard error, the robust spread of
    the pulls (1 when sds are right), and the median error and width."""

    count: int
    inside: float
    doubt: float
    pulls: float
    error: float
    width: float


def coverage(bars: Sequence[Bar]) -> Coverage:
    """The coverage of bars; its standard error counts groups, not bars."""
    inside = np.array([bar.inside for bar in bars], dtype=float)
    levels = np.array([bar.level for bar in bars])
    by_group: dict[str, list[float]] = {}
    for bar in bars:
        by_group.setdefault(bar.group, []).append(float(bar.inside))
    sums = np.array([sum(g) - len(g) * inside.mean() for g in by_group.values()])
    doubt = float(np.sqrt((sums**2).sum()) / len(bars))
    # the spread by the level that half of the bars do not exceed: outliers do not count
    half = float(np.median(levels))
    two = bars[0].kind == "point"
    spread = np.sqrt(np.log(1 - half) / np.log(0.5)) if two else norm.ppf((1 + half) / 2) / norm.ppf(0.75)
    return Coverage(
        len(bars), float(inside.mean()), doubt, float(spread),
        float(np.median([abs(bar.error) for bar in bars])), float(np.median([bar.width for bar in bars])),
    )  # fmt: skip


def table(bars: Iterable[Bar]) -> str:
    """A row for each source and kind."""
    bars = list(bars)
    lines = [
        "| source | what | n | in the 95 % bar | spread of pulls | median error | bar, median |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for source in dict.fromkeys(bar.source for bar in bars):
        for kind in KINDS:
            own = [bar for bar in bars if bar.source == source and bar.kind == kind]
            if own:
                c = coverage(own)
                unit = UNITS[kind]
                lines.append(
                    f"| {source} | {kind} | {c.count} | {c.inside:.1%} ± {c.doubt:.1%} | {c.pulls:.2f} "
                    f"| {c.error:.3g} {unit} | {c.width:.3g} {unit} |"
                )
    return "\n".join(lines) + "\n"
