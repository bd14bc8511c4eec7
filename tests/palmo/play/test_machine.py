"""A match refereed by a program, line by line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from palmo.cli import run
from palmo.commands.match import app
from palmo.event import Event
from palmo.play.machine import Machine
from palmo.play.table import MatchTable, replayed

Told = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def tell(table: MatchTable) -> Told:
    """Say these things, then end the input; gives what was written."""

    def told(*values: Any, lang: str = "en") -> list[dict[str, Any]]:
        lines = [
            value if isinstance(value, str) and value.startswith("!") else json.dumps(value)
            for value in values
        ]
        written: list[dict[str, Any]] = []

        def write(state: Any) -> None:
            written.append(json.loads(json.dumps(state)))

        Machine(table, lang, lambda: lines.pop(0) if lines else "", write).play()
        return written

    return told


NEAR = {"F1": [0, 0, 0], "F2": [7, 0, 180]}


def test_a_whole_exchange_is_played_by_ids_dice_and_places(tell: Told, table: MatchTable) -> None:
    states = tell(NEAR, None, None, [6, 6, 1, 1], "pass")
    assert [one["request"]["kind"] for one in states] == [
        "observe",
        "observe",
        "observe",
        "roll",
        "choose",
        "choose",
    ]
    assert states[3]["figures"] == {"F1": [0.0, 0.0, 0.0], "F2": [7.0, 0.0, 180.0]}
    assert states[1]["happened"][0]["kind"] == "seen"
    assert {die["fighter"] for die in states[3]["request"]["dice"]} == {"F1", "F2"}
    rolled = [fact for fact in states[4]["happened"] if fact["kind"] == "rolled"]
    assert {fact["fighter"] for fact in rolled} == {"F1", "F2"}
    assert all(fact["text"] and fact["rules"] for fact in rolled)
    assert {states[4]["request"]["fighter"], states[5]["request"]["fighter"]} == {"F1", "F2"}
    assert len(table.match.log.entries) == states[-1]["entry"] == 5


def test_what_is_refused_is_said_with_its_rules_and_changes_nothing(tell: Told, table: MatchTable) -> None:
    states = tell(None, None, None, "rest:F1", None, "rest:F1", "no such thing", [1], 5)
    assert [reason["rule"] for reason in states[6]["refused"]] == ["STATUS-11"]
    assert all(one["refused"] and one["entry"] == 5 for one in states[6:])
    assert len(table.match.log.entries) == 5


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("!not json", "write one line of JSON"),
        ("![" * 3000, "write one line of JSON"),
        ({"F9": [1, 2]}, "there is no fighter F9"),
        ({"F1": [1]}, "a place is [x, y] in cm"),
        ({"F1": [1, True]}, "a place is [x, y] in cm"),
        ({"F1": [1, 1e9]}, "a place is [x, y] in cm"),
        ({"F1": "here"}, "a place is [x, y] in cm"),
        ({"undo": True}, "nothing to take back"),
        ({"undo": 7}, "there is no entry 7"),
        ({"redo": True}, "nothing to"),
        ({"explain": "F9"}, "there is no fighter F9"),
        ({"explain": ["F1"]}, "there is no fighter"),
    ],
)
def test_what_cannot_be_is_a_sentence_and_the_question_stands(tell: Told, value: Any, said: str) -> None:
    states = tell(value)
    assert said in states[1]["error"]
    assert states[1]["request"] == states[0]["request"]
    assert "happened" not in states[1]


def test_nobody_measures_where_nothing_is_seen(tell: Told, table: MatchTable) -> None:
    states = tell({}, {}, {})
    assert states[-1]["figures"] == {}
    assert table.match.scene.figures == {}
    assert states[-1]["request"]["kind"] == "ruling"


def test_a_program_takes_back_gives_again_corrects_and_asks_why(tell: Told, table: MatchTable) -> None:
    states = tell(NEAR, None, None, {"undo": True}, {"redo": True}, {"undo": 1}, {"explain": "F1"})
    assert [one["entry"] for one in states[4:]] == [2, 3, 1, 1]
    assert [one["n"] for one in states[4]["undone"]] == [2]
    strike = next(one for one in states[-1]["explained"] if one["id"] == "strike:F2")
    assert strike["legal"]
    said = {"correct": {"fighter": "F1", "field": "stamina", "value": 3, "reason": "forgotten"}}
    corrected = tell(said)[-1]
    assert corrected["happened"][0]["kind"] == "corrected"
    assert table.match.state.wrestlers["F1"].stamina == 3
    over = tell({"end_match": ["F2"]}, lang="es")[-1]
    assert (over["request"], over["outcome"]["winners"]) == (None, ["F2"])
    assert "decisión del árbitro" in over["outcome"]["text"]


def test_a_figure_is_put_where_it_is_proposed_or_where_the_program_says(
    tell: Told, table: MatchTable
) -> None:
    tell({"F1": [0, 26, 90], "F2": [0, -26, 90]}, None, None)
    for _ in range(10):
        asked = tell()[0]["request"]
        if asked["key"] == "ask.act":
            break
        tell({"choose": "go_on", "ruling": "yes"}.get(asked["kind"]))
    mover = str(table.match.request.fighter) if table.match.request is not None else ""
    states = tell("leave_ring")
    asked = states[-1]["request"]
    assert (asked["kind"], asked["fighter"]) == ("place", mover)
    x, y, _ = asked["proposal"]
    assert abs(y) > 30
    refused = tell({mover: [0, 0]}, {})
    assert refused[1]["refused"][0]["code"] == "wrong_side"
    assert refused[2]["refused"]
    assert tell(None)[-1]["figures"][mover][:2] == [x, y]


def test_the_command_speaks_json_lines_and_the_log_replays(event: Event, tmp_path: Path) -> None:
    log = tmp_path / "out.jsonl"
    said = "\n".join(json.dumps(value) for value in (NEAR, None, None, [6, 6, 1, 1], "pass"))
    words = ["play", "--json", "--event", str(tmp_path / "event.toml"), "--log", str(log), "--lang", "en"]
    done = CliRunner().invoke(app, words, input=said.encode() + b"\n\xff\n")
    assert done.exit_code == 0
    states = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one["entry"] for one in states] == [0, 1, 2, 3, 4, 5, 5]
    assert "error" in states[-1]
    assert len(replayed(log).log.entries) == 5


def test_tracks_and_a_program_do_not_go_together(
    event: Event, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["match", "play", "--json", "--event", str(tmp_path / "event.toml"), "--tracks", "tracks.jsonl"]
    assert run([*words, "--lang", "en"]) == 2
    assert "leave one of the two out" in capsys.readouterr().err
