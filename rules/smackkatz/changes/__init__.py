"""What each kind of fact does to the state, by subject."""

from rules.smackkatz.changes import (
    corrections,
    finisher,
    hoist,
    hold,
    match,
    pin,
    post,
    resting,
    turns,
    whip,
)
from rules.smackkatz.changes.registry import APPLY

__all__ = [
    "APPLY",
    "corrections",
    "finisher",
    "hoist",
    "hold",
    "match",
    "pin",
    "post",
    "resting",
    "turns",
    "whip",
]
