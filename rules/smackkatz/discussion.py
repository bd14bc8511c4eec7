"""The change log and the discussion (catalogue 2.23, 2.24): each row, and the house rule that plays it.

A row that is an option may be agreed by its own name: `rulings = { PROP-07 = true }`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from rules.engine.cite import cite
from rules.engine.rulings import Named

Fate = Literal["adopted", "option", "replaced", "remark"]


@dataclass(frozen=True)
class Row:
    """What became of a row: taken into the rules, an option, replaced by a later rule, or no rule at all.

    `rules` are the rules it became, was replaced by or argues about; `settings` play it.
    """

    fate: Fate
    rules: tuple[str, ...]
    settings: Mapping[str, Any] = field(default_factory=dict)


def _row(fate: Fate, rules: str, **settings: Any) -> Row:
    return Row(fate, tuple(rules.split()), settings)


LOG = {
    "LOG-01": _row("adopted", "ARENA-01 BUILD-01 SHEET-01 SETUP-01 FIN-01 FOUL-01 CHECK-01 SPECIAL-01"),
    "LOG-02": _row("remark", "STATUS-09"),
    "LOG-03": _row("adopted", "FOUL-01 FOUL-02"),
    "LOG-04": _row("adopted", "STATUS-01", knockout_threshold=-10),
    "LOG-05": _row("replaced", "PIN-01"),
    "LOG-06": _row("replaced", "STATUS-02"),
    "LOG-07": _row("adopted", "STRIKE-06 STRIKE-08", three_criticals="knockdown_and_wound"),
    "LOG-08": _row("option", "RULING-85", downed_rule="strike_vs_counter_minus_1"),
    "LOG-09": _row("adopted", "ATK-01"),
    "LOG-10": _row("adopted", "SUBM-07"),
    "LOG-11": _row("adopted", "SPECIAL-03"),
    "LOG-12": _row("replaced", "STATUS-02"),
    "LOG-13": _row("adopted", "STRIKE-09", strength_dice_cap=10),
    "LOG-14": _row("adopted", "COUNTER-09 TECH-08", back_counter="none", technique_from_behind=False),
    "LOG-15": _row("adopted", "COUNTER-08"),
    "LOG-16": _row("option", "RULING-67", counter_hits="excess"),
    "LOG-17": _row("adopted", "FIN-10"),
    "LOG-18": _row("adopted", "COUNTER-13", counter_decay="on"),
    "LOG-19": _row("adopted", "STATUS-50 STATUS-54"),
    "LOG-20": _row("adopted", "STATUS-60"),
    "LOG-21": _row("adopted", "STATUS-62 STATUS-63"),
    "LOG-22": _row("option", "RULING-61", fatigue_cap=3),
}
"""The published change log: older than the rules wherever the two disagree."""

PROPOSALS = {
    "PROP-01": _row("option", "RULING-61", fatigue_scope="counter_only"),
    "PROP-02": _row("option", "RULING-61", absolute_ability_cap=4),
    "PROP-03": _row("adopted", "COUNTER-01"),
    "PROP-04": _row("option", "TECH-01", submission_defence="resistance"),
    "PROP-05": _row("adopted", "TECH-01"),
    "PROP-06": _row("adopted", "SHEET-03 SHEET-07"),
    "PROP-07": _row("option", "RULING-67", counter_hits="spare_sixes"),
    "PROP-08": _row("option", "RULING-67", counter_vs_suplex="hits"),
    "PROP-09": _row("adopted", "COUNTER-10"),
    "PROP-10": _row("adopted", "TURN-01 TURN-06 COUNTER-07 TECH-06", defences_per_turn=1),
    "PROP-11": _row("option", "RULING-70", technique_from_behind=True),
    "PROP-12": _row("option", "RULING-61", fatigue_cap=3),
    "PROP-13": _row("option", "RULING-61", fatigue_cap=4),
    "PROP-14": _row("remark", "LOG-22"),
    "PROP-15": _row("remark", "COUNTER-10 RULING-67"),
    "PROP-16": _row("adopted", "LEAGUE-03"),
    "PROP-17": _row("remark", "TECH-01 TURN-06"),
    "PROP-18": _row("remark", "SHEET-09"),
    "PROP-19": _row("option", "RULING-69", counter_decay="off"),
    "PROP-20": _row("option", "RULING-61", fatigue_scope="all"),
}
"""Ideas of the discussion: options, unless adopted."""

ROWS = LOG | PROPOSALS


@cite(*ROWS)
def named() -> dict[str, Named]:
    """The rows that may be agreed by their own name, with what each of them sets."""
    return {
        name: Named(row.settings, (name, *row.rules), fixed=row.fate == "adopted")
        for name, row in ROWS.items()
        if row.fate in ("adopted", "option")
    }
