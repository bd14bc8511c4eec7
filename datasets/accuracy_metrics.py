"""One table over all clips: what is asked, what is measured, and the worst case by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from datasets.accuracy_report import Move, Standing
from datasets.errorbars_bars import KINDS, UNITS, Bar, coverage
from datasets.errorbars_scenes import BAND_CM, LIMIT_CM, Neighbours

# A turn that is off by more than this and does not say that it was assumed is a silent flip.
_FLIP_DEG = 60.0
_HONEST = (0.93, 0.97)


@dataclass(frozen=True)
class _Case:
    """One thing measured many times: its name and its absolute errors."""

    name: str
    errors: list[float]


def metrics(
    standing: Sequence[Standing], moves: Sequence[Move], bars: Sequence[Bar], neighbours: Sequence[Neighbours]
) -> str:
    """The table of all metrics in Markdown."""
    tapped, untapped = ([s for s in standing if s.tapped is with_tap] for with_tap in (True, False))
    lengths = [m for m in moves if m.tapped]
    turns = [m for m in lengths if not m.fell and not m.turn_assumed]
    lines = [
        "| what | cases | n | median | 95 % | asked | worst case, in the mean of its draws |",
        "| --- | --- | --- | --- | --- | --- | --- |",
        _row("ground point, one tap", _fragments(tapped), "mm", (2.5, 6)),
        _row("ground point, no tap", _fragments(untapped), "mm", (5, 10)),
        _row("moves", _moved(lengths, lambda m: 10 * abs(m.error)), "mm", (1, 3)),
        _row("turns that are not assumed", _moved(turns, lambda m: m.turn_error), "deg", (3, 8)),
    ]
    flips = sum(m.turn_error > _FLIP_DEG for m in turns)
    iou = [s.iou for s in tapped]
    lowest = min(tapped, key=lambda s: s.iou)
    within = [pair for pair in neighbours if abs(pair.gap - LIMIT_CM) > BAND_CM and not pair.asked]
    right = float(np.mean([pair.right for pair in within])) if within else 1.0
    lines += [
        "",
        f"- Silent flips: {flips} of {len(turns)} turns that are not assumed.",
        f"- Plan-view outline: median IoU {np.median(iou):.2f} (asked 0.85), lowest {lowest.iou:.2f} "
        f"({lowest.clip} {lowest.fighter}, fragment {lowest.fragment}).",
        f"- Adjacency, outside the ask band and not asked: {right:.1%} of {len(within)} right (asked 99 %).",
        "",
        *_honest(bars),
    ]
    return "\n".join(lines) + "\n"


def _row(what: str, cases: Sequence[_Case], unit: str, asked: tuple[float, float]) -> str:
    if not cases:
        return f"| {what} | 0 | 0 | | | {asked[0]:g} and {asked[1]:g} {unit} | |"
    errors = [error for case in cases for error in case.errors]
    worst = max(cases, key=lambda case: float(np.mean(case.errors)))
    median, most = np.percentile(errors, [50, 95])
    return (
        f"| {what} | {len(cases)} | {len(errors)} | {median:.1f} {unit} | {most:.1f} {unit} "
        f"| {asked[0]:g} and {asked[1]:g} {unit} | {worst.name}: {np.mean(worst.errors):.1f} {unit} |"
    )


def _fragments(standing: Sequence[Standing]) -> list[_Case]:
    cases: dict[str, list[float]] = {}
    for s in standing:
        name = f"{s.clip} {s.fighter}, fragment {s.fragment}{' (lying)' if s.lying else ''}"
        cases.setdefault(name, []).append(10 * s.error)
    return [_Case(name, errors) for name, errors in cases.items()]


def _moved(moves: Sequence[Move], error: Callable[[Move], float]) -> list[_Case]:
    cases: dict[str, list[float]] = {}
    for m in moves:
        name = f"{m.clip} {m.fighter}, {m.true_length:.1f} cm, turned {m.true_turn:+.0f}"
        cases.setdefault(f"{name}{' (fell)' if m.fell else ''}", []).append(error(m))
    return [_Case(name, errors) for name, errors in cases.items()]


def _honest(bars: Sequence[Bar]) -> list[str]:
    """How often bars hold, by kind; clips have few figures, so that a share is only as sure as its ±."""
    lines = [
        "| bars | n | in the 95 % bar | asked | median width |",
        "| --- | --- | --- | --- | --- |",
    ]
    low, high = (f"{share:.0%}" for share in _HONEST)
    for source in dict.fromkeys(bar.source for bar in bars):
        for kind in KINDS:
            own = [bar for bar in bars if bar.source == source and bar.kind == kind]
            if own:
                c = coverage(own)
                lines.append(
                    f"| {source}, {kind} | {c.count} | {c.inside:.1%} ± {c.doubt:.1%} "
                    f"| {low} to {high} | {c.width:.2g} {UNITS[kind]} |"
                )
    return lines
