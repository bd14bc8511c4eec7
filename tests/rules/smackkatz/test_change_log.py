"""The change log and the discussion row by row (catalogue 2.23, 2.24): what each one became in play."""

from __future__ import annotations

from typing import Any

import pytest

from datasets.rule_table import coded
from rules.engine.request import Request
from rules.engine.rulings import RulingError
from rules.smackkatz.abilities import effective
from rules.smackkatz.attacks.defence import counter_hits, decay, defence_reasons, tie_die
from rules.smackkatz.attacks.exchange import exchange
from rules.smackkatz.attacks.strike import strike
from rules.smackkatz.attacks.submission import submission
from rules.smackkatz.attacks.suplex import suplex
from rules.smackkatz.book import CURRENT, EARLIER
from rules.smackkatz.consequences.blow import finisher_damage, land
from rules.smackkatz.consequences.harm import lose_stamina
from rules.smackkatz.discussion import ROWS
from rules.smackkatz.legality.options import option
from rules.smackkatz.sheet import sheet_problems
from rules.smackkatz.turn.actions import ACTIONS
from rules.smackkatz.turn.waking import wake_ups
from tests.rules.playing import SHEET, figure
from tests.rules.smackkatz.harness import behind, drive, facts, lock, pair, table

STEP = "OPEN_PHASE"


@pytest.mark.parametrize("row", ["PROP-14", "PROP-15", "PROP-17", "PROP-18", "LOG-05", "LOG-06", "LOG-12"])
def test_a_remark_or_a_replaced_row_is_no_house_rule_and_what_it_is_about_is_played(row: str) -> None:
    with pytest.raises(RulingError, match=f"Unknown house rule '{row}'"):
        CURRENT.catalogue.resolve({row: True})
    cited = coded()
    assert all(rule in cited for rule in ROWS[row].rules)


def test_log_01_every_section_it_announces_has_code() -> None:
    cited = coded()
    assert len(ROWS["LOG-01"].rules) == 8
    assert all(rule in cited for rule in ROWS["LOG-01"].rules)


def test_log_03_fouls_end_a_match() -> None:
    from rules.smackkatz.modes.endings import disqualify

    found = table("AB")
    disqualify(found, "A", "B", "FOUL-01")
    assert found.state.outcome is not None
    assert (found.state.outcome.ending, found.state.outcome.winners) == ("disqualification", ("B",))


@pytest.mark.parametrize(("left", "asleep"), [(-9, False), (-10, True)])
def test_log_04_unconscious_from_minus_ten(left: int, asleep: bool) -> None:
    found = table("AB", {"A": {"stamina": 0}})
    lose_stamina(found, "A", -left, "STRIKE-04")
    assert found.state.wrestlers["A"].unconscious == asleep


def test_log_05_resistance_has_come_into_the_kick_out_check() -> None:
    assert (CURRENT.rules.checks.pin_resistance, EARLIER.rules.checks.pin_resistance) == (True, False)


@pytest.mark.parametrize(("book", "gained"), [(EARLIER, 3), (CURRENT, 4)])
def test_log_06_and_12_what_the_unconscious_recover(book: Any, gained: int) -> None:
    ability = "spirit" if book is EARLIER else "resistance"
    found = table("AB", {"A": {"unconscious": True, "stamina": -20, ability: 3}}, book=book)
    drive(wake_ups(found), {"A.d10": [1]})
    assert found.state.wrestlers["A"].stamina == -20 + gained


@pytest.mark.parametrize(
    ("faces", "down", "wounded"), [([6, 1, 1], 0, 0), ([6, 6, 1], 1, 0), ([6, 6, 6], 1, 1)]
)
def test_log_07_and_20_two_sixes_knock_down_three_wound_a_random_ability(
    faces: list[int], down: int, wounded: int
) -> None:
    found = table("AB", {"A": {"strength": 3}}, at=pair())
    dice: dict[str, Any] = {"A.strength": faces} | ({"B.wound": [6]} if wounded else {})
    drive(land(found, "A", "B", 1, STEP, ()), dice)
    assert (len(facts(found, "knocked_down")), len(facts(found, "wounded"))) == (down, wounded)
    assert effective(found, "B", "strike") == SHEET["strike"] - wounded


