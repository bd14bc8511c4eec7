"""Figures without a camera: the starting layout of the rulebook, and positions typed by the referee."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from palmo.errors import SaidError
from rules.engine.match import Match
from rules.roster import Roster
from rules.scene import FARTHEST_CM, Figure
from rules.smackkatz.book import SmackKatz
from rules.smackkatz.turn.places import proposed, starting_places

# A plasticine fighter's footprint: a disc of about one giant bar's width.
_RADIUS_CM = 3.0
_CORNERS = 12
_SD_CM = 0.2


def starting_layout(roster: Roster) -> dict[str, Figure]:
    """One in each corner, the rest along the sides, all facing the middle (SETUP-01, SETUP-02)."""
    places = starting_places(roster.ring, len(roster.entrants))
    return {
        entrant.id: standing(entrant.id, x, y, math.atan2(-y, -x))
        for entrant, (x, y) in zip(roster.entrants, places, strict=True)
    }


def starting_figures(match: Match[Any]) -> dict[str, Figure]:
    """The starting layout as the match wants it: partners without the tag wait outside the ropes."""
    figures = starting_layout(match.log.header.roster)
    if isinstance(match.rulebook, SmackKatz):
        wanted = proposed(match.table)
        figures |= {name: standing(name, one.x, one.y, one.facing) for name, one in wanted.items()}
    return figures


def standing(id_: str, x: float, y: float, facing: float) -> Figure:
    """A figure at a place in cm with a facing in radians, as a disc."""
    turns = [2 * math.pi * step / _CORNERS for step in range(_CORNERS)]
    outline = tuple((x + _RADIUS_CM * math.cos(a), y + _RADIUS_CM * math.sin(a)) for a in turns)
    return Figure(
        id_, x, y, facing, outline, covariance=(_SD_CM**2, 0.0, _SD_CM**2), facing_sd=math.radians(2)
    )


def put(figure: Figure, x: float, y: float, facing: float) -> Figure:
    """The same figure somewhere else, its outline moved and turned with it."""
    turn = facing - figure.facing
    cos, sin = math.cos(turn), math.sin(turn)
    outline = tuple(
        (x + cos * (u - figure.x) - sin * (v - figure.y), y + sin * (u - figure.x) + cos * (v - figure.y))
        for u, v in figure.outline
    )
    return replace(figure, x=x, y=y, facing=facing, outline=outline, facing_assumed=False)


def degrees(radians: float) -> float:
    """An angle as it is typed: above -180, up to 180."""
    return 180.0 - (180.0 - math.degrees(radians)) % 360.0


def typed(figures: dict[str, Figure], line: str) -> Figure:
    """The figure a line `F1 10 -5 90` puts: id, x, y in cm and, if it turned, the facing in degrees.

    Raises SaidError with what was expected.
    """
    given, *numbers = line.split()
    name = next((known for known in figures if known.lower() == given.lower()), None)
    if name is None:
        raise SaidError("terminal.no_fighter", given=given, known=", ".join(figures))
    try:
        values = [float(number.replace(",", ".")) for number in numbers]
    except ValueError:
        values = []
    if len(values) not in (2, 3) or not all(abs(value) <= FARTHEST_CM for value in values):
        raise SaidError("terminal.figure")
    figure = figures[name]
    facing = math.radians(values[2]) if len(values) == 3 else figure.facing
    return put(figure, values[0], values[1], facing)
