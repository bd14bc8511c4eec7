"""The charge: whole palms of the run-up, one roll against a whole group, each member's own defence."""

from __future__ import annotations

from typing import Any

import pytest

from rules.engine.request import Request
from rules.smackkatz.abilities import Ring
from rules.smackkatz.attacks.charge import charge, charged
from rules.smackkatz.book import EARLIER
from rules.smackkatz.legality import options as legality
from rules.smackkatz.movement.moving import close_block, move
from tests.rules.playing import figure
from tests.rules.smackkatz.harness import clump, drive, facts, lock, pair, table
from tests.rules.smackkatz.test_suplex import answers


def beast(given: dict[str, Any] | None = None, **settings: Any) -> Ring:
    """A is a beast, next to B."""
    settings = {"at": pair(), **settings}
    return table(settings.pop("names", "ABC"), given or {}, classes={"A": "beast"}, **settings)


def against_pair(given: dict[str, Any] | None = None, **settings: Any) -> Ring:
    """A next to B and C, who are locked up with each other."""
    found = beast(given, at=clump("A", "B", "C"), **settings)
    return lock(found, "B", "C")


def test_special_11_whole_palms_of_the_run_up_are_added_to_strike() -> None:
    found = beast({"A": {"strike": 2, "strength": 1, "palms_walked": 2}})
    drive(charge(found, "A", "B", "OPEN_PHASE"), {"A.strike": [4, 1, 1, 1], "A.strength": [4]})
    terms = facts(found, "rolled")[0].values["terms"]
    assert ["term.charge", 2, "SPECIAL-11"] in terms
    assert found.state.wrestlers["B"].stamina == 19
    assert found.state.wrestlers["A"].attacked


def test_ruling_95_the_run_up_counts_over_the_fatigue_cap() -> None:
    found = beast({"A": {"strike": 5, "stamina": 10, "palms_walked": 1}})
    drive(charge(found, "A", "B", "OPEN_PHASE"), {"A.strike": [1, 1, 1, 1, 1]})
    assert facts(found, "missed")


def test_special_10_a_charge_is_countered_like_a_strike() -> None:
    found = beast({"A": {"strike": 1, "palms_walked": 1}, "B": {"counter": 1}})
    drive(charge(found, "A", "B", "OPEN_PHASE"), {"A.strike": [4, 1], "B.counter": [5]})
    assert facts(found, "no_effect")


@pytest.mark.parametrize(
    ("walked", "palms"), [(0.0, 0), (16.0, 0), (16.3, 1), (18.0, 1), (34.3, 2), (36.0, 2)]
)
def test_ruling_95_only_whole_palms_count_with_a_tenth_forgiven(walked: float, palms: int) -> None:
    found = beast({"A": {"speed": 2}}, at={"A": figure("A", -30, 0, 0), "B": figure("B", 20, 0, 180)})
    drive(
        move(found, "A", "OPEN_PHASE"), choose=answers("stands", seen={"A": figure("A", -30 + walked, 0, 0)})
    )
    assert found.state.wrestlers["A"].palms_walked == palms


def test_ruling_95_the_half_palm_of_the_turn_is_none() -> None:
    found = beast({"A": {"speed": 3}}, at={"A": figure("A", -30, 0, 0), "B": figure("B", 20, 0, 180)})
    drive(move(found, "A", "OPEN_PHASE"), choose=answers("stands", seen={"A": figure("A", -12, 8.5, 90)}))
    assert found.state.wrestlers["A"].palms_walked == 1


def test_special_11_a_block_looked_at_again_is_not_counted_twice() -> None:
    found = beast({"A": {"speed": 2}}, at={"A": figure("A", -30, 0, 0), "B": figure("B", 20, 0, 180)})
    for x in (-12, 6):
        drive(move(found, "A", "OPEN_PHASE"), choose=answers("stands", seen={"A": figure("A", x, 0, 0)}))
    assert found.state.wrestlers["A"].palms_walked == 2
    close_block(found, "A", final=True)
    assert found.state.wrestlers["A"].palms_walked == 2


def test_special_11_two_blocks_add_up_where_movement_may_be_split() -> None:
    found = beast(
        {"A": {"speed": 2}},
        at={"A": figure("A", -30, 0, 0), "B": figure("B", 20, 0, 180)},
        rulings={"split_move": True},
    )
    for x in (-12, 6):
        drive(move(found, "A", "OPEN_PHASE"), choose=answers("stands", seen={"A": figure("A", x, 0, 0)}))
        close_block(found, "A", final=False)
    assert found.state.wrestlers["A"].palms_walked == 2


def test_special_11_an_unseen_run_up_is_told_by_the_referee() -> None:
    found = beast({"A": {"speed": 2}}, at={})
    found.state.scene.figures.clear()
    drive(move(found, "A", "OPEN_PHASE"), choose=answers("stands", "palms:2"))
    assert found.state.wrestlers["A"].palms_walked == 2


def test_special_12_no_charge_without_a_palm_and_only_for_beasts() -> None:
    found = beast()
    assert [one.rule for one in legality.option(found, "A", "charge:B").reasons] == ["SPECIAL-12"]
    found.state.wrestlers["A"].palms_walked = 1
    assert legality.option(found, "A", "charge:B").legal
    found.state.wrestlers["B"].palms_walked = 1
    assert "BUILD-14" in [one.rule for one in legality.option(found, "B", "charge:A").reasons]


