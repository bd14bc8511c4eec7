"""House rules at each of their values, where the files of their subjects prove the other values only."""

from __future__ import annotations

from typing import Any

import pytest

from rules.scene import Hand
from rules.smackkatz.abilities import effective
from rules.smackkatz.attacks.defence import decay
from rules.smackkatz.attacks.strike import strike
from rules.smackkatz.book import CURRENT
from rules.smackkatz.consequences.blow import land
from rules.smackkatz.consequences.harm import gain_stamina, knock_down, lose_stamina
from rules.smackkatz.legality.options import option
from rules.smackkatz.modes.presence import arrivals
from rules.smackkatz.movement.judge import judge_move
from rules.smackkatz.sight import back_turned
from rules.smackkatz.turn.lockup import detect
from rules.smackkatz.turn.lying import _limit_targets
from rules.smackkatz.turn.phases import count_ringside
from rules.smackkatz.turn.waking import wake_ups
from tests.rules.playing import figure
from tests.rules.smackkatz.harness import at_gap_to_far_ropes, drive, facts, pair, table

STEP = "OPEN_PHASE"
HAND = Hand(18.0, 9.0)


def refusals(found: Any, fighter: str, name: str) -> list[str]:
    return [one.rule for one in option(found, fighter, name).reasons]


def walked(x: float, y: float, facing: float, speed: int, **rulings: Any) -> Any:
    """The verdict on a walk from the middle, looking right."""
    settings = CURRENT.catalogue.resolve(rulings)
    return judge_move(figure("A", 0, 0, 0), figure("A", x, y, facing), HAND, speed=speed, rulings=settings)


@pytest.mark.parametrize(("melee_link", "sizes"), [("connected", [3]), ("all_mutual", [2])])
def test_ruling_17_a_chain_is_a_melee_unless_all_must_touch(melee_link: str, sizes: list[int]) -> None:
    at = {"A": figure("A", -7, 0, 0), "B": figure("B", 0, 0, 0), "C": figure("C", 7, 0, 180)}
    found = table("ABC", at=at, rulings={"melee_link": melee_link})
    drive(detect(found))
    assert [len(group) for group in found.state.groups] == sizes


@pytest.mark.parametrize(("half_palm_move", "verdict"), [("optional", "within"), ("mandatory", "beyond")])
def test_ruling_26_whether_a_turn_must_use_its_half_palm(half_palm_move: str, verdict: str) -> None:
    assert walked(0, 1, 90, 1, half_palm_move=half_palm_move).verdict == verdict
    assert walked(0, 9, 90, 1, half_palm_move=half_palm_move).verdict == "within"


@pytest.mark.parametrize(("turn_order", "verdicts"), [
    ("turn_first", ("within", "beyond")), ("move_first", ("beyond", "within")),
])  # fmt: skip
def test_ruling_26_whether_the_turn_comes_before_its_half_palm(
    turn_order: str, verdicts: tuple[str, str]
) -> None:
    along_the_new, along_the_old = (0.0, 9.0), (9.0, 0.0)
    found = tuple(
        walked(x, y, 90, 1, turn_order=turn_order).verdict for x, y in (along_the_new, along_the_old)
    )
    assert found == verdicts


@pytest.mark.parametrize(("step_back_cost", "cost"), [(1, 2), (0, 1)])
def test_ruling_27_what_a_step_back_costs(step_back_cost: int, cost: int) -> None:
    # Half a palm back and, turned round by the way, half a palm the other way.
    assert walked(-9, 9, 90, 3, step_back_cost=step_back_cost).cost == cost


@pytest.mark.parametrize(("step_back_max", "verdict"), [(1, "beyond"), ("unlimited", "within")])
def test_ruling_27_how_often_one_may_step_back(step_back_max: Any, verdict: str) -> None:
    assert walked(-17.9, 0, 0, 2, step_back_max=step_back_max).verdict == verdict


@pytest.mark.parametrize(("pass_over_lying", "verdict"), [(False, "beyond"), (True, "within")])
def test_ruling_29_whether_one_walks_over_the_lying(pass_over_lying: bool, verdict: str) -> None:
    from rules.smackkatz.movement.moving import verdict_on

    at = {"A": figure("A", 0, 0, 0), "B": figure("B", 8, 0, 0)}
    found = table("AB", {"B": {"lying": True}}, at=at, rulings={"pass_over_lying": pass_over_lying})
    assert verdict_on(found, "A", figure("A", 17, 0, 0)).verdict == verdict


@pytest.mark.parametrize(("attack_needs_front", "legal"), [(False, True), (True, False)])
def test_ruling_31_whether_one_must_look_at_whom_one_attacks(attack_needs_front: bool, legal: bool) -> None:
    at = {"A": figure("A", 0, 0, 180), "B": figure("B", 7, 0, 180)}
    found = table("AB", at=at, rulings={"attack_needs_front": attack_needs_front})
    assert option(found, "A", "strike:B").legal == legal


