"""Strike, Counter, damage and what comes of it, beyond the catalogue's own scenarios."""

from __future__ import annotations

from typing import Any

import pytest

from overlay import i18n
from rules.engine.request import Request
from rules.smackkatz.abilities import effective, pool
from rules.smackkatz.attacks.exchange import counter_blow, exchange
from rules.smackkatz.attacks.strike import hit_downed, land, strike
from rules.smackkatz.consequences.harm import knock_down, lose_stamina
from rules.smackkatz.legality import options as legality
from rules.smackkatz.turn.order import initiative
from tests.rules.playing import figure
from tests.rules.smackkatz.harness import (
    ScriptError,
    at_gap_to_far_ropes,
    behind,
    drive,
    facts,
    lock,
    pair,
    table,
)


def only(name: str) -> Any:
    """Answer every request that offers this option with it."""

    def choose(request: Request) -> str:
        assert request.option(name) is not None, request
        return name

    return choose


def test_strike_02_three_is_a_hit_inside_the_lock_up_only() -> None:
    locked = lock(table("ABC", {"A": {"strike": 2, "strength": 1}}, at=pair()), "A", "B")
    drive(strike(locked, "A", "B", "LOCKUP_PHASE"), {"A.strike": [3, 1], "A.strength": [5]})
    assert locked.state.wrestlers["B"].stamina == 19
    free = table("ABC", {"A": {"strike": 2}}, at=pair())
    drive(strike(free, "A", "B", "OPEN_PHASE"), {"A.strike": [3, 1]})
    assert facts(free, "missed")


def test_ruling_18_who_has_moved_away_is_no_longer_in_the_lock_up() -> None:
    apart = lock(table("ABC", {"A": {"strike": 1}}, at=pair(8.0)), "A", "B")
    drive(strike(apart, "A", "B", "LOCKUP_PHASE"), {"A.strike": [3]})
    assert facts(apart, "missed")


def test_ruling_18_melee_threshold_is_a_house_rule() -> None:
    at = {"A": figure("A", 0, 0, 0), "B": figure("B", 7, 0, 180), "C": figure("C", 0, 7, 270)}
    found = lock(
        table("ABC", {"A": {"strike": 1}}, at=at, rulings={"melee_threshold_bonus": False}), "A", "B", "C"
    )
    drive(strike(found, "A", "B", "LOCKUP_PHASE"), {"A.strike": [3]})
    assert facts(found, "missed")


def test_counter_09_nobody_counters_an_attack_from_behind() -> None:
    b = figure("B", 0, 0, 90)
    found = table(
        "ABC", {"A": {"strike": 1, "strength": 1}, "B": {"counter": 3}}, at={"A": behind("A", b), "B": b}
    )
    asked: list[Request] = []
    drive(strike(found, "A", "B", "OPEN_PHASE"), {"A.strike": [6], "A.strength": [1]}, asked=asked)
    assert not any("D-06" in request.step for request in asked)
    assert not found.state.wrestlers["B"].defended


def test_ruling_70_back_counter_minus_2_is_a_house_rule() -> None:
    b = figure("B", 0, 0, 90)
    at = {"A": behind("A", b), "B": b}
    found = table(
        "ABC", {"A": {"strike": 1}, "B": {"counter": 3}}, at=at, rulings={"back_counter": "minus_2"}
    )
    drive(strike(found, "A", "B", "OPEN_PHASE"), {"A.strike": [4], "B.counter": [4]})
    assert facts(found, "no_effect")


def test_ruling_32_a_doubtful_back_is_the_referees_before_the_defence() -> None:
    b = figure("B", 0, 0, 0)
    doubtful = figure("A", -7 * 0.7071, 7 * 0.7071, 0)  # 135 degrees from where B looks
    for said, defended in (("yes", False), ("no", True)):
        found = table(
            "ABC", {"A": {"strike": 1, "strength": 1}, "B": {"counter": 1}}, at={"A": doubtful, "B": b}
        )
        asked: list[Request] = []
        dice = {"A.strike": [4]} | ({"B.counter": [4]} if defended else {"A.strength": [1]})
        drive(strike(found, "A", "B", "OPEN_PHASE"), dice, only(said), asked)
        questions = [request for request in asked if request.kind == "ruling"]
        assert len(questions) == 1
        assert questions[0].finding is not None
        assert found.state.wrestlers["B"].defended == defended
        assert facts(found, "ruled")[0].rules == ("STATUS-61", "RULING-32")