@pytest.mark.parametrize(("rule", "dice"), [("auto_hit", None), ("strike_vs_counter_minus_1", 2)])
def test_log_08_a_knocked_down_wrestlers_counter_is_an_option(rule: str, dice: int | None) -> None:
    given: dict[str, Any] = {"A": {"strike": 1}, "B": {"knocked_down": 1, "counter": 3}}
    found = table("AB", given, at=pair(), rulings={"downed_rule": rule})
    assert (defence_reasons(found, "B", "counter", "strike") == ()) == (dice is not None)
    if dice is not None:
        roll = exchange(found, "A", "B", "strike", STEP, defended_by="counter")
        next(roll)
        roll.send((4,))
        assert roll.send("counter").dice[0].count == dice


def test_log_09_there_is_no_chop_duel() -> None:
    assert set(ACTIONS) == {
        "move", "enter_ring", "leave_ring", "get_up", "break_lock_up", "strike", "charge", "whip", "suplex",
        "submission", "hit_downed", "pin", "climb_post", "dive", "climb_down", "throw", "keep_hoisting",
        "finisher", "tag", "weapon",
    }  # fmt: skip


def test_log_10_every_submission_is_followed_by_a_check() -> None:
    for stamina in (20, 5, -3):
        found = table("AB", {"A": {"submission": 1, "strength": 1}, "B": {"stamina": stamina}}, at=pair())
        drive(submission(found, "A", "B", STEP), {"A.submission": [4], "B.d10": [10]})
        assert len(facts(found, "submission_survived")) == 1


def test_log_13_the_strongest_blow_is_ten_dice() -> None:
    found = table("AB", {"A": {"strength": 4}}, at=pair())
    (pool,) = next(land(found, "A", "B", 3, STEP, ())).dice
    assert pool.count == 10


@pytest.mark.parametrize(("ability", "defence"), [("strike", "counter"), ("irish_whip", "technique")])
def test_log_14_an_attack_from_behind_cannot_be_avoided(ability: str, defence: Any) -> None:
    b = figure("B", 0, 0, 90)
    found = table("AB", {"A": {ability: 1}}, at={"A": behind("A", b), "B": b})
    asked: list[Request] = []
    roll = exchange(found, "A", "B", ability, STEP, defended_by=defence)
    assert drive(roll, {f"A.{ability}": [4]}, asked=asked).net == 1
    assert [request.kind for request in asked] == ["roll"]


def test_log_15_equalling_in_a_lock_up_gives_a_die_next_turn() -> None:
    found = lock(table("AB", at=pair()), "A", "B")
    tie_die(found, "A", "B", "counter")
    assert found.state.wrestlers["B"].tie_die == ("A",)
    apart = table("AB", at=pair())
    tie_die(apart, "A", "B", "counter")
    assert apart.state.wrestlers["B"].tie_die == ()


@pytest.mark.parametrize(("active", "extra"), [(False, 0), (True, 3)])
def test_log_17_a_finisher_costs_three_more(active: bool, extra: int) -> None:
    found = table("AB", {"A": {"finisher_bonus": active}}, at=pair())
    assert finisher_damage(found, "A") == extra


@pytest.mark.parametrize(("one_on_one", "left"), [(True, 2), (False, 3)])
def test_log_18_and_prop_19_counter_dice_are_lost_with_use_in_single_matches(
    one_on_one: bool, left: int
) -> None:
    found = table("AB", {"B": {"counter": 3}}, at=pair(), one_on_one=one_on_one)
    decay(found, "A", "B", avoided=True)
    assert effective(found, "B", "counter") == left
    off = table("AB", {"B": {"counter": 3}}, one_on_one=True, rulings={"PROP-19": True})
    assert off.rulings["counter_decay"] == "off"
    decay(off, "A", "B", avoided=True)
    assert effective(off, "B", "counter") == 3


