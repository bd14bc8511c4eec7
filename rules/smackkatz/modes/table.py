"""Match modes (catalogue 8.2) as the settings each brings along, and how many may take part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules.engine.cite import cite


@dataclass(frozen=True)
class Mode:
    """One mode: how many wrestlers, which endings are on, which rulings come with it."""

    name: str
    fewest: int
    most: int
    rulings: Mapping[str, Any]
    last_one_wins: bool


MODES = (
    # MODE-03: the first pin or tap-out wins. Pins arrive with the next stones; until then such a match
    # ends by the standards agreed (SETUP-04): so count-out and knock-out count are on.
    Mode("wrestling_match", 2, 8, {"count_out": True, "knockout_counts": True}, True),
    Mode("elimination", 2, 8, {"count_out": True, "knockout_counts": True}, True),
    Mode("last_man_standing", 2, 8, {"knockout_counts": True, "disqualification": "off"}, True),
)
"""The modes whose endings can be played with the actions there are."""

CAP = 8
"""BUILD-01."""


@cite("MODE-02", "SETUP-04", "MODE-04", "MODE-11", "WIN-04", "RULING-100")
def mode(name: str) -> Mode:
    """The mode of that name."""
    return next(one for one in MODES if one.name == name)


@cite("BUILD-01", "RULING-2")
def participants_allowed(name: str, count: int, cap: str) -> bool:
    """Whether so many wrestlers may take part."""
    chosen = mode(name)
    most = min(chosen.most, CAP) if cap == "always_8" else chosen.most
    return chosen.fewest <= count <= most
