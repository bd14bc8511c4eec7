"""The referee's words at the terminal: everything he may say besides an answer."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from rich.console import Console

from palmo.event import Event
from palmo.play.table import MatchTable, open_table, replayed
from palmo.play.terminal import Terminal

Play = Callable[..., str]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "match.jsonl"


@pytest.fixture
def table(event: Event, tmp_path: Path, log: Path) -> Iterator[MatchTable]:
    opened = open_table(tmp_path / "event.toml", event, log, seed=4)
    yield opened
    opened.close()


@pytest.fixture
def play(table: MatchTable) -> Play:
    def typed(*lines: str, lang: str = "en") -> str:
        screen, left = io.StringIO(), list(lines)

        def ask(_: str) -> str:
            if not left:
                raise EOFError
            return left.pop(0)

        Terminal(table, lang, Console(file=screen, width=200), ask).play()
        return screen.getvalue()

    return typed


def to_choice(table: MatchTable, play: Play) -> None:
    """As far as somebody's slot."""
    for _ in range(60):
        request = table.match.request
        assert request is not None
        if request.kind == "choose" and "D-04" in request.step:
            return
        legal = [n for n, option in enumerate(request.options, 1) if option.legal]
        play(str(legal[-1]) if legal else "")
    raise AssertionError("nobody came to act")


def test_what_was_undone_is_done_again(table: MatchTable, play: Play) -> None:
    play("", "", "")
    lines = table.match.log_lines()
    play("u", "undo")
    assert len(table.match.log_lines()) == len(lines) - 2
    play("y", "rehacer")
    assert table.match.log_lines() == lines
    assert "nothing" in play("y")


def test_undo_goes_back_to_an_entry(table: MatchTable, play: Play) -> None:
    play("", "", "", "u 1")
    assert len(table.match.log.entries) == 1
    assert "there is no entry 7; the last one is 0" in play("u 7")


def test_a_field_is_corrected_with_a_reason_and_all_fields_are_listed(table: MatchTable, play: Play) -> None:
    assert "stamina              Stamina: 20  (-99..20)" in play("", "c f1")
    screen = play(
        "c F1 stamina 12 two hits forgotten", "corregir F1 defended sí", "c F1 position 3,5 -2 bumped"
    )
    assert "Reason: two hits forgotten" in screen
    wrestler, figure = table.match.state.wrestlers["F1"], table.match.scene.figures["F1"]
    assert (wrestler.stamina, wrestler.defended, figure.x, figure.y) == (12, True, 3.5, -2.0)
    assert [entry.raw["correct"]["reason"] for entry in table.match.log.entries[1:]] == [
        "two hits forgotten", "", "bumped",
    ]  # fmt: skip
    assert "3.5" in play()


def test_spanish_says_the_fields_in_spanish(play: Play) -> None:
    screen = play("", "c F1", lang="es")
    assert "Derribado" not in screen
    assert "postura: de pie  (standing, lying, knocked_down, unconscious)" in screen
    assert "heridas en Velocidad: 0" in screen
    assert "ya ha atacado: No  (Sí, No)" in screen


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("c F9", "there is no fighter F9"),
        ("c F1 hair 3", "there is no hair to correct; there are stamina, posture"),
        ("c F1 stamina lots", "lots is not possible here; possible are -99..20"),
        ("c F1 stamina", "possible are -99..20"),
        ("c F1 posture flying", "flying is not possible here; possible are standing"),
        ("c F1 position here", "here is not possible here"),
        ("e F9", "there is no fighter F9"),
        ("b 99", "there is no entry 99"),
        ("b", "there is no entry"),
        ("u ²", "there is no entry"),
        ("b " + "9" * 5000, "there is no entry"),
        ("c F1 stamina ²", "possible are -99..20"),
        ("c F1 stamina --5", "possible are -99..20"),
        ("a", "nothing speaks against this answer|This is not a view"),
    ],
)
def test_what_cannot_be_said_gets_a_sentence_and_changes_nothing(
    table: MatchTable, play: Play, line: str, sentence: str
) -> None:
    play("")
    lines = table.match.log_lines()
    screen = play(line)
    assert any(part.lower() in screen.lower() for part in sentence.split("|")), screen
    assert table.match.log_lines() == lines


