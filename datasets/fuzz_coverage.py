"""Coverage-guided matches: players who prefer what has been tried least, until everything has been reached.

`python -m datasets.fuzz_coverage` says which functions of rules/smackkatz no match enters and which cited
rules no question, fact, refusal or entered function has met.
"""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import random
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import cycle, islice
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import rules.smackkatz
from datasets.fuzz_match import GAMES, Drawn, FuzzSparring, drawn
from datasets.fuzz_referee import acceptance, correction
from rules.engine.cite import citations
from rules.engine.request import Origin, Rejected, Request
from rules.smackkatz.house_rules import CHOICES
from rules.smackkatz.modes.league import league

MOST_ANSWERS, AN_HOUR = 1200, 400
LOOKED_AT, OVERRULED = 0.05, 0.04
"""How often a match is drawn and explained, and how often the referee says a word of his own."""
VALUES = [(one.name, value) for one in CHOICES for value in one.values]
_AT_ONCE = 24
OUT_OF_PLAY = (
    "changes.registry", "discussion", "house_rules", "earlier.house_rules", "legality.matrix", "lookup",
    "settled", "sheet", "weigh_in", "book.SmackKatz.__init__", "turn.actions._alone",
)  # fmt: skip
"""What builds the rules when they are imported, checks sheets and rosters, or only answers questions."""
ASKED_ELSEWHERE = (
    "attacks.aiming.first_met", "attacks.aiming._described", "attacks.aiming._named_in",
    "legality.options.option", "legality.options.options",
    "legality.reasons.scene_reason.<locals>.words", "modes.league.League.to_json",
    "modes.table.participants_allowed", "movement.judge.settled", "movement.region._strips",
    "movement.region.open_floor", "movement.region.open_floor.<locals>.along",
    "movement.spots.side_of_ropes",
)  # fmt: skip
"""Questions that pages and commands ask of a match, and tests of a table; and on which side somebody is whose
box lies across the ropes, which few matches ask."""
FOLDER = str(Path(rules.smackkatz.__file__).parent)


@dataclass
class Reached:
    """What the matches so far have met."""

    matches: int = 0
    functions: set[str] = field(default_factory=set)
    rules: set[str] = field(default_factory=set)
    novelty: Counter[str] = field(default_factory=Counter)

    def functions_missed(self) -> list[str]:
        """Functions of rules/smackkatz that play may enter and no match has entered."""
        outside = tuple(f"rules.smackkatz.{one}" for one in OUT_OF_PLAY)
        elsewhere = {f"rules.smackkatz.{one}" for one in ASKED_ELSEWHERE}
        missed = set(functions()) - self.functions - elsewhere
        return sorted(one for one in missed if not one.startswith(outside))

    def rules_missed(self) -> list[str]:
        """Cited rules that play may meet and nothing has met."""
        outside = tuple(f"rules.smackkatz.{one}" for one in OUT_OF_PLAY)
        cited = citations("rules.smackkatz")
        entered = {rule for rule, places in cited.items() if self.functions & set(places)}
        missed = set(cited) - entered - self.rules
        return sorted(rule for rule in missed if not all(one.startswith(outside) for one in cited[rule]))


def functions() -> Iterator[str]:
    """Every function and method of rules/smackkatz, as `rules.smackkatz.room.file.name`."""
    for module in pkgutil.walk_packages(rules.smackkatz.__path__, "rules.smackkatz."):
        path = importlib.import_module(module.name).__file__
        assert path is not None
        yield from _inside(compile(Path(path).read_text(encoding="utf-8"), path, "exec"), module.name)


def _inside(code: CodeType, module: str) -> Iterator[str]:
    for one in code.co_consts:
        if isinstance(one, CodeType):
            if not one.co_name.startswith("<") and one.co_flags & 0x2:
                # CO_NEWLOCALS: a function, not the body of a class.
                yield f"{module}.{one.co_qualname}"
            yield from _inside(one, module)


