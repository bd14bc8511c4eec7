"""Fouls: the warning before the roll, the referee's word, what a DQ means, the hold at the ropes."""

from __future__ import annotations

from typing import Any

import pytest

from overlay import i18n
from rules.engine.request import REFEREE, Request
from rules.geometry import outline_shape
from rules.smackkatz.attacks.submission import grab, upkeep
from rules.smackkatz.modes.fouls import foul_in, weapon_options
from rules.smackkatz.turn.activation import activate
from tests.rules.playing import figure
from tests.rules.smackkatz.harness import at_gap_to_far_ropes, drive, facts, pair, table


def out_cold(names: str = "ABC", **settings: Any) -> Any:
    """B lies unconscious next to A."""
    return table(names, {"B": {"unconscious": True}}, at=pair(), **settings)


def saying(*answers: str) -> Any:
    left = iter(answers)

    def choose(request: Request) -> Any:
        return {} if request.kind == "observe" else next(left)

    return choose


def slot(found: Any, *answers: str) -> list[Request]:
    """A's slot, answered so; gives what was asked."""
    asked: list[Request] = []
    drive(activate(found, "A", "OPEN_PHASE"), {}, saying(*answers), asked)
    return asked


def test_foul_01_the_player_is_warned_and_may_withdraw() -> None:
    found = out_cold()
    asked = slot(found, "hit_downed:B", "withdraw", "pass")
    assert ["D-22" in one.step for one in asked] == [False, True, False]
    assert not found.state.wrestlers["A"].attacked
    option = asked[-1].option("hit_downed:B")
    assert option is not None
    assert "FOUL-05" in [one.rule for one in option.reasons]


def test_win_02_the_referee_confirms_and_with_more_than_two_the_offender_is_out() -> None:
    found = out_cold()
    asked = slot(found, "hit_downed:B", "insist", "confirm")
    assert [one.who for one in asked] == ["a", "a", REFEREE]
    assert found.state.wrestlers["A"].out == "disqualification"
    assert found.state.outcome is None
    assert found.state.wrestlers["B"].stamina == 20


def test_win_02_between_two_sides_the_victim_wins() -> None:
    found = out_cold("AB")
    slot(found, "hit_downed:B", "insist", "confirm")
    assert found.state.outcome is not None
    assert (found.state.outcome.ending, found.state.outcome.winners) == ("disqualification", ("B",))


def test_ruling_83_by_house_rule_the_victim_wins_among_more() -> None:
    found = out_cold(rulings={"dq_multi": "victim_wins"})
    slot(found, "hit_downed:B", "insist", "confirm")
    assert found.state.outcome is not None
    assert found.state.outcome.winners == ("B",)


def test_ruling_83_a_foul_the_referee_did_not_see_is_an_attack_like_others() -> None:
    found = out_cold()
    slot(found, "hit_downed:B", "insist", "dismiss", "pass")
    assert found.state.wrestlers["A"].attacked
    assert found.state.wrestlers["A"].playing
    assert facts(found, "foul_dismissed")
    assert found.state.wrestlers["B"].stamina == 18


def test_foul_05_without_disqualification_there_is_no_foul() -> None:
    found = out_cold(rulings={"disqualification": "off"})
    assert foul_in(found, "A", "B") is None
    asked = slot(found, "hit_downed:B", "pass")
    assert not any("D-22" in one.step for one in asked)
    assert found.state.wrestlers["B"].stamina == 18


def test_status_06_a_pin_is_no_attack_and_no_foul() -> None:
    found = out_cold()
    asked = slot(found, "pin:B")
    assert not any("D-22" in one.step for one in asked)
    assert found.state.wrestlers["B"].pinned_by == "A"


def test_foul_02_whoever_lacks_the_tag_commits_a_foul_by_attacking() -> None:
    found = table("ABC", {"A": {"legal": False}}, at=pair())
    assert foul_in(found, "A", "B") == "no_tag"
    slot(found, "strike:B", "insist", "confirm")
    assert facts(found, "foul")[0].rules[0] == "FOUL-02"


