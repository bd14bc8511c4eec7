"""Tracks against the truth: position, facing, identity, state, move and coverage metrics."""

from palmo.evaluate.report import Evaluation, as_json, evaluate, tables
from palmo.evaluate.truth import Truth, TruthError, load_truth

__all__ = ["Evaluation", "Truth", "TruthError", "as_json", "evaluate", "load_truth", "tables"]
