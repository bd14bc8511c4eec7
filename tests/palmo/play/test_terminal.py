from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from rich.console import Console

from overlay.i18n import LANGUAGES
from palmo.play.layout import put, starting_layout
from palmo.play.table import MatchTable
from palmo.play.terminal import Terminal, show
from rules.scene import Figure

Play = Callable[..., str]


@pytest.fixture
def play(table: MatchTable) -> Play:
    """Type these lines, then end the input; gives what was on the screen."""

    def typed(*lines: str, lang: str = "en", see: Callable[[float], dict[str, Figure]] | None = None) -> str:
        screen, left = io.StringIO(), list(lines)

        def ask(_: str) -> str:
            if not left:
                raise EOFError
            return left.pop(0)

        Terminal(table, lang, Console(file=screen, width=160), ask, see).play()
        return screen.getvalue()

    return typed


def test_the_starting_places_are_taken_as_shown(play: Play, table: MatchTable) -> None:
    screen = play("")
    assert "El Santo de Barro" in screen
    assert set(table.match.scene.figures) == {"F1", "F2"}


def test_a_typed_place_is_where_the_figure_stands(play: Play, table: MatchTable) -> None:
    play("F1 -10 5 90", "")
    figure = table.match.scene.figures["F1"]
    assert (figure.x, figure.y) == (-10, 5)


def test_a_time_takes_the_tracked_places(play: Play, table: MatchTable) -> None:
    figures = starting_layout(table.match.log.header.roster)
    asked = []

    def see(t: float) -> dict[str, Figure]:
        asked.append(t)
        return {"F2": put(figures["F2"], 1.0, 2.0, 0.0)}

    play("t 3,9", "", see=see)
    assert asked == [3.9]
    assert table.match.scene.figures["F2"].x == 1.0


def test_without_tracks_a_time_gets_a_sentence(play: Play) -> None:
    assert "there are no tracks" in play("t 3.9")


@pytest.mark.parametrize("line", ["99", "z", "", "²", "1²", "9" * 5000], ids=ascii)
def test_a_number_that_is_no_option_gets_a_sentence(play: Play, table: MatchTable, line: str) -> None:
    while table.match.request is not None and table.match.request.kind != "choose":
        play("")
    before = table.turn
    assert "write a number from 1 to" in play(line)
    assert table.turn == before


def test_an_illegal_option_is_shown_with_its_reason_and_refused(play: Play, table: MatchTable) -> None:
    for _ in range(40):
        request = table.match.request
        assert request is not None
        illegal = [n for n, option in enumerate(request.options, 1) if not option.legal]
        if illegal:
            break
        legal = [n for n, option in enumerate(request.options, 1) if option.legal]
        play(str(legal[-1]) if legal else "")
    before = table.turn
    screen = play(str(illegal[0]))
    assert table.turn == before
    assert request.options[illegal[0] - 1].reasons[0].rule in screen


def test_dice_can_be_typed_or_rolled_and_taken_back(play: Play, table: MatchTable) -> None:
    def to_roll() -> None:
        for _ in range(30):
            request = table.match.request
            assert request is not None
            if request.kind == "roll":
                return
            legal = [n for n, option in enumerate(request.options, 1) if option.legal]
            play(str(legal[-1]) if legal else "")

    to_roll()
    request = table.match.request
    assert request is not None
    faces = " ".join("2" for _ in range(request.dice_count))
    play(faces)
    typed = next(entry for entry in reversed(table.match.log.entries) if entry.request["kind"] == "roll")
    assert (typed.origin, set(typed.raw)) == ("referee", {2})
    play(*["u"] * (len(table.match.log.entries) - typed.n))
    play("")
    again = table.match.log.entries[typed.n]
    assert (again.origin, again.raw) == ("dice", typed.raw)


def test_too_few_dice_are_refused(play: Play, table: MatchTable) -> None:
    while table.match.request is not None and table.match.request.kind != "roll":
        legal = [n for n, option in enumerate(table.match.request.options, 1) if option.legal]
        play(str(legal[-1]) if legal else "")
    before = table.turn
    for line in ("7 7 7 7 7 7 7 7 7", "three", "²", "6" * 5000):
        play(line)
    assert table.turn == before


def test_leaving_keeps_the_match(play: Play, table: MatchTable) -> None:
    assert "in the log" in play("", "q", "never read")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_sentence_is_missing_on_the_way_through_a_turn(play: Play, table: MatchTable, lang: str) -> None:
    screen = ""
    for _ in range(60):
        request = table.match.request
        if request is None or table.match.state.turn > 1:
            break
        legal = [n for n, option in enumerate(request.options, 1) if option.legal]
        screen += play(str(legal[-1]) if legal else "", lang=lang)
    out = io.StringIO()
    show(table, lang, Console(file=out, width=160))
    assert "⟨" not in screen + out.getvalue()
    assert len(out.getvalue().splitlines()) > 10


def test_the_first_line_says_how_the_question_on_screen_is_answered(play: Play, table: MatchTable) -> None:
    assert play().startswith("Enter, with nothing written: they stand where they stood. F1 10 -5 90 puts F1")
    while table.match.request is not None and table.match.request.kind != "choose":
        play("")
    assert table.match.request is not None
    assert play().startswith("Write the number of what is done.")
    assert play("?").count("u takes back") == 2


