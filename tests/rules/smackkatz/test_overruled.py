"""What the referee's own word leaves behind: nobody in two places, nobody asked who has no turn, one tag."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from datasets.fuzz_invariants import Watch
from rules.engine.match import Match
from rules.engine.request import Rejected
from rules.smackkatz.book import CURRENT
from rules.smackkatz.corrections import FLAGS, NUMBERS
from rules.smackkatz.state import MatchState
from tests.rules.playing import STRONG, figure, roster

Played = Match[MatchState]
TRIANGLE = {"A": figure("A", 0, 0, 0), "B": figure("B", 7, 0, 180), "C": figure("C", 3.5, 6.5, 270)}


def melee(**rulings: Any) -> Played:
    """Three wrestlers in a melee; A has his slot first."""
    match = Match(CURRENT, roster(3, {"A": STRONG}), rulings={"setup_shift_palms": 0, **rulings})
    match.answer(TRIANGLE, "camera")
    match.answer(TRIANGLE, "camera")
    acting(match)
    return match


def acting(match: Played) -> None:
    """On to somebody's slot, A before B before C by their dice; nobody defends himself."""
    faces = {"A": 6, "B": 3, "C": 1}
    while match.request is not None and match.request.text.key != "ask.act":
        if match.request.kind == "roll":
            dice = match.request.dice
            match.answer([faces[one.fighter] for one in dice for _ in range(one.count)], "dice")
        elif match.request.kind == "observe":
            match.answer(match.scene, "camera")
        elif match.request.kind == "place":
            match.answer("as_proposed", "camera")
        else:
            legal = [one.id for one in match.request.options if one.legal]
            match.answer("decline" if "decline" in legal else legal[0], "referee")


def said(match: Played, fighter: str, field: str, value: Any) -> list[str]:
    """The referee sets a field; the kinds of facts that follow."""
    facts = match.answer({"correct": {"fighter": fighter, "field": field, "value": value}}, "referee")
    return [fact.kind for fact in facts]


def let_stand(match: Played, answer: str) -> list[str]:
    """Something illegal stands; the kinds of facts that follow."""
    return [fact.kind for fact in match.answer({"accept": {"answer": answer}}, "referee")]


@pytest.mark.parametrize("field", ["turn_over", "helpless"])
def test_whoever_may_act_no_longer_loses_the_slot_he_was_asked_in(field: str) -> None:
    match = melee()
    assert match.request is not None
    assert match.request.fighter == "A"
    kinds = said(match, "A", field, True)
    assert "broken_off" in kinds
    assert match.request.fighter != "A"
    Watch(match).look(anew=True)


def test_whoever_is_taken_out_in_his_slot_has_no_turn_left() -> None:
    match = melee()
    said(match, "A", "playing", False)
    assert match.state.active != "A"
    assert match.state.wrestlers["A"].out == "referee"


def test_an_attack_on_somebody_in_anothers_hands_takes_him_out_of_them() -> None:
    match = melee()
    hoist(match, "A", "B")
    assert match.state.wrestlers["B"].hoisted_by == "A"
    assert match.request is not None
    assert match.request.fighter == "C"
    kinds = let_stand(match, "suplex:B")
    assert kinds[:2] == ["let_stand", "bonds_ended"]
    assert match.state.wrestlers["A"].hoists is None
    Watch(match).look(anew=True)


def test_a_blow_to_somebody_in_anothers_hands_leaves_what_follows_to_the_rules() -> None:
    match = melee()
    hoist(match, "A", "B")
    kinds = let_stand(match, "strike:B")
    assert "bonds_ended" not in kinds
    assert match.state.wrestlers["A"].hoists == "B"


def test_whoever_did_something_with_both_hands_full_had_let_go() -> None:
    match = melee()
    hoist(match, "A", "B")
    match.answer("pass")
    acting(match)
    assert match.request is not None
    assert match.request.fighter == "A"
    kinds = let_stand(match, "pin:C")
    assert "bonds_ended" in kinds
    assert (match.state.wrestlers["A"].hoists, match.state.wrestlers["B"].hoisted_by) == (None, None)


