"""A first camera from the four corners: poses over a range of focal lengths, the best few polished."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.adjust import Fit, Observations, Problem
from calibration.camera import Array
from calibration.errors import CalibrationError
from calibration.intrinsics import Intrinsics
from calibration.lens_model import FULL
from calibration.projection import tangents
from calibration.ring import RingSpec
from calibration.sentences import Said

_FOCALS_IN_WIDTHS = (0.45, 0.6, 0.75, 0.9, 1.1, 1.4, 1.9, 2.8)
_POLISHED = 3


def first_fit(problem: Problem, spec: RingSpec, seen: Observations, intrinsics: Intrinsics | None) -> Fit:
    """The best fit to the observations over both planar poses of every tried focal length."""
    starts: list[tuple[float, int, Array]] = []
    for inner in _candidates(problem.size, intrinsics):
        K = np.array([[inner[0], 0.0, inner[2]], [0.0, inner[1], inner[3]], [0.0, 0.0, 1.0]])
        # Corners the lens cannot see have no ray: no pose is found, and the clicks are to blame.
        seen_at = tangents(spec.corners_px, K, inner[4:], wide=problem.basis.wide)
        if not np.isfinite(seen_at).all():
            continue
        for pose in _poses(spec.corners(), seen_at):
            vector = np.concatenate([pose, inner])
            starts.append((_cost(problem, seen, _parameters(problem, vector)), len(starts), vector))
    if not starts:
        raise CalibrationError(
            Said(
                "error.fit.no_start",
                "no camera sees a ring of this size at these corners: check width_cm, depth_cm "
                "and the clicks",
            )
        )
    chosen = sorted(starts)[:_POLISHED]
    fits = [problem.fit(seen, _parameters(problem, vector)) for _, _, vector in chosen]
    return min(fits, key=lambda fit: fit.cost)


def _poses(corners: Array, seen_at: Array) -> list[Array]:
    """Both poses (6,) from which corners (4, 3) are seen at tangents (4, 2).

    Of some views OpenCV makes NaN in closed form; moved by next to nothing they have poses like others.
    """
    for nudge in (0.0, 1e-7, 1e-5):
        aside = seen_at + nudge * np.array([[0.0, 0.0], [1.0, 0.3], [-0.4, 1.0], [0.7, -0.6]])
        _, rvecs, tvecs, _ = cv2.solvePnPGeneric(corners, aside, np.eye(3), None, flags=cv2.SOLVEPNP_IPPE)
        poses = [np.concatenate([np.ravel(r), np.ravel(t)]) for r, t in zip(rvecs, tvecs, strict=True)]
        if finite := [pose for pose in poses if np.isfinite(pose).all()]:
            return finite
    return []


def _candidates(size: tuple[int, int], intrinsics: Intrinsics | None) -> list[Array]:
    if intrinsics is not None:
        return [intrinsics.vector()]
    centre = (np.array(size) - 1) / 2
    return [np.array([f, f, *centre, *np.zeros(5)]) for f in max(size) * np.array(_FOCALS_IN_WIDTHS)]


def _parameters(problem: Problem, vector: Array) -> Array:
    """The free parameters of a camera vector."""
    return np.array([vector[FULL.index("fx" if name == "f" else name)] for name in problem.basis.names])


def _cost(problem: Problem, seen: Observations, parameters: Array) -> float:
    residuals = problem.residuals(
        np.concatenate([parameters, np.zeros(len(problem.slip_sd))]), seen, len(parameters)
    )
    return float(residuals @ residuals)
