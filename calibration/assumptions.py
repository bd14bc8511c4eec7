"""Which beliefs the picture hardly improved on, said in sentences."""

from __future__ import annotations

import numpy as np

from calibration.adjust import Fit, Problem
from calibration.evidence import POST_OUTWARD_SD_CM, SLIPS
from calibration.result import Assumption
from calibration.ring import RingSpec

# A belief matters when the measurements left more than this share of its spread.
_HARDLY_IMPROVED = 0.5
_SENTENCES = {
    "f": (
        "focal_length",
        "the focal length is little more than a guess at a usual webcam's: "
        "add post_tops_px or calibrate the lens",
    ),
    "cx": ("principal_point", "the optical axis is taken to be near the middle of the picture"),
    "cy": ("principal_point", "the optical axis is taken to be near the middle of the picture"),
    "k1": (
        "distortion",
        "the lens is taken to bend straight lines only mildly: give a picture with the mat's edges free, "
        "or calibrate the lens",
    ),
}


def assumptions_of(problem: Problem, fit: Fit, spec: RingSpec) -> tuple[Assumption, ...]:
    """The beliefs that mattered, most serious first."""
    found: dict[str, str] = {}
    lens_unknown = "f" in problem.basis.names
    before = problem.prior.sd(fit.parameters)
    after = np.sqrt(np.diag(fit.camera_covariance))
    for name, prior, posterior in zip(problem.basis.names, before, after, strict=True):
        if lens_unknown and name in _SENTENCES and posterior > _HARDLY_IMPROVED * prior:
            key, text = _SENTENCES[name]
            found.setdefault(key, text)
    outward_sd = problem.slip_sd[SLIPS.index("post_outward")]
    if spec.post_tops_px is not None and outward_sd == POST_OUTWARD_SD_CM:
        found["post_tops"] = (
            "the posts are taken to stand on the mat's corners to about 2 mm: a camera straight above cannot "
            "see otherwise, and posts 1 cm outside would cost about 7 mm at a height of 10 cm"
        )
    return tuple(Assumption(key, text) for key, text in found.items())
