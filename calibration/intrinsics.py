"""A lens calibrated beforehand: the inner parameters of one camera at one picture size."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibration.camera import Array
from calibration.errors import CalibrationError
from calibration.sentences import Said

INTRINSIC_NAMES = ("fx", "fy", "cx", "cy", "k1", "k2", "p1", "p2", "k3")
WIDE_NAMES = ("fx", "fy", "cx", "cy", "k1", "k2", "k3", "k4")


# No lens has a focal length of so many pixels; numbers beyond would overflow.
_LARGEST_PX = 1e7


@dataclass(frozen=True, eq=False)
class Intrinsics:
    """K (3, 3) in pixels, dist (up to 5, OpenCV's order), size (width, height) they hold for.

    covariance is (9, 9) in the order of INTRINSIC_NAMES, or None when they are taken as exact. With `wide`
    dist are the four of the wide-angle model (`calibration.projection`) and covariance is (8, 8) in the order
    of WIDE_NAMES; kept are five and (9, 9), filled with zeros.
    """

    K: Array
    dist: Array
    size: tuple[int, int]
    covariance: Array | None = None
    wide: bool = False

    def __post_init__(self) -> None:
        """Bring the arrays to fixed shapes; raise CalibrationError for anything no camera has."""
        K = np.asarray(self.K, dtype=np.float64)
        dist = np.asarray(self.dist, dtype=np.float64).ravel()
        no_matrix = K.shape != (3, 3) or not np.isfinite(K).all() or K[0, 0] <= 0 or K[1, 1] <= 0
        if no_matrix or np.abs(K).max() > _LARGEST_PX:
            raise CalibrationError(
                Said(
                    "error.lens.matrix",
                    "the camera matrix K must be 3x3, finite and with positive focal lengths: "
                    "calibrate the lens again",
                )
            )
        if self.wide and (len(dist) not in (4, 5) or dist[4:].any() or not np.isfinite(dist).all()):
            raise CalibrationError(
                Said(
                    "error.lens.dist_wide",
                    "dist must hold the four finite numbers k1, k2, k3, k4 of a fisheye lens: calibrate the "
                    "lens with --fisheye",
                )
            )
        if len(dist) > 5 or not np.isfinite(dist).all():
            raise CalibrationError(
                Said(
                    "error.lens.dist",
                    "dist must hold at most five finite numbers (k1, k2, p1, p2, k3): calibrate the "
                    "lens with OpenCV's plain model",
                )
            )
        object.__setattr__(self, "K", K)
        object.__setattr__(self, "dist", np.pad(dist, (0, 5 - len(dist))))
        if self.covariance is not None:
            covariance = np.asarray(self.covariance, dtype=np.float64)
            if self.wide and covariance.shape == (8, 8):
                covariance = np.pad(covariance, (0, 1))
            if covariance.shape != (9, 9) or not _can_be_covariance(covariance):
                raise CalibrationError(
                    Said(
                        "error.lens.covariance",
                        "the covariance of the camera must be {n}x{n}, finite and positive definite "
                        "({names}): leave it out to take the camera as exact",
                        n=len(self.names),
                        names=", ".join(self.names),
                    )
                )
            object.__setattr__(self, "covariance", covariance)

    @property
    def names(self) -> tuple[str, ...]:
        """What the numbers of the lens are called, in order."""
        return WIDE_NAMES if self.wide else INTRINSIC_NAMES

    def vector(self) -> Array:
        """The nine numbers, in the order of `names`; the ninth of a wide-angle lens is zero."""
        K = self.K
        return np.array([K[0, 0], K[1, 1], K[0, 2], K[1, 2], *self.dist])


def _can_be_covariance(matrix: Array) -> bool:
    """Whether a square matrix is finite, symmetric and, but for rounding, positive definite."""
    if not np.isfinite(matrix).all() or (np.diag(matrix) < 0).any():
        return False
    scale = np.sqrt(np.where(np.diag(matrix) > 0, np.diag(matrix), 1.0))
    balanced = matrix / np.outer(scale, scale)
    return bool(np.abs(balanced - balanced.T).max() < 1e-6 and np.linalg.eigvalsh(balanced)[0] > -1e-7)
