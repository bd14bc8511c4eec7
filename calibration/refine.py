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
from calibration.noise import Clicks, estimated, settled, strangeness
from calibration.remarks import Remark
from calibration.result import EdgePoints
from calibration.ring import RingSpec
from calibration.ropes import RopeFinds, find_ropes, sides_beside_ropes

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
# One edge alone has nothing to be checked against; three that fit each other may overrule the clicks.
_LEAST_EDGES = 2
_OVERRULING_EDGES = 3
# Clicks noisier than this (times the stated noise) are looked at again from further away, as if their noise
# were so large.
_NOISY = 1.6
_LOOSE = 6.0
_LOOSE_REACHES_PX = ((7.0, 11.0, 15.0), (7.0, 11.0), (3.0, 7.0), (3.0,))
# What it costs in nats to say that a clear straight edge is not the mat's, and that none of them is: then
# tops and corners must agree with each other much better than with the edges.
_EDGE_DROPPED = 8.0
_ALL_DROPPED = 18.0


@dataclass(frozen=True, eq=False)
class Refined:
    """The fit with everything that was let in, and the clicks' noise (factors of the stated one).

    doubt (P, P) is what the choice between readings of the picture adds to the fit's covariance.
    """

    fit: Fit
    factors: Array
    edges: EdgePoints | None
    rope_heights_cm: tuple[float, ...]
    notes: tuple[Remark, ...]
    contradicted: bool
    doubt: Array | None = None


@dataclass(frozen=True, eq=False)
class _Edged:
    """One reading of the picture: a fit with the edges of some sides.

    score in nats, less is likelier; doubt is the covariance (P, P) of the parameters between readings.
    """

    fit: Fit
    factors: Array
    edge: Observations | None
    finds: EdgeFinds | None
    notes: tuple[Remark, ...]
    score: float
    contradicted: bool = False
    doubt: Array | None = None


def refine(
    problem: Problem,
    spec: RingSpec,
    image: NDArray[np.uint8],
    clicks: Clicks,
    factors: Array,
    start: Fit,
    look: Camera,
) -> Refined:
    """Edges first, looked for where `look` sees them, then ropes; each is kept only when it proves itself."""
    edged = _with_edges(problem, spec, image, clicks, factors, start, look)
    fit, notes, contradicted = edged.fit, edged.notes, edged.contradicted
    seen = clicks.at(edged.factors)
    seen = seen if edged.edge is None else seen.joined(edged.edge)
    finds = find_ropes(image, fit.camera, spec)
    heights, factors = finds.heights_cm, edged.factors
    # Ropes that cover each other are known to be there, to be masked, but measure nothing.
    if len(finds.pixels) > 0:
        roped = _with_ropes(problem, spec, seen, fit, finds)
        if _pulled(clicks, fit, roped):
            notes, contradicted = (*notes, Remark("ropes_contradict")), True
        else:
            fit, heights = roped, heights + roped.slips[len(SLIPS) + ROPE_HEIGHT :]
    residual = None
    if edged.finds is not None:
        residual = EdgePoints(edged.finds.pixels, edged.finds.side, _edge_residual(spec, fit, edged.finds))
    return Refined(
        fit, factors, residual, tuple(float(height) for height in heights), notes, contradicted, edged.doubt
    )


def _with_edges(
    problem: Problem,
    spec: RingSpec,
    image: NDArray[np.uint8],
    clicks: Clicks,
    factors: Array,
    start: Fit,
    look: Camera,
) -> _Edged:
    """The likeliest reading: trusting the clicks, or edges that agree with each other, or no edges."""
    trusting = _trusting_clicks(problem, spec, image, clicks, factors, start, look)
    if trusting.finds is None and not trusting.contradicted:
        noisy = float(factors.max()) > _NOISY
    else:
        noisy = trusting.contradicted or float(trusting.factors.max()) > _NOISY
    if not noisy:
        return trusting
    readings: list[_Edged | None] = [trusting]
    whole = _trusting_edges(problem, spec, image, clicks, start, look, [0, 1, 2, 3])
    if whole is None:
        for left_out in range(4):
            sides = [side for side in range(4) if side != left_out]
            readings.append(_trusting_edges(problem, spec, image, clicks, start, look, sides))
    else:
        heights = find_ropes(image, whole.fit.camera, spec).heights_cm
        hidden = sides_beside_ropes(whole.fit.camera, spec, heights)
        sides = [side for side in range(4) if side not in hidden]
        if hidden and len(sides) >= _OVERRULING_EDGES:
            readings.append(_trusting_edges(problem, spec, image, clicks, start, look, sides))
        readings = [None if r is None else _refunded(r, hidden) for r in (*readings, whole)]
    return _likeliest([reading for reading in readings if reading is not None])


