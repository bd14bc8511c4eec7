"""Match modes (catalogue 8.2): what a fall and a foul mean in each, its switches, how many take part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from rules.engine.cite import cite

Fall = Literal["decides", "eliminates", "scores", "nothing"]
"""What a pin or tap-out means."""
Foul = Literal["by_ruling", "offender_out", "opponent_scores"]
"""What a disqualification means: `by_ruling` is RULING-83's general rule."""


@dataclass(frozen=True)
class Mode:
    """One mode: its numbers, what decides it, and the rulings it brings along.

    `teams_of` is the size of its two teams; `rule` says that the last one (or team) left wins.
    """

    name: str
    fewest: int
    most: int
    rule: str
    rulings: Mapping[str, Any]
    fall: Fall = "eliminates"
    foul: Foul = "by_ruling"
    teams_of: int | None = None


MODES = (
    Mode("wrestling_match", 2, 8, "MODE-03", {}, fall="decides"),
    Mode("elimination", 2, 8, "MODE-04", {"count_out": True, "knockout_counts": True}, foul="offender_out"),
    Mode("iron_man", 2, 8, "MODE-05", {}, fall="scores", foul="opponent_scores"),
    Mode("survivor_series", 10, 10, "MODE-08", {}, foul="offender_out", teams_of=5),
    Mode("katz_rumble", 20, 20, "MODE-10", {"over_the_top": True, "disqualification": "off"}, fall="nothing"),
    Mode(
        "last_man_standing",
        2,
        8,
        "MODE-11",
        {"knockout_counts": True, "disqualification": "off"},
        fall="nothing",
    ),
)
"""The modes of both editions; each edition names those it has."""

MODIFIERS: Mapping[str, Mapping[str, Any]] = {
    "no_dq": {"disqualification": "off"},
    "tag": {"tag_rules": "on"},
}
"""MODE-12 and MODE-13: what may be agreed on top of any mode."""

CAP = 8
"""BUILD-01."""


@cite("MODE-01", "MODE-02", "SETUP-04", "RULING-100")
def mode(name: str) -> Mode:
    """The mode of that name."""
    return next(one for one in MODES if one.name == name)


@cite("BUILD-01", "MODE-07", "MODE-09", "RULING-2")
def participants(name: str, cap: str) -> tuple[int, int]:
    """The fewest and the most wrestlers who may take part; `cap` is the ruling participant_cap."""
    chosen = mode(name)
    return (
        (min(chosen.fewest, 2), min(chosen.most, CAP)) if cap == "always_8" else (chosen.fewest, chosen.most)
    )


@cite("BUILD-01", "RULING-2")
def participants_allowed(name: str, count: int, cap: str) -> bool:
    """Whether so many wrestlers may take part."""
    fewest, most = participants(name, cap)
    return fewest <= count <= most