def test_log_19_at_ringside_nobody_pins_and_the_way_back_costs_speed() -> None:
    given: dict[str, Any] = {"A": {"at_ringside": True}, "B": {"at_ringside": True, "lying": True}}
    found = table("AB", given, at={"A": figure("A", 0, 38.5), "B": figure("B", 7, 38.5)})
    assert "STATUS-51" in [one.rule for one in option(found, "A", "pin:B").reasons]
    assert option(found, "A", "enter_ring").legal
    found.state.wrestlers["A"].spent = 2
    assert "STATUS-53" in [one.rule for one in option(found, "A", "enter_ring").reasons]


def test_log_21_two_wounds_in_one_ability_are_an_injury() -> None:
    for wounds, left in ((0, 4), (1, 3), (2, 1)):
        found = table("AB", {"A": {"strike": 4, "wounds": {"strike": wounds} if wounds else {}}})
        assert effective(found, "A", "strike") == left


@pytest.mark.parametrize(("agreed", "strike_dice"), [(False, 6), (True, 4)])
def test_prop_02_by_agreement_no_ability_goes_over_four(agreed: bool, strike_dice: int) -> None:
    found = table("AB", {"A": {"strike": 6}}, rulings={"PROP-02": agreed})
    assert effective(found, "A", "strike") == strike_dice


def test_prop_03_05_and_06_counter_against_strike_and_suplex_technique_against_the_rest() -> None:
    assert CURRENT.rules.defences.against == {
        "strike": "counter", "suplex": "counter", "irish_whip": "technique", "submission": "technique",
    }  # fmt: skip
    assert "technique" in CURRENT.rules.form.main
    assert "spirit" not in CURRENT.rules.form.main


@pytest.mark.parametrize("reading", ["hits", "reverse_suplex"])
def test_prop_08_and_15_whether_a_counter_turns_the_suplex_round(reading: str) -> None:
    given = {"A": {"suplex": 1}, "B": {"counter": 2, "strength": 1}}
    found = table("AB", given, at=pair(), rulings={"counter_vs_suplex": reading})
    dice: dict[str, Any] = {"A.suplex": [4], "B.counter": [6, 4]}
    drive(suplex(found, "A", "B", STEP), dice | ({"B.strength": [4]} if reading == "hits" else {}))
    assert (found.state.wrestlers["A"].hoisted_by == "B") == (reading == "reverse_suplex")
    assert found.state.wrestlers["A"].stamina == (19 if reading == "hits" else 20)


@pytest.mark.parametrize(("faces", "hits"), [((5, 5, 4), 0), ((6, 5, 4), 1), ((6, 6, 4), 2)])
def test_prop_09_only_sixes_hit_back(faces: tuple[int, ...], hits: int) -> None:
    reading = str(CURRENT.catalogue.resolve()["counter_hits"])
    assert counter_hits(reading, faces, stopped=3, hits=1) == hits


def test_prop_10_one_defence_a_turn_even_after_attacking() -> None:
    found = table("AB", {"A": {"strike": 1}, "B": {"attacked": True, "acted": True, "counter": 1}}, at=pair())
    for dice in ({"A.strike": [4], "B.counter": [4]}, {"A.strike": [1]}):
        drive(strike(found, "A", "B", STEP), dice)
    assert [one.rule for one in defence_reasons(found, "B", "technique", "irish_whip")] == ["TURN-06"]


def test_prop_16_an_old_sheet_is_not_taken_over() -> None:
    problems = sheet_problems(SHEET | {"edition": "earlier"}, CURRENT.catalogue.resolve())
    assert [(one.code, one.rule) for one in problems] == [("other_edition", "PROP-16")]


@pytest.mark.parametrize(("scope", "strike_dice"), [("PROP-20", 4), ("PROP-01", 6)])
def test_prop_20_fatigue_weakens_every_ability_alike_unless_counter_alone_is_agreed(
    scope: str, strike_dice: int
) -> None:
    found = table("AB", {"A": {"stamina": 10, "strike": 6, "counter": 6}}, rulings={scope: True})
    assert effective(found, "A", "counter") == 4
    assert effective(found, "A", "strike") == strike_dice
