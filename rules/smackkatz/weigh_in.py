"""Before the match: what the rulebook says of plasticine, time and class. Advice; the referee sees to it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from rules.engine.cite import cite
from rules.text import Text

SCULPTING_MINUTES = 15
"""BUILD-03."""


@cite(
    "ARENA-01", "ARENA-02", "ARENA-04", "ARENA-07", "BUILD-02", "BUILD-03", "BUILD-04", "BUILD-05",
    "BUILD-06", "BUILD-07", "BUILD-08", "BUILD-12", "BUILD-13", "BUILD-14", "BUILD-15", "BUILD-16",
)  # fmt: skip
def reminders() -> tuple[tuple[Text, tuple[str, ...]], ...]:
    """Sentences for the weigh-in, each with its rules."""
    return (
        (Text("weigh_in.arena"), ("ARENA-02", "ARENA-04", "ARENA-07")),
        (Text("weigh_in.clay"), ("BUILD-02", "BUILD-04", "BUILD-05")),
        (Text("weigh_in.time", {"minutes": SCULPTING_MINUTES}), ("BUILD-03", "BUILD-06")),
        (Text("weigh_in.shape"), ("BUILD-07",)),
        (Text("weigh_in.class"), ("BUILD-08", "BUILD-12", "BUILD-13", "BUILD-14", "BUILD-15")),
        (Text("weigh_in.sheet"), ("BUILD-16",)),
    )


@cite("BUILD-02", "BUILD-05")
def same_colours(colours: Mapping[str, str]) -> list[tuple[str, str]]:
    """Pairs of wrestlers whose plasticine has the same colour: there must be none."""
    return [(a, b) for a, b in combinations(colours, 2) if colours[a].lower() == colours[b].lower()]