def test_foul_04_weapons_are_a_house_rule() -> None:
    assert weapon_options(table("ABC", at=pair()), "A") == ()
    found = table("ABC", at=pair(), rulings={"weapons_foul": True})
    assert [one.id for one in weapon_options(found, "A")] == ["weapon:B"]
    slot(found, "weapon:B", "insist", "confirm")
    assert facts(found, "foul")[0].rules[0] == "FOUL-04"


def test_turn_04_nobody_commits_a_foul_with_an_attack_he_no_longer_has() -> None:
    found = table("ABC", {"A": {"attacked": True}}, at=pair(), rulings={"weapons_foul": True})
    assert weapon_options(found, "A") == ()


# ---------- the hold at the ropes (RULING-66)


def held(rope_break: str, gap: float, **given: Any) -> Any:
    """A keeps B in a hold since last turn, B so far from the far ropes."""
    b = at_gap_to_far_ropes("B", gap)
    found = table(
        "ABC", {"A": {"submission": 1} | given.get("A", {}), "B": given.get("B", {})},
        at={"A": figure("A", b.x - 7, b.y), "B": b}, rulings={"rope_break": rope_break},
    )  # fmt: skip
    found.record("hold_began", "SUBM-04", fighter="A", target="B", turns=1, lying=True)
    found.state.turn, found.state.phase = 2, "LYING_PHASE"
    return found


@pytest.mark.parametrize("kind", ["release", "release_and_dq"])
def test_subm_14_at_the_ropes_the_holder_must_let_go(kind: str) -> None:
    found = held(kind, 1.0)
    drive(upkeep(found, "LYING_PHASE"), {}, saying(*(["withdraw"] if kind != "release" else [])))
    assert facts(found, "hold_ended")[0].rules == ("SUBM-14",)
    assert found.state.wrestlers["B"].freed


def test_ruling_66_by_default_the_ropes_are_no_help() -> None:
    found = held("off", 1.0)
    drive(upkeep(found, "LYING_PHASE"), {"A.submission": [4], "B.d10": [9]}, saying("keep_hold"))
    assert found.state.wrestlers["A"].holds == "B"


def test_subm_13_the_victim_crawls_one_palm_of_his_own_hand_and_drags_the_holder() -> None:
    found = held("release", 30.0)
    before = {name: found.state.scene.figures[name] for name in "AB"}
    drive(upkeep(found, "LYING_PHASE"), {"A.submission": [4], "B.d10": [9]}, saying("crawl", "keep_hold"))
    for name, was in before.items():
        assert abs(found.state.scene.figures[name].y - was.y - 18.0) < 0.1
    assert found.state.wrestlers["A"].hold_turns == 2


def test_subm_13_a_crawl_that_reaches_the_ropes_frees_at_once() -> None:
    found = held("release", 12.0)
    drive(upkeep(found, "LYING_PHASE"), {}, saying("crawl"))
    assert found.state.wrestlers["B"].held_by is None


def test_foul_03_the_second_turn_running_at_the_ropes_is_a_dq() -> None:
    found = held("release_and_dq", 1.0)
    found.state.wrestlers["A"].hold_at_ropes = 1
    drive(upkeep(found, "LYING_PHASE"), {}, saying("insist", "confirm"))
    assert facts(found, "foul")[0].rules[0] == "FOUL-03"
    assert found.state.wrestlers["A"].out == "disqualification"
    assert found.state.wrestlers["B"].held_by is None
    assert found.state.late == ("B",)


def test_foul_03_one_turn_at_the_ropes_is_tolerated() -> None:
    found = held("release_and_dq", 1.0)
    dice = {"A.submission": [4], "B.d10": [9]}
    drive(upkeep(found, "LYING_PHASE"), dice, saying("insist", "keep_hold"))
    assert found.state.wrestlers["A"].hold_at_ropes == 1
    assert found.state.wrestlers["A"].holds == "B"


