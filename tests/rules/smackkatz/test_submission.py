"""Submission and the hold it begins: grab, loss, check, upkeep, reversal, how a hold ends."""

from __future__ import annotations

from typing import Any

import pytest

from rules.engine.request import Request
from rules.scene import Figure
from rules.smackkatz.attacks.strike import strike
from rules.smackkatz.attacks.submission import break_hold, loss, submission, upkeep
from rules.smackkatz.consequences.aftermath import settle
from tests.rules.playing import figure
from tests.rules.smackkatz.harness import drive, facts, lock, pair, table


def ring(given: dict[str, Any] | None = None, at: dict[str, Figure] | None = None, **settings: Any) -> Any:
    return table("ABC", given or {}, at=pair() | (at or {}), **settings)


def held(
    given: dict[str, dict[str, Any]] | None = None, *, since: int = 1, turn: int = 2, **settings: Any
) -> Any:
    """A keeps B in a hold that began last turn; it is the lying phase."""
    found = ring(given, **settings)
    a, b = found.state.wrestlers["A"], found.state.wrestlers["B"]
    a.holds, b.held_by, a.hold_turns, a.hold_in = "B", "A", 1, since
    a.lying = b.lying = True
    found.state.turn, found.state.phase = turn, "LYING_PHASE"
    return found


def keeping(request: Request) -> Any:
    return {} if request.kind == "observe" else "keep_hold"


def letting_go(request: Request) -> Any:
    return {} if request.kind == "observe" else "let_go"


def test_subm_04_a_grab_binds_both_lying_and_takes_them_out_of_the_lock_up() -> None:
    found = lock(ring({"A": {"submission": 1, "strength": 2}}), "A", "B")
    drive(submission(found, "A", "B", "LOCKUP_PHASE"), {"A.submission": [3], "B.d10": [5]})
    a, b = found.state.wrestlers["A"], found.state.wrestlers["B"]
    assert (a.holds, b.held_by, a.hold_turns, a.hold_in) == ("B", "A", 1, 1)
    assert a.lying
    assert b.lying
    assert a.attacked
    assert found.state.groups == ()


def test_subm_03_only_sixes_that_survive_the_technique_cost_extra() -> None:
    found = ring({"A": {"submission": 2, "strength": 2}, "B": {"technique": 1}})
    dice = {"A.submission": [6, 4], "B.technique": [5], "B.d10": [5]}
    drive(submission(found, "A", "B", "OPEN_PHASE"), dice)
    assert found.state.wrestlers["B"].stamina == 20 - 2 - 1


def test_tech_05_an_equalled_roll_does_nothing() -> None:
    found = ring({"A": {"submission": 1}, "B": {"technique": 2}})
    drive(submission(found, "A", "B", "OPEN_PHASE"), {"A.submission": [6], "B.technique": [6, 1]})
    assert facts(found, "no_effect")
    assert found.state.wrestlers["A"].holds is None
    assert found.state.wrestlers["B"].upright
    assert found.state.wrestlers["B"].stamina == 20


def test_tech_10_more_successes_and_a_six_reverse_the_hold_at_once() -> None:
    found = ring({"A": {"submission": 1}, "B": {"technique": 2, "strength": 3}})
    dice = {"A.submission": [4], "B.technique": [6, 4], "A.d10": [1]}
    drive(submission(found, "A", "B", "OPEN_PHASE"), dice)
    a, b = found.state.wrestlers["A"], found.state.wrestlers["B"]
    assert (b.holds, a.held_by, b.hold_turns) == ("A", "B", 1)
    assert a.lying
    assert b.lying
    assert a.stamina == 17


@pytest.mark.parametrize(("needed", "reversed_"), [(6, False), (4, True)])
def test_ruling_64_what_counts_as_a_critical(needed: int, reversed_: bool) -> None:
    found = ring({"A": {"submission": 1}, "B": {"technique": 2}}, rulings={"reversal_critical": needed})
    dice = {"A.submission": [4], "B.technique": [5, 4]} | ({"A.d10": [5]} if reversed_ else {})
    drive(submission(found, "A", "B", "OPEN_PHASE"), dice)
    assert (found.state.wrestlers["B"].holds == "A") == reversed_
    assert found.state.wrestlers["A"].lying == reversed_


