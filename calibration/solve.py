"""Solve the camera over a ring from clicks and, with a picture, from the mat's edges."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.adjust import Fit, Problem
from calibration.assumptions import assumptions_of
from calibration.checks import check_clicks
from calibration.errors import CalibrationError
from calibration.evidence import corner_clicks, slip_sds, top_clicks
from calibration.intrinsics import Intrinsics
from calibration.lens_model import free_basis, known_basis
from calibration.plausible import check_fit, check_size
from calibration.priors import free_prior, known_prior
from calibration.refine import Refined, refine
from calibration.result import RingCalibration
from calibration.ring import RingSpec
from calibration.start import first_fit

CORNER_SD_PX = 0.6
# The stated click noise counts like this many measured degrees of freedom when it is re-estimated,
# and the estimate never falls below this share of it: sixteen numbers cannot prove a steadier hand.
_NOISE_BELIEF = 8.0
_NOISE_FLOOR = 0.6


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
    fit = problem.fit(seen, fit)
    refined = Refined(fit, None, (), ()) if image is None else refine(problem, spec, image, seen, fit)
    check_fit(refined.fit, spec, clicks)
    return _result(problem, spec, refined, corner_sd_px * factor)


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


def _result(problem: Problem, spec: RingSpec, refined: Refined, sd_px: float) -> RingCalibration:
    fit = refined.fit
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
        notes=refined.notes,
        click_sd_px=sd_px,
        residual_px=residuals,
        edges=refined.edges,
        rope_heights_cm=refined.rope_heights_cm,
    )
