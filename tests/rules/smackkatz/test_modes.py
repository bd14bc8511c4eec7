"""Modes and endings (catalogue 8.1, 8.2): what a fall, a foul, the ringside and the clock mean in each."""

from __future__ import annotations

from typing import Any

import pytest

from rules.engine.match import Match
from rules.engine.request import Request
from rules.engine.rulebook import Table
from rules.smackkatz.book import CURRENT
from rules.smackkatz.legality import options as legality
from rules.smackkatz.modes.endings import (
    check_endings,
    disqualify,
    eliminate,
    eliminate_together,
    fall,
    settle_endings,
)
from rules.smackkatz.modes.entry import RosterError
from rules.smackkatz.modes.iron_man import look_at_clock
from rules.smackkatz.modes.presence import arrivals, half_stamina
from rules.smackkatz.state import MatchState
from rules.smackkatz.turn.phases import count_ringside
from tests.rules.games import Game
from tests.rules.playing import roster
from tests.rules.smackkatz.harness import drive, facts, pair, table

TEAMS = {"A": "red", "B": "blue", "C": "red", "D": "blue"}


def ended(found: Table[MatchState]) -> tuple[str, tuple[str, ...]] | None:
    outcome = found.state.outcome
    return None if outcome is None else (outcome.ending, outcome.winners)


def out(found: Table[MatchState]) -> list[str]:
    return [one.id for one in found.state.wrestlers.values() if not one.in_match]


# ---------- what a fall means


@pytest.mark.parametrize("kind", ["pin", "tap_out"])
def test_mode_03_the_first_fall_ends_a_wrestling_match_for_all(kind: Any) -> None:
    found = table("ABC")
    fall(found, "A", "B", kind, "PIN-04")
    assert ended(found) == (kind, ("A",))
    assert found.state.outcome is not None
    assert found.state.outcome.rule == "MODE-03"


def test_mode_04_a_fall_eliminates_and_the_last_one_left_wins() -> None:
    found = table("ABC", mode="elimination")
    fall(found, "A", "B", "pin", "PIN-04")
    assert (ended(found), out(found)) == (None, ["B"])
    fall(found, "A", "C", "tap_out", "SUBM-07")
    assert ended(found) == ("tap_out", ("A",))


def test_a_fall_ends_the_pin_and_the_hold_it_was_won_with() -> None:
    found = table("ABC", {"A": {"pins": "B"}, "B": {"pinned_by": "A", "pin_failures": 1}}, mode="iron_man")
    fall(found, "A", "B", "pin", "PIN-04")
    first, second = found.state.wrestlers["A"], found.state.wrestlers["B"]
    assert (first.pins, second.pinned_by, second.pin_failures) == (None, None, 0)
    found = table("ABC", {"A": {"holds": "B", "hold_turns": 2}, "B": {"held_by": "A"}}, mode="iron_man")
    fall(found, "A", "B", "tap_out", "SUBM-07")
    assert (found.state.wrestlers["A"].holds, found.state.wrestlers["B"].held_by) == (None, None)


def test_mode_08_a_team_wins_with_somebody_left_and_all_of_it_has_won() -> None:
    found = table("ABCDEFGHIJ"[:4], mode="elimination", teams=TEAMS)
    eliminate(found, "A", "pin", "PIN-04")
    fall(found, "C", "B", "pin", "PIN-04")
    assert ended(found) is None
    fall(found, "C", "D", "pin", "PIN-04")
    assert ended(found) == ("pin", ("A", "C"))


@pytest.mark.parametrize(
    ("mode", "rule"), [("katz_rumble", "RULING-99"), ("last_man_standing", "RULING-100")]
)
def test_where_falls_mean_nothing_no_pin_is_offered(mode: str, rule: str) -> None:
    names = "ABC"
    rulings = {"participant_cap": "always_8"} if mode == "katz_rumble" else {}
    found = table(names, {"B": {"lying": True}}, at=pair(), mode=mode, rulings=rulings)
    assert rule in [one.rule for one in legality.option(found, "A", "pin:B").reasons]
    fall(found, "A", "B", "pin", "PIN-04")
    assert (ended(found), out(found)) == (None, [])


def test_ruling_99_by_house_rule_pins_count_in_a_rumble() -> None:
    rulings = {"participant_cap": "always_8", "rumble_pins": True}
    found = table("ABC", {"B": {"lying": True}}, at=pair(), mode="katz_rumble", rulings=rulings)
    assert legality.option(found, "A", "pin:B").legal
    fall(found, "A", "B", "pin", "PIN-04")
    assert out(found) == ["B"]


# ---------- fouls


def test_win_02_between_two_sides_the_victims_side_wins() -> None:
    found = table("AB")
    disqualify(found, "A", "B", "FOUL-01")
    assert ended(found) == ("disqualification", ("B",))
    found = table("ABCD", teams=TEAMS)
    disqualify(found, "A", "B", "FOUL-01")
    assert ended(found) == ("disqualification", ("B", "D"))


