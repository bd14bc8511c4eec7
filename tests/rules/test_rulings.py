"""House rules: every option at every value, and clear refusals."""

from __future__ import annotations

import random
from typing import Any

import pytest

from rules.engine.match import Match
from rules.engine.rulings import RulingError
from rules.smackkatz.book import CURRENT
from rules.smackkatz.house_rules import CHOICES, catalogue
from tests.rules.playing import STRONG, random_answer, roster

VALUES = [(choice.name, value) for choice in CHOICES for value in choice.values]


@pytest.mark.parametrize(("name", "value"), VALUES, ids=lambda one: str(one))
def test_every_value_of_every_option_is_accepted(name: str, value: Any) -> None:
    # Some values only make sense beside another one: the conflicts say so.
    beside = {
        ("fatigue_scope", "counter_only"): {"fatigue_cap": 3},
        ("rope_break", "release_and_dq"): {"disqualification": "on"},
    }.get((name, value), {})
    assert catalogue().resolve({name: value, **beside})[name] == value


def test_the_defaults_are_the_first_values_and_need_no_setting() -> None:
    settings = catalogue().resolve()
    assert all(settings[choice.name] == choice.default for choice in CHOICES)
    assert len(settings) == len(CHOICES)
    assert all(choice.rules for choice in CHOICES)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"adjacent_gap": 2.0}, "Unknown house rule 'adjacent_gap'. Did you mean 'adjacent_gap_cm'"),
        ({"fatigue_cap": 5}, r"fatigue_cap = 5: expected one of 4, 3, \"off\" \(RULING-61\)"),
        ({"split_move": 0}, "RULING-12"),
        ({"setup_shift_palms": True}, "RULING-7"),
        ({"adjacent_gap_cm": -1}, "a number from 0.1 to 10"),
        ({"adjacent_gap_cm": float("nan")}, "a number from 0.1 to 10"),
        ({"adjacent_gap_cm": 10**400}, "a number from 0.1 to 10"),
        ({"adjacent_gap_cm": float("inf")}, "a number from 0.1 to 10"),
        ({"ring_size_warning_cm": [80, 60]}, "RULING-5"),
        ({"knockout_threshold": -10.5}, "a whole number"),
        ({"fatigue_cap": "off", "fatigue_scope": "counter_only"}, "contradict each other.*RULING-61"),
        ({"counter_decay": "off", "counter_decay_scope": "two_left"}, "RULING-69"),
        ({"disqualification": "off", "rope_break": "release_and_dq"}, "RULING-66, RULING-83"),
    ],
)
def test_a_wrong_setting_is_refused_with_its_rules(settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(RulingError, match=sentence):
        Match(CURRENT, roster(3), rulings=settings)


@pytest.mark.parametrize(
    "settings",
    [
        {"setup_shift_palms": 0, "initiative_tie": "referee", "group_order": "referee", "split_move": True},
        {
            "initiative_tie": "by_speed",
            "group_order": "random",
            "lock_up_needs": "adjacency_and_prior_attack",
        },
        {"lock_up_facing": "both", "melee_link": "all_mutual", "melee_worst": "ability"},
        {"lock_up_facing": "none", "melee_threshold_bonus": False, "failed_escape_keeps_defence": False},
        {"attack_left_rival": True, "half_palm_move": "mandatory", "step_back_cost": 0},
        {"turn_order": "move_first", "step_back_max": "unlimited", "palm_origin": "center"},
        {"palm_origin": "trailing_edge", "pass_over_lying": True, "attack_needs_front": True},
        {"attack_across_ropes": True, "back_arc_deg": 180, "voluntary_exit": "forbidden"},
        {"stand_after_entry": "next_turn", "knockdown_criticals": "strike_dice", "strike_ringside_damage": 4},
        {"three_criticals": "wound_only", "strength_dice_cap": "none", "fatigue_cap": "off"},
        {"absolute_ability_cap": 4, "ability_floor": 0, "counter_hits": "spare_sixes"},
        {"counter_hits": "excess", "lying_counter_blow": False, "counter_decay_scope": "two_left"},
        {"back_counter": "minus_2", "stamina_ceiling": "none", "stamina_floor": -10, "knockout_count": 5},
        {"downed_attack_limit": "per_attacker", "disqualification": "off", "lying_target_limit": "always"},
        {"downed_rule": "strike_vs_counter_minus_1", "lying_may_attack": True, "lying_target_limit": "off"},
        {"rest_heals_at": "own_activation", "rest_while_knocked_down": False, "wound_pool": "main_five"},
        {"helpless_when": "negative", "melee_escape": "beat_each_separately", "simultaneous": "referee"},
        {"injury_total": -4, "count_out_limit": 5, "count_out_from": "fall_turn"},
    ],
    ids=lambda one: "+".join(one),
)
def test_a_match_under_other_rulings_plays_and_replays(settings: dict[str, Any]) -> None:
    for seed in range(2):
        rng = random.Random(seed)
        match = Match(CURRENT, roster(4, {"A": STRONG, "C": STRONG}), rulings=settings)
        for _ in range(250):
            if match.request is None:
                break
            match.answer(random_answer(match, rng))
        again = Match.replay(match.log, CURRENT)
        assert again.state.to_json() == match.state.to_json()
