"""Statuses, checks, fatigue, endings and modes, rule by rule (catalogue 2.18 to 2.22, 3.10 to 3.13)."""

from __future__ import annotations

from typing import Any

import pytest

from rules.engine.match import Match
from rules.engine.request import Request
from rules.smackkatz.abilities import effective
from rules.smackkatz.annotate import cards
from rules.smackkatz.attacks.submission import submission, upkeep
from rules.smackkatz.book import CURRENT, EARLIER
from rules.smackkatz.consequences.harm import gain_stamina, knock_down, lose_stamina
from rules.smackkatz.legality.options import option
from rules.smackkatz.modes import table as modes
from rules.smackkatz.modes.endings import check_endings, fall
from rules.smackkatz.modes.fouls import foul_in
from rules.smackkatz.modes.league import league
from rules.smackkatz.turn import resting
from rules.smackkatz.turn.lying import lying_phase, waiting
from rules.smackkatz.turn.phases import _timers
from rules.smackkatz.turn.waking import wake_ups
from tests.rules.playing import begun, figure, roster
from tests.rules.smackkatz.harness import drive, facts, lock, pair, table
from tests.rules.smackkatz.matches import quietly, requests, started, to_act
from tests.rules.smackkatz.test_slots import acted, idle

STEP = "OPEN_PHASE"
ASLEEP: dict[str, Any] = {"unconscious": True, "stamina": -11, "resistance": 2}


def refusals(found: Any, fighter: str, name: str) -> list[str]:
    return [one.rule for one in option(found, fighter, name).reasons]


# ---------- unconscious


def test_check_02_and_03_whoever_wakes_lies_and_plays_at_the_end_of_that_turn() -> None:
    found = table("AB", {"A": ASLEEP})
    drive(wake_ups(found), {"A.d10": [7]})
    wrestler = found.state.wrestlers["A"]
    assert (wrestler.lying, wrestler.unconscious) == (True, False)
    assert waiting(found) == ["A"]
    found.state.wrestlers["B"].acted = True
    answers = iter(["get_up", {}, "pass"])
    drive(lying_phase(found), {}, lambda request: next(answers))
    assert acted(found) == ["A"]


def test_check_04_the_wake_up_check_comes_before_the_table_is_looked_at() -> None:
    match = started()
    match.state.wrestlers["A"].unconscious = True
    match.state.wrestlers["A"].stamina = -11
    asked = list(requests(match, quietly(match), 8))
    steps = [request.step for request in asked]
    assert steps.index("S2 stamina_check") < len(steps) - 1 - steps[::-1].index("S4")


def test_status_04_and_05_only_a_check_passed_lets_the_unconscious_act_again() -> None:
    found = table("AB", {"A": ASLEEP}, at=pair())
    for name in ("move", "get_up", "strike:B", "pin:B"):
        assert {"STATUS-03", "STATUS-05"} & set(refusals(found, "A", name))
    drive(wake_ups(found), {"A.d10": [6]})
    assert found.state.wrestlers["A"].unconscious
    drive(wake_ups(table("AB", {"A": ASLEEP})), {"A.d10": [9]})


def test_status_08_the_unconscious_wear_a_green_card() -> None:
    found = table("AB", {"A": {"stamina": -8}})
    lose_stamina(found, "A", 2, "STRIKE-04")
    assert [cards(found.state.wrestlers[name]) for name in "AB"] == [("green",), ()]


# ---------- resting, lying, held, ringside


def test_status_09_resting_is_one_die_and_nothing_else_gives_stamina() -> None:
    found = table("AB", {"A": {"stamina": 10}})
    answers = iter(["rest:A", "go_on"])
    asked: list[Request] = []
    drive(resting.rests(found), {"A.rest": [4]}, lambda request: next(answers), asked)
    (roll,) = [request for request in asked if request.kind == "roll"]
    assert [(pool.count, pool.faces) for pool in roll.dice] == [(1, 6)]
    assert [one.rules for one in facts(found, "stamina_gained")] == [("STATUS-12",)]


