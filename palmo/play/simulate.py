"""Many simulated matches, in one process or several; the outcome does not depend on how many."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from palmo.errors import PalmoError
from palmo.play.sparring import Bout, Played, Sparring


def simulate(
    bout: Bout, games: int, *, jobs: int = 1, moved_on: Callable[[], None] = lambda: None
) -> list[Played]:
    """Play so many matches; `moved_on` is told after each. Raises PalmoError when one crashes."""
    found = []
    for played in _each(bout, games, jobs):
        found.append(played)
        moved_on()
    return found


def play_one(bout: Bout, number: int, folder: Path = Path("out")) -> Played:
    """One match. When the rules crash in it, its log goes into `folder` and PalmoError says where."""
    sparring = Sparring(bout, number)
    try:
        return sparring.play()
    except Exception as error:
        folder.mkdir(parents=True, exist_ok=True)
        log = folder / f"simulated-{bout.seed}-{number}.jsonl"
        lines = sparring.match.log_lines()
        log.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        raise PalmoError(
            f"match {number} of seed {bout.seed} broke at entry {len(lines) - 1} ({error!r}); "
            f"what was asked then: {sparring.match.request}; its log: {log}"
        ) from error


def _each(bout: Bout, games: int, jobs: int) -> Iterator[Played]:
    if jobs <= 1:
        yield from map(partial(play_one, bout), range(games))
        return
    # Not forked: a process with threads of its own must not be copied.
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield from pool.map(partial(play_one, bout), range(games), chunksize=max(1, games // (8 * jobs)))
