"""The referee of a fuzzed match: now and then he says a word of his own, or goes back in the log.

What he does is drawn from a chance of its own: a match in which he keeps quiet is the same without him.
"""

from __future__ import annotations

import math
import random
from typing import Any

from rules.engine.diverged import Diverged
from rules.engine.log import Entry
from rules.engine.match import Match
from rules.engine.overrule import Correction
from rules.engine.request import Origin, Rejected, Request

FARTHEST_BACK = 30
"""Entries: he goes back so far at most."""
MOST_WORDS = 25
"""In one match: one who never kept quiet would keep it from ending."""
WORDS = {"correct": 10, "accept": 4, "take_back": 2, "replace": 2, "undo": 1, "end": 0.1}
"""How likely each of his words is."""


class Referee:
    """Speaks with this likelihood before an answer."""

    def __init__(self, rng: random.Random, likelihood: float) -> None:
        self._rng = rng
        self._likelihood = likelihood
        self._said = 0

    def speaks(self, match: Match[Any]) -> bool:
        """Whether he said something now. Raises what breaks: no correction may be impossible to carry out."""
        if self._said >= MOST_WORDS or self._rng.random() >= self._likelihood:
            return False
        self._said += 1
        match self._rng.choices(list(WORDS), list(WORDS.values()))[0]:
            case "correct":
                return self._says(match, correction(match, self._rng), "nothing_to_correct")
            case "accept":
                said = acceptance(match, self._rng)
                # What the rules cannot carry out at all is refused.
                return said is not None and self._says(match, said, "cannot_stand")
            case "end":
                match.answer({"end_match": [self._rng.choice(list(match.state.wrestlers))]}, "referee")
                return True
            case word:
                return self._goes_back(match, word)

    @staticmethod
    def _says(match: Match[Any], said: dict[str, Any], refusable: str) -> bool:
        """Whether it was taken; it may be refused for one reason only."""
        try:
            match.answer(said, "referee")
        except Rejected as refusal:
            if [one.code for one in refusal.reasons] != [refusable]:
                raise
            return False
        return True

    def _goes_back(self, match: Match[Any], word: str) -> bool:
        """One of the last entries taken back or answered otherwise, or all from there on taken back."""
        entries = match.log.entries
        if not entries:
            return False
        number = self._rng.randrange(max(0, len(entries) - FARTHEST_BACK), len(entries))
        if word == "undo":
            match.undo(number)
            return True
        try:
            if word == "take_back":
                match.take_back(number)
            else:
                match.replace(number, *_otherwise(entries[number], self._rng))
        except Rejected:
            return False
        except Diverged:
            if word == "take_back":
                match.take_back(number, partly=True)
                return True
            return False
        return True


def correction(match: Match[Any], rng: random.Random) -> dict[str, Any]:
    """Some field of somebody set to some value it takes."""
    field = rng.choice(match.corrections)
    return {"correct": {"fighter": field.fighter, "field": field.field, "value": _other_value(field, rng)}}


def acceptance(match: Match[Any], rng: random.Random) -> dict[str, Any] | None:
    """Some option that is not allowed; None where everything is."""
    request: Request | None = match.request
    illegal = [one.id for one in request.options if not one.legal] if request is not None else []
    return {"accept": {"answer": rng.choice(illegal)}} if illegal else None


def _other_value(field: Correction, rng: random.Random) -> Any:
    if field.kind == "flag":
        return not field.now
    if field.kind == "choice":
        return rng.choice(field.values)
    if field.kind == "point":
        return [rng.uniform(max(-30.0, field.least), 30.0) for _ in range(2)]
    return rng.randint(max(-20, math.ceil(field.low)), min(20, math.floor(field.high)))


def _otherwise(entry: Entry, rng: random.Random) -> tuple[Any, Origin]:
    """Another answer than was given then: other faces, or yes for no; of other kinds the same again."""
    if entry.request["kind"] == "roll":
        sides = [faces for _, count, faces, _ in entry.request["dice"] for _ in range(count)]
        return [rng.randint(1, faces) for faces in sides], "dice"
    return {"yes": "no", "no": "yes"}.get(str(entry.raw), entry.raw), entry.origin
