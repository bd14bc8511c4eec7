"""What the rules cost: `python -m datasets.bench_rules`. CPU time; python-chess in the same run as yardstick.

Random playouts of python-chess say how fast this machine is just now; the rules' own numbers stand beside
them. A match without geometry is one the camera sees nothing of: its figures have no places. Options with
geometry are those of a wrestler among eight on a crowded mat: cold when nobody has asked about these
figures before, warm the second time.

Random matches are of the mode in which a count-out ends them: players who choose blindly rest too often ever
to be pinned. Some of them last thirty times as long as others, so many are played. Wrestling matches, the
game's ordinary ones, are played by the fuzz's players, who choose blindly too and are hurried after a while.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import chess

from datasets.fuzz_match import FuzzSparring, drawn
from palmo.play.bouts import bout_of
from palmo.play.layout import put
from palmo.play.players import RandomPlayer, clock
from palmo.play.sparring import Bout, Sparring
from rules.engine.match import Match
from rules.engine.request import Option, Origin, Request
from rules.smackkatz.legality.options import options

_COLUMNS = ("what", "measured", "wanted")


class Blind(Sparring):
    """A match without a camera: nobody is ever seen, and the referee says what has to be known."""

    def answer(self, request: Request) -> tuple[Any, Origin]:
        """As always, but an observation sees nothing."""
        return ({}, "camera") if request.kind == "observe" else super().answer(request)


class Chance(RandomPlayer):
    """Every legal answer is as likely as any other, as in the random playouts of chess."""

    def choose(self, match: Match[Any], request: Request, legal: list[Option]) -> Option:
        """Any of them."""
        return clock(match, legal) or self._rng.choice(legal)


class Playout(Sparring):
    """A match of players who choose so."""

    def __init__(self, bout: Bout, number: int) -> None:
        super().__init__(bout, number)
        self._player = Chance(self._rng)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark and print a Markdown table."""
    parser = argparse.ArgumentParser(prog="python -m datasets.bench_rules", description=__doc__)
    parser.add_argument("--runs", type=int, default=5, help="runs whose median is taken")
    parser.add_argument("--matches", type=int, default=40, help="random matches in a run")
    parser.add_argument("--out", type=Path, default=Path("out/bench_rules.md"))
    given = parser.parse_args(arguments)
    rows = measure(given.runs, given.matches)
    table = "".join(f"| {' | '.join(row)} |\n" for row in (_COLUMNS, ("---",) * 3, *rows))
    given.out.parent.mkdir(parents=True, exist_ok=True)
    given.out.write_text(table, encoding="utf-8")
    print(f"\nThe rules, CPU time, median of {given.runs} runs\n\n{table}")
    return 0


def measure(runs: int, matches: int) -> list[tuple[str, str, str]]:
    """Every row of the table."""
    one_on_one = bout_of(players="random", edition="current", mode="elimination", fighters=2, seed=1)
    sensible = replace(one_on_one, players="greedy")

    def median(run: Callable[[], float]) -> float:
        return statistics.median(run() for _ in range(runs))

    moves = median(lambda: chess_moves(20))
    cold, warm = (median(lambda at=at: option_times(20)[at]) for at in (0, 1))  # type: ignore[misc]
    return [
        ("python-chess random playouts, moves/s", f"{moves:,.0f}", "(yardstick)"),
        (
            "answers without geometry /s",
            f"{median(lambda: answers_per_s(Blind, one_on_one, matches)):,.0f}",
            "10,000",
        ),
        (
            "answers with geometry /s",
            f"{median(lambda: answers_per_s(Sparring, one_on_one, matches)):,.0f}",
            "",
        ),
        (
            "random playouts of elimination matches /s",
            f"{median(lambda: per_s(lambda number: Playout(one_on_one, number), matches)):.1f}",
            "20",
        ),
        (
            "the same by the random players of `match simulate` /s",
            f"{median(lambda: per_s(lambda number: Sparring(one_on_one, number), matches)):.1f}",
            "",
        ),
        (
            "random wrestling matches, hurried, /s",
            f"{median(lambda: per_s(hurried, matches)):.1f}",
            "20",
        ),
        (
            "greedy elimination matches /s",
            f"{median(lambda: per_s(lambda number: Sparring(sensible, number), matches)):.1f}",
            "",
        ),
        ("undo in a match of 1,000 entries, ms", f"{median(lambda: undo_ms(one_on_one)):.1f}", "20"),
        ("options of one of 8 wrestlers, cold, ms", f"{cold:.2f}", "2"),
        ("options of one of 8 wrestlers, warm, ms", f"{warm:.2f}", "0.5"),
    ]