def test_foul_03_a_grab_at_the_ropes_is_the_first_of_the_two_turns() -> None:
    b = at_gap_to_far_ropes("B", 1.0)
    found = table(
        "ABC", at={"A": figure("A", b.x - 7, b.y), "B": b}, rulings={"rope_break": "release_and_dq"}
    )
    drive(grab(found, "A", "B", 0, "OPEN_PHASE"), {"B.d10": [9]})
    assert found.state.wrestlers["A"].hold_at_ropes == 1


def test_a_foul_is_told_in_words() -> None:
    found = out_cold()
    slot(found, "hit_downed:B", "insist", "confirm")
    told = i18n.translate(facts(found, "foul")[0].text, "en")
    assert told == "Foul by A against B: attack on a wrestler who is out cold."


def test_win_02_a_disqualification_is_told_with_its_foul_and_its_victim() -> None:
    found = out_cold()
    slot(found, "hit_downed:B", "insist", "confirm")
    (told,) = facts(found, "disqualified")
    assert (told.fighter, told.values["victim"], told.rules) == ("A", "B", ("FOUL-01", "WIN-02"))


def test_subm_14_whoever_is_dragged_off_the_ropes_begins_to_count_anew() -> None:
    found = held("release_and_dq", 30.0)
    found.state.wrestlers["A"].hold_at_ropes = 1
    drive(upkeep(found, "LYING_PHASE"), {"A.submission": [4], "B.d10": [9]}, saying("stay", "keep_hold"))
    assert found.state.wrestlers["A"].hold_at_ropes == 0
    assert facts(found, "held_at_ropes")[-1].values["turns"] == 0


def test_foul_03_at_ringside_no_grab_counts_as_one_at_the_ropes() -> None:
    given: dict[str, Any] = {"A": {"at_ringside": True}, "B": {"at_ringside": True}}
    at = {"A": figure("A", 0, 45), "B": figure("B", 0, 38.5)}
    rulings = {"submission_at_ringside": True, "rope_break": "release_and_dq"}
    found = table("ABC", given, at=at, rulings=rulings)
    drive(grab(found, "A", "B", 0, "OPEN_PHASE"), {"B.d10": [9]})
    assert (found.state.wrestlers["A"].holds, found.state.wrestlers["A"].hold_at_ropes) == ("B", 0)


@pytest.mark.parametrize(("dx", "dy"), [(-7.0, 0.0), (-2.0, 6.5)])
def test_subm_13_a_holder_nearer_to_the_ropes_is_not_dragged_through_them(dx: float, dy: float) -> None:
    found = held("release", 12.0)
    b = found.state.scene.figures["B"]
    found.state.scene.figures["A"] = figure("A", b.x + dx, b.y + dy)
    asked: list[Request] = []
    drive(upkeep(found, "LYING_PHASE"), {}, saying("crawl"), asked)
    for name in "AB":
        top = max(y for _, y in found.state.scene.figures[name].outline)
        assert 34.5 < top <= 35.0 + 0.1
    check = next(one for one in asked if one.kind == "place" and one.fighter == "A").check
    assert check is not None
    victim = found.state.scene.figures["B"]
    assert not check(figure("A", victim.x + 7, victim.y))
    assert [one.code for one in check(figure("A", victim.x + 12, victim.y))] == ["not_beside"]


def test_subm_13_a_holder_is_not_dragged_onto_somebody_else() -> None:
    found = held("release", 12.0)
    b = found.state.scene.figures["B"]
    found.state.scene.figures["C"] = figure("C", b.x - 7, b.y + 12)
    drive(upkeep(found, "LYING_PHASE"), {}, saying("crawl"))
    dragged, other, victim = (outline_shape(found.state.scene.figures[name]) for name in "ACB")
    assert not dragged.intersects(other)
    assert dragged.distance(victim) < 1.0
