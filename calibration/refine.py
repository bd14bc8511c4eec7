"""Let the picture into the solution: the mat's edges bring the lens, the ropes the depth.

Whatever is found must stay near the clicks and lower its own residual; otherwise it is dropped, and a note
says so.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.adjust import Fit, Observations, Problem
from calibration.camera import Array, Camera
from calibration.edges import SIDE_NAMES, EdgeFinds, find_edges
from calibration.evidence import (
    ROPE_HEIGHT,
    SLIPS,
    edge_observations,
    rope_observations,
    rope_slip_sds,
)
from calibration.result import EdgePoints
from calibration.ring import RingSpec
from calibration.ropes import RopeFinds, find_ropes

_POINT_SD_PX = 0.3
_POINT_SD_FLOOR_PX = 0.15
# Neighbouring profiles share texture and compression noise: so many edge points count as one. Of a rope,
# which is never straight to a hair, all points together count as a few.
_EDGE_REDUNDANCY = 3.0
_ROPE_REDUNDANCY = 24.0
_REACHES_PX = (7.0, 3.0, 3.0)
# An edge further than this many standard deviations off its place is something else, a rope most often.
_LARGEST_SLIP = 3.5
_OFFSETS = slice(SLIPS.index("far_offset"), SLIPS.index("left_offset") + 1)
# The clicks' sum of squares may grow by this many standard deviations of a chi-square before the picture
# is taken to contradict them.
_LARGEST_PULL = 4.0
# One edge alone has nothing to be checked against.
_LEAST_EDGES = 2
_CONTRADICTED = (
    "the {} found in the picture contradict the clicks and are not used: check the clicks and the sizes"
)
_NO_BETTER = "the edges of the mat found in the picture did not lower the residual and are not used"


@dataclass(frozen=True, eq=False)
class Refined:
    """The fit with everything that was let in."""

    fit: Fit
    edges: EdgePoints | None
    rope_heights_cm: tuple[float, ...]
    notes: tuple[str, ...]


def refine(
    problem: Problem,
    spec: RingSpec,
    image: NDArray[np.uint8],
    clicks: Observations,
    start: Fit,
    look: Camera,
) -> Refined:
    """Edges first, looked for where `look` sees them, then ropes; each is kept only when it proves itself."""
    fit, seen, edges, notes = _with_edges(problem, spec, image, clicks, start, look)
    finds = find_ropes(image, fit.camera, spec)
    heights = finds.heights_cm
    # Ropes that cover each other are known to be there, to be masked, but measure nothing.
    if len(finds.pixels) > 0:
        roped = _with_ropes(problem, spec, seen, fit, finds)
        if _pulled(clicks, start, roped):
            notes = (*notes, _CONTRADICTED.format("ropes"))
        else:
            fit, heights = roped, heights + roped.slips[len(SLIPS) + ROPE_HEIGHT :]
    return Refined(fit, edges, tuple(float(height) for height in heights), notes)


def _with_edges(
    problem: Problem,
    spec: RingSpec,
    image: NDArray[np.uint8],
    clicks: Observations,
    start: Fit,
    look: Camera,
) -> tuple[Fit, Observations, EdgePoints | None, tuple[str, ...]]:
    """The edges that agree with each other and the clicks; a rope taken for an edge is left out."""
    notes: tuple[str, ...] = ()
    sides = list(range(4))
    while True:
        fit, seen, finds = _edge_passes(problem, spec, image, clicks, start, look, sides)
        if len(np.unique(finds.side)) < _LEAST_EDGES:
            return start, clicks, None, notes + finds.notes
        odd = np.abs(fit.slips[_OFFSETS] / problem.slip_sd[_OFFSETS])
        worst = int(np.argmax(odd))
        if odd[worst] <= _LARGEST_SLIP:
            break
        if notes:
            # Two edges off their places: which of the four are the mat's is anyone's guess.
            return start, clicks, None, (_CONTRADICTED.format("edges of the mat"),)
        sides.remove(worst)
        notes = (f"the {SIDE_NAMES[worst]} edge of the mat does not fit the other clicks and is not used",)
    if _pulled(clicks, start, fit):
        return start, clicks, None, (_CONTRADICTED.format("edges of the mat"),)
    before, after = _edge_residual(spec, start, finds), _edge_residual(spec, fit, finds)
    if np.square(after).mean() > np.square(before).mean():
        return start, clicks, None, (*notes, *finds.notes, _NO_BETTER)
    return fit, seen, EdgePoints(finds.pixels, finds.side, after), notes + finds.notes


def _edge_passes(
    problem: Problem,
    spec: RingSpec,
    image: NDArray[np.uint8],
    clicks: Observations,
    fit: Fit,
    look: Camera,
    sides: list[int],
) -> tuple[Fit, Observations, EdgeFinds]:
    """Again and again from nearer, since the points found depend a little on where they were expected."""
    seen = clicks
    for reach in _REACHES_PX:
        finds = find_edges(image, look, spec, reach, sides)
        if len(finds.pixels) == 0:
            break
        edge = edge_observations(spec, look, finds, _POINT_SD_PX)
        fit, seen = _weighed(problem, clicks, edge, fit, _EDGE_REDUNDANCY)
        look = fit.camera
    return fit, seen, finds


def _with_ropes(problem: Problem, spec: RingSpec, seen: Observations, start: Fit, finds: RopeFinds) -> Fit:
    """The fit with the ropes' heights, offsets and sag as further unknowns."""
    sds = np.concatenate([problem.slip_sd, rope_slip_sds(len(finds.heights_cm))])
    wider = replace(problem, slip_sd=sds)
    begin = replace(start, slips=np.pad(start.slips, (0, len(sds) - len(start.slips))))
    ropes = rope_observations(spec, start.camera, finds, _POINT_SD_PX)
    return _weighed(wider, seen.widened(len(sds)), ropes, begin, _ROPE_REDUNDANCY)[0]


def _weighed(
    problem: Problem,
    known: Observations,
    points: Observations,
    start: Fit,
    redundancy: float,
) -> tuple[Fit, Observations]:
    """Fit with points of unknown noise: once at a usual noise, once at the one their residuals show."""
    usual = np.sqrt(redundancy)
    fit = problem.fit(known.joined(points.scaled(np.full(len(points.points), usual))), start)
    scatter_px = float(np.std(fit.residuals[len(known.points) :, 0])) * usual * _POINT_SD_PX
    factor = usual * max(scatter_px, _POINT_SD_FLOOR_PX) / _POINT_SD_PX
    seen = known.joined(points.scaled(np.full(len(points.points), factor)))
    return problem.fit(seen, fit), seen


def _edge_residual(spec: RingSpec, fit: Fit, finds: EdgeFinds) -> Array:
    """Distance of every edge point from the predicted edge in pixels, (N,)."""
    seen = edge_observations(spec, fit.camera, finds, 1.0)
    away = seen.predicted(fit.camera, fit.slips) - seen.pixels
    return np.asarray(np.einsum("nj,nj->n", seen.weights[:, 0], away), dtype=np.float64)


def _pulled(clicks: Observations, start: Fit, fit: Fit) -> bool:
    """Whether a fit left the clicks much further than their noise explains."""
    count = len(clicks.points)
    grown = np.square(fit.residuals[:count]).sum() - np.square(start.residuals[:count]).sum()
    return bool(grown > 2 * count + _LARGEST_PULL * np.sqrt(4.0 * count))