def chess_moves(playouts: int) -> float:
    """Moves per second of CPU in random games of chess, chosen among the legal ones like our answers."""
    rng = random.Random(1)
    started, moves = time.process_time(), 0
    for _ in range(playouts):
        board = chess.Board()
        while not board.is_game_over() and board.ply() < 300:
            board.push(rng.choice(list(board.legal_moves)))
            moves += 1
    return moves / (time.process_time() - started)


def answers_per_s(kind: type[Sparring], bout: Bout, matches: int) -> float:
    """Answers the engine takes per second of CPU: what the players think and see is not counted."""
    spent, answers = 0.0, 0
    for number in range(matches):
        sparring = kind(bout, number)
        while (request := sparring.match.request) is not None and answers < 1000 * (number + 1):
            value, origin = sparring.answer(request)
            started = time.process_time()
            sparring.match.answer(value, origin)
            spent += time.process_time() - started
            answers += 1
    return answers / spent


def hurried(number: int) -> Sparring:
    """A wrestling match as the fuzz plays it, house rules included."""
    return FuzzSparring(drawn("current", "wrestling_match", number, seed=1))


def per_s(match: Callable[[int], Sparring], matches: int) -> float:
    """Whole matches per second of CPU, players and table included."""
    started = time.process_time()
    for number in range(matches):
        match(number).play()
    return matches / (time.process_time() - started)


def undo_ms(bout: Bout) -> float:
    """One undo at about the thousandth entry, the mean over the last ones."""
    sparring = _long_match(bout, 1000)
    started = time.process_time()
    for _ in range(20):
        sparring.match.undo()
    return 1000 * (time.process_time() - started) / 20


def _long_match(bout: Bout, entries: int) -> Sparring:
    for number in range(10_000):
        sparring = Sparring(bout, number)
        while sparring.match.request is not None and len(sparring.match.log.entries) < entries:
            for _ in range(50):
                if sparring.match.request is None:
                    break
                sparring.step()
        if len(sparring.match.log.entries) >= entries:
            return sparring
    raise RuntimeError("no match lasts so long")


def option_times(tries: int) -> tuple[float, float]:
    """Milliseconds for the options of one among eight: over figures never asked about, and again."""
    bout = bout_of(players="random", edition="current", mode=None, fighters=8, seed=1)
    sparring = Sparring(replace(bout, players="greedy"), 1)
    while (
        len(sparring.match.scene.figures) < 8
        or sparring.match.request is None
        or (sparring.match.request.kind != "choose" or "D-04" not in sparring.match.request.step)
    ):
        sparring.step()
    table = sparring.match.table
    scene = table.state.scene
    spent = [0.0, 0.0]
    for number in range(tries):
        # A hair away is another figure: nothing is remembered of it.
        figures = {
            name: put(one, one.x * 0.6 + 0.001 * (number + 1), one.y * 0.6, one.facing)
            for name, one in scene.figures.items()
        }
        table.state.scene = replace(scene, figures=figures)
        for again in (0, 1):
            started = time.process_time()
            options(table, "F1")
            spent[again] += 1000 * (time.process_time() - started) / tries
    return spent[0], spent[1]


if __name__ == "__main__":
    sys.exit(main())