def test_ruling_3_a_die_has_six_faces_and_the_d10_counts_from_one_to_ten() -> None:
    found = table("AB", {"A": {"stamina": 10}})
    roll = resting.rests(found)
    next(roll)
    assert [(pool.count, pool.faces) for pool in roll.send("rest:A").dice] == [(1, 6)]
    waking = next(wake_ups(table("AB", {"A": ASLEEP})))
    assert [(pool.count, pool.faces) for pool in waking.dice] == [(1, 10)]


def test_status_13_in_a_lock_up_breaking_away_is_the_only_way_to_move() -> None:
    found = lock(table("AB", at=pair()), "A", "B")
    ways = ("move", "leave_ring", "climb_post", "break_lock_up")
    assert {name: option(found, "A", name).legal for name in ways} == {
        "move": False, "leave_ring": False, "climb_post": False, "break_lock_up": True,
    }  # fmt: skip


def test_status_20_a_hold_lays_both_down_and_so_does_the_end_of_a_knockdown() -> None:
    held = table("AB", {"A": {"submission": 1}}, at=pair())
    drive(submission(held, "A", "B", STEP), {"A.submission": [4], "B.d10": [9]})
    assert [one.lying for one in held.state.wrestlers.values()] == [True, True]
    down = table("AB", {"A": {"knocked_down": 1}})
    down.state.turn = 3
    _timers(down)
    assert down.state.wrestlers["A"].lying


def test_status_20_whoever_enters_the_ring_arrives_lying() -> None:
    match = begun(Match(CURRENT, roster(2)), {"A": figure("A", 0, -31, -90), "B": figure("B", 0, 10, 90)})
    to_act(match, "A")
    for action in ("leave_ring", "enter_ring"):
        match.answer(action)
        assert match.request is not None
        match.answer(match.request.proposal)
    assert match.state.wrestlers["A"].lying


def test_status_24_the_lying_act_after_everybody_else() -> None:
    match = started()
    match.state.wrestlers["C"].lying = True
    answer = quietly(match)

    def rising(request: Request) -> Any:
        return "get_up" if request.option("get_up") else answer(request)

    slots = [r.fighter for r in requests(match, rising, 12) if "D-04" in r.step]
    assert slots[:3][-1] == "C"


@pytest.mark.parametrize(
    ("action", "legal"),
    [("strike:B", True), ("whip:B", True), ("submission:B", True), ("pin:B", True), ("suplex:B", False)],
)
def test_status_25_the_lying_are_a_target_of_everything_but_the_suplex(action: str, legal: bool) -> None:
    found = table("AB", {"B": {"lying": True}}, at=pair())
    assert option(found, "A", action).legal == legal
    assert legal or refusals(found, "A", action) == ["STATUS-25"]


@pytest.mark.parametrize("allowed", [False, True])
def test_status_28_the_lying_attack_nobody_unless_the_house_says_so(allowed: bool) -> None:
    found = table("AB", {"A": {"lying": True}}, at=pair(), rulings={"lying_may_attack": allowed})
    assert option(found, "A", "strike:B").legal == allowed


def test_status_40_and_41_held_he_lies_and_stays_until_the_holder_fails() -> None:
    found = table("AB", {"A": {"submission": 1, "strength": 1}}, at=pair())
    drive(submission(found, "A", "B", STEP), {"A.submission": [4], "B.d10": [9]})
    assert found.state.wrestlers["B"].lying
    for turn, face, held in ((2, 4, "A"), (3, 1, None)):
        found.state.turn, found.state.phase = turn, "LYING_PHASE"
        found.state.wrestlers["A"].begin_turn()
        dice: dict[str, Any] = {"A.submission": [face]} | ({"B.d10": [9]} if held else {})
        drive(upkeep(found, "LYING_PHASE"), dice, keeping)
        assert found.state.wrestlers["B"].held_by == held
    assert found.state.wrestlers["B"].upright


def keeping(request: Request) -> Any:
    return {} if request.kind == "observe" else request.options[0].id


def test_status_42_the_current_tap_out_check_leaves_resistance_out() -> None:
    given = {"A": {"submission": 1, "strength": 1}, "B": {"stamina": -1, "resistance": 4}}
    found = table("AB", given, at=pair())
    drive(submission(found, "A", "B", STEP), {"A.submission": [4], "B.d10": [1]})
    assert facts(found, "tapped_out")[0].values["total"] == -1


