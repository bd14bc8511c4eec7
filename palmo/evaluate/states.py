"""Metrics of states: are hands noticed, and only where there are any?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from palmo.evaluate.samples import Sample
from palmo.evaluate.spread import share

_HELD = ("in_hand", "covered")
# A figure lifted this far is certainly not standing.
_LIFTED_CM = 1.0


@dataclass(frozen=True)
class StateMetrics:
    """`held_noticed`: share of held samples called in_hand or covered; `false_hand`: share of samples
    with no hand near that are called so; `placed_while_lifted`: samples called placed over 1 cm up.
    `confusion[true][state]` counts samples, true being still, near (a hand comes or goes) or held.
    """

    held_samples: int
    held_noticed: float
    false_hand: float
    placed_while_lifted: int
    confusion: dict[str, dict[str, int]]


def state_metrics(samples: Sequence[Sample]) -> StateMetrics:
    """Compare states with the hands of the truth."""
    held = [sample for sample in samples if sample.true.held]
    free = [sample for sample in samples if not sample.true.near_hand]
    confusion: dict[str, dict[str, int]] = {"still": {}, "near": {}, "held": {}}
    for sample in samples:
        kind = "held" if sample.true.held else "near" if sample.true.near_hand else "still"
        confusion[kind][sample.track.state] = confusion[kind].get(sample.track.state, 0) + 1
    return StateMetrics(
        held_samples=len(held),
        held_noticed=share(sum(s.track.state in _HELD for s in held), len(held)),
        false_hand=share(sum(s.track.state in _HELD for s in free), len(free)),
        placed_while_lifted=sum(s.track.state == "placed" and s.true.lift_cm > _LIFTED_CM for s in samples),
        confusion=confusion,
    )