def _refunded(reading: _Edged, hidden: set[int]) -> _Edged:
    """An edge beside a rope is easily confused with it: leaving it out is free, using it is what costs."""
    used = set() if reading.finds is None else set(reading.finds.side.tolist())
    if reading.finds is None:
        return reading
    return replace(reading, score=reading.score + _EDGE_DROPPED * (len(hidden & used) - len(hidden - used)))


def _likeliest(readings: list[_Edged]) -> _Edged:
    """The likeliest reading, with the doubt that another one is true."""
    best = min(readings, key=lambda reading: reading.score)
    doubt = np.zeros((len(best.fit.parameters),) * 2)
    if not np.isfinite(best.score):
        return replace(best, doubt=doubt)
    weights = np.exp(best.score - np.array([reading.score for reading in readings]))
    for reading, weight in zip(readings, weights / weights.sum(), strict=True):
        apart = reading.fit.parameters - best.fit.parameters
        doubt += weight * np.outer(apart, apart)
    return replace(best, doubt=doubt)


def _trusting_edges(
    problem: Problem,
    spec: RingSpec,
    image: NDArray[np.uint8],
    clicks: Clicks,
    start: Fit,
    look: Camera,
    sides: list[int],
) -> _Edged | None:
    """The clicks only show where to look, until their own noise is known."""
    factors = np.full(len(clicks), _LOOSE)
    fit = start
    for reaches in _LOOSE_REACHES_PX:
        finds = _nearest_edges(image, look, spec, reaches, sides)
        if len(np.unique(finds.side)) < _LEAST_EDGES:
            return None
        edge = edge_observations(spec, look, finds, _POINT_SD_PX)
        fit, edge = _weighed(problem, clicks.at(factors), edge, fit, _EDGE_REDUNDANCY)
        look = fit.camera
    if len(np.unique(finds.side)) < _OVERRULING_EDGES:
        return None
    fit, factors = settled(problem, clicks, edge, fit, estimated(clicks, fit, factors))
    if np.abs(fit.slips[_OFFSETS] / problem.slip_sd[_OFFSETS]).max() > _LARGEST_SLIP:
        return None
    dropped = tuple(
        Remark("edge_odd", names={"side": SIDE_NAMES[side]}) for side in range(4) if side not in sides
    )
    return _Edged(fit, factors, edge, finds, dropped + finds.notes, _score(clicks, fit, factors, finds))


def _nearest_edges(
    image: NDArray[np.uint8], look: Camera, spec: RingSpec, reaches: tuple[float, ...], sides: list[int]
) -> EdgeFinds:
    """Every edge within the smallest of the reaches in which it is found."""
    found = find_edges(image, look, spec, reaches[0], sides)
    for reach in reaches[1:]:
        missing = [side for side in sides if side not in found.side]
        if not missing:
            break
        more = find_edges(image, look, spec, reach, missing)
        found = EdgeFinds(
            np.concatenate([found.pixels, more.pixels]), np.concatenate([found.side, more.side]), more.notes
        )
    return found


def _score(clicks: Clicks, fit: Fit, factors: Array, finds: EdgeFinds | None) -> float:
    """How unlikely a reading is, in nats: the clicks, the beliefs, and the edges called something else."""
    beliefs = (fit.cost - float(np.square(fit.residuals).sum())) / 2
    if finds is None:
        dropped = _ALL_DROPPED
        if clicks.kind.max() == 0:
            dropped = np.inf  # four corners alone agree with anything: that they do says nothing
    else:
        dropped = _EDGE_DROPPED * (4 - len(np.unique(finds.side)))
    return strangeness(clicks, fit, factors) + beliefs + dropped