def hoist(match: Played, holder: str, victim: str) -> None:
    """The holder takes his rival up, to throw him later."""
    match.answer(f"suplex:{victim}")
    acting(match)
    assert match.state.wrestlers[holder].hoists == victim


def test_stamina_is_corrected_within_what_the_house_allows() -> None:
    match = melee(stamina_floor=-10)
    with pytest.raises(Rejected, match="correction_value"):
        said(match, "A", "stamina", -11)
    said(match, "A", "stamina", -10)
    assert match.state.wrestlers["A"].stamina == -10


def test_there_is_one_tag_in_a_team_whatever_is_corrected() -> None:
    entrants = roster(4)
    teams = {"A": "red", "B": "red", "C": "blue", "D": "blue"}
    paired = replace(entrants, entrants=tuple(replace(one, team=teams[one.id]) for one in entrants.entrants))
    match = Match(CURRENT, paired, rulings={"tag_rules": "on"})

    def with_the_tag() -> str:
        return "".join(one.id for one in match.state.wrestlers.values() if one.legal)

    assert with_the_tag() == "AC"
    said(match, "B", "legal", True)
    assert with_the_tag() == "BC"
    said(match, "C", "legal", False)
    assert with_the_tag() == "BD"


def test_whoever_is_corrected_while_lock_ups_are_looked_for_is_locked_up_only_on_his_feet() -> None:
    match = Match(CURRENT, roster(3, {"A": STRONG}), rulings={"setup_shift_palms": 0})
    match.answer({}, "referee")
    match.answer({}, "referee")
    while match.request is not None and match.request.step == "S4 D-28":
        if match.request.text.values["a"] == "B" and match.state.wrestlers["A"].upright:
            said(match, "A", "posture", "lying")
        match.answer("yes", "referee")
    Watch(match).look(anew=True)
    assert match.state.groups == (("B", "C"),)


def test_everything_about_a_wrestler_can_be_set() -> None:
    match = melee()
    offered = [one for one in match.corrections if one.fighter == "A"]
    fields = {one.field for one in offered}
    assert {one for one in fields if not one.startswith("wounds:")} == {
        "stamina", "posture", "zone", "resting", "playing", "sits_out", "lock_up", *FLAGS, *NUMBERS,
        "hand", "hand_sd", "position", "facing",
    }  # fmt: skip
    assert {one for one in fields if one.startswith("wounds:")} == {
        f"wounds:{ability}" for ability in CURRENT.rules.form.abilities
    }
    now = {one.field: one.now for one in offered}
    assert (now["zone"], now["lock_up"], now["posture"]) == ("ring", "A+B+C", "standing")
    assert (now["position"], now["facing"], now["hand"]) == ([0.0, 0.0], 0, [18.0, 9.0])


def test_what_binds_somebody_is_named_and_who_stands_on_a_post_is_bound_too() -> None:
    match = melee()
    hoist(match, "A", "B")
    bonds = {one.fighter: one.now for one in match.corrections if one.field == "bond"}
    assert bonds == {"A": "hoists B", "B": "hoisted_by A"}
    match.state.wrestlers["C"].on_post = 2
    bonds = {one.fighter: one.now for one in match.corrections if one.field == "bond"}
    assert bonds["C"] == "on_post"
    said(match, "C", "bond", "free")
    assert match.state.wrestlers["C"].on_post is None


@pytest.mark.parametrize("posture", ["unconscious", "knocked_down", "lying", "standing"])
def test_the_posture_that_was_set_is_the_one_named(posture: str) -> None:
    match = melee()
    for first in ("lying", "knocked_down", posture):
        if first != now_of(match, "B", "posture"):
            said(match, "B", "posture", first)
    assert now_of(match, "B", "posture") == posture


def now_of(match: Played, fighter: str, field: str) -> Any:
    """What a field of a wrestler is, as the list of what can be set tells it."""
    return next(one.now for one in match.corrections if (one.fighter, one.field) == (fighter, field))