@pytest.mark.parametrize(("attack_across_ropes", "legal"), [(False, False), (True, True)])
def test_ruling_31_whether_the_ropes_are_in_the_way_of_a_strike(
    attack_across_ropes: bool, legal: bool
) -> None:
    at = {"A": figure("A", 0, 31.5, 90), "B": figure("B", 0, 38.5, 270)}
    rulings = {"attack_across_ropes": attack_across_ropes}
    found = table("AB", {"B": {"at_ringside": True}}, at=at, rulings=rulings)
    assert option(found, "A", "strike:B").legal == legal


@pytest.mark.parametrize(("back_arc_deg", "seen"), [
    (90, [False, False, False]), (120, [True, False, False]), (180, [True, True, False]),
])  # fmt: skip
def test_ruling_32_how_wide_the_back_is(back_arc_deg: int, seen: list[bool]) -> None:
    found_at = []
    for bearing in (125, 100, 80):
        at = {"A": figure("A", 0, 0, bearing), "B": figure("B", 7, 0, 180)}
        found = table("AB", at=at, rulings={"back_arc_deg": back_arc_deg})
        found_at.append(back_turned(found, "A", "B").answer)
    assert found_at == seen


@pytest.mark.parametrize(("voluntary_exit", "legal"), [("cost_1", True), ("forbidden", False)])
def test_ruling_34_whether_one_may_leave_the_ring(voluntary_exit: str, legal: bool) -> None:
    at = {"A": at_gap_to_far_ropes("A", 1.0)}
    found = table("AB", at=at, rulings={"voluntary_exit": voluntary_exit})
    assert option(found, "A", "leave_ring").legal == legal


@pytest.mark.parametrize(("stand_after_entry", "legal"), [("same_turn", True), ("next_turn", False)])
def test_ruling_35_when_one_stands_up_after_coming_in(stand_after_entry: str, legal: bool) -> None:
    found = table(
        "AB", {"A": {"lying": True, "entered": True}}, rulings={"stand_after_entry": stand_after_entry}
    )
    assert option(found, "A", "get_up").legal == legal


@pytest.mark.parametrize("strike_ringside_damage", [0, 4])
def test_ruling_39_what_a_fall_to_ringside_after_a_strike_costs(strike_ringside_damage: int) -> None:
    at = {"B": at_gap_to_far_ropes("B", 1.0), "A": figure("A", 0, 24, 90)}
    found = table("AB", at=at, rulings={"strike_ringside_damage": strike_ringside_damage})
    drive(knock_down(found, "B", "A", STEP))
    assert found.state.wrestlers["B"].at_ringside
    assert found.state.wrestlers["B"].stamina == 20 - strike_ringside_damage


@pytest.mark.parametrize(("strength_dice_cap", "count"), [(10, 10), ("none", 12)])
def test_ruling_40_the_most_strength_dice(strength_dice_cap: Any, count: int) -> None:
    found = table("AB", {"A": {"strength": 4}}, at=pair(), rulings={"strength_dice_cap": strength_dice_cap})
    assert next(land(found, "A", "B", 3, STEP, ())).dice_count == count


@pytest.mark.parametrize(("fatigue_scope", "strike_dice"), [("all", 4), ("counter_only", 6)])
def test_ruling_61_what_tires(fatigue_scope: str, strike_dice: int) -> None:
    tired = {"A": {"stamina": 10, "strike": 6, "counter": 6}}
    found = table("AB", tired, rulings={"fatigue_scope": fatigue_scope})
    assert (effective(found, "A", "strike"), effective(found, "A", "counter")) == (strike_dice, 4)


@pytest.mark.parametrize(("absolute_ability_cap", "dice"), [("none", 6), (4, 4)])
def test_ruling_61_whether_abilities_end_at_four(absolute_ability_cap: Any, dice: int) -> None:
    found = table("AB", {"A": {"strike": 6}}, rulings={"absolute_ability_cap": absolute_ability_cap})
    assert effective(found, "A", "strike") == dice


@pytest.mark.parametrize("ability_floor", [1, 0])
def test_ruling_62_how_low_wounds_bring_an_ability(ability_floor: int) -> None:
    wounded = {"A": {"strike": 1, "wounds": {"strike": 1}}}
    found = table("AB", wounded, rulings={"ability_floor": ability_floor})
    assert effective(found, "A", "strike") == ability_floor


@pytest.mark.parametrize(("counter_hits", "hits"), [("all_sixes", 2), ("spare_sixes", 1), ("excess", 1)])
def test_ruling_67_what_hits_back(counter_hits: str, hits: int) -> None:
    given = {"A": {"strike": 2}, "B": {"counter": 3, "strength": 1}}
    found = table("AB", given, at=pair(), rulings={"counter_hits": counter_hits})
    dice = {"A.strike": [4, 5], "B.counter": [6, 6, 4], "B.strength": [1] * hits}
    drive(strike(found, "A", "B", STEP), dice)
    assert facts(found, "counter_blow")[0].values["hits"] == hits


