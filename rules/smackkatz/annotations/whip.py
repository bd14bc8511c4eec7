"""What is drawn of a whip: the directions it may be aimed in, and the run's corridor with its palm ticks."""

from __future__ import annotations

from collections.abc import Mapping

from shapely.geometry import Polygon

from rules.annotations import Annotation, Arrow, Region, Ruler
from rules.engine.cite import cite
from rules.engine.request import Request
from rules.geometry import moved, outline_shape, sweep, unit
from rules.scene import Figure
from rules.smackkatz.abilities import Ring
from rules.smackkatz.attacks.aiming import aims, palm_of
from rules.smackkatz.movement.forced import exit_point
from rules.text import Text


def draw_whip(table: Ring, request: Request | None, figures: Mapping[str, Figure]) -> tuple[Annotation, ...]:
    """The fan of aims while one is asked for, and the run that is under way."""
    found: list[Annotation] = []
    if request is not None and request.text.key == "ask.aim":
        found += _fan(table, str(request.fighter), str(request.text.values["target"]))
    return (*found, *_run(table))


@cite("WHIP-02", "RULING-42")
def _fan(table: Ring, launcher: str, victim: str) -> list[Annotation]:
    """An arrow for every direction allowed, from the victim to where it leaves the ring."""
    scene = table.state.scene
    figure = scene.figures.get(victim)
    if figure is None:
        return []
    found: list[Annotation] = []
    for one, against in aims(table, launcher, victim):
        if one.heading is None or against:
            continue
        start = (figure.x, figure.y)
        end = exit_point(start, one.heading, scene.ring)
        if table.state.wrestlers[victim].at_ringside:
            palm = palm_of(table, launcher, victim)
            ux, uy = unit(one.heading)
            end = (figure.x + palm * ux, figure.y + palm * uy)
        degrees = one.text.values.get("degrees")
        # There are many of these: beside the arrow there is room for the angle alone.
        side = one.text.key.rpartition("_")[2]
        label = one.text if degrees is None else Text(f"aim.{side}", {"degrees": degrees})
        found.append(Arrow(start, end, "legal", label))
    return found


@cite("WHIP-03", "WHIP-06", "RULING-36")
def _run(table: Ring) -> list[Annotation]:
    """The area the runner sweeps, and his way with a tick every palm."""
    flight = table.state.flight
    figure = None if flight is None else table.state.scene.figures.get(flight.runner)
    if flight is None or figure is None:
        return []
    ux, uy = unit(flight.heading)
    end = (flight.start[0] + flight.length * ux, flight.start[1] + flight.length * uy)
    body = outline_shape(moved(figure, *flight.start))
    corridor = sweep(body, flight.length * ux, flight.length * uy)
    found: list[Annotation] = []
    if isinstance(corridor, Polygon):
        exterior = tuple((float(x), float(y)) for x, y in corridor.exterior.coords[:-1])
        found.append(Region(exterior, (), "doubt"))
    palms = Text("length.palms", {"palms": flight.length / flight.palm})
    found.append(Ruler((flight.start, end), flight.palm, 0.0, "active", palms))
    return found