def test_what_is_forbidden_is_marked_with_the_reason(play: Play, table: MatchTable) -> None:
    while table.match.request is not None and table.match.request.kind != "choose":
        play("")
    assert table.match.request is not None
    assert table.match.request.options[0].id == "rest:F1"
    assert "[not allowed]" not in play()
    screen = play("1", "")
    assert "[not allowed] El Santo de Barro rests: Is resting. (STATUS-11)" in screen
    assert "Write the face of the die" in screen
    assert "rolls a die: " in screen


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("1", "no hay ningún luchador 1; están F1, F2"),
        ("u", "no hay nada que deshacer"),
        ("f1 x", "escribe el identificador del luchador"),
        ("f1 1e308 0", "escribe el identificador del luchador"),
        ("t 3", "no hay grabación"),
    ],
)
def test_what_cannot_be_is_said_in_the_language_of_the_match(play: Play, line: str, said: str) -> None:
    assert said in play(line, lang="es")


def test_a_log_without_answers_says_so(table: MatchTable) -> None:
    out = io.StringIO()
    show(table, "en", Console(file=out, width=160))
    assert out.getvalue() == "Nothing has been answered in this match yet.\n"


def test_a_log_is_read_in_words(play: Play, table: MatchTable) -> None:
    play("", "")
    out = io.StringIO()
    show(table, "en", Console(file=out, width=160))
    assert "0  Set-up (the referee)" in out.getvalue()


def to_choose(play: Play, table: MatchTable, *first: str) -> None:
    """On to the first question what to do, past the look at the table and the dice."""
    for line in first:
        play(line)
    while (request := table.match.request) is not None and request.option("pass") is None:
        play("" if request.kind != "choose" else str(len(request.options)))


def test_options_refused_for_the_same_reason_share_a_line(play: Play, table: MatchTable) -> None:
    to_choose(play, table)
    assert table.match.request is not None
    far = [
        n for n, one in enumerate(table.match.request.options, 1) if one.id.startswith(("strike", "suplex"))
    ]
    screen = play()
    (line,) = [line for line in screen.splitlines() if "Strike " in line]
    assert "[not allowed] Strike " in line
    assert "; Suplex " in line
    assert all(f"{number}," in line for number in far)
    assert screen.count("(ATK-02)") == 3, "once for the attacks, with another reason for charge and pin"


def test_the_stamina_is_said_when_it_changes_and_only_then(play: Play, table: MatchTable) -> None:
    to_choose(play, table)
    screen = play("x", "c F2 stamina 7 hit", "c F2 posture lying fell")
    assert screen.count("Stamina: El Santo de Barro 20") == 3
    assert "Ñandú 7 (lying)" in screen


def test_the_log_says_what_was_chosen_and_by_whom_and_undo_what_it_takes_back(
    play: Play, table: MatchTable
) -> None:
    to_choose(play, table)
    assert table.match.request is not None
    who = table.names[table.match.request.fighter or ""]
    play("1", "")
    out = io.StringIO()
    show(table, "en", Console(file=out, width=160))
    assert f"{who} (the referee): Move" in out.getvalue()
    assert "Taken back: " in play("u")
    assert "2 answers taken back" in play(f"u {len(table.match.log.entries) - 2}")


def test_without_measuring_the_rules_ask_the_referee_and_forget_where_he_stood(
    play: Play, table: MatchTable
) -> None:
    to_choose(play, table)
    assert table.match.request is not None
    mover = table.match.request.fighter or ""
    assert "was not measured" in play("1", "-")
    play("1")
    assert mover not in table.match.scene.figures
    while table.match.request is not None and table.match.request.kind != "observe":
        request = table.match.request
        play("1" if request.kind == "ruling" else str(len(request.options)) if request.options else "")
    listed = [line.split()[0] for line in play().splitlines() if line.endswith("°")]
    assert mover not in listed
    play(f"{mover} 1 2", "")
    assert table.match.scene.figures[mover].x == 1


@pytest.mark.parametrize(
    ("lang", "said"), [("en", "if the referee confirms it"), ("es", "si el árbitro lo confirma")]
)
def test_what_hangs_on_the_referees_word_says_so_before_it_is_chosen(
    play: Play, table: MatchTable, lang: str, said: str
) -> None:
    play("-", "-", "-")
    screen = play("e F1", lang=lang)
    (strike,) = [line for line in screen.splitlines() if "STRIKE-01" in line and "Santo" not in line]
    assert said in strike
    (move,) = [line for line in screen.splitlines() if "MOVE-01" in line]
    assert said not in move


def test_a_facing_is_said_as_it_is_typed(play: Play) -> None:
    for degrees in ("180,0", "-179,5", "0,0", "90,0", "-90,0"):
        screen = play(f"F1 0 0 {degrees.replace(',', '.')}", lang="es")
        assert f"{degrees}°" in next(
            line for line in reversed(screen.splitlines()) if line.startswith("  F1 ")
        )
    assert "180.0°" in play("F1 0 0 -180")
