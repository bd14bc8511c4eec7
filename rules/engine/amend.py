"""One earlier entry taken back or answered otherwise, the later ones kept as far as they still fit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.engine import diverged
from rules.engine.log import Entry
from rules.engine.play import Play
from rules.engine.request import Origin, Rejected
from rules.engine.rulebook import S


def without(play: Play[S], number: int, partly: bool) -> tuple[Play[S], list[Entry]]:
    """A play without that entry, and the later entries that no longer fit.

    Raises Diverged at the first that does not fit, unless `partly`.
    """
    return _followed(play.fork(number), play.entries[number + 1 :], partly)


def instead(
    play: Play[S], number: int, value: Any, origin: Origin, partly: bool
) -> tuple[Play[S], list[Entry]]:
    """A play with another answer at that entry, and the later entries that no longer fit.

    Raises Rejected for an answer that was not allowed there, Diverged as `without`.
    """
    other = play.fork(number)
    other.give(value, origin, play.entries[number].at)
    return _followed(other, play.entries[number + 1 :], partly)


def _followed(play: Play[S], later: list[Entry], partly: bool) -> tuple[Play[S], list[Entry]]:
    for kept, entry in enumerate(later):
        misfit = _follow(play, entry)
        if misfit is not None:
            if not partly:
                raise misfit
            return play, later[kept:]
    return play, []


def _follow(play: Play[S], entry: Entry) -> diverged.Diverged | None:
    """Give an entry's answer again where it still answers what is asked; else say why it does not."""
    request = play.request
    asked = None if request is None else request.signature()
    # The referee's own word answers no particular question.
    if asked is None or not (entry.overrules or _same(entry.request, asked)):
        return diverged.other_request(entry.n, entry.request, asked)
    try:
        play.give(entry.raw, entry.origin, entry.at)
    except Rejected as refusal:
        return diverged.refused_answer(entry.n, entry.raw, [reason.code for reason in refusal.reasons])
    return None


def _same(then: Mapping[str, Any], now: Mapping[str, Any]) -> bool:
    """Whether two requests ask the same of the same: numbers told along with the question may differ."""

    def names(asked: Mapping[str, Any]) -> list[Any]:
        about = asked.get("about", {})
        return [value for _, value in sorted(about.items()) if isinstance(value, str)]

    keys = ("kind", "step", "who", "fighter", "ask", "dice")
    return all(then.get(key) == now.get(key) for key in keys) and names(then) == names(now)