def test_ruling_83_among_three_the_offender_is_out_or_by_house_rule_the_victim_wins() -> None:
    found = table("ABC")
    disqualify(found, "A", "B", "FOUL-01")
    assert (ended(found), out(found)) == (None, ["A"])
    found = table("ABC", rulings={"dq_multi": "victim_wins"})
    disqualify(found, "A", "B", "FOUL-01")
    assert ended(found) == ("disqualification", ("B",))


def test_mode_04_in_an_elimination_match_the_offender_is_out_whatever_dq_multi_says() -> None:
    found = table("ABC", mode="elimination", rulings={"dq_multi": "victim_wins"})
    disqualify(found, "A", "B", "FOUL-01")
    assert (ended(found), out(found)) == (None, ["A"])
    disqualify(found, "C", "B", "FOUL-01")
    assert ended(found) == ("disqualification", ("B",))


def test_mode_05_a_foul_scores_for_the_rival_in_an_iron_man_match() -> None:
    found = table("ABC", mode="iron_man")
    disqualify(found, "A", "B", "FOUL-01")
    assert (ended(found), found.state.wrestlers["B"].falls, out(found)) == (None, 1, [])


# ---------- Iron Man


def test_mode_06_the_beaten_sits_out_one_turn_and_is_back_in_place_with_half_his_stamina() -> None:
    found = table("ABC", {"B": {"lying": True, "stamina": -3, "wounds": {"strike": 1}}}, at=pair(),
                  mode="iron_man")  # fmt: skip
    place = found.state.scene.figures["B"]
    fall(found, "A", "B", "pin", "PIN-04")
    beaten = found.state.wrestlers["B"]
    assert found.state.wrestlers["A"].falls == 1
    assert "strike:B" not in [one.id for one in legality.options(found, "A")]
    for turn, playing in ((2, False), (3, True)):
        found.state.turn = turn
        arrivals(found)
        assert beaten.playing == playing
    assert (beaten.stamina, beaten.lying, beaten.wounds) == (10, False, {"strike": 1})
    assert found.state.scene.figures["B"] == place


def test_mode_06_a_fall_counted_at_a_turns_start_costs_that_turn() -> None:
    found = table("ABC", mode="iron_man")
    found.state.turn, found.state.phase = 4, "TURN_START"
    fall(found, "A", "B", "pin", "PIN-04")
    assert found.state.wrestlers["B"].sits_out == 4


@pytest.mark.parametrize(("current", "half"), [(15, 7), (-3, -1), (-8, -4), (0, 0)])
def test_ruling_97_half_of_what_he_has_is_a_house_rule(current: int, half: int) -> None:
    assert half_stamina(current, "half_of_current") == half
    assert half_stamina(current, "half_of_start") == 10


def clock(found: Table[MatchState], said: str = "time_up") -> list[Request]:
    asked: list[Request] = []
    drive(look_at_clock(found), choose=lambda request: said, asked=asked)
    return asked


def test_mode_05_most_falls_win_when_the_hour_is_over() -> None:
    found = table("ABC", {"A": {"falls": 1}, "C": {"falls": 2}}, mode="iron_man")
    assert clock(found, "play_on")[0].rules == ("MODE-05",)
    assert ended(found) is None
    clock(found)
    assert ended(found) == ("time", ("C",))


def test_mode_05_a_team_counts_the_falls_of_all_its_members() -> None:
    given = {"A": {"falls": 1}, "C": {"falls": 1}, "B": {"falls": 1}}
    found = table("ABCD", given, mode="iron_man", teams=TEAMS)
    clock(found)
    assert ended(found) == ("time", ("A", "C"))


def test_ruling_97_a_tie_is_a_draw() -> None:
    found = table("AB", {"A": {"falls": 1}, "B": {"falls": 1}}, mode="iron_man")
    clock(found)
    assert ended(found) == ("draw", ())


def test_ruling_97_by_house_rule_the_next_fall_decides_a_tie() -> None:
    rulings = {"iron_man_tie": "sudden_death"}
    found = table("ABC", {"A": {"falls": 1}, "B": {"falls": 1}}, mode="iron_man", rulings=rulings)
    clock(found)
    assert facts(found, "sudden_death")[0].values["sides"] == ["A", "B"]
    assert clock(found) == []
    fall(found, "C", "A", "pin", "PIN-04")
    assert ended(found) is None
    fall(found, "B", "C", "pin", "PIN-04")
    assert ended(found) == ("time", ("B",))


def test_the_clock_is_asked_of_no_other_mode() -> None:
    assert clock(table("ABC", mode="elimination")) == []


def test_mode_05_the_clock_ends_a_whole_match_and_the_log_replays() -> None:
    match = Game(CURRENT, "iron_man").played(3, 900)
    assert match.outcome is not None
    times = [entry for entry in match.log.entries if entry.request["step"] == "Z5 time"]
    assert times[-1].raw == "time_up"
    assert Match.replay(match.log, CURRENT).state == match.state


# ---------- over the ropes


