"""What the referee's own word leaves behind: nobody in two places, nobody asked who has no turn, one tag."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from datasets.fuzz_invariants import Watch
from rules.engine.match import Match
from rules.engine.request import Rejected
from rules.smackkatz.book import CURRENT
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