@pytest.mark.parametrize(
    "given",
    [{"defended": True}, {"resting": True}, {"unconscious": True}, {"lying": True, "counter": 1}],
    ids=lambda one: next(iter(one)),
)
def test_nobody_who_cannot_counter_is_asked(given: dict[str, Any]) -> None:
    found = table("ABC", {"A": {"strike": 1, "strength": 1}, "B": given}, at=pair())
    drive(strike(found, "A", "B", "OPEN_PHASE"), {"A.strike": [4], "A.strength": [1]})


def test_counter_07_who_has_attacked_may_still_counter_once() -> None:
    found = table(
        "ABC", {"A": {"strike": 1, "strength": 1}, "B": {"counter": 1, "attacked": True}}, at=pair()
    )
    drive(strike(found, "A", "B", "OPEN_PHASE"), {"A.strike": [4], "B.counter": [4]})
    assert found.state.wrestlers["B"].defended
    found.state.wrestlers["A"].attacked = False
    drive(strike(found, "A", "B", "OPEN_PHASE"), {"A.strike": [4], "A.strength": [1]})


def test_counter_10_a_blow_can_knock_down_and_wound_the_attacker() -> None:
    given = {"A": {"strike": 1}, "B": {"counter": 2, "strength": 3}}
    found = table("ABC", given, at=pair())
    dice = {"A.strike": [4], "B.counter": [6, 6], "B.strength": [6, 6, 6, 1, 1, 1], "A.wound": [2]}
    drive(strike(found, "A", "B", "OPEN_PHASE"), dice)
    attacker = found.state.wrestlers["A"]
    assert attacker.knocked_down == 1
    assert attacker.wounds == {"speed": 1}
    assert attacker.stamina == 14


def test_counter_10_without_a_six_the_attack_is_only_avoided() -> None:
    found = table("ABC", {"A": {"strike": 1}, "B": {"counter": 3}}, at=pair())
    drive(strike(found, "A", "B", "OPEN_PHASE"), {"A.strike": [4], "B.counter": [5, 5, 4]})
    assert found.state.wrestlers["A"].stamina == 20


def test_status_23_a_counter_that_only_reduces_leaves_him_lying() -> None:
    given = {"A": {"strike": 2, "strength": 1}, "B": {"counter": 2, "lying": True}}
    found = table("ABC", given, at=pair())
    drive(strike(found, "A", "B", "OPEN_PHASE"), {"A.strike": [4, 4], "B.counter": [4], "A.strength": [1]})
    assert found.state.wrestlers["B"].lying
    assert not found.state.wrestlers["B"].turn_over


def test_strike_07_next_to_the_ropes_he_falls_out_and_is_put_there() -> None:
    b = at_gap_to_far_ropes("B", 1.0)
    at = {"A": figure("A", 0, b.y - 7, 90), "B": b}
    found = table("ABC", {"A": {"strike": 1, "strength": 2}}, at=at)
    asked: list[Request] = []
    dice = {"A.strike": [4], "A.strength": [6, 6]}
    drive(strike(found, "A", "B", "OPEN_PHASE"), dice, asked=asked)
    victim = found.state.wrestlers["B"]
    assert victim.at_ringside
    assert victim.knocked_down == 1
    assert victim.stamina == 16
    place = next(request for request in asked if request.kind == "place")
    assert place.proposal is not None
    assert min(y for _, y in place.proposal.outline) == pytest.approx(35.0)
    assert place.check is not None
    assert place.check(b)[0].rule == "RULING-39"


def test_ruling_39_in_a_corner_the_attacker_chooses_the_side() -> None:
    at = {"A": figure("A", 24, 24, 45), "B": figure("B", 31, 31, 225)}
    found = table("ABC", {"A": {"strike": 1, "strength": 2}}, at=at)
    asked: list[Request] = []
    drive(
        strike(found, "A", "B", "OPEN_PHASE"), {"A.strike": [4], "A.strength": [6, 6]}, only("right"), asked
    )
    choice = next(request for request in asked if "D-27" in request.step)
    assert choice.who == "a"
    assert [option.id for option in choice.options] == ["far", "right"]
    assert found.state.scene.figures["B"].x > 35


def test_ruling_38_three_criticals_may_wound_only_by_house_rule() -> None:
    found = table(
        "ABC", {"A": {"strike": 1, "strength": 3}}, at=pair(), rulings={"three_criticals": "wound_only"}
    )
    dice = {"A.strike": [4], "A.strength": [6, 6, 6], "B.wound": [10]}
    drive(strike(found, "A", "B", "OPEN_PHASE"), dice)
    assert found.state.wrestlers["B"].knocked_down is None
    assert found.state.wrestlers["B"].wounds == {"counter": 1}


