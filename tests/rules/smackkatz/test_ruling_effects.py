"""House rules whose values had been named but not played: each value, and what it does that others do not.

Found by having the rules ignore one house rule at a time and looking which tests did not mind.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from rules.engine.match import Match
from rules.engine.request import Request
from rules.smackkatz.abilities import effective
from rules.smackkatz.attacks.defence import decay, defence_reasons
from rules.smackkatz.attacks.dive import climb
from rules.smackkatz.attacks.exchange import threshold_between
from rules.smackkatz.attacks.pin import pin, second_counts
from rules.smackkatz.attacks.submission import upkeep as keep_holds
from rules.smackkatz.attacks.suplex import keep, upkeep
from rules.smackkatz.book import CURRENT
from rules.smackkatz.consequences.blow import land
from rules.smackkatz.consequences.harm import lose_stamina
from rules.smackkatz.legality.options import option
from rules.smackkatz.modes.endings import check_endings, eliminate_together
from rules.smackkatz.movement.forced import may_launch
from rules.smackkatz.movement.moving import close_block, move
from rules.smackkatz.turn.phases import count_ringside
from rules.smackkatz.turn.resting import late_heals, rests
from rules.smackkatz.turn.slots import may_act
from rules.smackkatz.turn.waking import wake_ups
from tests.rules.playing import RING, figure, roster
from tests.rules.smackkatz.harness import at_gap_to_far_ropes, clump, drive, facts, lock, pair, table
from tests.rules.smackkatz.matches import PLACES
from tests.rules.smackkatz.test_suplex import answers, hoisting
from tests.rules.smackkatz.test_whip_dodge import RUN, arriving
from tests.rules.smackkatz.test_whip_ends import rebounding
from tests.rules.smackkatz.whipping import at_a_post, launched, towards_the_right

STEP = "OPEN_PHASE"


def rules(found: Any, fighter: str, name: str) -> list[str]:
    return [one.rule for one in option(found, fighter, name).reasons]


@pytest.mark.parametrize(("setup_shift_palms", "asked"), [(1, "SETUP"), (0, "S4")])
def test_ruling_7_whether_everybody_may_shift(setup_shift_palms: int, asked: str) -> None:
    match = Match(CURRENT, roster(len(PLACES)), rulings={"setup_shift_palms": setup_shift_palms})
    match.answer(dict(PLACES), "camera")
    assert match.request is not None
    assert match.request.step == asked


@pytest.mark.parametrize(("split_move", "refused"), [(False, ["RULING-12"]), (True, [])])
def test_ruling_12_whether_one_may_walk_on_after_an_attack(split_move: bool, refused: list[str]) -> None:
    at = {"A": figure("A", -30, 0, 0), "B": figure("B", 20, 0, 180)}
    found = table("AB", {"A": {"speed": 3}}, at=at, rulings={"split_move": split_move})
    drive(move(found, "A", STEP), choose=answers("stands", seen={"A": figure("A", -14, 0, 0)}))
    # What an attack does to the block of movement before it.
    close_block(found, "A", final=not found.rulings["split_move"])
    assert rules(found, "A", "move") == refused
    assert found.state.wrestlers["A"].spent == 1


@pytest.mark.parametrize(("melee_threshold_bonus", "threshold"), [(True, 3), (False, 4)])
def test_ruling_18_what_counts_in_a_melee(melee_threshold_bonus: bool, threshold: int) -> None:
    settings = {"melee_threshold_bonus": melee_threshold_bonus}
    melee = lock(table("ABC", at=clump("A", "B", "C"), rulings=settings), "A", "B", "C")
    assert threshold_between(melee, "A", "B") == threshold
    assert threshold_between(lock(table("AB", at=pair(), rulings=settings), "A", "B"), "A", "B") == 3


@pytest.mark.parametrize(("knockdown_criticals", "down"), [
    ("strength_dice", (True, False)), ("strike_dice", (False, True)),
])  # fmt: skip
def test_ruling_37_which_sixes_knock_down(knockdown_criticals: str, down: tuple[bool, bool]) -> None:
    seen = []
    for strength, thrown in ((6, (4, 5)), (5, (6, 6))):
        found = table("AB", {"A": {"strength": 1}}, rulings={"knockdown_criticals": knockdown_criticals})
        drive(land(found, "A", "B", 2, STEP, thrown), {"A.strength": [strength, strength]})
        seen.append(found.state.wrestlers["B"].knocked_down is not None)
    assert tuple(seen) == down


@pytest.mark.parametrize(("whip_axis", "legal"), [
    ("victim_to_attacker", (True, True)), ("attacker_facing", (True, False)),
])  # fmt: skip
def test_ruling_42_what_is_behind_the_attacker(whip_axis: str, legal: tuple[bool, bool]) -> None:
    # The victim in the middle, the attacker on his right looking up the ring: behind him is down.
    victim, attacker = figure("B", 0, 0), figure("A", 7, 0, 90)
    settings = CURRENT.catalogue.resolve({"whip_axis": whip_axis})
    found = [may_launch(victim, attacker, math.radians(degrees), RING, settings) for degrees in (-40, 40)]
    assert tuple(found) == legal


@pytest.mark.parametrize(("whip_half_angle_deg", "legal"), [(90, True), (45, False)])
def test_ruling_42_how_far_off_the_line_a_whip_may_go(whip_half_angle_deg: int, legal: bool) -> None:
    settings = CURRENT.catalogue.resolve({"whip_half_angle_deg": whip_half_angle_deg})
    victim, attacker = figure("B", 0, 0), figure("A", 7, 0, 180)
    assert may_launch(victim, attacker, math.radians(60), RING, settings) == legal
    assert may_launch(victim, attacker, math.radians(40), RING, settings)


@pytest.mark.parametrize(("dodge_step", "codes"), [("clear_or_half_palm", ["not_aside"]), ("palm", [])])
def test_ruling_45_how_far_a_dodger_may_step(dodge_step: str, codes: list[str]) -> None:
    found = table("ABC", {"C": {"speed": 1}}, at=RUN, rulings={"dodge_step": dodge_step})
    asked: list[Request] = []
    assert arriving(found, {"C.speed": [4]}, "dodge:left", asked)
    check = asked[-1].check
    assert check is not None
    # Six centimetres clear him; half a palm more are fifteen, a palm more twenty-four.
    assert [one.code for one in check(figure("C", 0, 20, 180))] == codes
    assert [one.code for one in check(figure("C", 0, 27, 180))] == ["not_aside"]


@pytest.mark.parametrize(("clash_strike", "dice", "stamina"), [
    ("free_roll", {"A.strike": [[4]], "A.strength": [[4, 5, 1]]}, 18), ("auto_strength", {}, 17),
])  # fmt: skip
def test_ruling_49_what_the_winner_of_a_clash_does(
    clash_strike: str, dice: dict[str, Any], stamina: int
) -> None:
    given = {"A": {"combat": 1, "strength": 3, "strike": 1}, "B": {"combat": 1}}
    found = table("ABC", given, at=towards_the_right(20), rulings={"clash_strike": clash_strike})
    rebounding(found, {"A.combat": [4], "B.combat": [1, 1], **dice}, {"D-30": "free_strike"})
    assert found.state.wrestlers["B"].stamina == stamina


@pytest.mark.parametrize("post_damage", [5, 4])
def test_ruling_50_what_a_post_costs(post_damage: int) -> None:
    found = table("AB", at=at_a_post(), rulings={"post_damage": post_damage})
    launched(found, math.pi / 4, 2, {}, {"D-10": "face_post"})
    assert found.state.wrestlers["B"].stamina == 20 - post_damage


@pytest.mark.parametrize(("suplex_upkeep", "dice", "up"), [
    ("end_of_turn", {}, True), ("holder_activation", {"A.suplex": [1]}, False),
])  # fmt: skip
def test_ruling_52_when_the_holder_rolls_again(suplex_upkeep: str, dice: dict[str, Any], up: bool) -> None:
    found = hoisting({"A": {"suplex": 1}}, rulings={"suplex_upkeep": suplex_upkeep})
    drive(keep(found, "A", STEP), dice)
    assert (found.state.wrestlers["B"].hoisted_by is not None) == up


@pytest.mark.parametrize(("rope_break", "held", "asked"), [
    ("off", True, ["D-17"]), ("release", False, []), ("release_and_dq", True, ["D-22", "D-17"]),
])  # fmt: skip
def test_ruling_66_what_the_ropes_do_to_a_hold(rope_break: str, held: bool, asked: list[str]) -> None:
    at = {"A": at_gap_to_far_ropes("A", 8.0), "B": at_gap_to_far_ropes("B", 0.5)}
    found = table("ABC", {"A": {"submission": 1}}, at=at, rulings={"rope_break": rope_break})
    found.record("hold_began", "SUBM-04", fighter="A", target="B", turns=1, lying=True)
    found.state.turn, found.state.phase = 2, "LYING_PHASE"
    requests: list[Request] = []
    dice = {"A.submission": [4], "B.d10": [9]} if held else {}
    drive(keep_holds(found, "LYING_PHASE"), dice, answers("insist", "keep_hold"), requests)
    assert (found.state.wrestlers["B"].held_by is not None) == held
    points = [one.step.rpartition(" ")[2] for one in requests if one.kind == "choose"]
    assert [one for one in points if one in ("D-17", "D-22")] == asked


@pytest.mark.parametrize(("fatigue_cap", "dice"), [(4, 4), (3, 3), ("off", 6)])
def test_ruling_61_how_tired_one_gets(fatigue_cap: Any, dice: int) -> None:
    found = table("AB", {"A": {"strike": 6, "stamina": 10}}, rulings={"fatigue_cap": fatigue_cap})
    assert effective(found, "A", "strike") == dice
    found.state.wrestlers["A"].stamina = 11
    assert effective(found, "A", "strike") == 6


@pytest.mark.parametrize(("finisher_over_cap", "dice"), [(True, 7), (False, 4)])
def test_ruling_61_whether_a_finisher_goes_over_the_cap(finisher_over_cap: bool, dice: int) -> None:
    tired = {"A": {"strike": 4, "stamina": 5, "finisher_bonus": True}}
    found = table("AB", tired, rulings={"finisher_over_cap": finisher_over_cap})
    assert effective(found, "A", "strike") == dice


@pytest.mark.parametrize(("counter_decay", "left"), [("on", 2), ("off", 3)])
def test_ruling_69_whether_counter_wears_off(counter_decay: str, left: int) -> None:
    settings = {"counter_decay": counter_decay}
    found = table("AB", {"B": {"counter": 3}}, at=pair(), one_on_one=True, rulings=settings)
    decay(found, "A", "B", avoided=True)
    assert effective(found, "B", "counter") == left


@pytest.mark.parametrize(("back_counter", "refused"), [("none", ["COUNTER-09"]), ("minus_2", [])])
def test_ruling_70_whether_one_counters_from_behind(back_counter: str, refused: list[str]) -> None:
    found = table("AB", {"B": {"counter": 3}}, at=pair(), rulings={"back_counter": back_counter})
    assert [one.rule for one in defence_reasons(found, "B", "counter", "strike", behind=True)] == refused


@pytest.mark.parametrize(("helpless_when", "acts"), [("unconscious", True), ("negative", False)])
def test_ruling_75_whether_one_acts_below_zero(helpless_when: str, acts: bool) -> None:
    found = table("AB", {"B": {"stamina": 2}}, rulings={"helpless_when": helpless_when})
    lose_stamina(found, "B", 5, "STRIKE-04")
    assert may_act(found, found.state.wrestlers["B"]) == acts


@pytest.mark.parametrize(("knockout_count", "out_after"), [(4, 4), (5, 5)])
def test_ruling_77_how_many_failed_checks_are_a_knockout(knockout_count: int, out_after: int) -> None:
    asleep = {"B": {"unconscious": True, "stamina": -60}}
    settings = {"knockout_count": knockout_count}
    found = table("ABC", asleep, mode="last_man_standing", rulings=settings)
    b, checks = found.state.wrestlers["B"], 0
    while b.out is None:
        b.begin_turn()
        drive(wake_ups(found), {"B.d10": [10]})
        checks += 1
    assert (checks, b.out) == (out_after, "knockout")


@pytest.mark.parametrize(("pin_on_unconscious", "over"), [("auto_fail_counts", False), ("instant_win", True)])
def test_ruling_78_whether_the_unconscious_lose_at_once(pin_on_unconscious: str, over: bool) -> None:
    asleep = {"B": {"unconscious": True, "stamina": -12}}
    found = table("ABC", asleep, at=pair(), rulings={"pin_on_unconscious": pin_on_unconscious})
    drive(pin(found, "A", "B", STEP))
    assert (found.state.outcome is not None) == over
    assert found.state.wrestlers["B"].pin_failures == (0 if over else 1)


@pytest.mark.parametrize(("count_out_limit", "out_after"), [(4, 4), (5, 5)])
def test_ruling_92_how_many_turns_at_ringside_are_a_count_out(count_out_limit: int, out_after: int) -> None:
    settings = {"count_out": True, "count_out_limit": count_out_limit}
    outside = {"B": {"at_ringside": True, "began_at_ringside": True}}
    found = table("ABC", outside, mode="elimination", rulings=settings)
    b, turns = found.state.wrestlers["B"], 0
    while b.out is None and turns < 10:
        b.begin_turn()
        b.began_at_ringside = True
        count_ringside(found)
        turns += 1
    assert (turns, b.out) == (out_after, "count_out")
    assert [one.values["count"] for one in facts(found, "ringside_counted")] == list(range(1, turns + 1))


@pytest.mark.parametrize(("pin_failures_to_lose", "counts"), [(2, 2), (3, 3)])
def test_ruling_113_how_many_counts_are_a_fall(pin_failures_to_lose: int, counts: int) -> None:
    asleep = {"B": {"unconscious": True, "stamina": -60}}
    found = table("ABC", asleep, at=pair(), rulings={"pin_failures_to_lose": pin_failures_to_lose})
    drive(pin(found, "A", "B", STEP))
    while found.state.outcome is None:
        found.state.wrestlers["B"].begin_turn()
        drive(second_counts(found))
    assert [one.values["count"] for one in facts(found, "pin_counted")] == list(range(1, counts + 1))


@pytest.mark.parametrize(("pin_needs_touch", "asked"), [(True, ["place", "roll"]), (False, ["roll"])])
def test_ruling_81_whether_the_pinner_is_put_on_his_rival(pin_needs_touch: bool, asked: list[str]) -> None:
    down = {"B": {"lying": True, "stamina": -9}}
    found = table("ABC", down, at=pair(), rulings={"pin_needs_touch": pin_needs_touch})
    requests: list[Request] = []
    drive(pin(found, "A", "B", STEP), {"B.d10": [1]}, asked=requests)
    assert [one.kind for one in requests] == asked


@pytest.mark.parametrize(("downed_attack_limit", "refused"), [
    ("per_target", ["STATUS-33"]), ("per_attacker", []),
])  # fmt: skip
def test_ruling_85_whether_each_of_them_may_hit_the_downed(
    downed_attack_limit: str, refused: list[str]
) -> None:
    down = {"B": {"knocked_down": 1, "downed_by": ("C",)}}
    found = table("ABC", down, at=pair(), rulings={"downed_attack_limit": downed_attack_limit})
    assert rules(found, "A", "hit_downed:B") == refused
    found.state.wrestlers["B"].downed_by = ("A",)
    assert rules(found, "A", "hit_downed:B") == ["STATUS-33"]


@pytest.mark.parametrize(("rest_heals_at", "healed_by"), [("declaration", "S5"), ("own_activation", STEP)])
def test_ruling_88_when_a_rest_heals(rest_heals_at: str, healed_by: str) -> None:
    settings = {"rest_heals_at": rest_heals_at}
    found = table("AB", {"A": {"stamina": 5}, "B": {"resting": True}}, rulings=settings)
    found.state.wrestlers["B"].healed = True
    requests: list[Request] = []
    dice = {"A.rest": [3]}
    at_once = rest_heals_at == "declaration"
    drive(rests(found), dice if at_once else {}, answers("rest:A", "go_on"), requests)
    drive(late_heals(found), {} if at_once else dice, asked=requests)
    assert found.state.wrestlers["A"].stamina == 8
    assert [one.step for one in requests if one.kind == "roll"] == [f"{healed_by} rest"]


@pytest.mark.parametrize(("wound_pool", "ability"), [("all_ten", "counter"), ("main_five", "resistance")])
def test_ruling_90_what_a_ten_wounds(wound_pool: str, ability: str) -> None:
    found = table("AB", {"A": {"strength": 3}}, at=pair(), rulings={"wound_pool": wound_pool})
    drive(land(found, "A", "B", 1, STEP, ()), {"A.strength": [6, 6, 6], "B.wound": [10]})
    assert found.state.wrestlers["B"].wounds == {ability: 1}


@pytest.mark.parametrize(("climb_cost", "spent"), [("attack", (True, 0)), ("speed_1", (False, 1))])
def test_ruling_93_what_climbing_costs(climb_cost: str, spent: tuple[bool, int]) -> None:
    found = table("AB", at={"A": figure("A", 31, 31, 225)}, rulings={"climb_cost": climb_cost})
    drive(climb(found, "A", STEP))
    a = found.state.wrestlers["A"]
    assert (a.attacked, a.spent) == spent
    assert a.on_post is not None


@pytest.mark.parametrize(("rumble_entry", "begin"), [("all", 4), ("staggered", 2)])
def test_ruling_99_how_many_begin_a_rumble(rumble_entry: str, begin: int) -> None:
    settings = {"rumble_entry": rumble_entry, "participant_cap": "always_8"}
    found = table("ABCD", mode="katz_rumble", rulings=settings)
    assert len(found.state.playing) == begin


@pytest.mark.parametrize(("simultaneous", "ending"), [("draw", "draw"), ("referee", None)])
def test_ruling_102_what_becomes_of_a_match_in_which_nobody_is_left(
    simultaneous: str, ending: str | None
) -> None:
    found = table("AB", rulings={"simultaneous": simultaneous})
    eliminate_together(found, ["A", "B"], "count_out", "WIN-03")
    check_endings(found)
    assert (found.state.outcome and found.state.outcome.ending) == ending


@pytest.mark.parametrize(("free_facing_on_rise", "codes"), [(True, []), (False, ["other_facing"])])
def test_ruling_105_whether_one_lands_facing_as_one_likes(
    free_facing_on_rise: bool, codes: list[str]
) -> None:
    found = hoisting({"A": {"suplex": 1}}, rulings={"free_facing_on_rise": free_facing_on_rise})
    asked: list[Request] = []
    drive(upkeep(found, "Z1"), {"A.suplex": [1]}, asked=asked)
    (place,) = [one for one in asked if one.kind == "place"]
    assert place.check is not None
    assert place.proposal is not None
    turned = replace(place.proposal, facing=found.state.scene.figures["B"].facing + math.pi / 2)
    assert [one.code for one in place.check(turned)] == codes


@pytest.mark.parametrize(("count_out", "out"), [(False, None), (True, "count_out")])
def test_setup_04_whether_ringside_is_counted(count_out: bool, out: str | None) -> None:
    outside = {"B": {"at_ringside": True, "began_at_ringside": True, "ringside_turns": 3}}
    found = table("ABC", outside, rulings={"count_out": count_out})
    count_ringside(found)
    assert found.state.wrestlers["B"].out == out


@pytest.mark.parametrize(("over_the_top", "out"), [(False, None), (True, "over_the_top")])
def test_setup_04_whether_going_over_the_top_rope_is_the_end(over_the_top: bool, out: str | None) -> None:
    found = table("ABC", {"B": {"at_ringside": True}}, rulings={"over_the_top": over_the_top})
    check_endings(found)
    assert found.state.wrestlers["B"].out == out
