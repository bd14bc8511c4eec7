"""Metrics of fighters that stand or lie still: position, facing, error bars, outline, identity, coverage."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from shapely.geometry import Polygon

from palmo.evaluate.samples import Sample, angle_between
from palmo.evaluate.spread import Spread, share, spread
from palmo.evaluate.truth import Shape
from rules.measured import K95

# Closer than this to its own truth, a position is never counted as somebody else's.
_IDENTITY_CM = 3.0
_NOT_SEEN = ("lost", "unsure", "merged")


@dataclass(frozen=True)
class StandingMetrics:
    """Over all samples in which truth says: on the table, no hand near.

    `missing`: share without a position or not seen; `not_placed`: share not called placed;
    `wrong_identity`: placed samples that lie on another fighter; `inside_95`: share of x and y whose
    95 % interval contains the truth; `interval_cm`: full width of the larger 95 % interval;
    `posture_wrong`: share whose posture is not the true one.
    """

    samples: int
    missing: float
    not_placed: float
    wrong_identity: int
    position_cm: Spread
    facing_deg: Spread
    flips_unmarked: int
    flips_assumed: int
    inside_95: float
    interval_cm: Spread
    outline_iou: Spread
    posture_wrong: float


def standing_metrics(samples: Sequence[Sample], shapes: dict[str, Shape]) -> StandingMetrics:
    """Measure the still samples."""
    still = [sample for sample in samples if sample.true.still]
    placed = [sample for sample in still if sample.placed]
    facing = [(s, _facing_error(s)) for s in placed if s.track.facing_deg is not None and not s.true.lying]
    flips = [sample for sample, error in facing if error > 90]
    assumed = sum(sample.track.facing_source == "assumed" for sample in flips)
    inside = [hit for sample in placed for hit in _inside(sample)]
    return StandingMetrics(
        samples=len(still),
        missing=share(sum(s.track.x is None or s.track.state in _NOT_SEEN for s in still), len(still)),
        not_placed=share(len(still) - len(placed), len(still)),
        wrong_identity=sum(_on_another(sample) for sample in placed),
        position_cm=spread(sample.error_cm for sample in placed),
        facing_deg=spread(error for _, error in facing),
        flips_unmarked=len(flips) - assumed,
        flips_assumed=assumed,
        inside_95=share(sum(inside), len(inside)),
        interval_cm=spread(_width(sample) for sample in placed),
        outline_iou=_low_spread(_iou(sample, shapes[sample.fighter]) for sample in placed),
        posture_wrong=share(sum((s.track.posture == "lying") != s.true.lying for s in placed), len(placed)),
    )


def _facing_error(sample: Sample) -> float:
    return abs(angle_between(sample.track.facing_deg or 0.0, sample.true.facing_deg))


def _on_another(sample: Sample) -> bool:
    own = sample.error_cm
    if own < _IDENTITY_CM or sample.track.x is None or sample.track.y is None:
        return False
    return any(np.hypot(sample.track.x - x, sample.track.y - y) < own for x, y in sample.others)


def _inside(sample: Sample) -> list[bool]:
    track, true = sample.track, sample.true
    if track.x is None or track.y is None or track.sx is None or track.sy is None:
        return []
    return [abs(track.x - true.x) <= K95 * track.sx, abs(track.y - true.y) <= K95 * track.sy]


def _width(sample: Sample) -> float:
    return 2 * K95 * max(sample.track.sx or np.nan, sample.track.sy or np.nan)


def _iou(sample: Sample, shape: Shape) -> float:
    if sample.outline is None or len(sample.outline) < 3:
        return float("nan")
    seen, true = Polygon(sample.outline).buffer(0), shape.outline(sample.true)
    return float(seen.intersection(true).area / seen.union(true).area)


def _low_spread(values: Iterable[float]) -> Spread:
    """The Spread of a score for which low is bad: p95 is the value 95 % exceed, largest the worst."""
    mirrored = spread(-value for value in values)
    return Spread(mirrored.count, -mirrored.median, -mirrored.p95, -mirrored.largest)
