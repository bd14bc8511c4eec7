"""What each kind of fact does to the state, by subject."""

from rules.smackkatz.changes import finisher, hold, match, pin, resting, turns, whip
from rules.smackkatz.changes.registry import APPLY

__all__ = ["APPLY", "finisher", "hold", "match", "pin", "resting", "turns", "whip"]
