"""Who goes first: initiative with re-rolled ties, Combat order of a group, roll-offs."""

from __future__ import annotations

from collections.abc import Sequence

from rules.engine.cite import cite
from rules.engine.request import REFEREE, Option, Pool, Procedure, Request
from rules.smackkatz.abilities import Ring, effective
from rules.smackkatz.asking import roll
from rules.text import Text, listed


@cite("LOCK-04", "INIT-02", "RULING-8", "RULING-19")
def roll_off(table: Ring, tied: Sequence[str], step: str, rule: str) -> Procedure[list[str]]:
    """One d6 each, higher first, re-rolled among those still equal until all differ."""
    if len(tied) < 2:
        return list(tied)
    text = Text("ask.roll_off", {"fighters": listed(tied)})
    thrown = yield from roll(table, f"{step} tie_break", text, tuple(Pool(one, 1) for one in tied), rule)
    return (yield from _sorted(table, {one: faces[0] for one, faces in thrown.items()}, step, rule))


def _sorted(table: Ring, scores: dict[str, int], step: str, rule: str) -> Procedure[list[str]]:
    """Names by falling score, equal ones separated by roll-offs."""
    order: list[str] = []
    for score in sorted(set(scores.values()), reverse=True):
        order += yield from roll_off(table, [one for one in scores if scores[one] == score], step, rule)
    return order


@cite("LOCK-02", "LOCK-03", "LOCK-04")
def by_successes(table: Ring, scores: dict[str, int], step: str) -> Procedure[list[str]]:
    """Combat order: more successes first, ties by one d6 each."""
    return (yield from _sorted(table, scores, step, "LOCK-04"))


@cite("INIT-01", "INIT-02", "INIT-03", "INIT-04", "RULING-8", "RULING-9")
def initiative(table: Ring, fighters: Sequence[str], step: str) -> Procedure[list[str]]:
    """One d6 each, in descending order of result; ties by the agreed method. One alone need not roll."""
    if len(fighters) < 2:
        return list(fighters)
    text = Text("ask.initiative", {"turn": table.state.turn})
    pools = tuple(Pool(one, 1) for one in fighters)
    thrown = yield from roll(table, f"{step} initiative_roll", text, pools, "INIT-01")
    scores = {one: faces[0] for one, faces in thrown.items()}
    method = table.rulings["initiative_tie"]
    order: list[str] = []
    for score in sorted(set(scores.values()), reverse=True):
        tied = [one for one in fighters if scores[one] == score]
        order += yield from _separate(table, tied, method, step)
    table.record("order", "INIT-03", order=order)
    return order


def _separate(table: Ring, tied: list[str], method: str, step: str) -> Procedure[list[str]]:
    if method == "referee":
        return (yield from _named(table, tied, step))
    if method == "by_speed":
        order: list[str] = []
        speeds = {one: effective(table, one, "speed") for one in tied}
        for speed in sorted(set(speeds.values()), reverse=True):
            equal = [one for one in tied if speeds[one] == speed]
            order += yield from roll_off(table, equal, step, "INIT-02")
        return order
    return (yield from roll_off(table, tied, step, "INIT-02"))


@cite("RULING-8", "RULING-10")
def _named(table: Ring, tied: list[str], step: str) -> Procedure[list[str]]:
    """The referee names who goes next among the tied."""
    order: list[str] = []
    left = list(tied)
    while len(left) > 1:
        options = tuple(
            Option(one, Text("option.first", {"fighter": one}), rules=("RULING-8",)) for one in left
        )
        text = Text("ask.who_first", {"fighters": listed(left)})
        chosen = yield Request(
            "ruling", f"{step} tie_break", REFEREE, text, options=options, rules=("INIT-02", "RULING-8")
        )
        order.append(chosen)
        left.remove(chosen)
    return order + left
