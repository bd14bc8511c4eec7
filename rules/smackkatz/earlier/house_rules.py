"""House rules of the earlier edition: what it leaves open, with the defaults its own text supports."""

from __future__ import annotations

from dataclasses import replace

from rules.engine.cite import cite
from rules.engine.rulings import Catalogue, Choice
from rules.smackkatz import house_rules

DEFAULTS = {
    "attack_left_rival": True,  # LOCK-11
    "back_counter": "minus_2",  # RULING-107
    "count_out_limit": 5,  # WIN-03
    "counter_decay": "off",  # COUNTER-13 is of the current edition
    "counter_hits": "excess",  # COUNTER-10
    "fatigue_cap": "off",  # FATIGUE-01 is of the current edition
    "knockout_count": 5,  # WIN-04
    "lying_target_limit": "off",  # STATUS-27 is of the current edition
    "post_damage": 4,  # WHIP-20
    "post_status": "lying",  # WHIP-20
    "ring_size_warning_cm": [90, 160],  # ARENA-03
    "rope_break": "release_and_dq",  # SUBM-13, SUBM-14, FOUL-03
    "submission_check_resistance": True,  # RULING-108
    "weapons_foul": True,  # FOUL-04
}
"""Where its text says something else than the current one."""

MEANINGLESS = {
    "counter_decay",
    "counter_decay_scope",
    "fatigue_cap",
    "fatigue_scope",
    "lying_target_limit",
    "reversal_critical",
    "rumble_entry",
    "rumble_pins",
    "submission_cap_from_turn",
    "submission_cap_scope",
    "submission_defence",
    "technique_from_behind",
    "title_bonus",
    "wound_pool",
}
"""Choices about things this edition does not have: they stay at their default."""

DOWNED = Choice(
    "downed_rule",
    "ordinary_attacks",
    ("RULING-85", "STATUS-33", "STATUS-34"),
    ("ordinary_attacks", "auto_hit", "strike_vs_counter_minus_1"),
)
"""No special attack on the knocked down in this edition: every attack is one like any other."""


_RULINGS = {"back_counter": "RULING-107", "submission_check_resistance": "RULING-108"}
OWN_RULINGS = tuple(
    replace(choice, rules=(*choice.rules, _RULINGS[choice.name]))
    for choice in house_rules.CHOICES
    if choice.name in _RULINGS
)
"""Choices on which the edition contradicts itself (catalogue 3.14)."""


@cite("RULING-1", "RULING-107", "RULING-108", "RULING-109", "RULING-110")
def catalogue() -> Catalogue:
    """Every option of the earlier edition; the discussion is about the current one."""
    return house_rules.catalogue(DEFAULTS, MEANINGLESS, (DOWNED, *OWN_RULINGS), named={})