def test_ruling_64_damage_of_a_reversal_may_wait_a_turn() -> None:
    found = ring(
        {"A": {"submission": 1}, "B": {"technique": 2, "strength": 2, "submission": 1}},
        rulings={"reversal_damage": "next_turn"},
    )
    drive(submission(found, "A", "B", "OPEN_PHASE"), {"A.submission": [4], "B.technique": [6, 4]})
    assert found.state.wrestlers["A"].stamina == 20
    found.state.turn, found.state.phase = 2, "LYING_PHASE"
    drive(upkeep(found, "LYING_PHASE"), {"B.submission": [4], "A.d10": [5]}, keeping)
    assert found.state.wrestlers["A"].stamina == 18
    assert found.state.wrestlers["B"].hold_turns == 1


def test_check_06_exactly_zero_survives_and_below_taps_out() -> None:
    for face, taps in ((2, False), (1, True)):
        found = ring({"A": {"submission": 1, "strength": 2}, "B": {"stamina": 0}})
        drive(submission(found, "A", "B", "OPEN_PHASE"), {"A.submission": [4], "B.d10": [face]})
        assert bool(facts(found, "tapped_out")) == taps
        assert (found.state.outcome is not None) == taps
        if taps:
            assert found.state.outcome.ending == "tap_out"
            assert found.state.outcome.winners == ("A",)


def test_ruling_59_resistance_may_help_against_the_submission() -> None:
    found = ring(
        {"A": {"submission": 1, "strength": 3}, "B": {"stamina": 1, "resistance": 2}},
        rulings={"submission_check_resistance": True},
    )
    drive(submission(found, "A", "B", "OPEN_PHASE"), {"A.submission": [4], "B.d10": [1]})
    assert facts(found, "submission_survived")[0].values["total"] == 1


@pytest.mark.parametrize(
    ("settings", "turns", "sixes", "bonus", "lost"),
    [
        ({}, 1, 0, False, 4), ({}, 2, 0, False, 5), ({}, 2, 2, False, 7), ({}, 1, 1, True, 11),
        ({"submission_cap_scope": "total"}, 2, 2, False, 5),
        ({"submission_cap_scope": "total"}, 1, 2, False, 6),
        ({"submission_cap_from_turn": 1}, 1, 2, True, 10),
        ({"submission_cap_from_turn": 1, "submission_cap_scope": "total"}, 1, 2, True, 5),
    ],
)  # fmt: skip
def test_ruling_60_what_the_five_points_cover(
    settings: dict[str, Any], turns: int, sixes: int, bonus: bool, lost: int
) -> None:
    found = held({"A": {"strength": 4, "finisher_bonus": bonus}}, rulings=settings)
    assert loss(found, "A", turns, sixes) == lost


def test_ruling_63_a_hold_of_this_turn_is_not_kept_up_yet() -> None:
    found = held(since=2)
    drive(upkeep(found, "LYING_PHASE"))
    assert found.facts == []


def test_ruling_63_upkeep_is_at_four_even_for_those_who_were_locked_up() -> None:
    found = lock(held({"A": {"submission": 1}, "B": {"technique": 1}}), "A", "B")
    drive(upkeep(found, "LYING_PHASE"), {"A.submission": [3]}, keeping)
    assert found.state.wrestlers["A"].holds is None


def test_ruling_63_upkeep_at_three_is_a_house_rule() -> None:
    found = held({"A": {"submission": 1}}, rulings={"hold_upkeep_threshold": 3})
    drive(upkeep(found, "LYING_PHASE"), {"A.submission": [3], "B.d10": [9]}, keeping)
    assert found.state.wrestlers["A"].hold_turns == 2
    assert found.state.wrestlers["A"].attacked
    assert found.state.wrestlers["A"].acted