def test_ruling_37_criticals_of_the_strike_dice_by_house_rule() -> None:
    given = {"A": {"strike": 2, "strength": 1}}
    found = table("ABC", given, at=pair(), rulings={"knockdown_criticals": "strike_dice"})
    drive(strike(found, "A", "B", "OPEN_PHASE"), {"A.strike": [6, 6], "A.strength": [1, 1]})
    assert found.state.wrestlers["B"].knocked_down == 1


def test_strike_09_the_pool_explains_itself_term_by_term() -> None:
    found = table("ABC", {"A": {"strike": 4, "strength": 4}}, at=pair())
    asked: list[Request] = []
    drive(
        strike(found, "A", "B", "OPEN_PHASE"),
        {"A.strike": [4, 4, 4, 1], "A.strength": [1] * 10},
        asked=asked,
    )
    terms = next(request for request in asked if request.dice and request.dice[0].ability == "strength").dice[
        0
    ]
    assert terms.count == 10
    assert [(term.value, term.rule) for term in terms.modifiers] == [
        (4, "SHEET-21"),
        (8, "STRIKE-03"),
        (-2, "STRIKE-09"),
    ]


@pytest.mark.parametrize(
    ("stamina", "wounds", "lying", "expected"),
    [(20, {}, False, 6), (10, {}, False, 4), (11, {}, False, 6), (20, {"counter": 1}, False, 5),
     (20, {"counter": 2}, False, 3), (10, {"counter": 2}, False, 3), (20, {}, True, 5), (10, {}, True, 3),
     (20, {"counter": 9}, False, 3)],
)  # fmt: skip
def test_ruling_61_wounds_then_fatigue_then_the_momentary(
    stamina: int, wounds: dict[str, int], lying: bool, expected: int
) -> None:
    found = table("AB", {"A": {"counter": 6, "stamina": stamina, "wounds": wounds, "lying": lying}})
    assert effective(found, "A", "counter") == expected
    assert sum(term.value for term in pool(found, "A", "counter").modifiers) == expected


def test_ruling_62_lasting_penalties_stop_at_one_momentary_ones_at_none() -> None:
    found = table("AB", {"A": {"counter": 2, "wounds": {"counter": 2}}})
    assert effective(found, "A", "counter") == 1
    found.state.wrestlers["A"].lying = True
    assert effective(found, "A", "counter") == 0


def test_status_33_one_automatic_hit_a_turn_without_dice() -> None:
    given = {"A": {"strength": 3}, "B": {"knocked_down": 1}}
    at = pair() | {"C": figure("C", 7, 7, 270)}
    found = table("ABC", given, at=at)
    assert "STATUS-34" in [one.rule for one in legality.option(found, "A", "strike:B").reasons]
    drive(hit_downed(found, "A", "B", "OPEN_PHASE"))
    assert found.state.wrestlers["B"].stamina == 17
    assert [one.rule for one in legality.option(found, "C", "hit_downed:B").reasons] == ["STATUS-33"]
    each = table("ABC", given | {"B": {"knocked_down": 1, "downed_by": ("A",)}}, at=at,
                 rulings={"downed_attack_limit": "per_attacker"})  # fmt: skip
    assert legality.option(each, "C", "hit_downed:B").legal
    assert not legality.option(each, "A", "hit_downed:B").legal


def test_status_01_unconscious_comes_before_knocked_down() -> None:
    found = table("ABC", {"A": {"strike": 1, "strength": 2}, "B": {"stamina": -7}}, at=pair())
    drive(strike(found, "A", "B", "OPEN_PHASE"), {"A.strike": [4], "A.strength": [6, 6]})
    victim = found.state.wrestlers["B"]
    assert victim.unconscious
    assert victim.knocked_down is None


def test_being_downed_ends_the_lock_up() -> None:
    found = lock(table("ABC", at=pair()), "A", "B")
    drive(knock_down(found, "B", "A", "LOCKUP_PHASE"))
    assert found.state.group_of("A") == ()
    other = lock(table("ABC", at=pair()), "A", "B", "C")
    lose_stamina(other, "B", 30, "STRIKE-04")
    assert other.state.group_of("A") == ("A", "C")


def test_lock_10_and_team_mates_cannot_be_struck() -> None:
    found = table("ABC", {"A": {"left": ("B",)}}, at=pair())
    assert [one.rule for one in legality.option(found, "A", "strike:B").reasons] == ["LOCK-10"]
    mates = table("ABC", at=pair(), teams={"A": "red", "B": "red", "C": "blue"})
    assert [one.rule for one in legality.option(mates, "A", "strike:B").reasons] == ["RULING-98"]