def explore(reached: Reached, games: list[tuple[str, str]], matches: int, seed: int = 1) -> None:
    """Play so many more matches of these games, one after another; every house rule has its turn."""
    for number in range(reached.matches, reached.matches + matches):
        edition, mode = games[number % len(games)]
        _play(_under_other_rules(drawn(edition, mode, number, seed), number), number, reached)


def _under_other_rules(what: Drawn, number: int) -> Drawn:
    """The same match under the next dozen values of house rules, as far as they go together."""
    rulings = dict(what.bout.rulings)
    for name, value in islice(cycle(VALUES), number * _AT_ONCE, (number + 1) * _AT_ONCE):
        try:
            FuzzSparring(replace(what, bout=replace(what.bout, rulings=rulings | {name: value})))
        except ValueError:
            continue
        rulings[name] = value
    patience = max(80, what.hurry_after)
    return replace(what, bout=replace(what.bout, rulings=rulings), hurry_after=patience, meddling=0.0)


def _play(what: Drawn, number: int, reached: Reached) -> None:
    rng = random.Random(number)
    sys.settrace(_watcher(reached.functions))
    try:
        sparring = _Explorer(what, reached.novelty)
        sparring.blind = number % 12 == 5
        if number % 2:
            # So near the corner that a post can be climbed.
            sparring.huddle.margin_cm = 3.4
        while (request := sparring.match.request) is not None and sparring.answers < MOST_ANSWERS:
            reached.rules.update(request.rules)
            if request.kind == "choose" and request.fighter is not None:
                reached.rules.update(reason.rule for one in request.options for reason in one.reasons)
            if rng.random() < LOOKED_AT:
                sparring.match.annotations()
                sparring.match.explain(rng.choice(list(sparring.match.state.wrestlers)))
            if number % 8 == 3 and rng.random() < OVERRULED:
                _overrule(sparring, rng)
            else:
                sparring.step()
        if sparring.match.outcome is None:
            sparring.match.answer({"end_match": []}, "referee")
        league(sparring.match.table, "Gold")
        sparring.match.state.to_json()
    finally:
        sys.settrace(None)
    reached.matches += 1
    for entry in sparring.match.log.entries:
        reached.rules.update(*(fact.rules for fact in entry.facts))


class _Explorer(FuzzSparring):
    """Some of these matches nobody sees."""

    blind = False

    def answer(self, request: Request) -> tuple[Any, Origin]:
        """As in any fuzzed match; blind, an observation sees nobody. An hour lasts long enough for falls."""
        if request.step.startswith("Z5 time") and self.answers < AN_HOUR:
            return "play_on", "referee"
        return ({}, "camera") if self.blind and request.kind == "observe" else super().answer(request)


def _overrule(sparring: FuzzSparring, rng: random.Random) -> None:
    """The referee sets some field, or lets something illegal stand; where neither will do, play goes on."""
    match = sparring.match
    said = acceptance(match, rng) if rng.random() < 0.3 else None
    try:
        match.answer(said or correction(match, rng), "referee")
    except Rejected:
        sparring.step()


def _watcher(entered: set[str]) -> Any:
    known: dict[CodeType, None] = {}

    def watch(frame: FrameType, event: str, arg: object) -> None:
        code = frame.f_code
        if code not in known:
            known[code] = None
            if code.co_filename.startswith(FOLDER):
                entered.add(f"{frame.f_globals['__name__']}.{code.co_qualname}")

    return watch


def main() -> None:
    """The command line; exit code 1 when something is out of reach."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--matches", type=int, default=440, help="at most")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    reached = Reached()
    while reached.matches < given.matches and (reached.functions_missed() or reached.rules_missed()):
        explore(reached, GAMES, len(GAMES), given.seed)
    functions_too, rules_too = reached.functions_missed(), reached.rules_missed()
    print(f"{reached.matches} matches: {len(functions_too)} functions and {len(rules_too)} rules missed")
    if functions_too or rules_too:
        sys.exit("\n".join((*functions_too, *rules_too)))


if __name__ == "__main__":
    main()