def test_ruling_63_holds_may_be_kept_up_at_the_start_of_the_turn() -> None:
    found = held({"A": {"submission": 1}}, rulings={"hold_upkeep": "start_of_turn"})
    drive(upkeep(found, "LYING_PHASE"))
    assert found.facts == []
    found.state.phase = "TURN_START"
    drive(upkeep(found, "S3"), {"A.submission": [4], "B.d10": [9]}, keeping)
    assert found.state.wrestlers["A"].hold_turns == 2


def test_ruling_63_letting_go_frees_the_victim_with_his_turn_intact() -> None:
    found = held({"B": {"acted": True, "defended": True}})
    drive(upkeep(found, "LYING_PHASE"), {}, letting_go)
    a, b = found.state.wrestlers["A"], found.state.wrestlers["B"]
    assert a.lying
    assert a.turn_over
    assert a.holds is None
    assert b.upright
    assert b.freed
    assert not b.acted
    assert found.state.late == ("B",)


def test_subm_10_a_victim_reverses_the_hold_at_the_upkeep() -> None:
    found = held({"A": {"submission": 1}, "B": {"technique": 2, "strength": 2}})
    dice = {"A.submission": [4], "B.technique": [6, 5], "A.d10": [9]}
    drive(upkeep(found, "LYING_PHASE"), dice, keeping)
    a, b = found.state.wrestlers["A"], found.state.wrestlers["B"]
    assert (a.holds, a.held_by, b.holds, b.held_by) == (None, "B", "A", None)
    assert a.stamina == 18
    assert b.hold_turns == 1


def test_tech_10_more_successes_without_a_six_only_free_the_victim() -> None:
    found = held({"A": {"submission": 1}, "B": {"technique": 2}})
    drive(upkeep(found, "LYING_PHASE"), {"A.submission": [4], "B.technique": [5, 5]}, keeping)
    assert found.state.wrestlers["B"].upright
    assert found.state.wrestlers["A"].held_by is None


def test_ruling_65_a_hold_on_somebody_it_knocks_out_ends_except_without_dq() -> None:
    for dq, kept in (("on", None), ("off", "B")):
        found = ring(
            {"A": {"submission": 1, "strength": 3}, "B": {"stamina": -7}}, rulings={"disqualification": dq}
        )
        drive(submission(found, "A", "B", "OPEN_PHASE"), {"A.submission": [4], "B.d10": [10]})
        assert found.state.wrestlers["B"].unconscious
        assert found.state.wrestlers["A"].holds == kept


def test_ruling_65_the_check_is_rolled_even_at_minus_ten_and_can_be_lost() -> None:
    found = ring({"A": {"submission": 1, "strength": 3}, "B": {"stamina": -8}})
    drive(submission(found, "A", "B", "OPEN_PHASE"), {"A.submission": [4], "B.d10": [10]})
    assert found.state.outcome is not None
    assert found.state.outcome.ending == "tap_out"


def test_ruling_65_a_broken_hold_leaves_both_lying() -> None:
    found = held()
    drive(break_hold(found, "A", "OPEN_PHASE", "RULING-65"))
    a, b = found.state.wrestlers["A"], found.state.wrestlers["B"]
    assert a.lying
    assert b.lying
    assert a.holds is None
    assert b.held_by is None
    assert not b.freed


def test_pin_10_a_submission_on_a_pinner_cancels_his_pin_without_a_push() -> None:
    found = ring({"A": {"submission": 1}, "B": {"pins": "C"}, "C": {"pinned_by": "B", "lying": True}})
    drive(submission(found, "A", "B", "OPEN_PHASE"), {"A.submission": [4], "B.d10": [9]})
    assert found.state.wrestlers["B"].pins is None
    assert found.state.wrestlers["C"].pinned_by is None
    assert found.state.wrestlers["B"].held_by == "A"
    assert found.state.wrestlers["B"].lies_until == 2


