"""What a match leaves on the sheets for the next one (catalogue 8.3)."""

from __future__ import annotations

import pytest

from rules.smackkatz.book import EARLIER
from rules.smackkatz.earlier.sheet import EARLIER_FORM
from rules.smackkatz.modes.league import league
from rules.smackkatz.modes.sides import win
from rules.smackkatz.sheet import SheetError, read_sheet
from tests.rules.playing import SHEET
from tests.rules.smackkatz.harness import table

EARLIER_SHEET = {("spirit" if one == "technique" else one): points for one, points in SHEET.items()}


def test_status_63_an_injury_is_carried_and_a_wound_is_not() -> None:
    found = table("AB", {"A": {"wounds": {"strike": 2, "speed": 1, "counter": 3}}})
    win(found, "B", "pin", "MODE-03")
    kept = league(found)
    assert kept is not None
    assert kept.sheets == {
        "A": {"edition": "current", "carry_malus": {"strike": -1, "counter": -1}},
        "B": {"edition": "current"},
    }


def test_league_02_what_was_carried_into_this_match_is_over() -> None:
    found = table("AB")
    sheet = read_sheet("A", SHEET | {"carry_malus": {"strike": -1}}, found.rulings)
    found.state.wrestlers["A"].sheet = sheet
    win(found, "B", "pin", "MODE-03")
    kept = league(found)
    assert kept is not None
    assert "carry_malus" not in kept.sheets["A"]


def test_league_01_a_title_goes_to_the_winners_and_raises_an_ability_of_their_choice() -> None:
    found = table("AB")
    won = {"title": "Cinturón", "ability": "strike"}
    found.state.wrestlers["A"].sheet = read_sheet("A", SHEET | {"titles": [won]}, found.rulings)
    win(found, "A", "pin", "MODE-03")
    kept = league(found, "Copa")
    assert kept is not None
    assert kept.sheets["A"]["titles"] == [won, {"title": "Copa", "ability": ""}]
    assert "titles" not in kept.sheets["B"]
    assert kept.to_json()["winners"] == ["A"]


def test_sheet_18_titles_lift_an_ability_above_four() -> None:
    found = table("AB")
    strong = SHEET | {"strike": 4, "counter": 2, "titles": [{"title": "a", "ability": "strike"}] * 2}
    assert read_sheet("A", strong, found.rulings).scores["strike"] == 6


def test_nothing_is_carried_over_while_a_match_goes_on() -> None:
    assert league(table("AB")) is None


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"titles": [{"title": "a", "ability": "strike"}]}, "no_titles"),
        ({"carry_malus": {"strike": -1}}, "no_carry_malus"),
        ({"edition": "current"}, "other_edition"),
        ({"technique": 2}, "unknown_key"),
    ],
)
def test_the_earlier_sheet_has_spirit_and_carries_nothing(more: dict[str, object], code: str) -> None:
    rulings = EARLIER.catalogue.resolve()
    assert read_sheet("A", EARLIER_SHEET, rulings, EARLIER_FORM).scores["spirit"] == 2
    with pytest.raises(SheetError) as refused:
        read_sheet("A", EARLIER_SHEET | more, rulings, EARLIER_FORM)
    assert [one.code for one in refused.value.reasons] == [code]


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"titles": "all"}, "titles"),
        ({"titles": [{"title": "a", "ability": "charm"}]}, "title_ability"),
        ({"carry_malus": {"strike": -2}}, "carry_malus"),
        ({"carry_malus": {"spirit": -1}}, "carry_malus"),
        ({"edition": "earlier"}, "other_edition"),
    ],
)
def test_a_sheet_with_a_wrong_past_is_refused(more: dict[str, object], code: str) -> None:
    with pytest.raises(SheetError) as refused:
        read_sheet("A", SHEET | more, table("AB").rulings)
    assert [one.code for one in refused.value.reasons] == [code]
