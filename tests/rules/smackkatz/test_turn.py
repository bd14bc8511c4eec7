"""The turn: phases, lock-ups, order, rest, waking, ringside, and ends, through a whole match."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.engine.match import Match
from rules.engine.request import Rejected, Request
from rules.scene import Ring
from rules.smackkatz.attacks.defence import defence_reasons
from rules.smackkatz.book import CURRENT
from rules.smackkatz.consequences.harm import lose_stamina
from rules.smackkatz.legality.options import options
from rules.smackkatz.modes.entry import RosterError
from rules.smackkatz.sheet import SheetError
from rules.smackkatz.state import MatchState
from rules.smackkatz.turn import resting
from rules.smackkatz.turn.breakaway import break_away
from rules.smackkatz.turn.lockup import detect, groups_of
from rules.smackkatz.turn.lying import lying_phase
from rules.smackkatz.turn.phases import _timers, count_ringside, turn
from rules.smackkatz.turn.waking import wake_ups
from tests.rules.playing import SHEET, begun, figure, roster
from tests.rules.smackkatz.harness import drive, facts, lock, pair, table
from tests.rules.smackkatz.matches import PLACES, quietly, requests, started, to_act

# ---------- opening


def test_setup_observes_the_places_and_allows_one_palm_each() -> None:
    match = Match(CURRENT, roster(3))
    assert match.request is not None
    assert (match.request.kind, match.request.who) == ("observe", "referee")
    match.answer(PLACES, "camera")
    match.answer(PLACES | {"A": figure("A", -10 + 17, 0, 0)}, "camera")
    assert match.request.step == "S4"
    assert match.scene.figures["A"].x == 7


def test_setup_03_more_than_a_palm_is_for_the_referee() -> None:
    match = Match(CURRENT, roster(3))
    match.answer(PLACES)
    match.answer({"A": figure("A", 10, 10, 0)})
    assert match.request is not None
    assert match.request.kind == "ruling"
    match.answer("again")
    assert match.request.kind == "observe"
    match.answer({"A": figure("A", 10, 10, 0)})
    match.answer("stands")
    assert match.scene.figures["A"].x == 10


def test_ruling_7_without_a_shift_the_first_turn_follows_at_once() -> None:
    match = Match(CURRENT, roster(3), rulings={"setup_shift_palms": 0})
    match.answer(PLACES)
    assert match.request is not None
    assert match.request.step == "S4"


@pytest.mark.parametrize("count", [1, 9])
def test_build_01_from_two_to_eight_wrestlers(count: int) -> None:
    with pytest.raises(RosterError, match="RULING-2"):
        Match(CURRENT, roster(count))


def test_a_roster_of_one_team_or_with_a_bad_sheet_or_class_is_refused() -> None:
    with pytest.raises(RosterError, match="one team"):
        Match(CURRENT, roster(2, teams={"A": "red", "B": "red"}))
    with pytest.raises(SheetError, match=r"points.*SHEET-10"):
        Match(CURRENT, roster(2, {"A": SHEET | {"strike": 1}}))
    good = roster(2)
    with pytest.raises(RosterError, match="unknown class 'wizard'"):
        Match(CURRENT, replace(good, entrants=(replace(good.entrants[0], kind="wizard"), good.entrants[1])))
    with pytest.raises(ValueError, match="Unknown mode 'royal'"):
        Match(CURRENT, good, mode="royal")


# ---------- order of a turn


def test_the_phases_come_in_printed_order() -> None:
    match = started()
    seen = [request.step.split()[0] for request in requests(match, quietly(match), 6)]
    assert seen == ["S4", "S5", "OPEN_PHASE", "OPEN_PHASE", "OPEN_PHASE", "OPEN_PHASE"]
    phases = [f.values["phase"] for e in match.log.entries for f in e.facts if f.kind == "phase_began"]
    assert phases[:8] == [
        "TURN_START", "LOCKUP_PHASE", "OPEN_PHASE", "LYING_PHASE", "LATE_QUEUE", "TURN_END", "TURN_CLOSE",
        "TURN_START",
    ]  # fmt: skip


def test_init_03_wrestlers_act_from_the_highest_roll_down() -> None:
    match = started()
    actors = [request.fighter for request in requests(match, quietly(match), 6) if "D-04" in request.step]
    assert actors == ["C", "B", "A"]  # the dice fell 1, 2, 3


def test_init_06_lock_ups_are_played_before_the_others_roll() -> None:
    match = started(pair() | {"C": figure("C", 0, 25, 270)})
    steps = [(request.step, request.fighter) for request in requests(match, quietly(match), 7)]
    acts = [fighter for step, fighter in steps if step.startswith("LOCKUP_PHASE D-04")]
    assert sorted(str(one) for one in acts) == ["A", "B"]
    (last,) = [place for place, one in enumerate(steps) if one == ("OPEN_PHASE D-04", "C")]
    assert all(place < last for place, (step, _) in enumerate(steps) if step.startswith("LOCKUP_PHASE"))


@pytest.mark.parametrize(
    ("link", "groups"),
    [("connected", [("A", "B", "C")]), ("all_mutual", [("A", "B")])],
)
def test_ruling_17_chains_are_one_melee_unless_all_must_touch(
    link: str, groups: list[tuple[str, ...]]
) -> None:
    links = {frozenset("AB"), frozenset("BC")}
    assert groups_of(["A", "B", "C", "D"], links, link) == groups


@pytest.mark.parametrize(
    ("facing", "facings", "locked"),
    [("either", (180, 180), True), ("both", (180, 180), False), ("both", (0, 180), True),
     ("either", (180, 0), False), ("none", (180, 0), True)],
)  # fmt: skip
def test_ruling_16_who_must_face_whom(facing: str, facings: tuple[float, float], locked: bool) -> None:
    at = {"A": figure("A", 0, 0, facings[0]), "B": figure("B", 7, 0, facings[1])}
    found = table("ABC", at=at, rulings={"lock_up_facing": facing})
    drive(detect(found))
    assert bool(found.state.group_of("A")) == locked


def test_ruling_16_prior_attack_by_house_rule() -> None:
    found = table("ABC", at=pair(), rulings={"lock_up_needs": "adjacency_and_prior_attack"})
    drive(detect(found))
    assert not found.state.groups
    found.state.fought = frozenset({frozenset("AB")})
    drive(detect(found))
    assert found.state.groups == (("A", "B"),)


def test_ruling_16_a_doubtful_gap_is_asked_once_while_nobody_moves() -> None:
    match = started(pair(2.2) | {"C": figure("C", 0, 25, 270)})
    asked = [r for r in requests(match, quietly(match), 30) if r.kind == "ruling"]
    assert len(asked) == 1
    assert asked[0].finding is not None
    assert asked[0].finding.figures == ("A", "B")
    assert asked[0].rules == ("RULING-30",)


def test_ruling_25_the_tie_die_is_kept_for_the_same_two_only() -> None:
    found = table("ABC", {"B": {"tie_die": ("A",)}}, at=pair())
    drive(detect(found))
    assert found.state.wrestlers["B"].tie_die == ("A",)
    apart = table("ABC", {"B": {"tie_die": ("A",)}})
    drive(detect(apart))
    assert apart.state.wrestlers["B"].tie_die == ()


def test_lock_05_a_locked_wrestler_may_only_fight_or_break_away() -> None:
    found = lock(table("ABC", at=pair()), "A", "B")
    offered = {option.id: option for option in options(found, "A")}
    assert [one.rule for one in offered["move"].reasons] == ["LOCK-05"]
    assert offered["break_lock_up"].legal
    assert offered["strike:B"].legal
    found.state.wrestlers["A"].cannot_attack = True
    offered = {option.id: option for option in options(found, "A")}
    assert [one.rule for one in offered["strike:B"].reasons] == ["MELEE-03"]
    assert offered["break_lock_up"].legal


def test_lock_07_a_failed_escape_loses_the_turn_but_not_the_defence() -> None:
    match = started(pair() | {"C": figure("C", 0, 25, 270)})
    calm = quietly(match)

    def answer(request: Request) -> Any:
        if request.kind == "roll" and "break" in request.step:
            return [1, 1, 6, 6]
        return "break_lock_up" if request.option("break_lock_up") else calm(request)

    seen = []
    for request in requests(match, answer, 8):
        seen.append(request)
        if match.state.wrestlers["B"].turn_over or match.state.wrestlers["A"].turn_over:
            break
    loser = next(one for one in match.state.wrestlers.values() if one.turn_over)
    assert not loser.defended


# ---------- start of turn


def test_status_31_knocked_down_becomes_lying_two_turns_later() -> None:
    found = table("AB", {"A": {"knocked_down": 3}})
    for number, lying in ((4, False), (5, True)):
        found.state.turn = number
        _timers(found)
        assert found.state.wrestlers["A"].lying == lying


@pytest.mark.parametrize(("face", "woke"), [(6, False), (7, True)])
def test_check_01_waking_needs_more_than_nothing(face: int, woke: bool) -> None:
    found = table("AB", {"A": {"stamina": -11, "unconscious": True, "resistance": 2}})
    drive(wake_ups(found), {"A.d10": [face]})
    wrestler = found.state.wrestlers["A"]
    assert wrestler.stamina == -8
    assert wrestler.unconscious != woke
    assert wrestler.lying == woke


def test_status_10_rest_heals_at_once_and_lasts_the_turn() -> None:
    found = table("ABC", {"A": {"stamina": 10}})
    chosen = iter(["rest:A", "go_on"])
    drive(resting.rests(found), {"A.rest": [4]}, lambda request: next(chosen))
    wrestler = found.state.wrestlers["A"]
    assert wrestler.resting
    assert wrestler.stamina == 14
    resting.end_rests(found)
    assert not wrestler.resting


def test_ruling_33_a_figure_seen_outside_counts_as_there_when_the_referee_agrees() -> None:
    found = table("ABC", at={"A": figure("A", 0, 45, 270)})
    asked: list[Request] = []

    def choose(request: Request) -> Any:
        if request.kind == "observe":
            return dict(found.state.scene.figures)
        if request.kind == "ruling":
            return "no"
        return next(o.id for o in request.options if o.id in ("go_on", "pass", "stay"))

    dice = {"B.initiative": [3], "C.initiative": [4], "A.initiative": [5]}
    drive(turn(found), dice, choose, asked)
    assert sum(request.kind == "ruling" for request in asked) == 1
    assert found.state.wrestlers["A"].at_ringside


# ---------- endings


def test_win_03_a_wrestler_left_at_ringside_is_counted_out_and_the_match_ends() -> None:
    match = Match(CURRENT, roster(2), mode="elimination")
    begun(match, {"A": figure("A", 0, -31, -90), "B": figure("B", 0, 10, 90)})
    to_act(match, "A")
    match.answer("leave_ring")
    assert match.request is not None
    match.answer(match.request.proposal)
    list(requests(match, quietly(match), 80))
    assert match.outcome is not None
    assert (match.outcome.ending, match.outcome.winners) == ("count_out", ("B",))
    assert match.state.turn == 5
    with pytest.raises(Rejected, match="match_over"):
        match.answer("pass")


def test_win_05_over_the_top_ends_it_at_once_when_agreed() -> None:
    match = Match(CURRENT, roster(2), rulings={"over_the_top": True})
    begun(match, {"A": figure("A", 0, -31, -90), "B": figure("B", 0, 10, 90)})
    to_act(match, "A")
    match.answer("leave_ring")
    assert match.request is not None
    match.answer(match.request.proposal)
    assert match.outcome is not None
    assert match.outcome.winners == ("B",)


def test_ruling_102_nobody_left_is_a_draw() -> None:
    found = table(
        "AB", {"A": {"at_ringside": True}, "B": {"at_ringside": True}}, rulings={"over_the_top": True}
    )
    from rules.smackkatz.modes.endings import check_endings

    check_endings(found)
    assert found.state.outcome is not None
    assert found.state.outcome.winners == ()
    assert len(facts(found, "eliminated")) == 2


def test_ruling_102_the_referee_may_decide_when_the_last_go_out_together() -> None:
    from rules.smackkatz.modes.endings import eliminate, settle_endings

    for said, winners in (("A", ("A",)), ("draw", ())):
        found = table("AB", rulings={"simultaneous": "referee"})
        for fighter in "AB":
            eliminate(found, fighter, "count_out", "WIN-03")
        drive(settle_endings(found), choose=lambda request, said=said: said)  # type: ignore[misc]
        assert found.state.outcome is not None
        assert found.state.outcome.winners == winners


def test_ruling_75_by_house_rule_the_negative_are_helpless_until_a_check_succeeds() -> None:
    found = table("ABC", {"A": {"stamina": 1}}, rulings={"helpless_when": "negative"})
    lose_stamina(found, "A", 3, "STRIKE-04")
    wrestler = found.state.wrestlers["A"]
    assert wrestler.helpless
    assert not wrestler.can_act
    assert "STATUS-03" in [one.rule for one in defence_reasons(found, "A", "counter", "strike")]
    drive(wake_ups(found), {"A.d10": [1]})
    assert not wrestler.helpless
    assert wrestler.stamina == -2


def test_ruling_21_by_house_rule_each_rival_is_contested_separately() -> None:
    at = {"A": figure("A", 0, 0, 0), "B": figure("B", 7, 0, 180), "C": figure("C", -7, 0, 0)}
    found = lock(table("ABC", at=at, rulings={"melee_escape": "beat_each_separately"}), "A", "B", "C")
    dice = {"A.speed": [[6, 6], [1, 1]], "B.speed": [2, 2], "C.speed": [2, 2]}
    drive(break_away(found, "A", "LOCKUP_PHASE"), dice)
    assert facts(found, "held")[0].values["totals"] == [12, 4, 2, 4]


def test_ruling_87_by_house_rule_who_stays_lying_may_still_strike() -> None:
    given = {"A": {"lying": True, "strike": 1}}
    found = table("ABC", given, at=pair(), rulings={"lying_may_attack": True})
    found.state.wrestlers["B"].acted = found.state.wrestlers["C"].acted = True
    chosen = iter(["stay", "strike:B"])
    drive(lying_phase(found), {"A.strike": [1]}, lambda request: next(chosen))
    assert facts(found, "missed")
    assert found.state.wrestlers["A"].lying


def test_a_smaller_ring_is_measured_as_it_is() -> None:
    small = replace(roster(2), ring=Ring(40.0, 30.0))
    match = begun(Match(CURRENT, small), {"A": figure("A", -15.5, 0, 180), "B": figure("B", 10, 0, 180)})
    to_act(match, "A")
    assert match.request is not None
    option = match.request.option("leave_ring")
    assert option is not None
    assert option.legal


def test_ruling_77_a_new_knockout_begins_a_new_count() -> None:
    found = table("ABC", {"B": {"stamina": -8, "failed_checks": 3}}, mode="last_man_standing")
    lose_stamina(found, "B", 40, "STRIKE-04")
    b = found.state.wrestlers["B"]
    assert (b.unconscious, b.failed_checks) == (True, 0)
    found.state.turn += 1
    drive(wake_ups(found), {"B.d10": [1]})
    assert (b.failed_checks, b.out) == (1, None)


def closing(match: Match[MatchState]) -> None:
    """On to the look at the diver who gets up when the turn closes, or to what else is asked then."""
    calm = quietly(match)
    while match.request is not None and not match.request.step.startswith("Z3"):
        match.answer(calm(match.request))


def test_log_02_a_turn_broken_off_while_it_closes_is_closed_whole_and_counted_once() -> None:
    match = started(rulings={"setup_shift_palms": 0, "count_out": True})
    calm = quietly(match)
    while match.request is not None and "D-01" not in match.request.step:
        match.answer(calm(match.request))
    a, b, c = (match.state.wrestlers[one] for one in "ABC")
    # A dived, B rests, C has been outside since before the turn began.
    a.lying = a.rises_at_end = True
    b.resting = b.healed = True
    c.at_ringside = True
    closing(match)
    match.answer({"correct": {"fighter": "A", "field": "posture", "value": "lying"}}, "referee")
    while match.request is not None and match.state.turn == 1:
        match.answer(calm(match.request))
    state = match.state.wrestlers
    assert not state["B"].resting
    assert state["C"].ringside_turns == 1
    # Taken up once more after everything was counted: nothing is counted twice.
    found = table("ABC", {"C": {"at_ringside": True, "began_at_ringside": True}})
    for _ in range(2):
        count_ringside(found)
    assert found.state.wrestlers["C"].ringside_turns == 1


def test_ruling_11_the_turn_starts_with_what_runs_out() -> None:
    found = table("ABC", {"A": {"knocked_down": 0}, "B": {"unlimited_defence": True}})
    begun_turn = turn(found)
    request = next(begun_turn)
    assert request.step == "S4"
    a, b = found.state.wrestlers["A"], found.state.wrestlers["B"]
    assert (a.knocked_down, a.lying, b.unlimited_defence) == (None, True, False)


def test_check_04_nobody_checks_twice_in_a_turn_that_is_taken_up_again() -> None:
    found = table("ABC", {"A": {"unconscious": True, "stamina": -18, "resistance": 1}})
    drive(wake_ups(found), {"A.d10": [1]})
    drive(wake_ups(found))
    a = found.state.wrestlers["A"]
    assert (a.failed_checks, a.stamina) == (1, -16)


def test_ruling_9_whoever_rests_rolls_no_initiative() -> None:
    match = started()
    calm = quietly(match)
    rolling: list[str] = []

    def answer(request: Request) -> Any:
        rest = request.option("rest:B")
        return "rest:B" if rest is not None and rest.legal else calm(request)

    for request in requests(match, answer, 8):
        if request.text.key == "ask.initiative":
            rolling = [one.fighter for one in request.dice]
            break
    assert match.state.wrestlers["B"].resting
    assert rolling == ["A", "C"]


@pytest.mark.parametrize("over", [False, True])
def test_status_23_whoever_lies_and_has_had_his_turn_ended_strikes_nobody(over: bool) -> None:
    """He chose to stay down; a Counter by another who lies ends his turn before his slot."""
    given = {"A": {"lying": True}}
    found = table("ABC", given, at=pair(), rulings={"lying_may_attack": True})
    found.state.wrestlers["B"].acted = found.state.wrestlers["C"].acted = True
    asked: list[str] = []

    def says(request: Request) -> str:
        asked.append(request.text.key)
        if request.text.key == "ask.rise":
            found.state.wrestlers["A"].turn_over = over
            return "stay"
        return "pass"

    drive(lying_phase(found), {}, says)
    assert asked == (["ask.rise"] if over else ["ask.rise", "ask.act"])
