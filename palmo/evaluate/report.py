"""The whole evaluation as one object, as JSON, and as tables for a terminal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Group
from rich.table import Table

from palmo.evaluate.moves import MoveMetrics, move_metrics
from palmo.evaluate.samples import pair
from palmo.evaluate.spread import Spread
from palmo.evaluate.standing import StandingMetrics, standing_metrics
from palmo.evaluate.states import StateMetrics, state_metrics
from palmo.evaluate.truth import Truth
from vision.tracks import TrackFrame


@dataclass(frozen=True)
class Evaluation:
    """Metrics over all fighters, per fighter for what stands, and every move.

    What the guard marks, because the camera had moved, is no measurement: `marked_frames` are left out of
    places and moves.
    """

    standing: StandingMetrics
    per_fighter: dict[str, StandingMetrics]
    states: StateMetrics
    moves: MoveMetrics
    marked_frames: int = 0


def evaluate(tracks: Sequence[TrackFrame], truth: Truth) -> Evaluation:
    """Compare tracks with the truth. Raises TruthError when they have nothing in common."""
    samples = pair(tracks, truth)
    measured = [sample for sample in samples if not sample.marked]
    return Evaluation(
        standing=standing_metrics(measured, truth.shapes),
        per_fighter={
            fighter: standing_metrics([s for s in measured if s.fighter == fighter], truth.shapes)
            for fighter in truth.shapes
        },
        states=state_metrics(samples),
        moves=move_metrics(measured),
        marked_frames=len({sample.index for sample in samples if sample.marked}),
    )


def as_json(evaluation: Evaluation) -> dict[str, Any]:
    """Plain data for `--json`: numbers that do not exist are null."""
    plain: dict[str, Any] = _without_nan(asdict(evaluation))
    return plain


def tables(evaluation: Evaluation) -> Group:
    """Tables for a person."""
    return Group(_standing(evaluation), _states(evaluation.states), _moves(evaluation.moves))


def _standing(evaluation: Evaluation) -> Table:
    title = "Standing fighters, no hand near (cm, degrees; median and 95th percentile)"
    table = _table(
        title, "", "pos.", "95 %", "facing", "95 %", "IoU", "in bar", "bar", "missing", "wrong id", "flips"
    )
    for fighter, metrics in evaluation.per_fighter.items():
        table.add_row(fighter, *_standing_cells(metrics))
    table.add_section()
    table.add_row("all", *_standing_cells(evaluation.standing), style="bold")
    table.caption = (
        "in bar: 95 % intervals that hold the truth; bar: their median width; flips not marked as assumed"
    )
    if evaluation.marked_frames:
        table.caption += f"; {evaluation.marked_frames} frames with a moved camera are marked and not counted"
    return table


def _standing_cells(m: StandingMetrics) -> list[str]:
    return [
        f"{m.position_cm.median:.2f}",
        f"{m.position_cm.p95:.2f}",
        f"{m.facing_deg.median:.1f}",
        f"{m.facing_deg.p95:.1f}",
        f"{m.outline_iou.median:.2f}",
        f"{m.inside_95:.0%}",
        f"{m.interval_cm.median:.2f}",
        f"{m.missing:.1%}",
        str(m.wrong_identity),
        str(m.flips_unmarked),
    ]


def _table(title: str, *names: str) -> Table:
    table = Table(
        title=title, title_justify="left", caption_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0)
    )
    for number, name in enumerate(names):
        table.add_column(name, justify="right" if number else "left", no_wrap=True)
    return table


def _states(m: StateMetrics) -> Table:
    table = _table("Hands", "held, noticed", "false alarms, no hand near", "placed while lifted over 1 cm")
    table.add_row(
        f"{m.held_noticed:.1%} of {m.held_samples}", f"{m.false_hand:.1%}", str(m.placed_while_lifted)
    )
    return table


def _moves(m: MoveMetrics) -> Table:
    table = _table(
        "Moves (cm, their error in mm, degrees; all: median, largest)",
        "",
        "true",
        "got",
        "error",
        "turn",
        "got",
        "error",
        "",
    )
    for move in m.moves:
        if move.tracked_cm is None:
            table.add_row(move.fighter, f"{move.true_cm:.1f}", "missed")
            continue
        turn = "" if move.tracked_turn_deg is None else f"{move.tracked_turn_deg:+.0f}"
        fall = ("fell, seen" if move.seen_lying else "FALL MISSED") if move.fell else ""
        words = ("FLIP" if move.flipped else "", "assumed" if move.assumed else "", fall)
        note = ", ".join(word for word in words if word)
        error = f"{10 * move.length_error_cm:+.1f}"
        turned = (
            ("", "", "") if move.fell else (f"{move.true_turn_deg:+.0f}", turn, f"{move.turn_error_deg:.0f}")
        )
        table.add_row(move.fighter, f"{move.true_cm:.2f}", f"{move.tracked_cm:.2f}", error, *turned, note)
    table.add_section()
    table.add_row("all", "", "", _mm(m.length_cm), "", "", _degrees(m.turn_deg), "", style="bold")
    return table


def _mm(s: Spread) -> str:
    return f"{10 * s.median:.1f}, {10 * s.largest:.1f}"


def _degrees(s: Spread) -> str:
    return f"{s.median:.0f}, {s.largest:.0f}"


def _without_nan(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _without_nan(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(inner) for inner in value]
    return value
