"""Random matches of every mode and edition under random house rules, invariants checked after every answer.

`python -m datasets.fuzz_rules --matches 10000 --jobs 2` plays so many of each mode and edition and writes
docs/fuzz-smackkatz.md, with the commit whose rules were played; `--add` puts a shorter run after a longer one
of earlier rules instead. A match that breaks leaves its log in out/fuzz/ and its number on the page:
`--only current:iron_man:17` plays that one again and shows the traceback.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path

from datasets.fuzz_invariants import Broken, Watch
from datasets.fuzz_match import BOOKS, GAMES, MOST_ANSWERS, FuzzSparring, drawn
from rules.engine.match import Match

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "fuzz-smackkatz.md"
LOGS = Path("out") / "fuzz"
SAMPLE = 50
"""Every so manieth match is replayed from its log, and taken back and played again from the middle."""
STRANDS = {"ability_floor": 0, "helpless_when": "negative"}
"""House rules that may leave somebody helpless or without Speed for good: the referee ends such a match."""
LATELY = 1000
"""Answers: where nobody was hurt in the last so many of a match that has had all it may have, it broke."""
_CHUNK = 50


@dataclass
class Tally:
    """What so many matches of one game came to."""

    matches: int = 0
    answers: int = 0
    turns: int = 0
    seconds: float = 0.0
    replayed: int = 0
    endings: Counter[str] = field(default_factory=Counter)
    rules: set[str] = field(default_factory=set)
    failures: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Take another tally in."""
        self.matches += other.matches
        self.answers += other.answers
        self.turns += other.turns
        self.seconds += other.seconds
        self.replayed += other.replayed
        self.endings.update(other.endings)
        self.rules |= other.rules
        self.failures += other.failures


def play(edition: str, mode: str, number: int, seed: int, tally: Tally) -> FuzzSparring:
    """One match, watched; raises whatever goes wrong, Broken for an invariant."""
    sparring = FuzzSparring(drawn(edition, mode, number, seed))
    match, watch = sparring.match, Watch(sparring.match)
    try:
        while match.request is not None:
            said = sparring.overruled
            if sparring.answers < MOST_ANSWERS:
                sparring.step()
            elif _stranded(match) or _goes_on(match):
                match.answer({"end_match": []}, "referee")
            else:
                raise Broken(f"the match has no end: turn {match.state.turn}, {sparring.answers} answers")
            watch.look(anew=sparring.overruled > said)
        if number % SAMPLE == 0:
            _again(match, edition)
            tally.replayed += 1
    except Exception as error:
        error.add_note(_kept(sparring, f"{edition}-{mode}-{number}"))
        raise
    finally:
        tally.matches += 1
        tally.answers += sparring.answers
        tally.turns += match.state.turn
        for entry in match.log.entries:
            tally.rules.update(entry.request["rules"], *(fact.rules for fact in entry.facts))
    assert match.outcome is not None
    tally.endings[match.outcome.ending] += 1
    return sparring


def _stranded(match: Match) -> bool:  # type: ignore[type-arg]
    return any(match.table.rulings[name] == value for name, value in STRANDS.items())


def _goes_on(match: Match) -> bool:  # type: ignore[type-arg]
    """Whether they still fight: Stamina is lost and won back. Where nothing happens something is wrong."""
    lately = match.log.entries[-LATELY:]
    return any(fact.kind == "stamina_lost" for entry in lately for fact in entry.facts)


