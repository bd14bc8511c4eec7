"""Solve the camera over a ring from clicks and, with a picture, from the mat's edges."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.adjust import Fit, Observations, Problem
from calibration.assumptions import assumptions_of
from calibration.camera import Camera
from calibration.checks import check_clicks
from calibration.evidence import (
    BESIDE_SD_CM,
    POST_OUTWARD_SD_CM,
    SLIPS,
    corner_clicks,
    slip_sds,
    top_clicks,
)
from calibration.intrinsics import Intrinsics
from calibration.lens_model import free_basis, known_basis
from calibration.noise import Clicks, settled
from calibration.plausible import check_fit, check_size, clicks_off
from calibration.priors import free_prior, known_prior
from calibration.refine import Refined, refine
from calibration.remarks import Remark
from calibration.result import RingCalibration
from calibration.ring import CORNER_NAMES, RingSpec
from calibration.start import first_fit

CORNER_SD_PX = 0.6
_CLEAR_WIN = 10.0


def calibrate(
    spec: RingSpec,
    size: tuple[int, int],
    *,
    image: NDArray[np.uint8] | None = None,
    intrinsics: Intrinsics | None = None,
    corner_sd_px: float = CORNER_SD_PX,
    without_post: int | None = None,
) -> RingCalibration:
    """The camera over the ring in pictures of size (width, height).

    image (height, width, 3) BGR lets the mat's edges in; intrinsics fixes the lens (only the pose is
    solved); corner_sd_px is the standard deviation of a click. Raises CalibrationError with a sentence that
    says what to do. without_post (0 to 3) leaves the clicks on one post out (see `heldout`).
    """
    check_size(size, image, intrinsics)
    check_clicks(spec, size)
    clicks = _clicks(spec, corner_sd_px, without_post)
    problem, fit, remarks = _first(spec, size, intrinsics, clicks.seen)
    check_fit(fit, spec, clicks)
    clicks = _clicks(spec, corner_sd_px, without_post, fit.camera)
    fit, factors = settled(problem, clicks, None, fit, np.ones(len(clicks)))
    refined = Refined(fit, factors, None, (), (), contradicted=False)
    if image is not None:
        # Three posts say badly where the edges are; all four clicks may show where to look.
        everything = _clicks(spec, corner_sd_px, None, fit.camera)
        look = problem.fit(everything.seen, fit).camera
        refined = refine(problem, spec, image, clicks, factors, fit, look)
    check_fit(refined.fit, spec, clicks)
    return _result(problem, spec, refined, remarks, clicks, corner_sd_px)


def _first(
    spec: RingSpec,
    size: tuple[int, int],
    intrinsics: Intrinsics | None,
    clicks: Observations,
) -> tuple[Problem, Fit, tuple[Remark, ...]]:
    """The fit to the clicks; with posts that may stand beside the corners when that explains much more."""
    problem = _problem(size, intrinsics)
    fit = first_fit(problem, spec, clicks, intrinsics)
    if spec.post_tops_px is None:
        return problem, fit, ()
    looser = replace(problem, slip_sd=slip_sds(BESIDE_SD_CM))
    moved = first_fit(looser, spec, clicks, intrinsics)
    # A belief so much wider must pay for its width (twice the logarithm) and win clearly beyond that.
    price = 2 * np.log(BESIDE_SD_CM / POST_OUTWARD_SD_CM) + _CLEAR_WIN
    if fit.cost - moved.cost < price:
        return problem, fit, ()
    out = moved.slips[SLIPS.index("post_outward")] + spec.post_offset_cm
    return looser, moved, (Remark("posts_outside", {"cm": float(out)}),)


def _problem(size: tuple[int, int], intrinsics: Intrinsics | None) -> Problem:
    if intrinsics is None:
        basis = free_basis()
        return Problem(basis, free_prior(basis.names, size), slip_sds(), size)
    basis = known_basis(intrinsics.vector(), exact=intrinsics.covariance is None, wide=intrinsics.wide)
    return Problem(basis, known_prior(basis.names, intrinsics), slip_sds(), size)


def _clicks(spec: RingSpec, sd_px: float, without_post: int | None, camera: Camera | None = None) -> Clicks:
    """Corners and tops with their names, but for those of one post."""
    keep = [post for post in range(4) if post != without_post]
    names = tuple(f"{CORNER_NAMES[post]} corner" for post in keep)
    seen = corner_clicks(spec, sd_px).subset(keep)
    if spec.post_tops_px is None:
        return Clicks(seen, np.zeros(len(keep), dtype=np.intp), names)
    tops = tuple(f"{CORNER_NAMES[post]} post top" for post in keep)
    return Clicks(
        seen.joined(top_clicks(spec, sd_px, camera).subset(keep)),
        np.repeat(np.arange(2, dtype=np.intp), len(keep)),
        names + tops,
    )


def _result(
    problem: Problem,
    spec: RingSpec,
    refined: Refined,
    remarks: tuple[Remark, ...],
    clicks: Clicks,
    sd_px: float,
) -> RingCalibration:
    fit = refined.fit
    residuals = {"corners_px": spec.corners_px - fit.camera.project(spec.corners())}
    if spec.post_tops_px is not None:
        tops = fit.camera.project(spec.post_tops())
        residuals["post_tops_px"] = spec.post_tops_px - tops
    return RingCalibration(
        camera=fit.camera,
        spec=spec,
        parameters=problem.basis.names,
        covariance=fit.camera_covariance + (0.0 if refined.doubt is None else refined.doubt),
        basis=problem.basis,
        values=fit.parameters,
        assumptions=assumptions_of(problem, fit, spec),
        notes=remarks + refined.notes + clicks_off(clicks, fit),
        click_sd_px=sd_px * float(np.sqrt(np.square(refined.factors).mean())),
        residual_px=residuals,
        edges=refined.edges,
        rope_heights_cm=refined.rope_heights_cm,
        contradicted=refined.contradicted,
    )
