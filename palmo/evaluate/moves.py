"""Metrics of moves: a move lies between two stretches in which a fighter rests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from palmo.evaluate.samples import Sample, angle_between
from palmo.evaluate.spread import Spread, spread


@dataclass(frozen=True)
class Rest:
    """A stretch of samples in which nobody touches the fighter, by the truth."""

    samples: tuple[Sample, ...]

    @property
    def placed(self) -> list[Sample]:
        """Those of its samples that were tracked as placed."""
        return [sample for sample in self.samples if sample.placed]


@dataclass(frozen=True)
class MoveResult:
    """One move: length in cm and turn in degrees, true and tracked; None when a side was not tracked.

    `flipped`: the turn is wrong by more than 90 degrees; `assumed`: the facing at its end was marked as
    assumed, i.e. the referee is asked; `fell` by the truth, `seen_lying` by the tracks.
    """

    fighter: str
    first_frame: int
    last_frame: int
    true_cm: float
    tracked_cm: float | None
    true_turn_deg: float
    tracked_turn_deg: float | None
    assumed: bool
    fell: bool
    seen_lying: bool

    @property
    def length_error_cm(self) -> float:
        """Tracked minus true length; NaN when not tracked."""
        return float("nan") if self.tracked_cm is None else self.tracked_cm - self.true_cm

    @property
    def turn_error_deg(self) -> float:
        """Absolute error of the turn; NaN when not tracked or when the figure fell (no sole to turn)."""
        if self.tracked_turn_deg is None or self.fell:
            return float("nan")
        return abs(angle_between(self.tracked_turn_deg, self.true_turn_deg))

    @property
    def flipped(self) -> bool:
        """The facing came out the wrong way round."""
        return self.turn_error_deg > 90


@dataclass(frozen=True)
class MoveMetrics:
    """All moves, the spread of their errors, flips that were not marked, moves and falls that were missed."""

    moves: tuple[MoveResult, ...]
    missed: int
    length_cm: Spread
    turn_deg: Spread
    flips_unmarked: int
    falls_missed: int


def move_metrics(samples: Sequence[Sample]) -> MoveMetrics:
    """Find every true move and compare the tracked one with it."""
    fighters = dict.fromkeys(sample.fighter for sample in samples)
    moves = tuple(
        _move(before, after)
        for fighter in fighters
        for before, after in pairwise(_rests([s for s in samples if s.fighter == fighter]))
    )
    return MoveMetrics(
        moves=moves,
        missed=sum(move.tracked_cm is None for move in moves),
        length_cm=spread(abs(move.length_error_cm) for move in moves),
        turn_deg=spread(move.turn_error_deg for move in moves),
        flips_unmarked=sum(move.flipped and not move.assumed for move in moves),
        falls_missed=sum(move.fell and not move.seen_lying for move in moves),
    )


def _rests(samples: Sequence[Sample]) -> Iterator[Rest]:
    stretch: list[Sample] = []
    for sample in samples:
        if sample.true.still:
            stretch.append(sample)
        elif stretch:
            yield Rest(tuple(stretch))
            stretch = []
    if stretch:
        yield Rest(tuple(stretch))


def _move(before: Rest, after: Rest) -> MoveResult:
    start, end = before.samples[-1].true, after.samples[0].true
    here, there = before.placed, after.placed
    tracked = bool(here and there)
    # Live, a facing is refined while the figure stands: what was said last is what counts.
    facing = (here[-1].track.facing_deg, there[-1].track.facing_deg) if tracked else (None, None)
    turn = None if facing[0] is None or facing[1] is None else angle_between(facing[1], facing[0])
    return MoveResult(
        fighter=before.samples[0].fighter,
        first_frame=before.samples[-1].index,
        last_frame=after.samples[0].index,
        true_cm=float(np.hypot(end.x - start.x, end.y - start.y)),
        tracked_cm=float(np.linalg.norm(_middle(there) - _middle(here))) if tracked else None,
        true_turn_deg=angle_between(end.facing_deg, start.facing_deg),
        tracked_turn_deg=turn,
        assumed=bool(there) and there[-1].track.facing_source == "assumed",
        fell=end.lying and not start.lying,
        seen_lying=bool(there) and there[-1].track.posture == "lying",
    )


def _middle(placed: Sequence[Sample]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.asarray(np.median([(s.track.x, s.track.y) for s in placed], axis=0), float)
