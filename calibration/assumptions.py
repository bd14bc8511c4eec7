"""Which beliefs the picture hardly improved on, said in sentences."""

from __future__ import annotations

import numpy as np

from calibration.adjust import Fit, Problem
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
    before = problem.prior.sd(fit.parameters)
    after = np.sqrt(np.diag(fit.camera_covariance))
    for name, prior, posterior in zip(problem.basis.names, before, after, strict=True):
        if name in _SENTENCES and posterior > _HARDLY_IMPROVED * prior and "fx" not in problem.basis.names:
            key, text = _SENTENCES[name]
            found.setdefault(key, text)
    if spec.post_tops_px is not None:
        found["post_tops"] = "the posts are taken to stand straight on their corners to about 1 mm"
    return tuple(Assumption(key, text) for key, text in found.items())
