"""The table over the library: what is refused is said, what went worst is named."""

from dataclasses import replace

from datasets.library_table import Result, clips_table, stills_table
from palmo.evaluate.moves import MoveMetrics, MoveResult
from palmo.evaluate.report import Evaluation
from palmo.evaluate.spread import Spread
from palmo.evaluate.standing import StandingMetrics
from palmo.evaluate.states import StateMetrics

SPREAD = Spread(3, 0.2, 0.5, 0.6)
STOOD = StandingMetrics(30, 0.0, 0.0, 0, SPREAD, SPREAD, 0, 0, 0.95, SPREAD, SPREAD, 0.0)
STATES = StateMetrics(10, 0.9, 0.0, 0, {})
MOVE = MoveResult("F1", 5, 20, 10.0, 10.3, 40.0, 42.0, False, False, False)


def found(*moves, **stood):
    metrics = MoveMetrics(tuple(moves), 0, Spread(1, 0.3, 0.3, 0.3), Spread(1, 2.0, 2.0, 2.0), 0, 0)
    return Evaluation(replace(STOOD, **stood), {"F1": replace(STOOD, **stood)}, STATES, metrics)


def test_the_worst_is_named_and_what_was_refused_is_said():
    far = replace(MOVE, fighter="F7", tracked_cm=12.5)
    table = clips_table(
        [
            Result("L01", found(MOVE), ""),
            Result("L02", found(far), ""),
            Result("L03", None, "its box lies on the mat"),
        ]
    )
    assert "| L03 | refused: its box lies on the mat |" in table
    assert "All 2 moves: 14.0 mm (median)" in table
    assert "move L02 F7 (25.0 mm)" in table


def test_a_turn_marked_as_assumed_is_no_unmarked_flip():
    flipped = replace(MOVE, tracked_turn_deg=-140.0)
    asked = replace(flipped, assumed=True)
    assert "1 unmarked flips, 1 assumed" in clips_table([Result("L01", found(MOVE, flipped, asked), "")])


def test_stills_are_pooled_by_figure():
    missed = Evaluation(
        STOOD, {"F1": replace(STOOD, position_cm=Spread(0, *[float("nan")] * 3))}, STATES, found().moves
    )
    table = stills_table(
        [Result("T01", found(), ""), Result("T02", missed, ""), Result("T03", None, "no colour")]
    )
    assert "3 stills, 2 figures" in table
    assert "ground point 2.0 mm (median)" in table
    assert "1 not found, 0 taken for another" in table
    assert "- refused T03: no colour" in table