def test_explain_says_what_somebody_may_do_and_why_not(table: MatchTable, play: Play) -> None:
    play("", "", "")
    screen = play("e F2")
    assert "not allowed" in screen
    assert "(ATK-02)" in screen
    assert screen.count("Strike") >= 1


def test_an_illegal_option_stands_when_the_referee_says_so(table: MatchTable, play: Play) -> None:
    to_choice(table, play)
    request = table.match.request
    assert request is not None
    number = next(
        n for n, one in enumerate(request.options, 1) if one.id.startswith("strike") and not one.legal
    )
    screen = play(f"a {number} nobody stopped it")
    assert "Against the rules" in screen
    entry = table.match.log.entries[-1]
    assert entry.raw["accept"]["reason"] == "nobody stopped it"


def test_one_entry_is_taken_back_and_the_file_tells_the_same_match(
    table: MatchTable, play: Play, log: Path
) -> None:
    play("", "c F1 stamina 3", "", "")
    later = [entry.raw for entry in table.match.log.entries[2:]]
    assert "Entry 1 is taken back; later entries lost: 0." in play("b 1")
    assert [entry.raw for entry in table.match.log.entries[1:]] == later
    table.close()
    assert replayed(log).log_lines() == table.match.log_lines()


def test_where_later_entries_no_longer_fit_is_said_before_they_are_lost(
    table: MatchTable, play: Play, log: Path
) -> None:
    play("", "", "")
    lines = table.match.log_lines()
    assert "with entry 0 changed the log no longer fits from entry 1 on; b 0 ! does it" in play("b 0")
    assert table.match.log_lines() == lines
    assert "later entries lost: 2" in play("b 0 !")
    table.close()
    assert replayed(log).log_lines() == table.match.log_lines()


def test_an_earlier_roll_is_answered_otherwise_and_the_file_tells_the_same_match(
    table: MatchTable, play: Play, log: Path
) -> None:
    to_choice(table, play)
    roll = next(entry for entry in table.match.log.entries if entry.request["kind"] == "roll")
    faces = [[6, 1], [1, 6]][roll.raw[0] > roll.raw[1]] if len(roll.raw) == 2 else [1] * len(roll.raw)
    typed = " ".join(str(face) for face in faces)
    screen = play(f"x {roll.n}")
    assert f"Entry {roll.n} answered" in screen
    play(f"x {roll.n} {typed} !")
    assert table.match.log.entries[roll.n].raw == faces
    table.close()
    assert replayed(log).log_lines() == table.match.log_lines()


def test_an_earlier_choice_is_replaced_by_the_number_it_had_then(table: MatchTable, play: Play) -> None:
    to_choice(table, play)
    number = len(table.match.log.entries)
    request = table.match.request
    assert request is not None
    legal = [(n, one.id) for n, one in enumerate(request.options, 1) if one.legal]
    illegal = next(n for n, one in enumerate(request.options, 1) if not one.legal)
    play(str(legal[0][0]))
    shown = play(f"cambiar {number}", lang="es")
    assert "respondía a" in shown
    lines = table.match.log_lines()
    assert request.options[illegal - 1].reasons[0].rule in play(f"x {number} {illegal}")
    assert table.match.log_lines() == lines
    assert "is answered otherwise" in play(f"x {number} {legal[-1][0]} !")
    assert table.match.log.entries[number].raw == legal[-1][1]


def test_the_log_is_shown_as_long_as_wanted(play: Play) -> None:
    screen = play("", "", "", "l 1")
    assert "   2  " in screen
    assert "   1  " not in screen
    assert "   0  " in play("log")


def test_a_rule_is_read_in_the_middle_of_a_match(table: MatchTable, play: Play) -> None:
    before = len(table.match.log.entries)
    assert "Two criticals knock the rival down." in play("? STRIKE-06")
    assert "el rival sufre un Derribo" in play("why strike 6", lang="es")
    assert len(table.match.log.entries) == before


def test_why_alone_reads_the_rules_behind_the_question(table: MatchTable, play: Play) -> None:
    request = table.match.request
    assert request is not None
    assert request.rules
    read = play("why")
    assert all(re.search(rf"^{rule}: ", read, re.MULTILINE) for rule in request.rules)


def test_a_rule_there_is_not_is_refused_and_the_match_goes_on(table: MatchTable, play: Play) -> None:
    screen = play("? STRKE-06", "l")
    assert "There is no rule STRKE-06; the nearest ones are STRIKE-06" in screen