def test_a_roll_for_which_no_die_is_left_is_not_asked_any_more() -> None:
    match = melee(ability_floor=0)
    match.answer("whip:B", "player")
    match.answer("turn:0", "player")
    assert match.request is not None
    assert (match.request.kind, match.request.dice_count) == ("roll", 1)
    assert "broken_off" in said(match, "A", "wounds:irish_whip", 1)
    assert match.state.wrestlers["A"].attacked
    assert match.request.fighter != "A"


def test_melee_03_a_melee_whose_order_is_rolled_again_keeps_the_one_who_may_not_attack() -> None:
    match = melee()
    barred = [one.id for one in match.state.wrestlers.values() if one.cannot_attack]
    assert barred == ["C"]
    said(match, "A", "turn_over", True)
    assert match.request is not None
    assert match.request.kind == "roll"
    assert [one.fighter for one in match.request.dice] == ["A", "B", "C"]
    match.answer([6, 6, 1, 1, 5, 1], "dice")
    assert match.request.fighter == "C"
    assert [one.id for one in match.state.wrestlers.values() if one.cannot_attack] == barred


def test_what_a_roll_adds_to_an_ability_stays_when_it_is_counted_anew() -> None:
    match = melee()
    match.answer("strike:B", "player")
    acting_until_strength(match)
    assert match.request is not None
    (pool,) = match.request.dice
    hits = next(term for term in pool.modifiers if term.text.key == "term.more_hits")
    said(match, "A", "wounds:strength", 1)
    (anew,) = match.request.dice
    assert hits in anew.modifiers
    assert anew.count == pool.count - 1
    assert sum(term.value for term in anew.modifiers) == anew.count


def acting_until_strength(match: Played) -> None:
    """The strike hits as often as it can, and nobody defends."""
    while match.request is not None and match.request.text.key != "ask.strength":
        if match.request.kind == "roll":
            match.answer([6] * match.request.dice_count, "dice")
        else:
            match.answer("decline", "player")


def test_a_choice_that_has_nothing_legal_left_is_not_asked_any_more() -> None:
    match = melee()
    match.answer("strike:B", "player")
    while match.request is not None and "D-06" not in match.request.step:
        match.answer([6] * match.request.dice_count, "dice")
    assert match.request is not None
    assert match.request.option("counter") is not None
    assert "broken_off" in said(match, "B", "posture", "unconscious")


def test_a_placement_against_the_rules_may_stand_and_nobody_lets_go_for_it() -> None:
    match = melee()
    said(match, "C", "posture", "lying")
    match.answer("pin:C", "player")
    assert match.request is not None
    assert match.request.text.key == "ask.place_pin"
    far = figure("A", -20, -20, 0)
    with pytest.raises(Rejected, match="not_touching"):
        match.answer(far, "camera")
    facts = match.answer({"accept": {"answer": far}}, "referee")
    assert facts[0].rules == ("LOG-02", "RULING-81")
    assert (match.state.wrestlers["A"].pins, match.scene.figures["A"].x) == ("C", -20)


@pytest.mark.parametrize(
    ("field", "value", "goes_on"), [("lock_up", "free", True), ("posture", "lying", False)]
)
def test_whoever_is_asked_what_he_does_is_asked_it_still_while_he_can_act(
    field: str, value: str, goes_on: bool
) -> None:
    match = melee()
    kinds = said(match, "A", field, value)
    assert match.request is not None
    assert ("broken_off" not in kinds) == goes_on
    assert (match.request.fighter == "A" and match.request.text.key == "ask.act") == goes_on
    if goes_on:
        move = match.request.option("move")
        assert move is not None
        assert move.legal
        assert "lock_up" not in {one.field for one in match.corrections if one.fighter == "A"}


def test_whoever_was_really_on_the_other_side_of_the_ropes_holds_nobody_up_any_more() -> None:
    match = melee()
    hoist(match, "A", "B")
    assert "bonds_ended" in said(match, "B", "zone", "ringside")
    b = match.state.wrestlers["B"]
    assert (b.at_ringside, b.hoisted_by, match.state.wrestlers["A"].hoists) == (True, None, None)
    Watch(match).look(anew=True)