@pytest.mark.parametrize(("counter_decay_scope", "left"), [("started_1v1", 3), ("two_left", 2)])
def test_ruling_69_whether_counter_wears_off_when_two_are_left_of_more(
    counter_decay_scope: str, left: int
) -> None:
    given: dict[str, Any] = {"B": {"counter": 3}, "C": {"out": "pin"}}
    found = table("ABC", given, at=pair(), rulings={"counter_decay_scope": counter_decay_scope})
    decay(found, "A", "B", avoided=True)
    assert effective(found, "B", "counter") == left


@pytest.mark.parametrize(("stamina_ceiling", "stamina"), [(20, 20), ("none", 24)])
def test_ruling_76_the_most_stamina(stamina_ceiling: Any, stamina: int) -> None:
    found = table("AB", {"A": {"stamina": 18}}, rulings={"stamina_ceiling": stamina_ceiling})
    gain_stamina(found, "A", 6, "STATUS-12")
    assert found.state.wrestlers["A"].stamina == stamina


@pytest.mark.parametrize(("stamina_floor", "stamina"), [("none", -13), (-10, -10)])
def test_ruling_76_the_least_stamina(stamina_floor: Any, stamina: int) -> None:
    found = table("AB", {"A": {"stamina": -5}}, rulings={"stamina_floor": stamina_floor})
    lose_stamina(found, "A", 8, "STRIKE-04")
    assert found.state.wrestlers["A"].stamina == stamina


@pytest.mark.parametrize(("lying_target_limit", "limited"), [
    ("when_several", (False, True)), ("always", (True, True)), ("off", (False, False)),
])  # fmt: skip
def test_ruling_87_whom_the_risen_may_attack(lying_target_limit: str, limited: tuple[bool, bool]) -> None:
    seen = []
    for risers in (["A"], ["A", "B"]):
        found = table("ABC", rulings={"lying_target_limit": lying_target_limit})
        drive(_limit_targets(found, risers, risers))
        seen.append(found.state.wrestlers["A"].may_only_attack is not None)
    assert tuple(seen) == limited


@pytest.mark.parametrize(("wound_pool", "ability"), [("all_ten", "strike"), ("main_five", "combat")])
def test_ruling_90_where_wounds_fall(wound_pool: str, ability: str) -> None:
    found = table("AB", {"A": {"strength": 3}}, at=pair(), rulings={"wound_pool": wound_pool})
    drive(
        land(found, "A", "B", 1, STEP, ()),
        {"A.strength": [6, 6, 6], "B.wound": [6 if wound_pool == "all_ten" else 1]},
    )
    assert found.state.wrestlers["B"].wounds == {ability: 1}


@pytest.mark.parametrize(("injury_total", "left"), [(-3, 3), (-4, 2)])
def test_ruling_91_what_an_injury_takes(injury_total: int, left: int) -> None:
    injured = {"A": {"strike": 6, "wounds": {"strike": 2}}}
    found = table("AB", injured, rulings={"injury_total": injury_total})
    assert effective(found, "A", "strike") == left


@pytest.mark.parametrize(("count_out_from", "count"), [("next_turn", 0), ("fall_turn", 1)])
def test_ruling_92_whether_the_turn_of_the_fall_counts(count_out_from: str, count: int) -> None:
    found = table("AB", {"A": {"at_ringside": True}}, rulings={"count_out_from": count_out_from})
    count_ringside(found)
    assert found.state.wrestlers["A"].ringside_turns == count


@pytest.mark.parametrize(("iron_man_stamina", "stamina"), [("half_of_start", 10), ("half_of_current", 4)])
def test_ruling_97_with_what_one_comes_back_from_a_lost_fall(iron_man_stamina: str, stamina: int) -> None:
    given = {"A": {"stamina": 8, "sits_out": 1}}
    found = table("AB", given, mode="iron_man", rulings={"iron_man_stamina": iron_man_stamina})
    found.state.turn = 2
    arrivals(found)
    assert (found.state.wrestlers["A"].stamina, found.state.wrestlers["A"].sits_out) == (stamina, None)


@pytest.mark.parametrize(("knockout_counts", "out"), [(False, None), (True, "knockout")])
def test_setup_04_whether_knockouts_count_is_agreed(knockout_counts: bool, out: str | None) -> None:
    asleep = {"A": {"unconscious": True, "stamina": -30, "failed_checks": 3}}
    found = table("ABC", asleep, rulings={"knockout_counts": knockout_counts})
    drive(wake_ups(found), {"A.d10": [1]})
    assert found.state.wrestlers["A"].out == out
