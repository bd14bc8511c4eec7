"""Solve the camera over a ring from clicks and, with a picture, from the mat's edges."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.adjust import Fit, Observations, Problem
from calibration.assumptions import assumptions_of
from calibration.camera import Array
from calibration.checks import check_clicks
from calibration.edges import EdgeFinds, find_edges
from calibration.errors import CalibrationError
from calibration.evidence import corner_clicks, edge_observations, slip_sds, top_clicks
from calibration.intrinsics import Intrinsics
from calibration.lens_model import free_basis, known_basis
from calibration.plausible import check_fit, check_size
from calibration.priors import free_prior, known_prior
from calibration.result import EdgePoints, RingCalibration
from calibration.ring import RingSpec
from calibration.start import first_fit

CORNER_SD_PX = 0.6
_EDGE_SD_PX = 0.3
_EDGE_SD_FLOOR_PX = 0.15
# Neighbouring profiles share texture and compression noise: so many count as one.
_EDGE_REDUNDANCY = 3.0
# The stated click noise counts like this many measured degrees of freedom when it is re-estimated,
# and the estimate never falls below this share of it: sixteen numbers cannot prove a steadier hand.
_NOISE_BELIEF = 8.0
_NOISE_FLOOR = 0.6
_REACHES_PX = (7.0, 3.0, 3.0)


def calibrate(
    spec: RingSpec,
    size: tuple[int, int],
    *,
    image: NDArray[np.uint8] | None = None,
    intrinsics: Intrinsics | None = None,
    corner_sd_px: float = CORNER_SD_PX,
) -> RingCalibration:
    """The camera over the ring in pictures of size (width, height).

    image (height, width, 3) BGR lets the mat's edges in; intrinsics fixes the lens (only the pose is
    solved); corner_sd_px is the standard deviation of a click. Raises CalibrationError with a sentence that
    says what to do.
    """
    check_size(size, image, intrinsics)
    check_clicks(spec, size)
    problem = _problem(size, intrinsics)
    clicks = corner_clicks(spec, corner_sd_px)
    if spec.post_tops_px is not None:
        clicks = clicks.joined(top_clicks(spec, corner_sd_px))
    fit = first_fit(problem, spec, clicks, intrinsics)
    check_fit(fit, spec, clicks)
    factor = _noise_factor(fit, len(clicks.points))
    seen = clicks.scaled(np.full(len(clicks.points), factor))
    fit = problem.fit(seen, fit.parameters, fit.slips)
    notes: tuple[str, ...] = ()
    edges: EdgePoints | None = None
    if image is not None:
        fit, edges, notes = _with_edges(problem, spec, image, seen, fit)
    check_fit(fit, spec, clicks)
    return _result(problem, spec, fit, edges, notes, corner_sd_px * factor)


def _problem(size: tuple[int, int], intrinsics: Intrinsics | None) -> Problem:
    if intrinsics is None:
        basis = free_basis()
        return Problem(basis, free_prior(basis.names, size), slip_sds(), size)
    basis = known_basis(intrinsics.vector(), exact=intrinsics.covariance is None)
    return Problem(basis, known_prior(basis.names, intrinsics), slip_sds(), size)


def _noise_factor(fit: Fit, clicks: int) -> float:
    """How much larger (or smaller) than stated the clicks' noise is, by their residuals."""
    squares = float(np.square(fit.residuals[:clicks]).sum())
    freedom = float(fit.freedom[:clicks].sum())
    return max(_NOISE_FLOOR, float(np.sqrt((_NOISE_BELIEF + squares) / (_NOISE_BELIEF + freedom))))


def _with_edges(
    problem: Problem, spec: RingSpec, image: NDArray[np.uint8], clicks: Observations, start: Fit
) -> tuple[Fit, EdgePoints | None, tuple[str, ...]]:
    """Let the edges in, again and again from nearer; out with them when they pull the camera away."""
    fit = start
    finds = EdgeFinds(np.empty((0, 2)), np.empty(0, dtype=np.intp), ())
    seen = clicks
    for reach in _REACHES_PX:
        finds = find_edges(image, fit.camera, spec, reach)
        if len(finds.pixels) == 0:
            return start, None, finds.notes
        sd = _EDGE_SD_PX * np.sqrt(_EDGE_REDUNDANCY)
        edge = edge_observations(spec, fit.camera, finds, sd)
        fit = problem.fit(clicks.joined(edge), fit.parameters, fit.slips)
        scatter = float(np.std(fit.residuals[len(clicks.points) :, 0])) * sd
        factor = max(scatter, _EDGE_SD_FLOOR_PX) / _EDGE_SD_PX
        seen = clicks.joined(edge.scaled(np.full(len(edge.points), factor)))
        fit = problem.fit(seen, fit.parameters, fit.slips)
    before = _edge_residual(spec, start, finds)
    after = _edge_residual(spec, fit, finds)
    complaint = _complaint(clicks, start, fit, before, after)
    if complaint:
        return start, None, (*finds.notes, complaint)
    return fit, EdgePoints(finds.pixels, finds.side, after), finds.notes


def _edge_residual(spec: RingSpec, fit: Fit, finds: EdgeFinds) -> Array:
    """Distance of every edge point from the predicted edge in pixels, (N,)."""
    seen = edge_observations(spec, fit.camera, finds, 1.0)
    away = fit.camera.project(seen.points + seen.slips @ fit.slips) - seen.pixels
    return np.asarray(np.einsum("nj,nj->n", seen.weights[:, 0], away), dtype=np.float64)


def _complaint(clicks: Observations, start: Fit, fit: Fit, before: Array, after: Array) -> str:
    """Why the edges are not believed, or "": they must stay near the clicks and fit better than before."""
    moved = np.square(fit.residuals[: len(clicks.points)]).sum() - np.square(start.residuals).sum()
    if moved > 4.0 * np.sqrt(2 * 2 * len(clicks.points)) + len(clicks.points):
        return (
            "the edges found in the picture contradict the clicked corners and are not used: check the clicks"
        )
    if np.square(after).mean() > np.square(before).mean():
        return "the edges found in the picture did not lower the residual and are not used"
    return ""


def _result(
    problem: Problem, spec: RingSpec, fit: Fit, edges: EdgePoints | None, notes: tuple[str, ...], sd_px: float
) -> RingCalibration:
    residuals = {"corners_px": spec.corners_px - fit.camera.project(spec.corners())}
    if spec.post_tops_px is not None:
        tops = fit.camera.project(spec.post_tops())
        residuals["post_tops_px"] = spec.post_tops_px - tops
    if not np.isfinite(fit.camera_covariance).all():
        raise CalibrationError("the corners do not determine a camera: add post_tops_px or a calibrated lens")
    return RingCalibration(
        camera=fit.camera,
        spec=spec,
        parameters=problem.basis.names,
        covariance=fit.camera_covariance,
        basis=problem.basis,
        values=fit.parameters,
        assumptions=assumptions_of(problem, fit, spec),
        notes=notes,
        click_sd_px=sd_px,
        residual_px=residuals,
        edges=edges,
    )
