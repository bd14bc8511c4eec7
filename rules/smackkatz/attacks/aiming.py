"""Where a whip is aimed (D-05, D-29): ropes, posts, wrestlers and a fan of directions behind the launcher."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from rules.engine.cite import cite
from rules.engine.request import Option, Procedure, Reason
from rules.geometry import turn_between
from rules.smackkatz.abilities import Ring
from rules.smackkatz.asking import choose
from rules.smackkatz.consequences.landing import SIDES, bodies_on_mat
from rules.smackkatz.legality.reasons import reason
from rules.smackkatz.movement.forced import OUTWARD, Run, may_launch, run, whip_axis
from rules.text import DeferredText, Text

FAN_DEG = 15
"""Directions offered beside those that have a name: every so many degrees from the line straight behind."""
SAME_DEG = 3
"""Directions nearer than this to one with a name are not offered besides, degrees."""
STRAIGHT = "turn:0"
"""The direction straight behind the launcher."""
CORNERS = ("far_left", "far_right", "near_right", "near_left")
"""The posts' names, in the order of `Ring.corners`."""


@dataclass(frozen=True)
class Aim:
    """One direction a whip may be aimed in. Without figures on the table it has no heading (radians)."""

    id: str
    text: Text
    heading: float | None
    at: tuple[str, str] = ("", "")
    """What it is aimed at: what such a run meets and which one, as in `Run`; nothing for a mere direction."""


def _named(table: Ring, launcher: str, victim: str) -> Iterator[Aim]:
    """The rope sides straight on, the posts, and every wrestler on the same ground."""
    state = table.state
    figure = state.scene.figures.get(victim)
    place = None if figure is None else (figure.x, figure.y)

    def to(x: float, y: float) -> float | None:
        return None if place is None else math.atan2(y - place[1], x - place[0])

    if not state.wrestlers[victim].at_ringside:
        for side in SIDES:
            nx, ny = OUTWARD[side]
            text = Text("option.aim_ropes", {"side": Text(f"side.{side}")})
            yield Aim(f"ropes:{side}", text, None if place is None else math.atan2(ny, nx), ("ropes", side))
        for number, (name, corner) in enumerate(zip(CORNERS, state.scene.ring.corners, strict=True)):
            text = Text("option.aim_post", {"post": Text(f"post.{name}")})
            yield Aim(f"post:{name}", text, to(*corner), ("post", str(number)))
    for other in _others(table, launcher, victim):
        seen = state.scene.figures.get(other)
        heading = None if seen is None else to(seen.x, seen.y)
        yield Aim(f"at:{other}", Text("option.aim_figure", {"target": other}), heading, ("figure", other))


def _others(table: Ring, launcher: str, victim: str) -> list[str]:
    at_ringside = table.state.wrestlers[victim].at_ringside
    return [
        one.id
        for one in table.state.playing
        if one.id not in (launcher, victim) and one.at_ringside == at_ringside and one.hoisted_by is None
    ]


def _fan(table: Ring, launcher: str, victim: str) -> Iterator[Aim]:
    """Straight behind the launcher, and so many degrees to either side of that."""
    figures = table.state.scene.figures
    axis = whip_axis(figures[victim], figures[launcher], table.rulings)
    yield Aim(STRAIGHT, Text("option.aim_straight", {"launcher": launcher}), axis)
    for degrees in range(FAN_DEG, 90, FAN_DEG):
        for side, sign in (("left", 1), ("right", -1)):
            text = Text(f"option.aim_{side}", {"degrees": degrees})
            yield Aim(f"turn:{sign * degrees:+d}", text, axis + sign * math.radians(degrees))


@cite("WHIP-01", "WHIP-02", "RULING-42", "RULING-51")
def aims(table: Ring, launcher: str, victim: str) -> list[tuple[Aim, tuple[Reason, ...]]]:
    """Every direction to choose from, with what speaks against it.

    Directions of the fan that are not allowed are left out: there is no end of them.
    """
    state = table.state
    named = list(_named(table, launcher, victim))
    if not measured(table, launcher, victim):
        straight = Aim(STRAIGHT, Text("option.aim_straight", {"launcher": launcher}), None)
        return [(Aim(one.id, one.text, None), ()) for one in (*named, straight)]
    thrown, by = state.scene.figures[victim], state.scene.figures[launcher]
    at_ringside = state.wrestlers[victim].at_ringside

    def legal(one: Aim) -> bool:
        return one.heading is not None and may_launch(
            thrown, by, one.heading, state.scene.ring, table.rulings, at_ringside=at_ringside
        )

    why: tuple[Reason, ...] = (reason("not_behind", "RULING-42", launcher=launcher),)
    found = [(one, () if legal(one) else why) for one in named]
    open_ones = [one for one, against in found if not against]
    fan = _fan(table, launcher, victim)
    return found + [(one, ()) for one in fan if legal(one) and not _said(one, open_ones)]


