"""The hour of an Iron Man match: a clock outside the rules answers for the time, and the log says so."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from palmo.event import Event
from palmo.live.feed import LiveFeed
from palmo.play.clock import PlayClock, seconds_in
from palmo.play.layout import starting_layout
from palmo.play.table import MatchTable, open_table, replayed
from palmo.play.terminal import Terminal
from rules.smackkatz.modes.iron_man import HOUR_S
from tests.palmo.live.tables import CAMERA


class Watch:
    """A clock that goes when it is told to."""

    def __init__(self) -> None:
        self.s = 0.0

    def __call__(self) -> float:
        return self.s


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    found = Watch()
    monkeypatch.setattr("palmo.play.table.PlayClock", lambda played_s: PlayClock(played_s, found))
    return found


def agreed(event: Event, **match: str) -> Event:
    return event.model_copy(update={"match": event.match.model_copy(update={"mode": "iron_man", **match})})


def opened(event: Event, tmp_path: Path, **match: str) -> MatchTable:
    return open_table(tmp_path / "event.toml", agreed(event, **match), tmp_path / "match.jsonl", seed=3)


def answered(table: MatchTable) -> None:
    """One answer, whatever is asked: nobody does anything."""
    request = table.match.request
    assert request is not None
    match request.kind:
        case "observe":
            table.answer(table.match.scene or starting_layout(table.match.log.header.roster), "camera")
        case "place":
            table.answer("as_proposed", "camera")
        case "roll":
            table.roll()
        case _:
            legal = [one.id for one in request.options if one.legal]
            table.answer(next((one for one in ("pass", "go_on", "no") if one in legal), legal[-1]), "referee")


def through(table: MatchTable, turn: int) -> None:
    """To the first question of that turn, or to the end."""
    for _ in range(200):
        if table.match.request is None or table.match.state.turn >= turn:
            return
        answered(table)
    pytest.fail(f"turn {turn} never came")


def test_the_clock_answers_at_the_end_of_every_turn_until_the_hour_is_over(
    event: Event, tmp_path: Path, watch: Watch
) -> None:
    table = opened(event, tmp_path)
    through(table, 1)
    watch.s = 100.0
    through(table, 2)
    assert (table.match.log.entries[-1].origin, table.match.log.entries[-1].raw) == ("clock", "play_on")
    watch.s = HOUR_S + 1
    through(table, 3)
    outcome = table.match.outcome
    assert outcome is not None
    assert (outcome.ending, outcome.winners) == ("draw", ())
    last = table.match.log.entries[-1]
    assert (last.origin, last.raw, last.facts[0].kind) == ("clock", "time_up", "time_up")
    table.close()
    assert replayed(tmp_path / "match.jsonl").outcome == outcome


def test_the_clock_starts_with_the_first_turn(event: Event, tmp_path: Path, watch: Watch) -> None:
    table = opened(event, tmp_path)
    watch.s = HOUR_S * 2
    assert table.clock is not None
    assert table.clock.seconds == 0.0
    through(table, 1)
    watch.s += 5.0
    assert table.clock.seconds == 5.0
    table.close()


def test_a_match_that_is_continued_goes_on_with_the_time_it_had(
    event: Event, tmp_path: Path, watch: Watch
) -> None:
    table = opened(event, tmp_path)
    through(table, 2)
    watch.s += 1800.0
    table.close()
    assert seconds_in(tmp_path / "match.jsonl") == pytest.approx(1800.0)
    watch.s += 50_000.0
    again = opened(event, tmp_path)
    assert again.clock is not None
    assert again.clock.seconds == pytest.approx(1800.0)
    again.close()


def test_an_undo_takes_back_what_the_clock_said_together_with_the_answer_before(
    event: Event, tmp_path: Path, watch: Watch
) -> None:
    table = opened(event, tmp_path)
    through(table, 2)
    lines = table.match.log_lines()
    taken = table.undo()
    assert [one.origin for one in taken][1:] == ["clock"]
    assert table.match.request is not None
    assert table.match.request.text.key != "ask.time"
    watch.s = HOUR_S + 1
    table.redo()
    assert table.match.log_lines() == lines
    table.close()


def test_an_entry_is_taken_back_and_the_clocks_answers_after_it_stay(
    event: Event, tmp_path: Path, watch: Watch
) -> None:
    table = opened(event, tmp_path)
    through(table, 1)
    table.answer({"correct": {"fighter": "F1", "field": "stamina", "value": 7}}, "referee")
    number = len(table.match.log.entries) - 1
    through(table, 3)
    assert table.take_back(number) == ()
    assert sum(one.origin == "clock" for one in table.match.log.entries) == 2
    table.close()
    assert replayed(tmp_path / "match.jsonl").state.to_json() == table.match.state.to_json()


def test_where_the_referee_keeps_the_time_he_is_asked(event: Event, tmp_path: Path) -> None:
    table = opened(event, tmp_path, clock="referee")
    through(table, 1)
    while table.match.request is not None and table.match.request.text.key != "ask.time":
        answered(table)
    assert table.clock is None
    table.answer("time_up", "referee")
    assert table.match.outcome is not None
    table.close()


def test_other_matches_have_no_clock(event: Event, tmp_path: Path) -> None:
    table = opened(event, tmp_path, mode="wrestling_match")
    assert table.clock is None
    table.close()


def test_the_terminal_says_how_long_it_has_been_and_that_time_is_up(
    event: Event, tmp_path: Path, watch: Watch
) -> None:
    table = opened(event, tmp_path)
    through(table, 2)
    watch.s = 125.0

    def screen(*lines: str) -> str:
        left, out = list(lines), io.StringIO()

        def ask(_: str) -> str:
            if not left:
                raise EOFError
            return left.pop(0)

        Terminal(table, "es", Console(file=out, width=160), ask).play()
        return out.getvalue()

    assert "Jugados: 2 de 60 minutos." in screen()
    watch.s = HOUR_S + 1
    assert "Se acabó el tiempo" in screen()
    table.close()


def test_the_panel_shows_the_time_and_what_an_undo_takes_back_besides_it(
    event: Event, tmp_path: Path, watch: Watch
) -> None:
    table = opened(event, tmp_path)
    feed = LiveFeed(agreed(event), table, CAMERA)
    through(table, 2)
    watch.s = 61.0
    feed.retry_log()
    panel = feed.panel()
    clock = next(one for one in panel.notices if one.text.key == "match.clock")
    assert clock.text.values == {"played": 1, "of": 60}
    assert panel.undo is not None
    assert panel.undo.key != "option.play_on"
    table.close()
