"""Bars of what the rules ask on modelled tables (points, moves, palms, gaps, bearings), and what they say."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from datasets.errorbars_bars import Bar, length_bar, normal_bar, point_bars
from datasets.errorbars_tables import Stood
from palmo.scene import OUTLINE_SD_CM, outline_covariance
from rules.geometry import turn_between
from rules.measured import Measured
from rules.questions import adjacent, bearing
from rules.scene import Figure
from vision.measuring.displacement import Placement, displacement

# An open hand, and how sure it is after three placements (`palmo calibrate palm`).
PALM_CM, PALM_SD_CM = 20.0, 0.1
# The usual house rule: adjacent up to so far apart, asked about within the band (RULING-30).
LIMIT_CM, BAND_CM = 2.0, 0.5


@dataclass(frozen=True)
class Neighbours:
    """Whether two figures were adjacent: true gap in cm, the measured one with its sd, and what was said."""

    where: str
    gap: float
    measured: float
    sd: float
    asked: bool
    right: bool


def point(bar: Bar, stood: Stood) -> list[Bar]:
    """The bars of a ground point."""
    return point_bars(bar, stood.pose.xy - stood.xy, stood.pose.covariance)


def move(bar: Bar, before: Stood, after: Stood, palm_error_cm: float) -> Iterator[Bar]:
    """The bars of a move in cm, and in palms of a hand that was measured `palm_error_cm` too long."""
    true = math.dist(before.xy, after.xy)
    found = displacement(Placement.of_pose(before.pose), Placement.of_pose(after.pose))
    yield length_bar(bar, found.length_cm - true, found.sd_cm, found.interval95_cm, true)
    palms, true_palms = in_palms(found.length_cm, found.sd_cm, palm_error_cm), true / PALM_CM
    low, high = palms.interval()
    interval = (max(low, 0.0), high)
    yield length_bar(replace(bar, kind="palms"), palms.value - true_palms, palms.sd, interval, true_palms)


def in_palms(length_cm: float, sd_cm: float, palm_error_cm: float) -> Measured:
    """A length in palms of a hand that was measured so much too long."""
    return Measured(length_cm, sd_cm) / Measured(PALM_CM + palm_error_cm, PALM_SD_CM)


def gap(bar: Bar, one: Stood, other: Stood) -> tuple[Bar, Neighbours]:
    """The bar of the gap between two figures, and whether they were rightly said to be adjacent."""
    true = float(one.outline.distance(other.outline))
    finding = adjacent(as_figure(one), as_figure(other), LIMIT_CM, BAND_CM)
    assert finding.distance is not None
    measured = finding.distance
    held = length_bar(bar, measured.value - true, measured.sd, measured.interval(), true)
    right = finding.answer == (true <= LIMIT_CM)
    return held, Neighbours(bar.about, true, measured.value, measured.sd, finding.too_close, right)


def bearings(bar: Bar, one: Stood, other: Stood) -> Iterator[Bar]:
    """The bars of the two bearings between two figures, of those whose facing is not assumed."""
    for observer, seen in ((one, other), (other, one)):
        figure = as_figure(observer)
        if figure.facing_assumed:
            continue
        away = seen.xy - observer.xy
        heading = float(np.arctan2(away[1], away[0]))
        true = abs(math.degrees(turn_between(math.radians(observer.facing_deg), heading)))
        found = bearing(figure, as_figure(seen))
        yield normal_bar(bar, found.value - true, found.sd)


def as_figure(stood: Stood) -> Figure:
    """The figure as the rules see it."""
    pose = stood.pose
    (xx, xy), (_, yy) = pose.covariance
    return Figure(
        id=stood.fighter,
        x=float(pose.xy[0]),
        y=float(pose.xy[1]),
        facing=math.radians(pose.facing_deg),
        outline=tuple((float(x), float(y)) for x, y in pose.outline),
        covariance=(float(xx), float(xy), float(yy)),
        facing_sd=math.radians(pose.facing_sd_deg),
        outline_sd=OUTLINE_SD_CM,
        outline_covariance=outline_covariance(pose.error),
        posture=pose.posture,
        facing_assumed=pose.facing_source == "assumed" and stood.number > 0,
    )


def verdicts(found: Sequence[Neighbours]) -> str:
    """The table of adjacency: how often it is decided, and how often rightly."""
    lines = [
        "| pairs | n | asked | decided | of these right | clear of the band, decided | of these right |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for where in dict.fromkeys(pair.where for pair in found):
        own = [pair for pair in found if pair.where == where]
        decided = [pair for pair in own if not pair.asked]
        clear = [pair for pair in own if abs(pair.gap - LIMIT_CM) > BAND_CM]
        sure = [pair for pair in clear if not pair.asked]
        lines.append(
            f"| {where} | {len(own)} | {_share([p.asked for p in own])} | {len(decided)} "
            f"| {_share([p.right for p in decided])} | {len(sure)} of {len(clear)} "
            f"| {_share([p.right for p in sure])} |"
        )
    return "\n".join(lines) + "\n"


def _share(what: Sequence[bool]) -> str:
    return f"{np.mean(what):.1%}" if what else "-"
