from __future__ import annotations

import io
import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from typer.testing import CliRunner

from palmo.cli import app
from palmo.errors import PalmoError
from palmo.play.bouts import bout_of
from palmo.play.players import GreedyPlayer, RandomPlayer
from palmo.play.simulate import play_one, simulate
from palmo.play.sparring import Bout, Played, Sparring
from palmo.play.statistics import summary, tables
from rules.engine.match import Match
from rules.engine.request import Option
from rules.text import Text


def bout(**wanted: Any) -> Bout:
    settings = {"players": "random", "edition": "current", "mode": None, "fighters": 2, "seed": 5} | wanted
    return replace(bout_of(**settings), most_answers=400)


@pytest.mark.parametrize("players", ["random", "greedy"])
@pytest.mark.parametrize("edition", ["current", "earlier"])
def test_the_same_seed_plays_the_same_matches(players: str, edition: str) -> None:
    wanted = bout(players=players, edition=edition)
    first, again = (summary(wanted, simulate(wanted, 2)) for _ in range(2))
    assert first == again
    assert first != summary(bout(seed=6), simulate(bout(seed=6), 2))


def test_several_processes_play_what_one_does() -> None:
    wanted = replace(bout(), most_answers=60)
    assert simulate(wanted, 4, jobs=2) == simulate(wanted, 4)


def test_a_simulated_match_replays() -> None:
    sparring = Sparring(bout(players="greedy", fighters=3))
    played = sparring.play()
    again = Match.replay(sparring.match.log_lines(), sparring.match.rulebook)
    assert again.state.to_json() == sparring.match.state.to_json()
    assert played.answers <= len(again.log.entries)


def test_the_numbers_are_those_of_the_log() -> None:
    sparring = Sparring(bout())
    played = sparring.play()
    entries = sparring.match.log.entries
    faces = [face for entry in entries if entry.request["kind"] == "roll" for face in entry.raw]
    assert sum(played.faces.values()) == len(faces)
    chosen = [str(entry.raw).partition(":")[0] for entry in entries if entry.request["kind"] == "choose"]
    assert played.actions == {one: chosen.count(one) for one in sorted(set(chosen))}


def test_the_random_player_takes_every_legal_option_and_the_greedy_one_fights() -> None:
    options = [Option(one, Text("option.pass")) for one in ("pass", "move", "strike:F2")]
    sparring = Sparring(bout())
    request = sparring.match.request
    assert request is not None
    rng = random.Random(1)
    taken = {RandomPlayer(rng).choose(sparring.match, request, options).id for _ in range(60)}
    assert taken == {"pass", "move", "strike:F2"}
    assert GreedyPlayer(rng).choose(sparring.match, request, options).id == "strike:F2"


@pytest.mark.parametrize(
    ("edition", "mode", "ending"),
    [
        ("current", "katz_rumble", "over_the_top"),
        ("current", "last_man_standing", "knockout"),
        ("earlier", "last_man_standing", "knockout"),
    ],
)
def test_where_falls_mean_nothing_the_greedy_go_for_what_does(edition: str, mode: str, ending: str) -> None:
    wanted = bout_of(players="greedy", edition=edition, mode=mode, fighters=None, seed=7)
    assert [one.ending for one in simulate(wanted, 3)] == [ending] * 3


def test_a_match_that_breaks_leaves_its_log(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def broken(self: Sparring) -> None:
        raise KeyError("F9")

    monkeypatch.setattr(Sparring, "step", broken)
    with pytest.raises(PalmoError, match=r"match 3 of seed 5 broke at entry 0 \(KeyError\('F9'\)\)") as error:
        play_one(bout(), 3, tmp_path)
    log = tmp_path / "simulated-5-3.jsonl"
    assert str(log) in str(error.value)
    assert json.loads(log.read_text(encoding="utf-8").splitlines()[0])["rulebook"] == "smackkatz"


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        ({"players": "clever"}, "there are random and greedy players"),
        ({"mode": "chess"}, "this edition has wrestling_match"),
        ({"edition": "next"}, "next"),
        ({"fighters": 9}, "9 wrestlers cannot take part"),
    ],
)
def test_what_there_is_not_gets_one_sentence(wanted: dict[str, Any], sentence: str) -> None:
    with pytest.raises(PalmoError) as error:
        bout(**wanted)
    assert sentence in str(error.value)


def test_the_command_prints_statistics_for_people_and_programs() -> None:
    runner = CliRunner()
    arguments = ["match", "simulate", "--games", "1", "--fighters", "2", "--seed", "2"]
    data = json.loads(runner.invoke(app, [*arguments, "--json"]).output)
    assert data["games"] == sum(data["endings"].values()) == 1
    assert data["dice"]["d6"]["rolled"] == sum(data["dice"]["d6"]["faces"])
    screen = runner.invoke(app, [*arguments, "--lang", "es"]).output
    assert "Cómo acaban" in screen
    assert "Dados" in screen


def test_a_match_that_was_given_up_is_called_so_in_the_language_asked_for() -> None:
    played = Played(0, 5000, 80, None, (), {"move": 1}, {(6, 1): 1})
    over = replace(played, ending="pin", winners=("F1",))
    screen = io.StringIO()
    data = summary(replace(bout(), most_answers=5000), [played, over])
    assert data["given_up"] == {"after_answers": 5000, "games": 1}
    for table in tables(data, "es"):
        Console(file=screen, width=100).print(table)
    assert "sin acabar" in screen.getvalue()
    assert "Abandonados tras 5000 respuestas: 1 de 2." in screen.getvalue()
    for table in tables(summary(bout(), [over]), "es"):
        Console(file=screen, width=100).print(table)
    assert screen.getvalue().count("Abandonados") == 1


def test_random_players_do_not_rest_their_way_through_a_match_that_has_no_end() -> None:
    played = simulate(bout_of(players="random", edition="current", mode=None, fighters=2, seed=1), 3)
    assert all(one.ending is not None for one in played)
    # A turn has a rest announced by one of two at most every fifth time.
    assert sum(one.actions.get("rest", 0) for one in played) < sum(one.turns for one in played) / 5
