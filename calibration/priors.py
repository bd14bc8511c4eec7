"""What is believed of a webcam over a ring before the picture has spoken.

The spreads are wide for what is on the market: horizontal fields of view of 40 to 90 degrees, square
pixels, the optical axis within a few per cent of the middle, mild radial distortion.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibration.camera import Array
from calibration.intrinsics import Intrinsics

FOCAL_IN_WIDTHS = 0.9  # 58 degrees across
FOCAL_LOG_SD = 0.28
CENTRE_SD_IN_WIDTHS = 0.015
K1_SD = 0.2
K2_SD = 0.08
TANGENTIAL_SD = 0.0007
# A pose is practically free: the spreads only keep the normal equations regular.
_FREE_ANGLE_SD = 100.0
_FREE_CM_SD = 1e5


@dataclass(frozen=True, eq=False)
class Prior:
    """Independent or joint normal beliefs: whitening @ (value - mean), the value's logarithm where `log`."""

    mean: Array
    whitening: Array
    log: Array

    def residuals(self, values: Array) -> Array:
        """Whitened differences (P,)."""
        return np.asarray(self.whitening @ (self._shaped(values) - self.mean), dtype=np.float64)

    def jacobian(self, values: Array) -> Array:
        """Derivative (P, P) of the residuals."""
        slope = np.where(self.log, 1.0 / self._positive(values), 1.0)
        return np.asarray(self.whitening * slope, dtype=np.float64)

    def sd(self, values: Array) -> Array:
        """The prior standard deviation of every parameter near these values, (P,)."""
        jacobian = self.jacobian(values)
        return np.asarray(np.sqrt(np.diag(np.linalg.inv(jacobian.T @ jacobian))), dtype=np.float64)

    def _shaped(self, values: Array) -> Array:
        return np.where(self.log, np.log(self._positive(values)), values)

    def _positive(self, values: Array) -> Array:
        """The values whose logarithm is believed in; a step of the solver below 0 is dear, not fatal."""
        return np.where(self.log, np.maximum(values, 1e-3), 1.0)


def free_prior(names: tuple[str, ...], size: tuple[int, int]) -> Prior:
    """The belief in an unknown webcam with pictures of size (width, height)."""
    width, height = size
    longer = max(size)
    belief = {
        "f": (np.log(FOCAL_IN_WIDTHS * longer), FOCAL_LOG_SD),
        "cx": ((width - 1) / 2, CENTRE_SD_IN_WIDTHS * longer),
        "cy": ((height - 1) / 2, CENTRE_SD_IN_WIDTHS * longer),
        "k1": (0.0, K1_SD),
        "k2": (0.0, K2_SD),
        "p1": (0.0, TANGENTIAL_SD),
        "p2": (0.0, TANGENTIAL_SD),
    } | _free_pose()
    mean = np.array([belief[name][0] for name in names])
    sd = np.array([belief[name][1] for name in names])
    return Prior(mean, np.diag(1.0 / sd), np.array([name == "f" for name in names]))


def known_prior(names: tuple[str, ...], intrinsics: Intrinsics) -> Prior:
    """The belief in a calibrated lens: its own covariance where it has one."""
    pose = _free_pose()
    mean, sd = (np.array(column) for column in zip(*(pose[name] for name in names[:6]), strict=True))
    whitening = np.diag(1.0 / sd)
    if len(names) > 6:
        assert intrinsics.covariance is not None
        # A parameter taken as exact (zero variance) keeps a trace of freedom, so that the inverse exists.
        covariance = intrinsics.covariance + np.diag(1e-18 + 1e-12 * np.square(intrinsics.vector()))
        inner = np.linalg.cholesky(np.linalg.inv(covariance)).T
        mean = np.concatenate([mean, intrinsics.vector()])
        whitening = np.block([[whitening, np.zeros((6, 9))], [np.zeros((9, 6)), inner]])
    return Prior(mean, whitening, np.zeros(len(names), dtype=bool))


def _free_pose() -> dict[str, tuple[float, float]]:
    angles = dict.fromkeys(("rx", "ry", "rz"), (0.0, _FREE_ANGLE_SD))
    return angles | dict.fromkeys(("tx", "ty", "tz"), (0.0, _FREE_CM_SD))
