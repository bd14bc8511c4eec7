"""Whatever was asked in a review: measured, and drawn over a frame."""

from __future__ import annotations

from overlay.review.desk import Asked
from palmo.review.corrections import FootPoint
from palmo.review.evidence import Evidence
from palmo.review.gaps import Gap, measure_gap, shown_gap
from palmo.review.measuring import Measurement, measure, shown
from palmo.review.past import Past
from rules.annotations import Annotation


def measured(evidence: Evidence, past: Past, points: list[FootPoint], asked: Asked) -> Measurement | Gap:
    """The move or the gap that is asked for. Raises PalmoError, saying what to choose."""
    if asked.other is not None:
        return measure_gap(evidence, past, points, asked)
    return measure(evidence, past, points, asked)


def drawn(
    evidence: Evidence, past: Past, number: int, found: Measurement | Gap | None
) -> tuple[Annotation, ...]:
    """What is drawn over a frame."""
    if isinstance(found, Gap):
        return shown_gap(evidence, past, number, found)
    return shown(evidence, past, number, found)