def _said(one: Aim, named: list[Aim]) -> bool:
    """Whether a direction of the fan leads where one with a name does; straight on is always offered."""
    if one.id == STRAIGHT or one.heading is None:
        return False
    near = math.radians(SAME_DEG)
    return any(abs(turn_between(other.heading or 0.0, one.heading)) < near for other in named)


def measured(table: Ring, launcher: str, victim: str) -> bool:
    """Whether a run can be measured: everybody it concerns has been seen."""
    figures = table.state.scene.figures
    return all(one in figures for one in (launcher, victim, *_others(table, launcher, victim)))


@cite("WHIP-02", "RULING-42")
def aim_reasons(table: Ring, launcher: str, victim: str) -> tuple[Reason, ...]:
    """Why nobody can be whipped from here: no direction at all is behind the launcher."""
    state = table.state
    if measured(table, launcher, victim):
        # Nearly always the way straight behind is open: nothing else is looked at then.
        thrown, by = state.scene.figures[victim], state.scene.figures[launcher]
        axis = whip_axis(thrown, by, table.rulings)
        at_ringside = state.wrestlers[victim].at_ringside
        if may_launch(thrown, by, axis, state.scene.ring, table.rulings, at_ringside=at_ringside):
            return ()
    if any(not against for _, against in aims(table, launcher, victim)):
        return ()
    return (reason("nowhere_behind", "RULING-42", launcher=launcher),)


@cite("WHIP-01", "WHIP-02", "RULING-42")
def aim(
    table: Ring, launcher: str, victim: str, step: str, palms: int | None = None
) -> Procedure[float | None]:
    """Let the launcher's player say where the victim is to run; the heading, None when nothing is measured.

    `palms` is the length of the run when it is known already (D-29).
    """
    found = aims(table, launcher, victim)
    text = Text("ask.aim", {"fighter": launcher, "target": victim})

    def options() -> tuple[Option, ...]:
        return tuple(Option(one.id, words(one), against, rules=("WHIP-02",)) for one, against in found)

    def words(one: Aim) -> Text:
        # Where a run leads takes a while to find out: only for who reads it.
        return DeferredText(lambda: _described(table, launcher, victim, one, palms))

    chosen = yield from choose(table, launcher, step, text, options, "WHIP-01", "WHIP-02", "RULING-42")
    return next(one.heading for one, _ in found if one.id == chosen)


def _described(table: Ring, launcher: str, victim: str, one: Aim, palms: int | None) -> Text:
    """An aim in words: how far it is to what it is aimed at, or what the run comes to before."""
    if one.heading is None:
        return one.text
    palm = palm_of(table, launcher, victim)
    end = first_met(table, launcher, victim, one, math.inf if palms is None else palms * palm)
    away = end.after / palm
    if (end.meets, end.what) == one.at:
        return Text("option.aim_reached", {"aim": one.text, "palms": away})
    leads = Text(f"leads.{end.meets}", {"what": _named_in(end), "palms": away})
    return Text(
        "option.aim_leads" if one.at == ("", "") else "option.aim_first", {"aim": one.text, "leads": leads}
    )


def _named_in(end: Run) -> str | Text:
    """The name of what a run comes to."""
    if end.meets == "post":
        return Text(f"post.{CORNERS[int(end.what)]}")
    return Text(f"side.{end.what}") if end.meets == "ropes" else end.what


@cite("WHIP-03", "RULING-36")
def palm_of(table: Ring, launcher: str, victim: str) -> float:
    """The hand that measures a forced run: the causer's, or by house rule the mover's own; cm."""
    whose = launcher if table.rulings["forced_palm"] == "causer" else victim
    return table.state.scene.hands[whose].palm


def first_met(table: Ring, launcher: str, victim: str, one: Aim, length: float) -> Run:
    """What a run along an aim comes to first, within `length` cm or wherever the mat ends."""
    assert one.heading is not None, "an aim without a heading leads nowhere that could be measured"
    scene = table.state.scene
    far = 2 * (scene.ring.width + scene.ring.depth)
    others = bodies_on_mat(table, victim, but=(launcher, victim))
    at_ringside = table.state.wrestlers[victim].at_ringside
    figure = scene.figures[victim]
    return run(figure, one.heading, min(length, far), scene.ring, others, at_ringside=at_ringside)