def test_all_reasons_are_given_at_once() -> None:
    given = {"A": {"attacked": True, "defended": True, "resting": True}, "B": {"unconscious": True}}
    found = table("ABC", given)
    rules = [one.rule for one in legality.option(found, "A", "strike:B").reasons]
    assert rules == ["STATUS-11", "TURN-04", "TURN-05", "ATK-02", "FOUL-05"]


@pytest.mark.parametrize("dice", [{}, {"A.strike": [4]}, {"A.strike": [1, 1, 1], "B.counter": [4]}])
def test_the_harness_notices_wrong_missing_and_left_over_dice(dice: dict[str, Any]) -> None:
    with pytest.raises(ScriptError):
        drive(strike(table("ABC", at=pair()), "A", "B", "OPEN_PHASE"), dice)


def test_strike_03_one_hit_is_no_more_hits() -> None:
    found = table("AB", {"A": {"strength": 2}}, at=pair())
    request = next(land(found, "A", "B", 1, "OPEN_PHASE", ()))
    assert [one.text.key for one in request.dice[0].modifiers] == ["term.sheet"]


def test_ruling_62_where_abilities_may_sink_to_nothing_a_hit_without_strength_dice_costs_nothing() -> None:
    given = {"A": {"strike": 1, "strength": 1, "wounds": {"strength": 1}}, "B": {"counter": 0}}
    found = table("ABC", given, at=pair(), rulings={"ability_floor": 0})
    asked: list[Request] = []
    drive(strike(found, "A", "B", "OPEN_PHASE"), {"A.strike": [4]}, asked=asked)
    assert [one.dice[0].ability for one in asked if one.kind == "roll"] == ["strike"]
    assert found.state.wrestlers["B"].stamina == 20


@pytest.mark.parametrize("floor", [0, 1])
def test_ruling_62_nobody_attacks_with_an_ability_of_which_no_die_is_left(floor: int) -> None:
    given = {"A": {"strike": 1, "wounds": {"strike": 1}}}
    found = table("ABC", given, at=pair(), rulings={"ability_floor": floor})
    reasons = [(one.code, one.rule) for one in legality.option(found, "A", "strike:B").reasons]
    assert reasons == ([("no_dice", "RULING-62")] if floor == 0 else [])
    assert legality.option(found, "A", "whip:B").legal


def test_ruling_31_by_house_rule_one_must_look_at_whom_one_attacks() -> None:
    at = {"A": figure("A", 0, 0, 180), "B": figure("B", 7, 0, 180)}
    for needs, codes in ((True, ["not_in_front"]), (False, [])):
        found = table("ABC", at=at, rulings={"attack_needs_front": needs})
        assert [one.code for one in legality.option(found, "A", "strike:B").reasons] == codes


@pytest.mark.parametrize(
    ("ability", "rule"),
    [("strike", "STRIKE-01"), ("irish_whip", "WHIP-03"), ("suplex", "SUPLEX-02"), ("submission", "SUBM-01")],
)
def test_a_miss_names_the_rule_of_the_attack_it_was(ability: str, rule: str) -> None:
    found = table("AB", {"A": {ability: 1}}, at=pair())
    drive(exchange(found, "A", "B", ability, "OPEN_PHASE", defended_by=None), {f"A.{ability}": [1]})
    assert facts(found, "missed")[0].rules == (rule,)


def test_a_plain_die_is_said_in_words() -> None:
    found = table("AB")
    drive(initiative(found, ["A", "B"], "OPEN_PHASE"), {"initiative": {"A": 3, "B": 1}})
    for lang, said in (("en", "A rolls a die: 3."), ("es", "A tira un dado: 3.")):
        assert i18n.translate(facts(found, "rolled")[0].text, lang) == said
    assert "terms" not in facts(found, "rolled")[0].values


@pytest.mark.parametrize(("ability", "rule"), [("strike", "COUNTER-10"), ("suplex", "COUNTER-11")])
def test_a_counter_blow_names_what_was_countered(ability: str, rule: str) -> None:
    found = table("AB", {"A": {ability: 1}, "B": {"counter": 2, "strength": 1}}, at=pair())
    roll = exchange(found, "A", "B", ability, "OPEN_PHASE", defended_by="counter")
    attack = drive(roll, {f"A.{ability}": [4], "B.counter": [6, 5]})
    drive(counter_blow(found, attack, "OPEN_PHASE"), {"B.strength": [1]})
    assert facts(found, "counter_blow")[0].rules == (rule, "RULING-67")
