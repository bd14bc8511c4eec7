"""What each kind of fact does to the state, by subject."""

from rules.smackkatz.changes import match, turns
from rules.smackkatz.changes.registry import APPLY

__all__ = ["APPLY", "match", "turns"]
