"""The earlier edition (catalogue 3.16), where no attack of its own is tested elsewhere."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.engine.log import LogError
from rules.engine.match import Match
from rules.engine.request import Request
from rules.engine.rulebook import Table
from rules.engine.rulings import RulingError
from rules.scene import Hand
from rules.smackkatz.abilities import effective
from rules.smackkatz.annotate import statuses
from rules.smackkatz.attacks.defence import defence_reasons
from rules.smackkatz.attacks.exchange import counter_blow, exchange
from rules.smackkatz.attacks.strike import strike
from rules.smackkatz.attacks.submission import submission
from rules.smackkatz.book import CURRENT, EARLIER
from rules.smackkatz.consequences.harm import knock_down
from rules.smackkatz.counting import taunt_higher, taunt_with_doubles
from rules.smackkatz.legality import options as legality
from rules.smackkatz.movement.judge import judge_move
from rules.smackkatz.movement.moving import may_step_back, may_turn, verdict_on
from rules.smackkatz.state import MatchState
from rules.smackkatz.turn.lockup import lockup_phase
from rules.smackkatz.turn.slots import slot
from rules.smackkatz.turn.waking import wake_ups
from tests.rules.games import Game
from tests.rules.playing import figure
from tests.rules.smackkatz.harness import at_gap_to_far_ropes, drive, facts, lock, pair, table


def earlier(given: Any = None, names: str = "ABC", **settings: Any) -> Table[MatchState]:
    return table(names, given or {}, book=EARLIER, **settings)


def test_ruling_1_the_editions_have_their_own_modes_and_defaults() -> None:
    assert set(CURRENT.modes) - set(EARLIER.modes) == {"katz_rumble"}
    assert "katz_rumble" not in EARLIER.modes
    differ = {
        name: value
        for name, value in EARLIER.catalogue.resolve().items()
        if CURRENT.catalogue.resolve()[name] != value
    }
    assert differ == {
        "attack_left_rival": True, "back_counter": "minus_2", "count_out_limit": 5, "counter_decay": "off",
        "counter_hits": "excess", "downed_rule": "ordinary_attacks", "fatigue_cap": "off",
        "knockout_count": 5, "lying_target_limit": "off", "post_damage": 4, "post_status": "lying",
        "ring_size_warning_cm": [90, 160], "rope_break": "release_and_dq",
        "submission_check_resistance": True, "weapons_foul": True,
    }  # fmt: skip


@pytest.mark.parametrize(
    "settings", [{"fatigue_cap": 4}, {"title_bonus": 2}, {"rumble_pins": True}, {"counter_decay": "on"}]
)
def test_choices_about_what_the_earlier_edition_lacks_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(RulingError, match=next(iter(settings))):
        EARLIER.catalogue.resolve(settings)


def test_no_dq_contradicts_nothing_the_earlier_edition_says_itself() -> None:
    assert EARLIER.catalogue.resolve({"disqualification": "off"})["weapons_foul"] is True
    with pytest.raises(RulingError, match="FOUL-04"):
        CURRENT.catalogue.resolve({"disqualification": "off", "weapons_foul": True})


@pytest.mark.parametrize(("book", "other"), [(CURRENT, EARLIER), (EARLIER, CURRENT)])
def test_a_log_of_one_edition_is_refused_by_the_other(book: Any, other: Any) -> None:
    log = Game(book, "elimination").played(1, 30).log
    assert Match.replay(log, book).log_lines() == log.lines()
    with pytest.raises(LogError, match=rf"log is of smackkatz \({book.edition}\)"):
        Match.replay(log, other)


def test_the_state_says_its_edition_and_a_copy_shares_it() -> None:
    state = earlier().state
    assert state.to_json()["edition"] == "earlier"
    assert state.copy() == state
    assert table().state.to_json()["edition"] == "current"


# ---------- order, checks, Stamina


def test_lock_03_the_sum_of_the_combat_dice_goes_first() -> None:
    # SC-097: 3 + 3 against one five; by successes B would be first.
    found = lock(earlier({"A": {"combat": 2}, "B": {"combat": 1}}, at=pair()), "A", "B")
    drive(lockup_phase(found), {"A.combat": [3, 3], "B.combat": [5]}, lambda request: "pass")
    assert facts(found, "order")[0].values["order"] == ["A", "B"]


def test_sheet_09_and_check_01_waking_takes_spirit_and_no_resistance() -> None:
    found = earlier({"B": {"unconscious": True, "stamina": -5, "spirit": 2, "resistance": 4}})
    drive(wake_ups(found), {"B.d10": [4]})
    wrestler = found.state.wrestlers["B"]
    assert (wrestler.stamina, wrestler.unconscious, wrestler.lying) == (-3, False, True)
    assert facts(found, "woke")[0].values["total"] == 1


def test_fatigue_01_nobody_tires() -> None:
    found = earlier({"A": {"stamina": 1, "strike": 6}})
    assert effective(found, "A", "strike") == 6


def test_special_15_doubles_are_nothing_special() -> None:
    assert [taunt_higher(faces) for faces in ((2, 5), (4, 4), (1, 1))] == [5, 4, 1]
    assert [taunt_with_doubles(faces) for faces in ((2, 5), (4, 4), (1, 1))] == [5, 6, 0]


# ---------- wounds


def test_status_60_a_wound_is_one_less_in_everything() -> None:
    found = earlier({"B": {"strike": 3, "counter": 1}})
    drive(found.state.edition.wounds.inflict(found, "B", "A", "OPEN_PHASE"))
    assert [effective(found, "B", name) for name in ("strike", "combat", "counter")] == [2, 1, 1]


def test_status_62_the_causer_puts_the_injury_into_a_main_ability_and_a_third_wound_is_none() -> None:
    found = earlier({"B": {"strength": 4, "strike": 3}})
    asked: list[Request] = []
    inflict = found.state.edition.wounds.inflict
    for _ in range(3):
        drive(inflict(found, "B", "A", "OPEN_PHASE"), choose=lambda request: "strength", asked=asked)
    assert [(one.who, [option.id for option in one.options]) for one in asked] == [
        ("a", ["combat", "speed", "strength", "spirit", "resistance"])
    ]
    assert [effective(found, "B", name) for name in ("strength", "strike")] == [1, 2]
    assert len(facts(found, "wounded")) == 2


# ---------- strike, counter


def test_strike_07_nobody_falls_out_of_the_ring() -> None:
    found = earlier(at={"B": at_gap_to_far_ropes("B", 0.5)})
    drive(knock_down(found, "B", "A", "OPEN_PHASE"))
    wrestler = found.state.wrestlers["B"]
    assert (wrestler.knocked_down, wrestler.at_ringside) == (1, False)


def test_counter_07_whoever_has_acted_cannot_counter_but_with_a_finisher() -> None:
    found = earlier({"B": {"acted": True}}, at=pair())
    assert [one.rule for one in defence_reasons(found, "B", "counter", "strike")] == ["COUNTER-07"]
    found.state.wrestlers["B"].unlimited_defence = True
    assert defence_reasons(found, "B", "counter", "strike") == ()


@pytest.mark.parametrize("attack", ["strike", "irish_whip", "suplex", "submission"])
def test_counter_01_counter_answers_every_attack(attack: str) -> None:
    found = earlier({"A": {attack: 1}, "B": {"counter": 2}}, at=pair())
    got = drive(
        exchange(found, "A", "B", attack, "OPEN_PHASE", defended_by="technique"),
        {f"A.{attack}": [6], "B.counter": [5, 5]},
    )
    assert (got.defence, got.net, got.beaten) == ("counter", 0, True)


def test_counter_10_the_blow_is_the_excess() -> None:
    # SC-097: one success against three.
    found = earlier({"A": {"strike": 1}, "B": {"counter": 3, "strength": 1}}, at=pair())
    drive(strike(found, "A", "B", "OPEN_PHASE"),
          {"A.strike": [4], "B.counter": [5, 5, 4], "B.strength": [1, 1]})  # fmt: skip
    assert facts(found, "counter_blow")[0].values["hits"] == 2


def test_counter_11_a_countered_suplex_gives_no_blow() -> None:
    found = earlier({"A": {"suplex": 1}, "B": {"counter": 2}}, at=pair())
    got = drive(exchange(found, "A", "B", "suplex", "OPEN_PHASE", defended_by="counter"),
                {"A.suplex": [4], "B.counter": [6, 6]})  # fmt: skip
    drive(counter_blow(found, got, "OPEN_PHASE"))
    assert got.beaten
    assert not facts(found, "counter_blow")


def test_status_23_a_lying_counter_swaps_the_two_and_does_no_more() -> None:
    found = earlier({"A": {"strike": 1}, "B": {"lying": True, "counter": 3}}, at=pair())
    drive(strike(found, "A", "B", "OPEN_PHASE"), {"A.strike": [4], "B.counter": [6, 6]})
    first, second = found.state.wrestlers["A"], found.state.wrestlers["B"]
    assert (first.lying, second.lying, second.turn_over) == (True, False, False)
    assert not facts(found, "counter_blow")


def test_status_34_a_knocked_down_wrestler_is_attacked_like_any_other_and_cannot_defend() -> None:
    found = earlier({"B": {"knocked_down": 1}}, at=pair())
    assert legality.option(found, "A", "strike:B").legal
    assert legality.option(found, "A", "suplex:B").legal
    assert "hit_downed:B" not in [one.id for one in legality.options(found, "A")]
    assert [one.rule for one in defence_reasons(found, "B", "counter", "strike")] == ["RULING-85"]


def test_nobody_has_technique_to_be_asked_about() -> None:
    names = [one.id for one in legality.explain(earlier(), "A")]
    assert "counter" in names
    assert "technique" not in names


@pytest.mark.parametrize(("book", "acts"), [(CURRENT, []), (EARLIER, ["A"])])
def test_status_11_a_resting_wrestler_may_pin_and_no_more(book: Any, acts: list[str]) -> None:
    found = table("AB", {"A": {"resting": True}, "B": {"lying": True}}, at=pair(apart=0.0), book=book)
    asked: list[Request] = []

    drive(slot(found, "A", "OPEN_PHASE"), choose=lambda request: "pass", asked=asked)
    assert [one.fighter for one in asked] == acts
    for request in asked:
        legal = {option.id for option in request.options if option.legal}
        assert legal == {"pin:B", "pass"}


# ---------- movement


def test_move_05_a_way_back_takes_two_turns() -> None:
    for book, cost, steps in ((CURRENT, 1, True), (EARLIER, 2, False)):
        found = table("ABC", {"A": {"speed": 2}}, book=book)
        before = found.state.block = found.state.scene.figures["A"]
        back = replace(before, x=before.x - 4, outline=tuple((x - 4, y) for x, y in before.outline))
        verdict = verdict_on(found, "A", back)
        assert may_step_back(found, "A") == steps
        assert (verdict.cost, verdict.stepped_back, verdict.turned) == (cost, steps, not steps)


def test_face_03_the_facing_may_change_again() -> None:
    found = earlier({"A": {"facing_changed": True}})
    assert may_turn(found, "A")
    assert not may_turn(table("ABC", {"A": {"facing_changed": True}}), "A")


def test_face_03_two_turns_explain_what_one_cannot() -> None:
    hand = Hand(18.0, 9.0)
    before = figure("A", 0, 0, 0)
    sideways = figure("A", 0, 20, 0)  # straight to the left, looking ahead again
    for freely, cost in ((False, None), (True, 3)):
        judged = judge_move(before, sideways, hand, speed=3, turns_freely=freely)
        assert judged.cost == cost
    assert judge_move(before, sideways, hand, speed=3, turns_freely=True).verdict == "within"


def test_face_03_one_turn_is_never_dearer_for_being_free_to_turn_again() -> None:
    hand = Hand(18.0, 9.0)
    before = figure("A", 0, 0, 0)
    for x, y, facing in ((18, 0, 0), (20, 9, 90), (0, 9, 90), (36, 0, 0), (9, 0, 45), (10, 30, 60)):
        after = replace(figure("A", x, y, facing))
        one = judge_move(before, after, hand, speed=4)
        many = judge_move(before, after, hand, speed=4, turns_freely=True)
        assert many.cost is not None
        assert one.cost is None or many.cost <= one.cost


def test_status_62_only_a_second_wound_is_an_injury() -> None:
    found = earlier({"B": {"strength": 4}})
    wounds = found.state.edition.wounds
    told = []
    for _ in range(2):
        drive(wounds.inflict(found, "B", "A", "OPEN_PHASE"), choose=lambda request: "strength")
        told.append([one.key for one in statuses(found, found.state.wrestlers["B"])])
    assert ("status.wound" in told[0], "status.injury" in told[0]) == (True, False)
    assert "status.injury" in told[1]


def test_counter_18_a_holder_who_reverses_a_hold_lets_his_rival_down_first() -> None:
    """Nobody protects a holder here: C tries a hold on A, who has B up and turns it round."""
    at = {"A": figure("A", 0, 0, 0), "B": figure("B", 0, 0, 0), "C": figure("C", 7, 0, 180)}
    found = earlier({"C": {"submission": 1}, "A": {"counter": 1, "strength": 1}}, at=at)
    found.record("hoisted", "SUPLEX-02", fighter="B", by="A")
    dice = {"C.submission": [4], "A.counter": [4], "C.d10": [9]}
    drive(
        submission(found, "C", "A", "OPEN_PHASE"),
        dice,
        lambda request: "lying" if request.option("lying") else request.options[0].id,
    )
    a, b = found.state.wrestlers["A"], found.state.wrestlers["B"]
    assert (a.holds, a.hoists, b.hoisted_by, b.stamina) == ("C", None, None, 20)


@pytest.mark.parametrize("trigger", ["hit", "damage"])
def test_subm_04_a_holder_who_is_grabbed_lets_his_rival_down_whatever_the_drop_hangs_on(trigger: str) -> None:
    at = {"A": figure("A", 0, 0, 0), "B": figure("B", 0, 0, 0), "C": figure("C", 7, 0, 180)}
    given = {"C": {"submission": 1, "strength": 1}, "A": {"counter": 0}}
    found = earlier(given, at=at, rulings={"drop_trigger": trigger})
    found.record("hoisted", "SUPLEX-02", fighter="B", by="A")
    drive(
        submission(found, "C", "A", "OPEN_PHASE"),
        {"C.submission": [4], "A.d10": [9]},
        lambda request: "lying" if request.option("lying") else request.options[0].id,
    )
    a, b = found.state.wrestlers["A"], found.state.wrestlers["B"]
    assert (a.held_by, a.hoists, b.hoisted_by) == ("C", None, None)
    assert b.stamina == (16 if trigger == "hit" else 20)


def test_counter_18_a_pinner_who_reverses_a_hold_standing_lets_go_of_the_pin() -> None:
    given: dict[str, Any] = {
        "A": {"submission": 1}, "B": {"counter": 1, "strength": 1, "pins": "C"},
        "C": {"pinned_by": "B", "lying": True},
    }  # fmt: skip
    found = earlier(given, at=pair())
    dice = {"A.submission": [4], "B.counter": [4], "A.d10": [9]}
    drive(submission(found, "A", "B", "OPEN_PHASE"), dice, lambda request: "standing")
    b = found.state.wrestlers["B"]
    assert (b.holds, b.pins, b.upright) == ("A", None, True)
    assert found.state.wrestlers["C"].pinned_by is None
