"""What is drawn of lifted rivals and posts: who holds whom up, where a throw may go, falls, climbs, dives."""

from __future__ import annotations

import math
from collections.abc import Mapping

from rules.annotations import Annotation, Arrow, Region, Tone
from rules.engine.cite import cite
from rules.engine.request import Request
from rules.geometry import unit
from rules.scene import Figure, Point
from rules.smackkatz.abilities import Ring
from rules.smackkatz.attacks.throw import directions, reach, sectors
from rules.smackkatz.movement.moving import hand_of, in_the_way, may_step_back, may_turn
from rules.smackkatz.movement.region import legal_region, region_annotations
from rules.smackkatz.movement.spots import post_figure
from rules.text import Text

ROUND = 24
"""Corners of a full circle when a sector is drawn."""
POST_MARK = 1.6
"""The ring around an occupied post, in post radii."""
RUN_UP = 100.0
"""SPECIAL-06: a dive is thrown from one metre behind the corner, cm."""


def draw_overhead(
    table: Ring, request: Request | None, figures: Mapping[str, Figure]
) -> tuple[Annotation, ...]:
    """Everything about who is up in the air, for the figures as they stand now."""
    found: list[Annotation] = [*_held_up(table, figures), *_on_posts(table)]
    if request is None or request.fighter is None:
        return tuple(found)
    if request.text.key == "ask.throw_where":
        found += _throws(table, request.fighter, figures)
    elif request.text.key == "ask.free_palms":
        found += _free_walk(table, request.fighter, int(str(request.text.values["palms"])))
    elif request.text.key == "ask.place_fall" and request.proposal is not None:
        found += _line(str(request.text.values["by"]), request.proposal, figures)
    elif request.text.key in ("ask.dive", "ask.dive_where", "ask.place_dive"):
        found += _run_up(table, request.fighter)
    return tuple(found)


@cite("STATUS-14", "SUPLEX-05")
def _held_up(table: Ring, figures: Mapping[str, Figure]) -> list[Annotation]:
    """A ring around each holder, with the names of the two."""
    found: list[Annotation] = []
    for wrestler in table.state.playing:
        under = figures.get(wrestler.id)
        if wrestler.hoists is None or under is None:
            continue
        label = Text("label.holds_up", {"fighter": wrestler.id, "target": wrestler.hoists})
        found.append(Region(_circle((under.x, under.y), _radius(under)), tone="active", label=label))
    return found


def _radius(figure: Figure) -> float:
    """A circle around the figure that leaves its outline free, cm."""
    return max(math.dist((figure.x, figure.y), point) for point in figure.outline) + 1.0


def _circle(centre: Point, radius: float) -> tuple[Point, ...]:
    return _arc(centre, radius, 0.0, math.pi)


def _arc(centre: Point, radius: float, middle: float, half: float) -> tuple[Point, ...]:
    """Points of an arc, `half` radians to each side of its middle."""
    count = max(2, round(ROUND * half / math.pi))
    angles = [middle - half + 2 * half * number / count for number in range(count + 1)]
    return tuple((centre[0] + radius * math.cos(one), centre[1] + radius * math.sin(one)) for one in angles)


@cite("SUPLEX-04", "RULING-53")
def _free_walk(table: Ring, holder: str, palms: int) -> list[Annotation]:
    """Where the holder may walk with his free palms."""
    start = table.state.scene.figures.get(holder)
    if start is None:
        return []
    region = legal_region(
        start,
        hand_of(table, holder),
        palms,
        ring=table.state.scene.ring,
        others=in_the_way(table, holder),
        rulings=table.rulings,
        may_turn=may_turn(table, holder),
        may_step_back=may_step_back(table, holder),
        at_ringside=table.state.wrestlers[holder].at_ringside,
    )
    return list(region_annotations(region, Text("region.move", {"fighter": holder})))


@cite("SUPLEX-07", "SUPLEX-11", "RULING-54")
def _throws(table: Ring, holder: str, figures: Mapping[str, Figure]) -> list[Annotation]:
    """The sectors a throw may go to; the ropes themselves when out of the ring is open to him."""
    under = figures.get(holder)
    if under is None:
        return []
    found: list[Annotation] = []
    centre = (under.x, under.y)
    for option in directions(table, holder):
        side = option.id.partition(":")[2]
        tone: Tone = "illegal" if not option.legal else "doubt" if option.doubts else "legal"
        if side == "ringside":
            found += [
                Arrow(*one.points, tone, option.text) for one in option.doubts if one.points is not None
            ]
            continue
        for middle, half in sectors(side):
            arc = _arc(centre, reach(table, holder), under.facing + middle, half)
            found.append(Region((centre, *arc), tone=tone, label=option.text))
    return found


@cite("SUPLEX-22", "RULING-93")
def _line(striker: str, ghost: Figure, figures: Mapping[str, Figure]) -> list[Annotation]:
    """The line of a fall: from the striker to where the fallen one comes down."""
    hitter = figures.get(striker)
    if hitter is None:
        return []
    return [Arrow((hitter.x, hitter.y), (ghost.x, ghost.y), "active")]


@cite("SPECIAL-02", "RULING-93")
def _on_posts(table: Ring) -> list[Annotation]:
    """A mark around every post somebody stands on."""
    ring = table.state.scene.ring
    return [
        Region(
            _circle(ring.corners[one.on_post], POST_MARK * ring.post_radius),
            tone="active",
            label=Text("label.on_post", {"fighter": one.id}),
        )
        for one in table.state.playing
        if one.on_post is not None
    ]


@cite("SPECIAL-06")
def _run_up(table: Ring, fighter: str) -> list[Annotation]:
    """Where the figure is thrown from: one metre behind the corner."""
    number = table.state.wrestlers[fighter].on_post
    if number is None:
        return []
    post = post_figure(table.state.scene.ring, number)
    ux, uy = unit(math.atan2(post.y, post.x))
    start = (post.x + RUN_UP * ux, post.y + RUN_UP * uy)
    return [Arrow(start, (post.x, post.y), "active")]
