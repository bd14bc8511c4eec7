"""Where a thrown or diving body comes down: the landing observed, whom it hits, who dodges."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rules import questions
from rules.engine.cite import cite
from rules.engine.request import REFEREE, Option, Procedure, Request
from rules.geometry import outline_shape
from rules.questions import Finding
from rules.scene import Figure
from rules.smackkatz import sight
from rules.smackkatz.abilities import Ring
from rules.smackkatz.asking import see
from rules.smackkatz.consequences.aftermath import settle, struck
from rules.smackkatz.consequences.collide import Fallen, hurt
from rules.smackkatz.consequences.dodge import dodge
from rules.smackkatz.consequences.drops import fall_loss
from rules.text import Text


@dataclass(frozen=True)
class Landing:
    """A flight that is over: who flew, from where, and what the table shows now.

    `start` is None when nobody saw where he came from, and `figures` may lack him or others.
    """

    body: str
    start: Figure | None
    figures: Mapping[str, Figure]

    @property
    def end(self) -> Figure | None:
        """Where he lies now, if he was seen."""
        return self.figures.get(self.body)

    @property
    def heading(self) -> float | None:
        """The direction of the flight, radians; None when it was not seen."""
        if self.start is None or self.end is None:
            return None
        return math.atan2(self.end.y - self.start.y, self.end.x - self.start.x)

    @property
    def length(self) -> float:
        """How far he flew, cm; 0 when it was not seen."""
        if self.start is None or self.end is None:
            return 0.0
        return math.hypot(self.end.x - self.start.x, self.end.y - self.start.y)


def may_be_hit(table: Ring, but: Iterable[str]) -> list[str]:
    """Those a body from above can come down on: everybody on his own ground."""
    left_out = tuple(but)
    return [
        one.id
        for one in table.state.playing
        if one.id not in left_out and one.hoisted_by is None and one.on_post is None
    ]


@cite("SUPLEX-08", "SPECIAL-08", "RULING-54", "RULING-94")
def touched(
    table: Ring, landing: Landing, among: list[str], step: str, rule: str, *, in_flight: bool = False
) -> Procedure[list[str]]:
    """Whom he came down on: those his outline touches where they stood before; doubts to the referee.

    `in_flight`: also those he passed over, about whom only who watched the flight can tell.
    """
    if landing.end is None:
        return (yield from _told(table, landing.body, among, step, rule))
    found = []
    for other in among:
        for finding in _contacts(table, landing, other, rule, in_flight):
            if (yield from sight.settle(table, finding, step)):
                found.append(other)
                break
    return found


def _contacts(table: Ring, landing: Landing, other: str, rule: str, in_flight: bool) -> Iterable[Finding]:
    """What can show that somebody was hit: the landing, then the way there."""
    before = table.state.scene.figures.get(other)
    if landing.end is None or before is None:
        yield Finding("touched_in_flight", False, (landing.body, other), (rule,), too_close=True)
        return
    lying = questions.touching(landing.end, before, (rule,))
    yield lying
    if not in_flight or landing.start is None:
        return
    way = questions.path_blocked(
        landing.start, (landing.end.x, landing.end.y), {other: outline_shape(before)}
    )
    if way.answer:
        yield Finding("touched_in_flight", False, (landing.body, other), (rule,), too_close=True)


@cite("SUPLEX-08", "SPECIAL-08")
def _told(table: Ring, body: str, among: list[str], step: str, rule: str) -> Procedure[list[str]]:
    """Nobody saw the landing: the referee names whom he hit, one after another."""
    hit: list[str] = []
    while left := [one for one in among if one not in hit]:
        options = (
            *(
                Option(f"hit:{one}", Text("option.hit_by", {"fighter": one}), (), one, (rule,))
                for one in left
            ),
            Option("nobody", Text("option.nobody"), rules=(rule,)),
        )
        said = yield Request(
            "ruling",
            f"{step} D-28",
            REFEREE,
            Text("ask.touched_anyone", {"fighter": body}),
            fighter=body,
            options=options,
            rules=(rule,),
        )
        if said == "nobody":
            return hit
        hit.append(said.partition(":")[2])
    return hit


@cite("SUPLEX-09", "SPECIAL-08", "RULING-94", "RULING-104")
def undodged(table: Ring, landing: Landing, hit: list[str], step: str, decision: str) -> Procedure[list[str]]:
    """Each of them may dodge in the usual way (D-14, D-25); those who do not are hit."""
    found = []
    for one in hit:
        clear = yield from dodge(
            table,
            one,
            landing.body,
            landing.heading,
            landing.length,
            step,
            start=landing.start,
            decision=decision,
        )
        if not clear:
            found.append(one)
    return found


@cite(
    "SUPLEX-08", "SPECIAL-04", "SPECIAL-07", "SPECIAL-08", "STATUS-52", "RULING-46", "RULING-55", "RULING-58",
)  # fmt: skip
def fall_upon(
    table: Ring, landing: Landing, hit: str, status: Fallen, step: str, *rules: str
) -> Procedure[None]:
    """One who did not get away: his loss, whoever he was engaged with, and how he lies.

    The body still counts as where its flight began, so that what is dropped falls along that line.
    """
    table.record("fell_upon", *rules, fighter=hit, by=landing.body)
    _see(table, landing, (hit,), rules[0])
    points = fall_loss(table, hit)
    hurt(table, hit, points, "standing", *rules)
    yield from struck(table, landing.body, hit, step, points)
    if table.state.outcome is None:
        hurt(table, hit, 0, status, *rules)
        yield from settle(table, step)


def take_over_others(table: Ring, landing: Landing, met: Iterable[str], rule: str) -> None:
    """Everybody the flight did not concern stands as he is seen now."""
    left_out = {landing.body, *met}
    _see(table, landing, [name for name in landing.figures if name not in left_out], rule)


def take_over_body(table: Ring, landing: Landing, rule: str) -> None:
    """The flight is over: the body lies where it is seen."""
    _see(table, landing, (landing.body,), rule)


def _see(table: Ring, landing: Landing, names: Iterable[str], rule: str) -> None:
    seen = {name: landing.figures[name] for name in names if name in landing.figures}
    if seen:
        see(table, seen, rule)