def _again(match: Match, edition: str) -> None:  # type: ignore[type-arg]
    """The log replays to the same state, and so does the second half after it was taken back."""
    lines, state = match.log_lines(), json.dumps(match.state.to_json())
    again = Match.replay(lines, BOOKS[edition])
    if again.log_lines() != lines or json.dumps(again.state.to_json()) != state:
        raise Broken("the log does not replay to the same end")
    match.undo(len(match.log.entries) // 2)
    while match.redo():
        pass
    if match.log_lines() != lines or json.dumps(match.state.to_json()) != state:
        raise Broken("undone and done again the match is another")


def _kept(sparring: FuzzSparring, name: str) -> str:
    """Keep the log of a match that broke; says where."""
    LOGS.mkdir(parents=True, exist_ok=True)
    path = LOGS / f"{name}.jsonl"
    path.write_text("".join(f"{line}\n" for line in sparring.match.log_lines()), encoding="utf-8")
    return f"asked: {sparring.match.request}; log: {path}"


def chunk(job: tuple[str, str, int, int, int]) -> Tally:
    """The matches of one game from a number up to another."""
    edition, mode, first, last, seed = job
    tally = Tally()
    started = time.process_time()
    for number in range(first, last):
        try:
            play(edition, mode, number, seed, tally)
        except Exception as error:
            # Whatever breaks one match must not keep the others from being played.
            tally.failures.append(f"{edition}:{mode}:{number}: {error!r} ({'; '.join(error.__notes__)})")
    tally.seconds = time.process_time() - started
    return tally


def fuzz(
    matches: int, jobs: int, seed: int, done: Callable[[str, Tally], None] = lambda game, tally: None
) -> dict[str, Tally]:
    """So many matches of every game; `done` is told after each chunk. Nothing hangs on the number of jobs."""
    work = [
        (edition, mode, first, min(first + _CHUNK, matches), seed)
        for first in range(0, matches, _CHUNK)
        for edition, mode in GAMES
    ]
    found = {f"{edition} {mode}": Tally() for edition, mode in GAMES}
    for job, tally in zip(work, _chunks(work, jobs), strict=True):
        game = f"{job[0]} {job[1]}"
        found[game].add(tally)
        done(game, found[game])
    return found


def _chunks(work: list[tuple[str, str, int, int, int]], jobs: int) -> Iterator[Tally]:
    if jobs <= 1:
        yield from map(chunk, work)
        return
    # Not forked: a process with threads of its own must not be copied.
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield from pool.map(chunk, work)


def played_rules() -> str:
    """The commit whose rules are played, and whether there are changes to it; empty where nobody knows."""

    def git(*words: str) -> str:
        done = subprocess.run(("git", *words), cwd=ROOT, capture_output=True, text=True, check=False)
        return done.stdout.strip() if done.returncode == 0 else ""

    try:
        commit = git("rev-parse", "--short", "HEAD")
        return f"{commit} and changes to it" if commit and git("status", "--porcelain", "rules") else commit
    except OSError:
        return ""


def page(found: dict[str, Tally], wanted: int, seed: int, rules: str = "", before: str = "") -> str:
    """The result as Markdown. `rules` says whose rules were played; `before` is the page it goes after."""
    everything = Tally()
    for tally in found.values():
        everything.add(tally)
    played = f", with the rules of commit {rules}" if rules else ""
    head = [before.rstrip(), "", "## Since then", ""] if before else [
        "# SmackKatz under fuzz",
        "",
        "Written by `python -m datasets.fuzz_rules` (`make nightly`): random wrestlers, house rules, tables,",
        "dice and players. After every answer the invariants of `datasets/fuzz_invariants.py` are checked",
        "(one body one place, nobody acts who may not, Stamina adds up against the facts, pools within their",
        f"caps), and every match must end. Every {SAMPLE}th is replayed from its log, undone to the middle",
        "and redone.",
        "",
    ]  # fmt: skip
    lines = [
        *head,
        f"Seed {seed}, {wanted} matches wanted of each mode and edition{played}.",
        "",
        "| Edition, mode | Matches | Answers | Turns | CPU s | Matches/s | Endings | Rules met | Failures |",
        "|---|---:|---:|---:|---:|---:|---|---:|---:|",
    ]
    for game, tally in [*found.items(), ("all", everything)]:
        endings = ", ".join(f"{name} {many}" for name, many in tally.endings.most_common())
        rate = tally.matches / tally.seconds if tally.seconds else 0.0
        lines.append(
            f"| {game} | {tally.matches} | {tally.answers} | {tally.turns} | {tally.seconds:.0f} "
            f"| {rate:.1f} | {endings} | {len(tally.rules)} | {len(tally.failures)} |"
        )
    lines += [
        "",
        f"{everything.replayed} matches were replayed. The referee ends a match in which house rules strand",
        "somebody for good (Speed 0, or helpless below 0 Stamina), and one that is still fought after",
        f"{MOST_ANSWERS} answers; one in which nothing happens any more is a failure.",
        "",
    ]
    if everything.failures:
        lines += ["Failures:", "", *(f"- `{one}`" for one in everything.failures[:50]), ""]
    met = ", ".join(sorted(everything.rules, key=_by_number))
    lines += [f"Rules that questions and facts cited ({len(everything.rules)}): {met}.", ""]
    return "\n".join(lines)


def _by_number(rule: str) -> tuple[str, int]:
    group, _, number = rule.rpartition("-")
    return group, int(number)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--matches", type=int, default=200, help="of each mode and edition")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--page", type=Path, default=PAGE)
    parser.add_argument("--add", action="store_true", help="put the result after what stands on the page")
    parser.add_argument("--only", help="one match again, as the page names it: edition:mode:number")
    given = parser.parse_args()
    if given.only:
        edition, mode, number = given.only.split(":")[:3]
        tally = Tally()
        play(edition, mode, int(number), given.seed, tally)
        print(f"{given.only}: {tally.answers} answers, {dict(tally.endings)}")
        return
    found: dict[str, Tally] = {f"{edition} {mode}": Tally() for edition, mode in GAMES}
    last = f"{GAMES[-1][0]} {GAMES[-1][1]}"
    rules, before = played_rules(), given.page.read_text(encoding="utf-8") if given.add else ""

    def done(game: str, tally: Tally) -> None:
        found[game] = tally
        broken = sum(len(one.failures) for one in found.values())
        print(f"\r{game}: {tally.matches}/{given.matches}; {broken} broken  ", end="", file=sys.stderr)
        if game == last:
            # A night may be short: what is done stands on the page.
            text = page(found, given.matches, given.seed, rules, before)
            given.page.write_text(text, encoding="utf-8")

    fuzz(given.matches, given.jobs, given.seed, done)
    if failures := sum(len(tally.failures) for tally in found.values()):
        sys.exit(f"{failures} matches broke; see {given.page}")


if __name__ == "__main__":
    main()
