"""Editions, modifiers, teams and the league through the event file and the commands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from palmo.cli import run
from palmo.errors import PalmoError
from palmo.event import EventError, load_event
from palmo.play.league import league_of, sheet_lines
from palmo.play.table import MatchTable, open_table
from tests.palmo.conftest import EVENT

SPIRIT = EVENT.replace("technique = 2", "spirit = 2")


def opened(folder: Path, text: str, match: str = "") -> MatchTable:
    path = folder / "event.toml"
    path.write_text(f"{text}\n[match]\n{match}\n", encoding="utf-8")
    return open_table(path, load_event(path), None)


def test_the_earlier_edition_is_played_with_spirit_on_the_sheet(tmp_path: Path) -> None:
    match = opened(tmp_path, SPIRIT, 'edition = "earlier"').match
    assert match.log.header.edition == "earlier"
    for wrestler in match.state.wrestlers.values():
        assert wrestler.sheet.scores["spirit"] == 2
        assert "technique" not in wrestler.sheet.scores


@pytest.mark.parametrize(
    ("text", "edition", "sentence"),
    [
        (EVENT, "earlier", r"line 24.*has no spirit; a sheet of the earlier edition needs it"),
        (SPIRIT, "current", r"has no technique; a sheet of the current edition needs it"),
        (
            SPIRIT,
            "current",
            r"spirit of the sheet of fighter F1 is not an ability.*write technique instead",
        ),
    ],
)
def test_a_sheet_of_the_other_edition_is_refused_with_its_line(
    tmp_path: Path, text: str, edition: str, sentence: str
) -> None:
    with pytest.raises(EventError, match=sentence):
        opened(tmp_path, text, f'edition = "{edition}"')


def test_modifiers_are_agreed_on_top_of_the_mode(tmp_path: Path) -> None:
    match = opened(tmp_path, EVENT, 'modifiers = ["no_dq"]\nrulings = { fatigue_cap = 3 }').match
    assert match.table.rulings["disqualification"] == "off"
    assert match.table.rulings["fatigue_cap"] == 3


def test_a_modifier_and_a_ruling_that_say_the_contrary_are_refused(tmp_path: Path) -> None:
    with pytest.raises(EventError, match=r"no_dq.*keep one of the two"):
        opened(tmp_path, EVENT, 'modifiers = ["no_dq"]\nrulings = { disqualification = "on" }')


def test_a_proposal_is_agreed_by_its_own_name(tmp_path: Path) -> None:
    match = opened(tmp_path, EVENT, "rulings = { PROP-07 = true }").match
    assert match.table.rulings["counter_hits"] == "spare_sixes"


def test_two_fighters_of_one_colour_are_refused(tmp_path: Path) -> None:
    text = EVENT.replace("colour_box_px = [457, 169, 6, 6]", 'colour = "#D0B020"')
    with pytest.raises(EventError, match="has the colour of F1"):
        opened(tmp_path, text)


def test_the_ringside_that_was_measured_goes_into_the_rules(tmp_path: Path) -> None:
    match = opened(tmp_path, EVENT.replace("depth_cm = 60", "depth_cm = 60\nringside_cm = 15")).match
    assert match.scene.ring.ringside == 15


def test_titles_and_carried_injuries_come_from_the_sheet(tmp_path: Path) -> None:
    text = EVENT.replace(
        'trigger = "back_turned"',
        'trigger = "back_turned"\nedition = "current"\ncarry_malus = { speed = -1 }\n'
        'titles = [{ title = "Cinturón", ability = "strike" }]',
    )
    sheet = opened(tmp_path, text).match.state.wrestlers["F1"].sheet
    assert (sheet.scores["strike"], sheet.carry_malus) == (3, {"speed": -1})


def test_the_league_says_what_to_write_into_the_sheets(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, log = tmp_path / "event.toml", tmp_path / "match.jsonl"
    path.write_text(EVENT, encoding="utf-8")
    table = open_table(path, load_event(path), log)
    assert league_of(table.match) is None
    table.answer({"end_match": ["F1"]}, "referee")
    table.close()
    assert run(["match", "show", str(log), "--league", "--title", "Copa", "--json"]) == 0
    kept = json.loads(capsys.readouterr().out)
    assert kept["winners"] == ["F1"]
    assert kept["sheets"]["F1"] == {"edition": "current", "titles": [{"title": "Copa", "ability": ""}]}
    assert kept["sheets"]["F2"] == {"edition": "current"}
    assert run(["match", "show", str(log), "--title", "Copa", "--lang", "es"]) == 0
    shown = capsys.readouterr().out
    assert "Gana: El Santo de Barro" in shown
    assert 'titles = [{ title = "Copa", ability = "" }]' in shown


def test_sheet_lines_are_toml() -> None:
    lines = sheet_lines({"edition": "current", "carry_malus": {"strike": -1}})
    assert lines == ['edition = "current"', "carry_malus = { strike = -1 }"]


@pytest.mark.parametrize(
    ("then", "now", "sentence"),
    [
        ('mode = "elimination"', 'mode = "iron_man"', "mode = elimination, and the event file says iron_man"),
        ("", 'modifiers = ["no_dq"]', 'disqualification = "on", and the event file says "off"'),
    ],
)
def test_a_log_is_not_continued_under_another_agreement(
    tmp_path: Path, then: str, now: str, sentence: str
) -> None:
    path, log = tmp_path / "event.toml", tmp_path / "match.jsonl"
    path.write_text(f"{EVENT}\n[match]\n{then}\n", encoding="utf-8")
    open_table(path, load_event(path), log).close()
    open_table(path, load_event(path), log).close()
    path.write_text(f"{EVENT}\n[match]\n{now}\n", encoding="utf-8")
    with pytest.raises(PalmoError, match=sentence):
        open_table(path, load_event(path), log)


def test_a_wrong_ruling_is_blamed_on_its_line_when_a_log_is_continued_too(tmp_path: Path) -> None:
    path, log = tmp_path / "event.toml", tmp_path / "match.jsonl"
    path.write_text(EVENT, encoding="utf-8")
    open_table(path, load_event(path), log).close()
    path.write_text(f"{EVENT}\n[match]\nrulings = {{ fatigue_cap = 5 }}\n", encoding="utf-8")
    with pytest.raises(EventError, match=r"line 47.*RULING-61"):
        open_table(path, load_event(path), log)
