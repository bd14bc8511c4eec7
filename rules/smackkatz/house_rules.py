"""The rulings of the catalogue (section 3) as house rules: name, default, alternatives, ruling id."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from rules.engine.cite import cite
from rules.engine.rulings import Catalogue, Choice, Conflict, Named
from rules.problem import Phrase, phrase
from rules.smackkatz import discussion


@dataclass(frozen=True)
class Between:
    """A number within bounds; calling it says what is wrong with a value, or None."""

    low: float
    high: float
    whole: bool = False

    def __call__(self, value: Any) -> Phrase | None:
        """None when the value is fine, else what was expected."""
        kinds = int if self.whole else int | float
        fine = isinstance(value, kinds) and not isinstance(value, bool)
        if fine and self.low <= value <= self.high:
            return None
        low, high = f"{self.low:g}", f"{self.high:g}"
        if self.whole:
            return phrase("a whole number from {low} to {high}", "ruling.whole_number", low=low, high=high)
        return phrase("a number from {low} to {high}", "ruling.number", low=low, high=high)


def _sizes(value: Any) -> Phrase | None:
    fine = (
        isinstance(value, list | tuple)
        and len(value) == 2
        and all(isinstance(one, int | float) and not isinstance(one, bool) for one in value)
        and 0 < value[0] < value[1]
    )
    return None if fine else phrase("two numbers [smallest, largest] in cm", "ruling.sizes")


def _either(name: str, rules: str, *values: Any) -> Choice:
    return Choice(name, values[0], tuple(rules.split()), values)


def _between(name: str, rules: str, default: float, low: float, high: float, whole: bool = False) -> Choice:
    return Choice(name, default, tuple(rules.split()), check=Between(low, high, whole))


_GENERAL = (
    _either("participant_cap", "RULING-2", "by_mode", "always_8"),
    _either("ability_minimum", "RULING-4", "all_1", "only_listed"),
    Choice("ring_size_warning_cm", [60, 80], ("RULING-5",), check=_sizes),
    _either("setup_shift_palms", "RULING-7", 1, 0),
)
_TURN = (
    _either("initiative_tie", "RULING-8", "reroll", "by_speed", "referee"),
    _either("group_order", "RULING-10", "best_roll", "random", "referee"),
    _either("split_move", "RULING-12", False, True),
    _either("pin_after_defending", "RULING-13", True, False),
    _either("defences_per_turn", "RULING-14", 1, "2_one_each"),
    _either("dodge_uses_defence", "RULING-14", False, True),
)
_LOCK_UP = (
    _either("lock_up_needs", "RULING-16", "adjacency", "adjacency_and_prior_attack"),
    _either("lock_up_facing", "RULING-16", "either", "both", "none"),
    _either("melee_link", "RULING-17", "connected", "all_mutual"),
    _either("melee_threshold_bonus", "RULING-18", True, False),
    _either("melee_worst", "RULING-20", "roll", "ability"),
    _either("melee_escape", "RULING-21", "beat_highest", "beat_each_separately"),
    _either("failed_escape_keeps_defence", "RULING-22", True, False),
    _either("attack_left_rival", "RULING-23", False, True),
)
_MOVEMENT = (
    _either("half_palm_move", "RULING-26", "optional", "mandatory"),
    _either("turn_order", "RULING-26", "turn_first", "move_first"),
    _either("step_back_cost", "RULING-27", 1, 0),
    _either("step_back_max", "RULING-27", 1, "unlimited"),
    _either("palm_origin", "RULING-28", "leading_edge", "center", "trailing_edge"),
    _either("pass_over_lying", "RULING-29", False, True),
    _between("adjacent_gap_cm", "RULING-30", 2.0, 0.1, 10),
    _between("ask_band_cm", "RULING-30", 0.5, 0, 5),
    _either("attack_needs_front", "RULING-31", False, True),
    _either("attack_across_ropes", "RULING-31", False, True),
    _either("back_arc_deg", "RULING-32", 90, 120, 180),
    _between("rope_gap_cm", "RULING-33", 2.0, 0.1, 10),
    _between("post_gap_cm", "RULING-33", 2.0, 0.1, 10),
    _either("voluntary_exit", "RULING-34", "cost_1", "forbidden"),
    _either("stand_after_entry", "RULING-35", "same_turn", "next_turn"),
    _either("forced_palm", "RULING-36", "causer", "mover"),
)
_STRIKE = (
    _either("knockdown_criticals", "RULING-37", "strength_dice", "strike_dice"),
    _either("three_criticals", "RULING-38", "knockdown_and_wound", "wound_only"),
    _either("strike_ringside_damage", "RULING-39", 0, 4),
    _either("strength_dice_cap", "RULING-40", 10, "none"),
    _either("connects", "RULING-41", "net_success", "damage"),
)
_WHIP = (
    _either("whip_axis", "RULING-42", "victim_to_attacker", "attacker_facing"),
    _either("whip_half_angle_deg", "RULING-42", 90, 45),
    _either("whip_distance", "RULING-43", "exact", "up_to"),
    _either("cancel_order", "RULING-44", "plain_first", "sixes_first", "defender_choice"),
    _either("dodge_successes", "RULING-45", 1, 2),
    _either("dodge_step", "RULING-45", "clear_or_half_palm", "palm"),
    _either("collide_with_lying", "RULING-46", True, False),
    _either("rope_round", "RULING-47", "up", "down"),
    _either("rebound_range", "RULING-48", "to_origin", "remaining_palms"),
    _either("clash_tie", "RULING-49", "roll_off", "nobody"),
    _either("clash_strike", "RULING-49", "free_roll", "auto_strength"),
    _either("post_damage", "RULING-50", 5, 4),
    _either("post_status", "RULING-50", "standing", "lying"),
    _either("whip_at_ringside", "RULING-51", False, True),
)
_SUPLEX = (
    _either("suplex_upkeep", "RULING-52", "end_of_turn", "holder_activation"),
    _either("holder_walks", "RULING-53", False, True),
    _either("throw_mode", "RULING-54", "physical", "placed"),
    _between("placed_max_palms", "RULING-54", 2, 1, 10),
    _either("suplex_bystander", "RULING-55", "lying", "knocked_down", "standing"),
    _either("drop_trigger", "RULING-56", "hit", "damage"),
    _either("freed_turn_full", "RULING-57", True, False),
)
_HOLD = (
    _either("submission_check_resistance", "RULING-59", False, True),
    _either("submission_cap_scope", "RULING-60", "base", "total"),
    _either("submission_cap_from_turn", "RULING-60", 2, 1),
    _either("hold_upkeep", "RULING-63", "lying_phase", "start_of_turn"),
    _either("hold_upkeep_threshold", "RULING-63", 4, 3),
    _either("reversal_critical", "RULING-64", 6, 4),
    _either("reversal_damage", "RULING-64", "immediate", "next_turn"),
    _either("hold_broken_by_hit", "RULING-65", True, False),
    _either("pin_held_wrestler", "RULING-65", False, True),
    _either("rope_break", "RULING-66", "off", "release", "release_and_dq"),
    _either("submission_at_ringside", "RULING-66", False, True),
    _either("submission_defence", "PROP-04 TECH-01", "technique", "resistance"),
)
_ABILITIES = (
    _either("fatigue_cap", "RULING-61", 4, 3, "off"),
    _either("fatigue_scope", "RULING-61 PROP-01", "all", "counter_only"),
    _either("finisher_over_cap", "RULING-61", True, False),
    _either("absolute_ability_cap", "RULING-61 PROP-02", "none", 4),
    _either("ability_floor", "RULING-62", 1, 0),
)
_COUNTER = (
    _either("counter_hits", "RULING-67", "all_sixes", "spare_sixes", "excess"),
    _either("counter_vs_suplex", "RULING-67", "hits", "reverse_suplex"),
    _either("lying_counter_blow", "RULING-68", True, False),
    _either("counter_decay", "RULING-69", "on", "off"),
    _either("counter_decay_scope", "RULING-69", "started_1v1", "two_left"),
    _either("back_counter", "RULING-70", "none", "minus_2"),
    _either("technique_from_behind", "RULING-70 PROP-11", False, True),
)
_FINISHER = (
    _either("finisher_timing", "RULING-71", "extra_attack", "instead_of_next_attack"),
    _either("finisher_on_knocked_down", "RULING-72", "normal_roll", "auto_strength"),
    _either("finisher_damage", "RULING-73", "per_attack", "per_hit"),
    _either("failed_finisher_heals", "RULING-74", True, False),
)
_DOWN = (
    _either("helpless_when", "RULING-75", "unconscious", "negative"),
    _between("knockout_threshold", "RULING-75", -10, -100, 0, whole=True),
    _either("stamina_ceiling", "RULING-76", 20, "none"),
    _either("stamina_floor", "RULING-76", "none", -10),
    _either("knockout_count", "RULING-77", 4, 5),
    _either("pin_on_unconscious", "RULING-78", "auto_fail_counts", "instant_win"),
    _either("second_count", "RULING-79", "start_of_turn", "pinner_activation", "end_of_turn"),
    _either("pin_failures_to_lose", "RULING-113", 2, 3),
    _either("kickout_clears_knocked_down", "RULING-80", True, False),
    _either("pin_needs_touch", "RULING-81", True, False),
    _either("broken_pin_lying", "RULING-82", "full_next_turn", "normal"),
    _either("disqualification", "RULING-83", "on", "off"),
    _either("dq_multi", "RULING-83", "offender_out", "victim_wins"),
    _either("weapons_foul", "FOUL-04", False, True),
    _either("downed_attack_limit", "RULING-85 RULING-84", "per_target", "per_attacker"),
    _either("downed_rule", "RULING-85", "auto_hit", "strike_vs_counter_minus_1"),
    _either("lying_may_attack", "RULING-87", False, True),
    _either("lying_target_limit", "RULING-87", "when_several", "always", "off"),
    _either("rest_heals_at", "RULING-88", "declaration", "own_activation"),
    _either("rest_while_knocked_down", "RULING-88", True, False),
    _either("wound_pool", "RULING-90", "all_ten", "main_five"),
    _either("injury_total", "RULING-91", -3, -4),
    _either("count_out_limit", "RULING-92", 4, 5),
    _either("count_out_from", "RULING-92", "next_turn", "fall_turn"),
)
_OTHER = (
    _either("climb_cost", "RULING-93", "attack", "speed_1"),
    _either("dive_target_status", "RULING-94", "lying", "none", "knocked_down"),
    _either("dive_mode", "RULING-94", "physical", "placed"),
    _either("charge_rolls", "RULING-95", "shared", "separate"),
    _between("title_bonus", "RULING-96", 1, 1, 4, whole=True),
    _either("iron_man_stamina", "RULING-97", "half_of_start", "half_of_current"),
    _either("iron_man_tie", "RULING-97", "draw", "sudden_death"),
    _either("tag_rules", "RULING-98", "off", "on"),
    _either("rumble_entry", "RULING-99", "all", "staggered"),
    _either("rumble_pins", "RULING-99", False, True),
    _either("physical_drop", "RULING-101", "allowed", "off"),
    _either("simultaneous", "RULING-102", "draw", "referee"),
    _either("free_facing_on_rise", "RULING-105", True, False),
)
_ENDINGS = (
    # SETUP-04: which standards count is agreed before the match; the modes of section 8.2 bring defaults.
    _either("count_out", "SETUP-04 WIN-03", False, True),
    _either("knockout_counts", "SETUP-04 WIN-04", False, True),
    _either("over_the_top", "SETUP-04 WIN-05", False, True),
)

CHOICES = (
    *_GENERAL, *_TURN, *_LOCK_UP, *_MOVEMENT, *_STRIKE, *_WHIP, *_SUPLEX, *_HOLD, *_ABILITIES, *_COUNTER,
    *_FINISHER, *_DOWN, *_OTHER, *_ENDINGS,
)  # fmt: skip


def _below_the_floor(threshold: int) -> bool:
    """A knock-out threshold that Stamina with a floor of -10 never reaches."""
    return threshold < -10


CONFLICTS = (
    Conflict(
        {"fatigue_cap": "off", "fatigue_scope": "counter_only"},
        ("RULING-61",),
        phrase("without a fatigue cap there is nothing to apply to Counter alone", "conflict.no_cap"),
    ),
    Conflict(
        {"counter_decay": "off", "counter_decay_scope": "two_left"},
        ("RULING-69",),
        phrase("without decay there is no scope to choose", "conflict.no_decay"),
    ),
    Conflict(
        {"disqualification": "off", "rope_break": "release_and_dq"},
        ("RULING-66", "RULING-83"),
        phrase("a rope break cannot disqualify in a match without disqualification", "conflict.no_rope_dq"),
    ),
    Conflict(
        {"disqualification": "off", "weapons_foul": True},
        ("RULING-83", "FOUL-04"),
        phrase("weapons cannot be a foul in a match without disqualification", "conflict.no_weapon_dq"),
    ),
    Conflict(
        {"disqualification": "off", "dq_multi": "victim_wins"},
        ("RULING-83",),
        phrase("without disqualification there is nothing for a foul's victim to win", "conflict.no_victim"),
    ),
    Conflict(
        {"over_the_top": True, "count_out": True},
        ("WIN-03", "WIN-05"),
        phrase(
            "whoever arrives at ringside is out at once, so nobody can be counted there",
            "conflict.nobody_counted",
        ),
    ),
    Conflict(
        {"stamina_floor": -10, "knockout_threshold": _below_the_floor},
        ("RULING-75", "RULING-76"),
        phrase("Stamina that cannot fall so low knocks nobody out", "conflict.never_so_low"),
    ),
)


@cite("RULING-1")
def catalogue(
    defaults: Mapping[str, Any] = MappingProxyType({}),
    meaningless: Collection[str] = (),
    instead: tuple[Choice, ...] = (),
    named: Mapping[str, Named] | None = None,
) -> Catalogue:
    """Every option of an edition: the current one's with other defaults on top.

    `meaningless` names choices about things the edition lacks: they keep their only value. `instead` are
    choices that take the place of those of the same name, `named` the proposals that may be agreed by name.
    """
    replaced = {choice.name: choice for choice in instead}
    known = (replaced.get(choice.name, choice) for choice in CHOICES)
    choices = tuple(_for_edition(choice, defaults, meaningless) for choice in known)
    own = {choice.name: choice.default for choice in choices}
    # What the edition itself says contradicts nothing that is agreed on top of it.
    conflicts = (one for one in CONFLICTS if not any(one.takes_part(name, own[name]) for name in one.when))
    return Catalogue(choices, tuple(conflicts), discussion.named() if named is None else named)


def _for_edition(choice: Choice, defaults: Mapping[str, Any], meaningless: Collection[str]) -> Choice:
    default = defaults.get(choice.name, choice.default)
    if choice.name in meaningless:
        return replace(choice, default=default, values=(default,), check=None)
    values = (default, *(one for one in choice.values if one != default)) if choice.values else ()
    return replace(choice, default=default, values=values)