def test_earlier_edition_needs_no_palm_and_hits_one_only() -> None:
    found = against_pair({"A": {"strike": 1}}, book=EARLIER)
    assert legality.option(found, "A", "charge:B").legal
    assert charged(found, "A", "B") == ["B"]


# ---------- against a group


def test_special_13_one_roll_each_member_defends_and_is_hurt_separately() -> None:
    given = {"A": {"strike": 2, "strength": 1, "palms_walked": 1}, "B": {"counter": 2}, "C": {"counter": 1}}
    found = against_pair(given)
    drive(
        charge(found, "A", "B", "OPEN_PHASE"),
        {"A.strike": [4, 5, 1], "B.counter": [6, 4], "C.counter": [3], "A.strength": [5, 6]},
    )
    assert [found.state.wrestlers[one].stamina for one in "ABC"] == [20, 20, 17]
    assert len([one for one in facts(found, "rolled") if one.values["ability"] == "strike"]) == 1


def test_ruling_18_a_charge_is_read_at_four_even_among_a_lock_up() -> None:
    found = against_pair({"A": {"strike": 1, "palms_walked": 1}})
    drive(charge(found, "A", "B", "OPEN_PHASE"), {"A.strike": [3, 3]})
    assert len(facts(found, "missed")) == 2


def test_ruling_95_separate_rolls_are_a_house_rule() -> None:
    found = against_pair(
        {"A": {"strike": 1, "strength": 1, "palms_walked": 1}}, rulings={"charge_rolls": "separate"}
    )
    drive(charge(found, "A", "B", "OPEN_PHASE"), {"A.strike": [[4, 1], [1, 1]], "A.strength": [5]})
    assert [found.state.wrestlers[one].stamina for one in "BC"] == [19, 20]


def test_lock_10_the_rivals_he_has_just_left_are_not_charged() -> None:
    found = against_pair({"A": {"palms_walked": 1}})
    found.state.wrestlers["A"].left = ("C",)
    assert charged(found, "A", "B") == ["B"]
    allowed = against_pair({"A": {"palms_walked": 1}}, rulings={"attack_left_rival": True})
    allowed.state.wrestlers["A"].left = ("C",)
    assert charged(allowed, "A", "B") == ["B", "C"]


def test_counter_10_each_member_who_out_counters_strikes_back() -> None:
    given = {
        "A": {"strike": 1, "palms_walked": 1},
        "B": {"counter": 2, "strength": 1}, "C": {"counter": 2, "strength": 1},
    }  # fmt: skip
    found = against_pair(given)
    drive(
        charge(found, "A", "B", "OPEN_PHASE"),
        {
            "A.strike": [4, 1], "B.counter": [6, 4], "C.counter": [6, 5],
            "B.strength": [4], "C.strength": [5],
        },
    )  # fmt: skip
    assert found.state.wrestlers["A"].stamina == 18


def test_the_charge_offers_no_defence_to_one_whose_back_is_turned() -> None:
    found = beast(
        {"A": {"strike": 1, "strength": 1, "palms_walked": 1}},
        at={"A": figure("A", 0, 0, 0), "B": figure("B", 7, 0, 0)},
    )
    asked: list[Request] = []
    drive(charge(found, "A", "B", "OPEN_PHASE"), {"A.strike": [4, 1], "A.strength": [1]}, asked=asked)
    assert not any("D-06" in one.step for one in asked)


@pytest.mark.parametrize(("rolls", "left"), [("shared", True), ("separate", False)])
def test_ruling_95_who_is_down_after_a_counter_blow_makes_no_further_roll(rolls: str, left: bool) -> None:
    """B strikes back with two sixes on Strength: A lies. A roll he has made already still counts."""
    given = {
        "A": {"strike": 1, "strength": 1, "palms_walked": 1},
        "B": {"counter": 2, "strength": 1},
        "C": {"counter": 0},
    }
    found = against_pair(given, rulings={"charge_rolls": rolls})
    dice: dict[str, Any] = {"A.strike": [4, 1], "B.counter": [6, 6], "B.strength": [6, 6]}
    if left:
        dice["A.strength"] = [4]
    drive(charge(found, "A", "B", "OPEN_PHASE"), dice)
    assert found.state.wrestlers["A"].knocked_down == 1
    assert found.state.wrestlers["C"].stamina == (19 if left else 20)


def test_special_13_a_partner_in_the_melee_is_struck_with_the_others_though_nobody_may_charge_at_him() -> (
    None
):
    """The printed rule strikes everybody; RULING-98 only keeps a partner from being aimed at."""
    given = {"A": {"strike": 1, "strength": 1, "palms_walked": 1}, "B": {"counter": 0}, "C": {"counter": 0}}
    found = against_pair(given, teams={"A": "red", "C": "red"})
    assert "RULING-98" in [one.rule for one in legality.option(found, "A", "charge:C").reasons]
    assert legality.option(found, "A", "charge:B").legal
    drive(charge(found, "A", "B", "OPEN_PHASE"), {"A.strike": [4, 1], "A.strength": [[4], [5]]})
    assert [found.state.wrestlers[one].stamina for one in "BC"] == [19, 19]
