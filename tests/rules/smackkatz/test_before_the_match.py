"""Ring, plasticine, class and sheet: what is checked or said before the first turn (catalogue 2.1 to 2.3)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.engine.match import Match
from rules.smackkatz.attacks.defence import rolled
from rules.smackkatz.book import CURRENT, EARLIER
from rules.smackkatz.legality.options import option, options
from rules.smackkatz.modes.entry import RosterError
from rules.smackkatz.sheet import FIGHTING, MAIN, SheetError, read_sheet, sheet_problems
from rules.smackkatz.turn.resting import rest_options
from rules.smackkatz.weigh_in import reminders
from tests.rules.playing import RING, SHEET, figure, roster
from tests.rules.smackkatz.harness import drive, facts, pair, table

RULINGS = CURRENT.catalogue.resolve()


@pytest.mark.parametrize(
    ("rule", "key"),
    [
        ("ARENA-02", "arena"), ("ARENA-04", "arena"), ("ARENA-07", "arena"), ("BUILD-03", "time"),
        ("BUILD-05", "clay"), ("BUILD-06", "time"), ("BUILD-07", "shape"), ("BUILD-08", "class"),
        ("BUILD-12", "class"), ("BUILD-13", "class"), ("BUILD-15", "class"), ("BUILD-16", "sheet"),
    ],
)  # fmt: skip
def test_the_weigh_in_reminds_of_the_rule(rule: str, key: str) -> None:
    (said,) = [text for text, rules in reminders() if rule in rules]
    assert said.key == f"weigh_in.{key}"


@pytest.mark.parametrize(
    ("kind", "rule"), [("humanoid", "BUILD-09"), ("beast", "BUILD-10"), ("absurd", "BUILD-11")]
)
def test_each_of_the_three_classes_is_accepted(kind: str, rule: str) -> None:
    found = roster(2)
    named = replace(found, entrants=(replace(found.entrants[0], kind=kind), found.entrants[1]))
    assert Match(CURRENT, named).log.header.roster["A"].kind == kind, rule


def test_build_08_and_ruling_6_a_class_nobody_gave_is_not_guessed() -> None:
    found = roster(2)
    nameless = replace(found, entrants=(replace(found.entrants[0], kind=""), found.entrants[1]))
    with pytest.raises(RosterError, match=r"unknown class ''; choose humanoid, beast, absurd \(BUILD-08\)"):
        Match(CURRENT, nameless)


def test_build_12_13_15_and_special_01_each_class_has_its_own_special() -> None:
    corner = {"A": figure("A", -31.5, 31.5, 0), "B": figure("B", -24.5, 31.5, 180)}
    for kind, specials in (("humanoid", {"climb_post"}), ("beast", {"charge"}), ("absurd", {"taunt"})):
        found = table("AB", {"A": {"palms_walked": 1}}, at=corner, classes={"A": kind})
        legal = {one.id.partition(":")[0] for one in options(found, "A") if one.legal}
        legal |= {one.id.partition(":")[0] for one in rest_options(found) if one.legal and one.target == "A"}
        assert legal & {"climb_post", "charge", "taunt"} == specials


def test_build_13_a_beast_may_not_climb() -> None:
    found = table("AB", at={"A": figure("A", -31.5, 31.5, 0)}, classes={"A": "beast"})
    assert "BUILD-13" in [one.rule for one in option(found, "A", "climb_post").reasons]


def test_sheet_01_class_and_player_are_the_rosters_and_the_sheet_is_the_wrestlers() -> None:
    match = Match(CURRENT, roster(2))
    entrant = match.log.header.roster["A"]
    assert (entrant.name, entrant.kind, entrant.player) == ("Luchador A", "humanoid", "a")
    assert match.state.wrestlers["A"].sheet.scores == SHEET


def test_sheet_03_and_11_the_ten_abilities_and_no_others() -> None:
    assert MAIN == ("combat", "speed", "strength", "technique", "resistance")
    assert FIGHTING == ("strike", "irish_whip", "suplex", "submission", "counter")
    for ability in (*MAIN, *FIGHTING):
        missing = {name: points for name, points in SHEET.items() if name != ability}
        assert [one.code for one in sheet_problems(missing, RULINGS)] == ["missing_ability"]
    assert [one.code for one in sheet_problems(SHEET | {"charisma": 1}, RULINGS)] == ["unknown_key"]


@pytest.mark.parametrize(
    ("ability", "rule"), [("combat", "SHEET-04"), ("speed", "SHEET-05"), ("strength", "SHEET-06")]
)
@pytest.mark.parametrize("least", ["all_1", "only_listed"])
def test_abilities_with_a_minimum_of_their_own_keep_it(ability: str, rule: str, least: str) -> None:
    rulings = CURRENT.catalogue.resolve({"ability_minimum": least})
    sheet = SHEET | {ability: 0, "resistance": 4}
    assert [one.code for one in sheet_problems(sheet, rulings)] == ["ability_too_low"], rule


@pytest.mark.parametrize(("least", "codes"), [("all_1", ["ability_too_low"]), ("only_listed", [])])
def test_ruling_4_whether_technique_may_be_nothing(least: str, codes: list[str]) -> None:
    rulings = CURRENT.catalogue.resolve({"ability_minimum": least})
    assert [one.code for one in sheet_problems(SHEET | {"technique": 0, "combat": 4}, rulings)] == codes


def test_ruling_4_all_ten_points_are_spent() -> None:
    assert [one.code for one in sheet_problems(SHEET | {"combat": 1}, RULINGS)] == ["points"]


def test_sheet_07_and_16_technique_answers_whip_and_hold_counter_strike_and_suplex() -> None:
    found = table()
    against = CURRENT.rules.defences.against
    assert {ability: rolled(found, defence, ability) for ability, defence in against.items()} == {
        "irish_whip": "technique", "submission": "technique", "strike": "counter", "suplex": "counter",
    }  # fmt: skip


def test_sheet_08_resistance_helps_to_kick_out_and_to_wake() -> None:
    from rules.smackkatz.attacks.pin import pin
    from rules.smackkatz.turn.waking import wake_ups

    for resistance, free in ((1, False), (3, True)):
        given: dict[str, Any] = {"B": {"stamina": -5, "resistance": resistance, "lying": True}}
        found = table("AB", given, at=pair())
        drive(pin(found, "A", "B", "OPEN_PHASE"), {"B.d10": [3]}, lambda request: "stay")
        assert bool(facts(found, "kicked_out")) == free
        asleep = table("AB", {"B": {"unconscious": True, "stamina": -11, "resistance": resistance}})
        drive(wake_ups(asleep), {"B.d10": [6]})
        assert bool(facts(asleep, "woke")) == free


def test_sheet_09_only_the_earlier_sheet_has_spirit() -> None:
    assert "spirit" in EARLIER.rules.form.main
    assert "spirit" not in CURRENT.rules.form.abilities
    with pytest.raises(SheetError, match="spirit"):
        read_sheet("A", SHEET | {"spirit": 2}, RULINGS)


@pytest.mark.parametrize(
    ("ability", "action", "rule"),
    [
        ("strike", "strike:B", "SHEET-12"), ("irish_whip", "whip:B", "SHEET-13"),
        ("suplex", "suplex:B", "SHEET-14"), ("submission", "submission:B", "SHEET-15"),
    ],
)  # fmt: skip
def test_each_attack_is_on_an_adjacent_rival_and_rolls_its_ability(
    ability: str, action: str, rule: str
) -> None:
    from rules.smackkatz.turn.actions import ACTIONS

    near, far = table("AB", {"A": {ability: 3}}, at=pair()), table("AB", {"A": {ability: 3}})
    assert option(near, "A", action).legal, rule
    assert "ATK-02" in [one.rule for one in option(far, "A", action).reasons]
    procedure = ACTIONS[action.partition(":")[0]](near, "A", "B", "OPEN_PHASE")
    request = next(procedure)
    while request.kind != "roll":
        request = procedure.send(request.options[0].id)
    assert (request.dice[0].ability, request.dice[0].count) == (ability, 3)


def test_sheet_19_the_finisher_bears_the_name_the_player_gave_it() -> None:
    sheet = read_sheet("A", SHEET | {"finisher": "La Tapatía"}, RULINGS)
    assert sheet.finisher == "La Tapatía"


@pytest.mark.parametrize("bonus", [1, 2])
def test_ruling_96_a_title_raises_an_ability_of_ones_choice_beyond_the_ceiling(bonus: int) -> None:
    rulings = CURRENT.catalogue.resolve({"title_bonus": bonus})
    titles = [{"title": "Gold", "ability": "strike"}, {"title": "Tag", "ability": "strike"}]
    sheet = read_sheet("A", SHEET | {"strike": 4, "counter": 2, "titles": titles}, rulings)
    assert sheet.scores["strike"] == 4 + 2 * bonus
    wrong = SHEET | {"titles": [{"title": "Gold", "ability": "charisma"}]}
    assert [one.rule for one in sheet_problems(wrong, rulings)] == ["RULING-96"]


def test_arena_01_a_bar_for_each_and_dice_of_six_and_ten_are_all_a_match_asks_for() -> None:
    from datasets.fuzz_match import FuzzSparring, drawn

    sparring = FuzzSparring(drawn("current", "wrestling_match", 0, 5))
    sides = set()
    while (request := sparring.match.request) is not None:
        sides |= {pool.faces for pool in request.dice}
        sparring.step()
    assert sides == {6, 10}
    assert RING.width > 0
