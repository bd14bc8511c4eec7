"""Single measurements against the truth, and the accuracy table in Markdown made of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Standing:
    """One measured fragment against the truth. Lengths in cm, angles in degrees.

    `inside` is the share of x and y whose 95 % interval holds the truth, `width` the full width of the wider
    interval, `iou` the overlap of the plan view with the true one.
    """

    clip: str
    fighter: str
    fragment: int
    draw: int
    tapped: bool
    lying: bool
    error: float
    inside: float
    width: float
    facing_error: float
    facing_assumed: bool
    iou: float


@dataclass(frozen=True)
class Move:
    """One measured move against the truth. Lengths in cm, angles in degrees."""

    clip: str
    fighter: str
    draw: int
    tapped: bool
    true_length: float
    error: float
    sd: float
    inside: bool
    width: float
    true_turn: float
    turn_error: float
    turn_assumed: bool
    fell: bool


def as_markdown(standing: Sequence[Standing], moves: Sequence[Move]) -> str:
    """All numbers, pooled, per clip, per move and per fragment."""
    clips = sorted({s.clip for s in standing})
    parts: list[str] = []
    for tapped, title in ((True, "With a tap on the feet"), (False, "Without the tap")):
        here = [s for s in standing if s.tapped is tapped]
        there = [m for m in moves if m.tapped is tapped]
        parts += [f"### {title}", "", *_points(here, clips), "", *_moves(there, clips), ""]
    parts += ["### Every fragment, with the tap", "", *_each_fragment([s for s in standing if s.tapped]), ""]
    parts += ["### Every move, with the tap", "", *_each_move([m for m in moves if m.tapped]), ""]
    return "\n".join(parts)


def _points(standing: Sequence[Standing], clips: Sequence[str]) -> list[str]:
    head = ("clip", "ground point, median cm", "95 %", "in the 95 % bar", "bar, median cm", "widest", "IoU")
    rows = []
    for name in [*clips, "all"]:
        own = [s for s in standing if name in (s.clip, "all")]
        error, width = [s.error for s in own], [s.width for s in own]
        rows.append(
            (
                name,
                f"{np.median(error):.2f}",
                f"{np.percentile(error, 95):.2f}",
                f"{np.mean([s.inside for s in own]):.1%}",
                f"{np.median(width):.2f}",
                f"{max(width):.2f}",
                f"{np.median([s.iou for s in own]):.2f}",
            )
        )
    return _table(head, rows)


def _moves(moves: Sequence[Move], clips: Sequence[str]) -> list[str]:
    head = (
        "clip",
        "moves, median mm",
        "95 %",
        "worst",
        "in the 95 % bar",
        "turn, median deg",
        "95 %",
        "flips",
    )
    rows = []
    for name in [*clips, "all"]:
        own = [m for m in moves if name in (m.clip, "all")]
        if not own:
            continue
        error = [10 * abs(m.error) for m in own]
        called = [m.turn_error for m in own if not m.fell and not m.turn_assumed]
        flips = sum(turn > 90 for turn in called)
        rows.append(
            (
                name,
                f"{np.median(error):.1f}",
                f"{np.percentile(error, 95):.1f}",
                f"{max(error):.1f}",
                f"{np.mean([m.inside for m in own]):.1%}",
                *((f"{np.median(called):.1f}", f"{np.percentile(called, 95):.1f}") if called else ("", "")),
                str(flips),
            )
        )
    return _table(head, rows)


def _each_fragment(standing: Sequence[Standing]) -> list[str]:
    head = ("clip", "fighter", "fragment", "mean error cm", "in the bar", "bar cm", "facing error", "IoU")
    rows = []
    for clip, fighter, fragment in sorted({(s.clip, s.fighter, s.fragment) for s in standing}):
        own = [s for s in standing if (s.clip, s.fighter, s.fragment) == (clip, fighter, fragment)]
        rows.append(
            (
                clip,
                fighter,
                f"{fragment}{' lying' if own[0].lying else ''}",
                f"{np.mean([s.error for s in own]):.2f}",
                f"{np.mean([s.inside for s in own]):.0%}",
                f"{np.mean([s.width for s in own]):.2f}",
                f"{np.mean([s.facing_error for s in own]):.0f}{' assumed' if own[0].facing_assumed else ''}",
                f"{np.mean([s.iou for s in own]):.2f}",
            )
        )
    return _table(head, rows)


def _each_move(moves: Sequence[Move]) -> list[str]:
    head = (
        "clip",
        "fighter",
        "length cm",
        "turn",
        "mean error mm",
        "spread",
        "worst",
        "sd said",
        "in the bar",
    )
    rows = []
    for clip, fighter, length in sorted({(m.clip, m.fighter, m.true_length) for m in moves}):
        own = [m for m in moves if (m.clip, m.fighter, m.true_length) == (clip, fighter, length)]
        error = [10 * m.error for m in own]
        rows.append(
            (
                clip,
                f"{fighter}{' fell' if own[0].fell else ''}",
                f"{length:.1f}",
                f"{own[0].true_turn:.0f}",
                f"{np.mean(error):+.1f}",
                f"{np.std(error):.1f}",
                f"{max(map(abs, error)):.1f}",
                f"{10 * np.mean([m.sd for m in own]):.1f}",
                f"{np.mean([m.inside for m in own]):.0%}",
            )
        )
    return _table(head, rows)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    lines = [head, ["---"] * len(head), *rows]
    return [f"| {' | '.join(line)} |" for line in lines]
