from __future__ import annotations

import json
from pathlib import Path

import pytest

from palmo.errors import PalmoError
from palmo.event import Event, EventError, load_event
from palmo.play.dice import DigitalDice
from palmo.play.layout import starting_layout
from palmo.play.table import MatchTable, open_table, replayed
from palmo.storage import read_log_lines
from rules.engine.request import Pool, Rejected


@pytest.fixture
def event_path(tmp_path: Path, event: Event) -> Path:
    return tmp_path / "event.toml"


def to_first_roll(table: MatchTable) -> None:
    """Answer everything that can be answered without thinking until dice are asked for."""
    figures = starting_layout(table.match.log.header.roster)
    for _ in range(20):
        request = table.match.request
        assert request is not None
        if request.kind == "roll":
            return
        if request.kind == "observe":
            table.answer(figures, "camera")
        else:
            table.answer(next(option.id for option in reversed(request.options) if option.legal), "referee")
    pytest.fail("no dice were asked for")


def test_digital_dice_repeat_with_their_seed_and_stay_on_the_die() -> None:
    pools = (Pool("F1", 40, 6), Pool("F2", 40, 10))
    first, second = DigitalDice(7).roll(pools), DigitalDice(7).roll(pools)
    assert first == second
    assert len(first) == 80
    assert set(first[:40]) == set(range(1, 7))
    assert max(first[40:]) > 6
    assert DigitalDice(8).roll(pools) != first


def test_a_match_on_disk_replays_to_the_same_state(event: Event, event_path: Path, tmp_path: Path) -> None:
    log = tmp_path / "out" / "match.jsonl"
    table = open_table(event_path, event, log, seed=1)
    to_first_roll(table)
    table.roll()
    table.close()
    assert replayed(log).state.to_json() == table.match.state.to_json()
    assert '"origin":"dice"' in log.read_text()
    assert '{"note": {"dice_seed": 1}}' in log.read_text()


def test_an_interrupted_match_goes_on_where_it_was(event: Event, event_path: Path, tmp_path: Path) -> None:
    log = tmp_path / "match.jsonl"
    first = open_table(event_path, event, log, seed=1)
    to_first_roll(first)
    first.close()
    second = open_table(event_path, event, log, seed=2)
    assert repr(second.match.request) == repr(first.match.request)
    second.roll()
    second.close()
    assert len(replayed(log).log.entries) == len(first.match.log.entries) + 1


def test_a_roll_taken_back_falls_the_same_again(event: Event, event_path: Path, tmp_path: Path) -> None:
    log = tmp_path / "match.jsonl"
    table = open_table(event_path, event, log)
    to_first_roll(table)
    table.roll()
    faces = table.match.log.entries[-1].raw
    table.undo()
    table.roll()
    assert table.match.log.entries[-1].raw == faces
    table.close()
    assert replayed(log).state.to_json() == table.match.state.to_json()
    assert sum(line.startswith('{"undo"') for line in log.read_text().splitlines()) == 1


def test_a_refused_answer_changes_nothing_on_disk(event: Event, event_path: Path, tmp_path: Path) -> None:
    log = tmp_path / "match.jsonl"
    table = open_table(event_path, event, log)
    to_first_roll(table)
    before = log.read_text()
    with pytest.raises(Rejected):
        table.answer([99], "referee")
    assert log.read_text() == before
    table.close()


def test_there_is_nothing_to_take_back_at_the_start(event: Event, event_path: Path) -> None:
    with pytest.raises(PalmoError, match="nothing to take back"):
        open_table(event_path, event, None).undo()


def test_dice_that_are_not_asked_for_are_not_rolled(event: Event, event_path: Path) -> None:
    with pytest.raises(PalmoError, match="no dice"):
        open_table(event_path, event, None).roll()


def test_a_log_of_another_set_up_is_not_continued(event: Event, event_path: Path, tmp_path: Path) -> None:
    log = tmp_path / "match.jsonl"
    open_table(event_path, event, log).close()
    event_path.write_text(
        event_path.read_text().replace("strike = 2", "strike = 3").replace("suplex = 2", "suplex = 1")
    )
    with pytest.raises(PalmoError, match=r"another set-up.*give another --folder"):
        open_table(event_path, load_event(event_path), log, option="--folder")


def test_a_changed_log_is_refused_with_the_entry(event: Event, event_path: Path, tmp_path: Path) -> None:
    log = tmp_path / "match.jsonl"
    table = open_table(event_path, event, log, seed=1)
    to_first_roll(table)
    table.roll()
    table.close()
    header, *entries = filter(None, read_log_lines(log))
    last = json.loads(entries[-1])
    last["answer"] = [1 + face % 6 for face in last["answer"]]
    log.write_text("\n".join([header, *entries[:-1], json.dumps(last)]) + "\n")
    with pytest.raises(PalmoError, match=f"diverges at entry {len(entries) - 1}"):
        replayed(log)


def test_the_line_of_the_file_is_named_past_notes_and_undone_entries(
    event: Event, event_path: Path, tmp_path: Path
) -> None:
    log = tmp_path / "match.jsonl"
    table = open_table(event_path, event, log, seed=1)
    to_first_roll(table)
    table.roll()
    table.undo()
    table.note(hello=1)
    table.roll()
    table.close()
    *lines, last = log.read_text().splitlines()
    log.write_text("\n".join([*lines, last.replace('"n":', '"n":1')]) + "\n")
    with pytest.raises(
        PalmoError, match=rf"match.jsonl, line {len(lines) + 1}: the log diverges at entry \d+: it is"
    ):
        replayed(log)
    log.write_text("\n".join([*lines, last[:-9]]) + "\n")
    with pytest.raises(PalmoError, match=rf"Line {len(lines) + 1} of the match log is not JSON"):
        replayed(log)


def test_a_log_of_another_engine_is_replayed_with_a_warning(
    event: Event, event_path: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    log = tmp_path / "match.jsonl"
    open_table(event_path, event, log).close()
    replayed(log)
    assert not caplog.messages
    log.write_text(log.read_text().replace('"engine":"1"', '"engine":"0.3"'))
    replayed(log)
    assert "version 0.3 of the rules' engine wrote it" in caplog.text


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("speed = 3", "speed = 4", "the sheet of fighter F1"),
        ("", '[match]\nmode = "iron_woman"\n', '"iron_woman" is not a mode'),
        ("", "[match]\nrulings = { palm_origin = 3 }\n", "palm_origin"),
        ("", "[match]\nrulings = { no_such = 3 }\n", "no_such"),
    ],
)
def test_what_the_rules_refuse_is_blamed_on_the_event_file(
    event_path: Path, old: str, new: str, words: str
) -> None:
    text = event_path.read_text()
    event_path.write_text(text.replace(old, new) if old else text + new)
    with pytest.raises(EventError, match=rf"event.toml, line \d+: .*{words}"):
        open_table(event_path, load_event(event_path), None)


def test_no_answer_to_a_session_before_fits_a_question_of_this_one(
    event: Event, event_path: Path, tmp_path: Path
) -> None:
    log = tmp_path / "match.jsonl"
    first = open_table(event_path, event, log, seed=1)
    assert first.turn == 0
    to_first_roll(first)
    first.roll()
    first.undo()
    first.roll()
    first.close()
    second = open_table(event_path, event, log, seed=2)
    assert second.turn > first.turn
    second.close()