def test_mode_10_any_arrival_at_ringside_eliminates_in_a_rumble() -> None:
    found = table("ABC", {"B": {"at_ringside": True}}, mode="katz_rumble",
                  rulings={"participant_cap": "always_8"})  # fmt: skip
    check_endings(found)
    assert (ended(found), out(found)) == (None, ["B"])
    found.state.wrestlers["C"].at_ringside = True
    check_endings(found)
    assert ended(found) == ("over_the_top", ("A",))
    assert found.state.outcome is not None
    assert found.state.outcome.rule == "MODE-10"


def test_ruling_99_by_house_rule_a_rumble_begins_with_two_and_grows_by_one_a_turn() -> None:
    rulings = {"participant_cap": "always_8", "rumble_entry": "staggered"}
    found = table("ABCD", mode="katz_rumble", rulings=rulings)
    seen = []
    for turn in (1, 2, 3):
        found.state.turn = turn
        arrivals(found)
        seen.append([one.id for one in found.state.playing])
    assert seen == [["A", "B"], ["A", "B", "C"], ["A", "B", "C", "D"]]
    assert len(facts(found, "made_entrance")) == 2


def test_ruling_99_who_has_not_come_in_yet_keeps_the_match_open() -> None:
    rulings = {"participant_cap": "always_8", "rumble_entry": "staggered"}
    found = table("ABC", mode="katz_rumble", rulings=rulings)
    found.state.wrestlers["A"].at_ringside = True
    check_endings(found)
    assert (ended(found), out(found)) == (None, ["A"])


# ---------- at the same moment


def test_ruling_102_all_who_are_counted_out_together_go_out_together() -> None:
    given = {one: {"at_ringside": True, "began_at_ringside": True, "ringside_turns": 3} for one in "AB"}
    found = table("AB", given, mode="elimination")
    count_ringside(found)
    drive(settle_endings(found))
    assert ended(found) == ("draw", ())


@pytest.mark.parametrize(("said", "end"), [("draw", ("draw", ())), ("B", ("referee", ("B",)))])
def test_ruling_102_by_house_rule_the_referee_names_the_winner(said: str, end: Any) -> None:
    found = table("ABC", mode="elimination", rulings={"simultaneous": "referee"})
    eliminate(found, "A", "pin", "PIN-04")
    eliminate_together(found, ["B", "C"], "count_out", "WIN-03")
    asked: list[Request] = []
    drive(settle_endings(found), choose=lambda request: said, asked=asked)
    assert [option.id for option in asked[0].options] == ["B", "C", "draw"]
    assert ended(found) == end


def test_ruling_102_one_after_the_other_the_second_wins() -> None:
    found = table("AB", mode="elimination")
    eliminate(found, "A", "count_out", "WIN-03")
    check_endings(found)
    assert ended(found) == ("count_out", ("B",))


# ---------- who may take part


@pytest.mark.parametrize(
    ("mode", "count", "rulings", "accepted"),
    [
        ("wrestling_match", 9, {}, False),
        ("katz_rumble", 20, {}, True),
        ("katz_rumble", 8, {}, False),
        ("katz_rumble", 20, {"participant_cap": "always_8"}, False),
        ("katz_rumble", 8, {"participant_cap": "always_8"}, True),
        ("iron_man", 1, {}, False),
        ("iron_man", 8, {}, True),
    ],
)
def test_ruling_2_how_many_may_take_part(mode: str, count: int, rulings: Any, accepted: bool) -> None:
    names = "ABCDEFGHIJKLMNOPQRSTU"[:count]
    entrants = Game(CURRENT, "katz_rumble").opened().log.header.roster.entrants[:count]
    assert len(entrants) == len(names)
    field = type(roster(2))(entrants, roster(2).ring)
    if accepted:
        assert len(Match(CURRENT, field, mode=mode, rulings=rulings).state.wrestlers) == count
    else:
        with pytest.raises(RosterError, match="RULING-2"):
            Match(CURRENT, field, mode=mode, rulings=rulings)


@pytest.mark.parametrize("teams", [None, "five_and_four", "three"])
def test_mode_07_survivor_series_is_for_two_teams_of_five(teams: str | None) -> None:
    names = "ABCDEFGHIJ"
    sides = {
        None: {},
        "five_and_four": {one: "red" if number < 6 else "blue" for number, one in enumerate(names)},
        "three": {one: ("red", "blue", "green")[number % 3] for number, one in enumerate(names)},
    }[teams]
    with pytest.raises(RosterError, match="MODE-07"):
        Match(CURRENT, roster(10, teams=sides), mode="survivor_series")
    fives = {one: "red" if number < 5 else "blue" for number, one in enumerate(names)}
    match = Match(CURRENT, roster(10, teams=fives), mode="survivor_series")
    assert len(match.state.playing) == 10


def test_one_team_alone_or_tags_without_partners_are_refused() -> None:
    with pytest.raises(RosterError, match="nobody to fight"):
        Match(CURRENT, roster(2, teams={"A": "red", "B": "red"}))
    with pytest.raises(RosterError, match="Tag rules are on"):
        Match(CURRENT, roster(2), rulings={"tag_rules": "on"})
    with pytest.raises(RosterError, match="named like a wrestler"):
        Match(CURRENT, roster(3, teams={"B": "A"}))
