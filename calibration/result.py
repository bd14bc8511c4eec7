"""A calibrated ring: its camera, how sure it is, and where a pixel lies on the table with how much doubt."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array, Camera
from calibration.lens_model import Basis, project_with_derivatives
from calibration.remarks import Remark
from calibration.ring import RingSpec


@dataclass(frozen=True)
class Assumption:
    """A belief that the measurements hardly improved: `key` for programs, `text` one sentence for people."""

    key: str
    text: str


@dataclass(frozen=True, eq=False)
class EdgePoints:
    """Points found on the mat's edges.

    pixels (N, 2), side (N,) 0 far, 1 right, 2 near, 3 left, residual_px (N,) across the edge.
    """

    pixels: Array
    side: NDArray[np.intp]
    residual_px: Array


@dataclass(frozen=True, eq=False)
class RingCalibration:
    """The camera over a ring with the covariance of its free parameters.

    parameters names them, values (P,) and covariance (P, P) are in that order (rotation vector,
    translation in cm, lens in pixels); basis makes the camera of them. notes are remarks about evidence
    that was not used or was unusual.
    residual_px holds the click residuals by name, (4, 2) each: what the fit says of its own points, never
    a measure of accuracy (see `heldout`). click_sd_px is the noise of a click as the fit re-estimated it.
    rope_heights_cm are the heights of ropes found in the picture, empty when none were. contradicted says
    that the picture and the clicks exclude each other: one of them is wrong, and the covariance cannot know.
    """

    camera: Camera
    spec: RingSpec
    parameters: tuple[str, ...]
    values: Array
    covariance: Array
    basis: Basis
    assumptions: tuple[Assumption, ...]
    notes: tuple[Remark, ...]
    click_sd_px: float
    residual_px: dict[str, Array]
    edges: EdgePoints | None = None
    rope_heights_cm: tuple[float, ...] = ()
    contradicted: bool = False

    @property
    def size(self) -> tuple[int, int]:
        """The picture size (width, height) this calibration holds for."""
        return self.camera.size

    def plane_points(
        self, px: Array, z: float | Array, px_cov: Array | None = None, z_sd: float | Array = 0.0
    ) -> tuple[Array, Array]:
        """Where pixels (N, 2) meet the height(s) z in cm: xy (N, 2) and covariance (N, 2, 2), first order.

        px_cov is (2, 2) or (N, 2, 2) in square pixels, z_sd in cm. The camera's own covariance is always
        in it; errors shared by two points are to be taken from `plane_jacobian`. Rows that do not meet
        the height are NaN. (Criminisi, Reid and Zisserman, A Plane Measuring Device, BMVC 1997.)
        """
        xy, by_px, by_camera, by_z = self._derivatives(px, z)
        covariance = by_camera @ self.covariance @ by_camera.transpose(0, 2, 1)
        if px_cov is not None:
            covariance = covariance + by_px @ np.asarray(px_cov, dtype=np.float64) @ by_px.transpose(0, 2, 1)
        spread = by_z * np.broadcast_to(np.asarray(z_sd, dtype=np.float64), (len(xy),))[:, None]
        return xy, np.asarray(covariance + spread[:, :, None] * spread[:, None, :], dtype=np.float64)

    def plane_jacobian(self, px: Array, z: float | Array) -> Array:
        """Derivative (N, 2, P) of the plane points by the camera's parameters."""
        return self._derivatives(px, z)[2]

    def plane_jacobian_z(self, px: Array, z: float | Array) -> Array:
        """Derivative (N, 2) of the plane points by the height z (cm per cm)."""
        return self._derivatives(px, z)[3]

    def plane_jacobian_px(self, px: Array, z: float | Array) -> Array:
        """Derivative (N, 2, 2) of the plane points by the pixel (cm per px)."""
        return self._derivatives(px, z)[1]

    def sample(self, rng: np.random.Generator, n: int) -> list[Camera]:
        """n cameras drawn from the covariance (normal, first order)."""
        if n == 0:
            return []
        root = np.linalg.cholesky(_balanced(self.covariance))
        draws = rng.standard_normal((n, len(self.parameters))) @ root.T + self.values
        return [self.basis.camera(draw, self.size) for draw in draws]

    def _derivatives(self, px: Array, z: float | Array) -> tuple[Array, Array, Array, Array]:
        """xy, d xy/d px, d xy/d parameters, d xy/d z, by the implicit function theorem on project()."""
        px = np.asarray(px, dtype=np.float64).reshape(-1, 2)
        heights = np.broadcast_to(np.asarray(z, dtype=np.float64), (len(px),))
        xy = self.camera.to_plane(px, heights)
        points = np.column_stack([xy, heights])
        lost = np.isnan(xy[:, 0])
        _, by_vector, by_point = project_with_derivatives(self.camera, np.where(lost[:, None], 0.0, points))
        by_px: Array = np.linalg.inv(by_point[:, :, :2]).astype(np.float64)
        by_px[lost] = np.nan
        by_camera = -by_px @ (by_vector @ self.basis.matrix)
        by_z: Array = -np.einsum("nij,nj->ni", by_px, by_point[:, :, 2])
        return xy, by_px, by_camera, by_z


def _balanced(covariance: Array) -> Array:
    """A covariance that is positive definite to the last bit."""
    symmetric = (covariance + covariance.T) / 2
    return np.asarray(symmetric + np.diag(1e-12 * np.diag(symmetric)), dtype=np.float64)
