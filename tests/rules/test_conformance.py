"""What every match must keep, whatever is answered (the conformance suite of any rulebook)."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from rules.engine.diverged import Diverged
from rules.engine.log import LogError
from rules.engine.match import Match
from rules.engine.request import Rejected
from rules.smackkatz.book import CURRENT
from rules.smackkatz.corrections import BONDS
from tests.rules.games import GAMES, Game
from tests.rules.playing import figure, play, random_answer

SEEDS = range(12)
EVERY_GAME = pytest.mark.parametrize("game", GAMES, ids=str)


@EVERY_GAME
def test_random_answers_never_crash(game: Game) -> None:
    for seed in range(4):
        match = game.played(seed)
        assert (match.request is None) == (match.outcome is not None)


@EVERY_GAME
def test_a_match_whose_camera_sees_nobody_goes_on(game: Game) -> None:
    for seed in range(2):
        rng = random.Random(seed)
        match = game.opened(seed)
        for _ in range(150):
            if match.request is None:
                break
            unseen = match.request.kind == "observe"
            match.answer({} if unseen else random_answer(match, rng))
        assert match.scene.figures == {}


@EVERY_GAME
def test_every_request_can_be_answered(game: Game) -> None:
    rng = random.Random(0)
    match = game.opened()
    for _ in range(120):
        request = match.request
        if request is None:
            break
        if request.kind in ("choose", "ruling"):
            names = [option.id for option in request.options]
            assert len(set(names)) == len(names), request
            assert any(option.legal for option in request.options), request
        elif request.kind == "place":
            figure = random_answer(match, rng)
            assert figure.id == request.fighter
            assert request.check is None or request.check(figure) == ()
        elif request.kind == "roll":
            assert request.dice_count > 0
        match.answer(random_answer(match, rng))


@EVERY_GAME
def test_a_refused_answer_changes_nothing(game: Game) -> None:
    rng = random.Random(1)
    match = game.opened(1)
    for _ in range(70):
        if match.request is None:
            break
        before, lines = json.dumps(match.state.to_json()), match.log_lines()
        for nonsense in NONSENSE:
            with pytest.raises(Rejected):
                match.answer(nonsense)
        for option in match.request.options:
            if not option.legal:
                with pytest.raises(Rejected) as refusal:
                    match.answer(option.id)
                assert refusal.value.reasons == option.reasons
        assert json.dumps(match.state.to_json()) == before
        assert match.log_lines() == lines
        match.answer(random_answer(match, rng))


NONSENSE: tuple[Any, ...] = (
    None, 7, "no such thing", [0], [7] * 9, {"X": 1}, object(), {"end_match": ["Nobody"]},
    {"correct": 1}, {"correct": {"fighter": "F1", "field": "no such field"}}, {"accept": "no such thing"},
    {"accept": {"answer": {"X": 1}}},
)  # fmt: skip


@EVERY_GAME
def test_exactly_the_offered_options_are_accepted(game: Game) -> None:
    rng = random.Random(2)
    match = game.opened()
    seen = 0
    while match.request is not None and seen < 12:
        if match.request.kind in ("choose", "ruling"):
            seen += 1
            entries = len(match.log.entries)
            for option in match.request.options:
                if option.legal:
                    match.answer(option.id)
                    match.undo(entries)
                else:
                    with pytest.raises(Rejected):
                        match.answer(option.id)
        match.answer(random_answer(match, rng))


@EVERY_GAME
def test_replay_equals_the_live_match_at_every_step(game: Game) -> None:
    rng = random.Random(3)
    match = game.opened()
    for _ in range(45):
        if match.request is None:
            break
        match.answer(random_answer(match, rng), "camera", at=rng.random())
        again = Match.replay(match.log, game.book)
        assert again.state.to_json() == match.state.to_json()
        assert again.log_lines() == match.log_lines()
        assert repr(again.request) == repr(match.request)


@EVERY_GAME
def test_save_load_save_is_byte_identical(game: Game) -> None:
    lines = game.played(5).log_lines()
    assert game.replayed([line + "\n" for line in lines]).log_lines() == lines


def test_replay_in_another_process_gives_the_same_states() -> None:
    logs = [game.played(6, 120) for game in GAMES]
    found = subprocess.run(
        [sys.executable, "-c", REPLAYS_ELSEWHERE],
        input=json.dumps([[match.rulebook.edition, match.log_lines()] for match in logs]),
        capture_output=True,
        text=True,
        check=True,
        # Other hashes of strings: nothing may hang on the order of a set.
        env={**os.environ, "PYTHONHASHSEED": "12345"},
    )
    assert json.loads(found.stdout) == [json.loads(json.dumps(match.state.to_json())) for match in logs]


REPLAYS_ELSEWHERE = """
import json, sys
from rules.engine.match import Match
from rules.smackkatz.book import CURRENT, EARLIER
books = {book.edition: book for book in (CURRENT, EARLIER)}
print(json.dumps([Match.replay(lines, books[name]).state.to_json() for name, lines in json.load(sys.stdin)]))
"""


@EVERY_GAME
def test_undo_to_every_earlier_entry_and_redo_gives_the_same(game: Game) -> None:
    match = game.played(0, 50)
    lines, state = match.log_lines(), match.state.to_json()
    for to in range(len(match.log.entries)):
        match.undo(to)
        assert match.log_lines() == lines[: to + 1]
        while match.redo():
            pass
        assert match.log_lines() == lines
        assert match.state.to_json() == state


@pytest.mark.parametrize("seed", SEEDS)
def test_the_state_stays_sound(seed: int) -> None:
    match = play(seed, 2 + seed % 5, 500, mode=CURRENT.modes[seed % 3])
    for wrestler in match.state.wrestlers.values():
        assert wrestler.stamina <= 20
        assert not (wrestler.unconscious and wrestler.knocked_down is not None)
        assert not (wrestler.lying and (wrestler.unconscious or wrestler.knocked_down is not None))
        assert match.state.group_of(wrestler.id) == () or wrestler.upright
        for mine, other in BONDS.items():
            rival = getattr(wrestler, mine)
            assert rival is None or getattr(match.state.wrestlers[rival], other) == wrestler.id


@pytest.mark.parametrize("seed", SEEDS)
def test_stamina_adds_up_against_the_log(seed: int) -> None:
    match = play(seed, 4, 400)
    stamina = dict.fromkeys(match.state.wrestlers, 20)
    for entry in match.log.entries:
        for fact in entry.facts:
            if fact.kind in ("stamina_lost", "stamina_gained"):
                sign = -1 if fact.kind == "stamina_lost" else 1
                stamina[str(fact.fighter)] += sign * fact.values["points"]
                assert stamina[str(fact.fighter)] == fact.values["to"]
    assert stamina == {name: one.stamina for name, one in match.state.wrestlers.items()}


def test_after_an_undo_dice_are_offered_again_and_choices_are_not() -> None:
    match = play(1, 3, 60)
    rolls = [entry for entry in match.log.entries if entry.request["kind"] == "roll"]
    match.undo(rolls[-1].n)
    assert match.offered == rolls[-1].answer
    match.answer(match.offered, "dice")
    choices = [entry for entry in match.log.entries if entry.request["kind"] == "choose"]
    match.undo(choices[-1].n)
    assert match.offered is None


def test_undo_of_an_entry_that_does_not_exist_is_refused() -> None:
    match = play(1, 3, 5)
    with pytest.raises(ValueError, match="no entry 9"):
        match.undo(9)


def test_a_changed_log_diverges_at_the_changed_entry() -> None:
    lines = play(4, 3, 300).log_lines()
    number = next(
        n for n, line in enumerate(lines[1:]) if '"kind":"roll"' in line and '"stamina_lost"' in line
    )
    entry = json.loads(lines[number + 1])
    entry["facts"][-1]["values"] = {"points": 99, "to": -79}
    lines[number + 1] = json.dumps(entry)
    with pytest.raises(Diverged) as divergence:
        Match.replay(lines, CURRENT)
    assert divergence.value.at == number
    assert "followed; points was 99 and is" in str(divergence.value)
    assert "{" not in str(divergence.value)


def changed(lines: list[str], number: int, **values: object) -> list[str]:
    """A log with some keys of one entry changed."""
    entry = json.loads(lines[number + 1]) | values
    return [*lines[: number + 1], json.dumps(entry), *lines[number + 2 :]]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda lines: [*lines[:3], *lines[4:]], "entry 2: then the rules asked for .*, now they ask for"),
        (lambda lines: changed(lines, 1, n=7), "at entry 1: it is numbered 7; a line is missing"),
        (lambda lines: changed(lines, 1, request="zz"), "something unreadable"),
        (lambda lines: changed(lines, 1, answer=[1] * 900), r"then the answer was \[1.*…, and the rules now"),
        (lambda lines: changed(lines, 3, facts=[]), "then 0 facts followed from the answer, now 2 do"),
        (lambda lines: changed(lines, 3, facts=None), "then 0 facts followed"),
        (lambda lines: changed(lines, 3, facts=[5, 6]), "something unreadable"),
    ],
)  # fmt: skip
def test_a_divergence_is_said_in_words(change: Callable[[list[str]], list[str]], words: str) -> None:
    lines = play(2, 3, 10).log_lines()
    with pytest.raises(Diverged, match=words) as divergence:
        Match.replay(change(lines), CURRENT)
    assert "{" not in str(divergence.value)
    assert len(str(divergence.value)) < 400


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("rulings", "zz", "'rulings' is missing or wrong"),
        ("rulings", 99, "'rulings' is missing or wrong"),
        ("mode", [], "'mode' is missing or wrong"),
        ("roster", {}, "not a header"),
        ("roster", "zz", "not a header"),
    ],
)
def test_a_header_of_the_wrong_kind_is_named(key: str, value: object, words: str) -> None:
    lines = play(2, 3, 10).log_lines()
    lines[0] = json.dumps(json.loads(lines[0]) | {key: value})
    with pytest.raises(LogError, match=words):
        Match.replay(lines, CURRENT)


@pytest.mark.parametrize(
    ("line", "words"),
    [("[" * 100_000, "nested too deeply"), ('{"n":' + "9" * 5000 + "}", "a number is too long")],
)
def test_a_line_too_deep_or_too_long_for_the_reader_is_refused(line: str, words: str) -> None:
    with pytest.raises(LogError, match=f"Line 3 .*{words}"):
        Match.replay([*play(2, 3, 10).log_lines()[:2], line], CURRENT)


@pytest.mark.parametrize(
    ("line", "text", "sentence"),
    [
        (0, "", "is not a header|lacks"),
        (0, "{}", "line 1|Line 1"),
        (2, "{", "Line 3 of the match log is not JSON"),
        (2, '{"n": 1}', "Line 3 of the match log lacks"),
    ],
)
def test_a_broken_log_says_which_line(line: int, text: str, sentence: str) -> None:
    lines = play(2, 3, 10).log_lines()
    lines[line] = text
    with pytest.raises(LogError, match=sentence):
        Match.replay(lines, CURRENT)


def test_the_referee_may_end_the_match_at_any_request() -> None:
    match = play(3, 3, 30)
    with pytest.raises(Rejected):
        match.answer({"end_match": ["A"]}, "player")
    match.answer({"end_match": ["A"]}, "referee")
    assert match.request is None
    assert match.outcome is not None
    assert match.outcome.winners == ("A",)
    assert match.outcome.rule == "SETUP-04"
    again = Match.replay(match.log, CURRENT)
    assert again.outcome == match.outcome
    match.undo()
    assert match.outcome is None
    assert match.request is not None


def test_every_fact_cites_a_rule() -> None:
    for seed in SEEDS:
        for entry in play(seed, 4, 120).log.entries:
            assert all(fact.rules for fact in entry.facts)


def test_figures_stand_in_the_rosters_order_however_they_were_seen() -> None:
    match = play(1, 3, 0)
    seen = {name: figure(name, 20.0 * number - 20.0, 0.0) for number, name in enumerate("CAB")}
    match.answer(seen, "camera")
    assert list(match.scene.figures) == ["A", "B", "C"]
    with pytest.raises(Rejected, match="unknown_figure"):
        match.answer({"A": seen["B"]}, "camera")