def test_several_holds_are_kept_up_in_the_order_of_a_die() -> None:
    found = table("ABCD", {"A": {"submission": 1}, "C": {"submission": 1}}, at=pair())
    for holder, victim in ("AB", "CD"):
        found.record("hold_began", "SUBM-04", fighter=holder, target=victim, turns=1, lying=True)
    found.state.turn, found.state.phase = 2, "LYING_PHASE"
    dice = {"A.initiative": [[2]], "C.initiative": [[5]], "A.submission": [1], "C.submission": [1]}
    drive(upkeep(found, "LYING_PHASE"), dice, keeping)
    assert found.state.late == ("D", "B")


def test_ruling_65_a_held_wrestler_cannot_answer_a_blow() -> None:
    found = held({"C": {"strike": 1, "strength": 1}}, at={"C": figure("C", 7, 7)})
    asked: list[Request] = []
    drive(strike(found, "C", "B", "OPEN_PHASE"), {"C.strike": [4], "C.strength": [1]}, asked=asked)
    assert not any("D-06" in one.step for one in asked)


def test_status_23_a_holder_whose_counter_is_good_gets_up_and_lets_go() -> None:
    found = held({"A": {"counter": 2}, "C": {"strike": 1}}, at={"C": figure("C", 0, 7)})
    drive(strike(found, "C", "A", "OPEN_PHASE"), {"C.strike": [4], "A.counter": [4]})
    assert found.state.wrestlers["A"].upright
    assert found.state.wrestlers["A"].holds is None
    assert found.state.wrestlers["B"].lying


def test_ruling_65_a_blow_on_the_holder_breaks_the_hold_or_not_by_house_rule() -> None:
    for broken in (True, False):
        found = held(
            {"C": {"strike": 1, "strength": 1}},
            at={"C": figure("C", 0, 7)},
            rulings={"hold_broken_by_hit": broken},
        )
        drive(strike(found, "C", "A", "OPEN_PHASE"), {"C.strike": [4], "C.strength": [1]})
        assert (found.state.wrestlers["A"].holds is None) == broken


def test_ruling_66_nobody_is_held_across_the_ropes() -> None:
    found = held()
    found.record("placed_outside", "RULING-33", fighter="B")
    drive(settle(found, "S4"))
    assert found.state.wrestlers["A"].holds is None


@pytest.mark.parametrize("ability", ["technique", "resistance"])
def test_prop_04_resistance_may_answer_a_submission(ability: str) -> None:
    given = {"A": {"submission": 1}, "B": {"technique": 1, "resistance": 3}}
    found = ring(given, rulings={"submission_defence": ability})
    play = submission(found, "A", "B", "OPEN_PHASE")
    next(play)
    asked = play.send((4,))
    assert asked.option("technique") is not None
    rolled = play.send("technique")
    assert [(one.ability, one.count) for one in rolled.dice] == [
        (ability, 1 if ability == "technique" else 3)
    ]


def test_ruling_65_somebody_out_of_the_match_is_held_no_longer() -> None:
    found = held()
    found.record("eliminated", "WIN-03", fighter="B", ending="count_out", together=["B"])
    drive(upkeep(found, "LYING_PHASE"))
    assert not facts(found, "keeps_hold")


def test_win_01_the_first_who_taps_out_ends_it_and_no_other_hold_is_kept_up() -> None:
    found = table("ABCD", {"A": {"submission": 1}, "C": {"submission": 1}, "B": {"stamina": 0}})
    for holder, victim in (("A", "B"), ("C", "D")):
        found.record("hold_began", "SUBM-04", fighter=holder, target=victim, turns=1, lying=True)
    found.state.turn, found.state.phase = 2, "LYING_PHASE"
    dice = {"initiative": {"A": 6, "C": 1}, "A.submission": [4], "B.d10": [1]}
    drive(upkeep(found, "LYING_PHASE"), dice, keeping)
    assert found.state.outcome is not None
    assert found.state.outcome.ending == "tap_out"
    assert found.state.wrestlers["D"].held_by == "C"