def test_status_50_ringside_is_outside_nobody_in_the_ring_reaches_there() -> None:
    found = table(
        "AB", {"A": {"at_ringside": True}}, at={"A": figure("A", 0, 38.5), "B": figure("B", 0, 31.5)}
    )
    assert "RULING-31" in refusals(found, "B", "strike:A")
    assert option(found, "A", "enter_ring").legal


@pytest.mark.parametrize(("stamina", "strike"), [(10, 4), (11, 6)])
def test_fatigue_02_above_ten_the_usual_scores_are_back(stamina: int, strike: int) -> None:
    found = table("AB", {"A": {"stamina": 10, "strike": 6}})
    gain_stamina(found, "A", stamina - 10, "STATUS-12")
    assert effective(found, "A", "strike") == strike


def test_ruling_86_knocked_down_for_this_turn_and_the_next_then_lying() -> None:
    found = table("AB", {"A": {"lying": True}})
    drive(knock_down(found, "A", "B", STEP))
    wrestler = found.state.wrestlers["A"]
    assert (wrestler.knocked_down, wrestler.lying) == (1, False)
    found.state.turn = 2
    # A new one starts the count again ...
    drive(knock_down(found, "A", "B", STEP))
    found.state.turn = 3
    _timers(found)
    assert wrestler.knocked_down == 2
    found.state.turn = 4
    _timers(found)
    assert wrestler.lying
    # ... and unconsciousness goes before it.
    asleep = table("AB", {"A": ASLEEP})
    drive(knock_down(asleep, "A", "B", STEP))
    assert asleep.state.wrestlers["A"].knocked_down is None


# ---------- endings and modes


@pytest.mark.parametrize("kind", ["pin", "tap_out"])
def test_win_01_a_match_is_won_by_pin_or_submission(kind: Any) -> None:
    found = table("AB")
    fall(found, "A", "B", kind, "PIN-04")
    assert found.state.outcome is not None
    assert (found.state.outcome.ending, found.state.outcome.winners) == (kind, ("A",))


def test_mode_01_and_02_what_wins_is_the_modes_and_there_are_several() -> None:
    assert {mode.name: mode.fall for mode in modes.MODES} == {
        "wrestling_match": "decides", "elimination": "eliminates", "iron_man": "scores",
        "survivor_series": "eliminates", "katz_rumble": "nothing", "last_man_standing": "nothing",
    }  # fmt: skip
    assert {mode.name for mode in modes.MODES} == set(CURRENT.modes) | set(EARLIER.modes)


def test_mode_11_the_last_man_standing_is_who_does_not_lie_unconscious_for_too_long() -> None:
    given = {"A": {**ASLEEP, "stamina": -40}}
    found = table("AB", given, mode="last_man_standing", book=EARLIER)
    for count in range(1, 6):
        assert found.state.outcome is None
        found.state.wrestlers["A"].begin_turn()
        drive(wake_ups(found), {"A.d10": [1]})
        assert found.state.wrestlers["A"].failed_checks == count
    check_endings(found)
    assert found.state.outcome is not None
    assert (found.state.outcome.ending, found.state.outcome.winners) == ("knockout", ("B",))


@pytest.mark.parametrize("on", ["on", "off"])
def test_mode_12_without_disqualification_nothing_is_a_foul(on: str) -> None:
    found = table("AB", {"B": {"unconscious": True}}, at=pair(), rulings={"disqualification": on})
    assert (foul_in(found, "A", "B") is None) == (on == "off")
    assert modes.MODIFIERS["no_dq"] == {"disqualification": "off"}


def test_league_03_the_result_is_kept_and_no_score_is_made_up() -> None:
    match = begun(Match(CURRENT, roster(2)), {"A": figure("A", -20, 0), "B": figure("B", 20, 0)})
    assert league(match.table) is None
    match.answer({"end_match": ["A"]}, "referee")
    kept = league(match.table)
    assert kept is not None
    assert (kept.mode, kept.ending, kept.winners) == ("wrestling_match", "referee", ("A",))
    assert set(kept.to_json()) == {"mode", "edition", "ending", "winners", "sheets"}


def test_the_idle_do_nothing_in_their_slots() -> None:
    found = table("AB")
    drive(lying_phase(found), {"A.initiative": [2], "B.initiative": [3]}, idle)
    assert acted(found) == ["B", "A"]
