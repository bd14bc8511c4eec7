"""The referee's own word: fields corrected, illegal acts that stand, one entry taken back."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from rules.engine.diverged import Diverged
from rules.engine.facts import Fact
from rules.engine.match import Match
from rules.engine.overrule import Correction
from rules.engine.request import Rejected
from rules.roster import Roster
from rules.scene import Hand
from rules.smackkatz.book import CURRENT
from rules.smackkatz.movement.moving import hand_of
from rules.smackkatz.state import MatchState
from tests.rules.playing import STRONG, figure, play, random_answer, roster

Played = Match[MatchState]


def correct(match: Played, fighter: str, field: str, value: Any, reason: str = "") -> Any:
    """The referee sets a field."""
    said = {"fighter": fighter, "field": field, "value": value, "reason": reason}
    return match.answer({"correct": said}, "referee")


def fresh(**settings: Any) -> Played:
    """Two wrestlers in a lock-up, asked for the Combat dice of their first turn."""
    match = Match(CURRENT, roster(2), rulings={"setup_shift_palms": 0}, **settings)
    near = {"A": figure("A", 0, 0, 0), "B": figure("B", 7, 0, 180)}
    match.answer(near, "camera")
    match.answer(near, "camera")
    return match


def until(match: Played, wanted: Callable[[Played], bool], seed: int = 0) -> Played:
    """Play at random until something is asked."""
    rng = random.Random(seed)
    for _ in range(400):
        if wanted(match):
            return match
        match.answer(random_answer(match, rng))
    raise AssertionError("it was never asked")


def test_a_correction_is_the_referees_and_says_why() -> None:
    match = fresh()
    facts = correct(match, "A", "stamina", 7, "two hits were forgotten")
    assert match.state.wrestlers["A"].stamina == 7
    entry = match.log.entries[-1]
    assert (entry.origin, entry.overrules) == ("referee", True)
    assert entry.raw["correct"]["reason"] == "two hits were forgotten"
    assert [fact.kind for fact in facts] == ["corrected"]
    assert facts[0].values["was"] == 20


def test_dice_already_asked_for_are_counted_anew() -> None:
    match = fresh()
    assert match.request is not None
    assert match.request.kind == "roll"
    before = {pool.fighter: pool.count for pool in match.request.dice}
    correct(match, "A", "wounds:combat", 1)
    after = {pool.fighter: pool.count for pool in match.request.dice}
    assert after == before | {"A": before["A"] - 1}
    match.answer([1] * match.request.dice_count, "dice")


def test_an_exchange_is_left_when_who_stands_changes_and_the_turn_goes_on() -> None:
    match = until(fresh(), lambda m: m.request is not None and "D-06" in m.request.step)
    assert match.request is not None
    defender, attacker = match.request.fighter, match.state.active
    turn = match.state.turn
    facts = correct(match, str(defender), "posture", "unconscious")
    assert "broken_off" in [fact.kind for fact in facts]
    assert match.state.turn == turn
    assert match.state.wrestlers[str(defender)].unconscious
    assert match.state.wrestlers[str(attacker)].attacked
    assert Match.replay(match.log, CURRENT).log_lines() == match.log_lines()


def test_options_follow_a_correction_of_the_place() -> None:
    match = until(
        fresh(), lambda m: m.request is not None and "D-04" in m.request.step and m.request.kind == "choose"
    )
    assert match.request is not None
    rival = "B" if match.request.fighter == "A" else "A"
    correct(match, rival, "position", [30.0, 30.0])
    option = match.request.option(f"strike:{rival}")
    assert option is not None
    assert "not_adjacent" in [reason.code for reason in option.reasons]


def test_taking_the_last_rival_out_ends_the_match() -> None:
    match = fresh()
    correct(match, "B", "playing", False, "left the building")
    assert match.outcome is not None
    assert match.outcome.winners == ("A",)
    match.undo()
    assert match.outcome is None


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"fighter": "A", "field": "stamina", "value": "much"}, "correction_value"),
        ({"fighter": "A", "field": "stamina", "value": True}, "correction_value"),
        ({"fighter": "A", "field": "stamina", "value": 1000}, "correction_value"),
        ({"fighter": "A", "field": "posture", "value": "flying"}, "correction_value"),
        ({"fighter": "A", "field": "position", "value": [1, float("nan")]}, "correction_value"),
        ({"fighter": "A", "field": "position", "value": [1e308, 0]}, "correction_value"),
        ({"fighter": "A", "field": "hand", "value": [20.5, 0.0]}, "correction_value"),
        ({"fighter": "A", "field": "hand_sd", "value": [-0.1, 0.1]}, "correction_value"),
        ({"fighter": "A", "field": "posture", "value": "standing"}, "nothing_to_correct"),
        ({"fighter": "A", "field": "legal", "value": False}, "no_such_correction"),
        ({"fighter": "A", "field": "hair", "value": 1}, "no_such_correction"),
        ({"fighter": "A", "field": ["stamina"], "value": 1}, "no_such_correction"),
        ({"fighter": "X", "field": "stamina", "value": 1}, "unknown_figure"),
        ({"fighter": "A", "field": "stamina", "value": 1, "reason": 5}, "reason_text"),
        ("stamina", "not_a_correction"),
    ],
)
def test_an_impossible_correction_is_refused(said: Any, code: str) -> None:
    match = fresh()
    lines = match.log_lines()
    with pytest.raises(Rejected) as refusal:
        match.answer({"correct": said}, "referee")
    assert [reason.code for reason in refusal.value.reasons] == [code]
    assert match.log_lines() == lines


def test_only_the_referee_corrects() -> None:
    match = fresh()
    for origin in ("player", "clock", "dice"):
        with pytest.raises(Rejected, match="only_referee"):
            match.answer({"correct": {"fighter": "A", "field": "stamina", "value": 1}}, origin)  # type: ignore[arg-type]


def test_every_field_can_be_set_to_every_value_it_offers_and_back() -> None:
    match = play(4, 4, 90)
    assert match.request is not None
    for wanted in match.corrections:
        for value in values_of(wanted):
            if wanted.structural and value == wanted.now:
                continue
            before = match.state.to_json()
            correct(match, wanted.fighter, wanted.field, value)
            match.undo()
            assert match.state.to_json() == before


def test_a_hand_that_is_measured_anew_counts_for_everybody_of_its_player_from_then_on() -> None:
    entrants = roster(3).entrants
    both = Roster((entrants[0], replace(entrants[1], player=entrants[0].player), entrants[2]), roster(3).ring)
    match = Match(CURRENT, both)
    before = dict(match.state.scene.hands)
    facts = correct(match, "B", "hand", [before["B"].palm + 2.0, 9.5], "measured again")
    correct(match, "B", "hand_sd", [0.3, 0.4])
    assert [(fact.kind, fact.fighter) for fact in facts] == [("corrected", "A"), ("corrected", "B")]
    hands = match.state.scene.hands
    assert hands["A"] == hands["B"] == Hand(before["B"].palm + 2.0, 9.5, 0.3, 0.4)
    assert hands["C"] == before["C"]
    assert hand_of(match.table, "A") == hands["A"], "moves are measured with it"
    again = Match.replay(match.log_lines(), CURRENT)
    assert again.state.scene.hands == hands
    match.undo()
    match.undo()
    assert match.state.scene.hands == before


def values_of(field: Correction) -> list[Any]:
    """A few values a field takes."""
    taken: dict[str, list[Any]] = {
        "number": [field.low, field.high],
        "flag": [True, False],
        "choice": list(field.values),
        "point": [[1.0, -2.0]] if field.least < -2.0 else [[field.least + 20.0, field.least]],
    }
    return taken[field.kind]


def test_an_illegal_act_that_stood_is_recorded_as_such_and_played() -> None:
    match = until(
        fresh(), lambda m: m.request is not None and "D-04" in m.request.step and m.request.kind == "choose"
    )
    assert match.request is not None
    fighter = str(match.request.fighter)
    rival = "B" if fighter == "A" else "A"
    correct(match, rival, "position", [30.0, 30.0])
    with pytest.raises(Rejected):
        match.answer(f"strike:{rival}")
    facts = match.answer({"accept": {"answer": f"strike:{rival}", "reason": "nobody saw it in time"}})
    stands = next(fact for fact in facts if fact.kind == "let_stand")
    assert "not_adjacent" in stands.values["against"]
    assert "ATK-02" in stands.rules
    assert match.state.wrestlers[fighter].attacked
    assert match.request.kind == "roll"
    assert Match.replay(match.log, CURRENT).state == match.state


def test_what_nothing_speaks_against_is_an_ordinary_answer() -> None:
    match = fresh()
    assert match.request is not None
    with pytest.raises(Rejected, match="nothing_to_accept"):
        match.answer({"accept": {"answer": [1] * match.request.dice_count}})


def test_one_entry_is_taken_back_and_the_later_ones_kept() -> None:
    match = fresh()
    correct(match, "A", "stamina", 3)
    number = len(match.log.entries) - 1
    rng = random.Random(1)
    for _ in range(6):
        match.answer(random_answer(match, rng))
    later = [entry.raw for entry in match.log.entries[number + 1 :]]
    assert match.take_back(number) == ()
    assert [entry.raw for entry in match.log.entries[number:]] == later
    assert [entry.n for entry in match.log.entries] == list(range(len(match.log.entries)))
    assert Match.replay(match.log, CURRENT).state == match.state


def test_an_answer_is_replaced_and_the_later_ones_kept() -> None:
    match = fresh()
    assert match.request is not None
    number = len(match.log.entries)
    match.answer([6, 6, 1, 1], "dice")
    first = match.request.fighter
    match.answer("pass")
    match.replace(number, [6, 5, 2, 1], "dice")
    assert match.log.entries[number].raw == [6, 5, 2, 1]
    assert (len(match.log.entries), first) == (number + 2, "A")


def test_where_the_log_no_longer_fits_is_said_and_nothing_has_changed() -> None:
    match = fresh()
    number = len(match.log.entries)
    match.answer([6, 6, 1, 1], "dice")
    match.answer("pass")
    lines, state = match.log_lines(), json.dumps(match.state.to_json())
    with pytest.raises(Diverged) as stopped:
        match.replace(number, [1, 1, 6, 6], "dice")
    assert stopped.value.at == number + 1
    assert "from A" in str(stopped.value)
    assert (match.log_lines(), json.dumps(match.state.to_json())) == (lines, state)
    lost = match.replace(number, [1, 1, 6, 6], "dice", partly=True)
    assert [entry.n for entry in lost] == [number + 1]
    assert match.request is not None
    assert match.request.fighter == "B"


def test_taking_back_an_entry_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="no entry 99"):
        fresh().take_back(99)


@pytest.mark.parametrize("seed", range(4))
def test_a_match_overruled_at_random_stays_sound_and_replays(seed: int) -> None:
    rng = random.Random(seed)
    match = Match(CURRENT, roster(3 + seed % 2, {"A": STRONG}))
    for _ in range(150):
        if match.request is None:
            break
        before = match.log_lines()
        try:
            overrule_at_random(match, rng)
        except (Rejected, Diverged):
            assert match.log_lines() == before
    again = Match.replay(match.log_lines(), CURRENT)
    assert again.state.to_json() == match.state.to_json()


def overrule_at_random(match: Played, rng: random.Random) -> None:
    """Now and then something out of order, else an ordinary answer."""
    assert match.request is not None
    illegal = [option.id for option in match.request.options if not option.legal]
    chance = rng.random()
    if chance < 0.2:
        field = rng.choice(match.corrections)
        correct(match, field.fighter, field.field, rng.choice(values_of(field)))
    elif chance < 0.3 and illegal:
        match.answer({"accept": {"answer": rng.choice(illegal)}})
    elif chance < 0.35 and match.log.entries:
        match.take_back(rng.randrange(len(match.log.entries)), partly=rng.random() < 0.3)
    else:
        match.answer(random_answer(match, rng))


def test_what_goes_wrong_while_an_answer_is_carried_out_leaves_the_match_as_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = fresh()
    assert match.request is not None
    lines, dice = match.log_lines(), [1] * match.request.dice_count
    sound, failures = MatchState.apply, iter([True])

    def fail_once(state: MatchState, fact: Fact) -> None:
        if next(failures, False):
            raise ZeroDivisionError
        sound(state, fact)

    monkeypatch.setattr(MatchState, "apply", fail_once)
    with pytest.raises(ZeroDivisionError):
        match.answer(dice, "dice")
    assert match.log_lines() == lines
    match.answer(dice, "dice")