def _trusting_clicks(
    problem: Problem,
    spec: RingSpec,
    image: NDArray[np.uint8],
    clicks: Clicks,
    factors: Array,
    start: Fit,
    look: Camera,
) -> _Edged:
    """The edges that agree with each other and the clicks; a rope taken for an edge is left out."""
    notes: tuple[Remark, ...] = ()
    sides = list(range(4))
    trusted = clicks.at(factors)

    def without(*said: Remark, contradicted: bool = False) -> _Edged:
        score = _score(clicks, start, factors, None)
        return _Edged(start, factors, None, None, said, score, contradicted)

    while True:
        fit, edge, finds = _edge_passes(problem, spec, image, trusted, start, look, sides)
        if edge is None or len(np.unique(finds.side)) < _LEAST_EDGES:
            return without(*notes, *finds.notes)
        odd = np.abs(fit.slips[_OFFSETS] / problem.slip_sd[_OFFSETS])
        worst = int(np.argmax(odd))
        if odd[worst] <= _LARGEST_SLIP:
            break
        if notes:
            # Two edges off their places: which of the four are the mat's is anyone's guess.
            return without(Remark("edges_contradict"), contradicted=True)
        sides.remove(worst)
        notes = (Remark("edge_odd", names={"side": SIDE_NAMES[worst]}),)
    if _pulled(clicks, start, fit):
        return without(Remark("edges_contradict"), contradicted=True)
    before, after = _edge_residual(spec, start, finds), _edge_residual(spec, fit, finds)
    if np.square(after).mean() > np.square(before).mean():
        return without(*notes, *finds.notes, Remark("edges_no_better"))
    fit, factors = settled(problem, clicks, edge, fit, estimated(clicks, fit, factors))
    return _Edged(fit, factors, edge, finds, notes + finds.notes, _score(clicks, fit, factors, finds))


def _edge_passes(
    problem: Problem,
    spec: RingSpec,
    image: NDArray[np.uint8],
    clicks: Observations,
    fit: Fit,
    look: Camera,
    sides: list[int],
) -> tuple[Fit, Observations | None, EdgeFinds]:
    """Again and again from nearer, since the points found depend a little on where they were expected."""
    edge: Observations | None = None
    for reach in _REACHES_PX:
        finds = find_edges(image, look, spec, reach, sides)
        if len(finds.pixels) == 0:
            break
        points = edge_observations(spec, look, finds, _POINT_SD_PX)
        fit, edge = _weighed(problem, clicks, points, fit, _EDGE_REDUNDANCY)
        look = fit.camera
    return fit, edge, finds


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
    """Fit with points of unknown noise: once at a usual noise, once at the one their residuals show.

    The fit, and the points at that noise.
    """
    usual = np.sqrt(redundancy)
    fit = problem.fit(known.joined(points.scaled(np.full(len(points.points), usual))), start)
    scatter_px = float(np.std(fit.residuals[len(known.points) :, 0])) * usual * _POINT_SD_PX
    factor = usual * max(scatter_px, _POINT_SD_FLOOR_PX) / _POINT_SD_PX
    weighed = points.scaled(np.full(len(points.points), factor))
    return problem.fit(known.joined(weighed), fit), weighed


def _edge_residual(spec: RingSpec, fit: Fit, finds: EdgeFinds) -> Array:
    """Distance of every edge point from the predicted edge in pixels, (N,)."""
    seen = edge_observations(spec, fit.camera, finds, 1.0)
    away = seen.predicted(fit.camera, fit.slips) - seen.pixels
    return np.asarray(np.einsum("nj,nj->n", seen.weights[:, 0], away), dtype=np.float64)


def _pulled(clicks: Clicks, start: Fit, fit: Fit) -> bool:
    """Whether a fit left the clicks much further than their noise explains."""
    count = len(clicks)
    grown = np.square(fit.residuals[:count]).sum() - np.square(start.residuals[:count]).sum()
    return bool(grown > 2 * count + _LARGEST_PULL * np.sqrt(4.0 * count))
