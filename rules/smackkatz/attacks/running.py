"""A launched body on its way (catalogue 4.5): what it meets, who dodges, where it comes to rest."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from rules.engine.cite import cite
from rules.engine.request import REFEREE, Option, Procedure, Request
from rules.geometry import mat_shape, moved, outline_shape, posts, unit
from rules.measured import Measured
from rules.questions import Finding
from rules.scene import Figure
from rules.smackkatz import sight
from rules.smackkatz.abilities import Ring
from rules.smackkatz.asking import lose_sight
from rules.smackkatz.attacks.aiming import measured, palm_of
from rules.smackkatz.consequences.aftermath import struck
from rules.smackkatz.consequences.collide import collide
from rules.smackkatz.consequences.dodge import dodge
from rules.smackkatz.consequences.landing import bodies_on_mat, put
from rules.smackkatz.movement.encounters import encounters, rest_after
from rules.smackkatz.movement.forced import NO_REST, Run
from rules.text import Text

OVERLAP = 0.06
"""Outlines may share this much when a body comes to rest, cm: contact is no overlap."""


@dataclass(frozen=True)
class Course:
    """One stretch of a run. Without a start (nobody saw it) the referee says what it meets.

    `heading` in radians, `length` in cm with its sd, `palm` in cm; `palms` is the run's length in palms.
    """

    runner: str
    launcher: str
    step: str
    palms: int
    palm: float
    start: Figure | None
    heading: float
    length: Measured
    technique_tried: bool
    back: bool = False
    """It is the way back from the ropes (RULING-48)."""

    def place(self, after: float, facing: float | None = None) -> Figure:
        """The runner after so many cm."""
        assert self.start is not None, "an unseen run has no places"
        ux, uy = unit(self.heading)
        return moved(self.start, self.start.x + after * ux, self.start.y + after * uy, facing)


@cite("WHIP-03", "WHIP-05", "RULING-36")
def course_of(
    table: Ring,
    launcher: str,
    runner: str,
    heading: float | None,
    palms: int,
    step: str,
    technique_tried: bool,
) -> Course:
    """The run of somebody launched from where he stands."""
    seen = heading is not None and measured(table, launcher, runner)
    palm = palm_of(table, launcher, runner)
    whose = launcher if table.rulings["forced_palm"] == "causer" else runner
    length = Measured(palms * palm, palms * table.state.scene.hands[whose].palm_sd)
    start = table.state.scene.figures[runner] if seen else None
    return Course(runner, launcher, step, palms, palm, start, heading or 0.0, length, technique_tried)


@cite("WHIP-06", "WHIP-07", "RULING-46", "RULING-48")
def on_the_way(table: Ring, course: Course) -> Procedure[Run]:
    """The first thing the runner meets that does not get out of his way."""
    if course.start is None:
        return (yield from _told(table, course))
    scene = table.state.scene
    at_ringside = table.state.wrestlers[course.runner].at_ringside
    bodies = _bodies(table, course)
    way = encounters(course.start, course.heading, course.length, scene.ring, bodies, at_ringside=at_ringside)
    for one in way:
        if course.back and one.run.meets != "figure":
            continue
        if one.finding is not None and not (yield from sight.settle(table, one.finding, course.step)):
            continue
        if one.run.meets == "figure" and (yield from _dodges(table, course, one.run.what)):
            continue
        return one.run
    return Run("nothing", course.length.value)


@cite("RULING-46", "RULING-48")
def _bodies(table: Ring, course: Course) -> Iterable[Figure]:
    """Whom the run can meet: not the launcher, and by house rule nobody who is down."""
    found = bodies_on_mat(table, course.runner, but=(course.runner, course.launcher))
    with_lying = table.rulings["collide_with_lying"]
    return [one for one in found if with_lying or table.state.wrestlers[one.id].upright]


def _dodges(table: Ring, course: Course, fighter: str) -> Procedure[bool]:
    heading = None if course.start is None else course.heading
    start = course.start if course.back else None
    return (
        yield from dodge(
            table, fighter, course.runner, heading, course.length.value, course.step, start=start
        )
    )


@cite("WHIP-06", "WHIP-10", "WHIP-20", "RULING-46", "RULING-47")
def _told(table: Ring, course: Course) -> Procedure[Run]:
    """Nobody measures: the referee says what the run meets, until somebody does not dodge it."""
    passed: list[str] = []
    while True:
        said = yield Request(
            "ruling",
            f"{course.step} D-28",
            REFEREE,
            Text("ask.met", {"fighter": course.runner, "palms": course.palms}),
            fighter=course.runner,
            options=_things(table, course, passed),
            rules=("WHIP-06", "WHIP-10", "WHIP-20"),
        )
        kind, _, what = str(said).partition(":")
        if kind == "nothing":
            return Run("nothing", course.length.value)
        if kind == "post":
            return Run("post", 0.0)
        if kind == "ropes":
            return Run("ropes", course.length.value - int(what) * course.palm)
        if not (yield from _dodges(table, course, what)):
            return Run("figure", 0.0, what)
        passed.append(what)


def _things(table: Ring, course: Course, passed: list[str]) -> tuple[Option, ...]:
    """What an unseen run can meet: everybody who has not dodged, a post, the ropes with palms to go."""
    at_ringside = table.state.wrestlers[course.runner].at_ringside
    found = [Option("nothing", Text("option.met_nothing"), rules=("RULING-43",))]
    for one in table.state.playing:
        near = one.at_ringside == at_ringside and one.hoisted_by is None and one.on_post is None
        if near and one.id not in (course.runner, course.launcher, *passed):
            text = Text("option.met_figure", {"target": one.id})
            found.append(Option(f"figure:{one.id}", text, target=one.id, rules=("WHIP-06",)))
    if course.back or at_ringside:
        return tuple(found)
    found.append(Option("post", Text("option.met_post"), rules=("WHIP-20",)))
    for palms in range(course.palms + 1):
        text = Text("option.met_ropes", {"palms": palms})
        found.append(Option(f"ropes:{palms}", text, rules=("WHIP-10",)))
    return tuple(found)


@cite("WHIP-06", "RULING-46", "RULING-58")
def run_into(table: Ring, course: Course, met: Run) -> Procedure[None]:
    """The collision: both lose Stamina and go down; whoever the other one held is let go."""
    numbers = table.state.edition.whip
    collide(table, course.runner, met.what, points=numbers.collision_loss, status=numbers.collision_status)
    yield from come_to_rest(table, course, met.after, "ask.rest_collided")
    yield from struck(table, course.runner, met.what, course.step, numbers.collision_loss)


@cite("RULING-43", "RULING-105")
def come_to_rest(
    table: Ring,
    course: Course,
    after: float,
    key: str,
    *,
    facing: float | None = None,
) -> Procedure[None]:
    """Have the runner put where his run ends: facing along it unless said otherwise, clear of everybody."""
    if course.start is None:
        # Nobody saw where he ended, unless he is back where the run began.
        if key != "ask.rest_back":
            lose_sight(table, course.runner)
        return
    ghost = _fitted(table, course, after, course.heading if facing is None else facing)
    lying = not table.state.wrestlers[course.runner].upright
    yield from put(
        table,
        replace(ghost, posture="lying" if lying else "standing"),
        course.step,
        Text(key, {"fighter": course.runner}),
        "RULING-43",
        "RULING-105",
        facing_counts=not lying,
        tips_over=lying != (course.start.posture == "lying"),
    )


def _fitted(table: Ring, course: Course, after: float, facing: float) -> Figure:
    """The last place on the way where the turned outline has room; else the place itself, not turned."""
    solid = [outline_shape(one) for one in bodies_on_mat(table, course.runner, but=(course.runner,))]
    solid += posts(table.state.scene.ring)
    mat = mat_shape(table.state.scene.ring).buffer(OVERLAP)
    at_ringside = table.state.wrestlers[course.runner].at_ringside
    at = after
    while True:
        spot = course.place(at, facing)
        shape = outline_shape(spot)
        inner = shape.buffer(-OVERLAP)
        if (at_ringside or mat.covers(shape)) and not any(inner.intersects(one) for one in solid):
            return spot
        if at <= 0:
            return course.place(after)
        at = max(0.0, at - 0.1)


@cite("WHIP-11", "RULING-47")
def palms_to_go(table: Ring, course: Course, end: Run) -> Procedure[float]:
    """The rest of the run at the ropes, in palms; a rest too near to a limit is the referee's."""
    if course.start is None:
        return (course.length.value - end.after) / course.palm
    rest = rest_after(course.start, course.heading, course.length, end)
    low, high = (one / course.palm for one in rest.interval())
    limits = [NO_REST, *range(1, course.palms + 1)]
    for limit in limits:
        if low < limit - 1e-9 and limit + 1e-9 < high:
            finding = Finding(
                "rest_within", rest.value <= limit * course.palm, (course.runner,), ("WHIP-11", "RULING-47"),
                rest, limit * course.palm, None, True,
            )  # fmt: skip
            within = yield from sight.settle(table, finding, course.step)
            return limit - 1e-6 if within else math.nextafter(limit, math.inf) + 1e-6
    return rest.value / course.palm
