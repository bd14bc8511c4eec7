"""The camera as one vector of fifteen numbers, with derivatives: what the solver turns.

The order is that of the Jacobian of OpenCV's projectPoints; of a wide-angle lens the last five are k1, k2,
k3, k4 and a zero.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibration.camera import Array, Camera
from calibration.projection import project_with_jacobian

FULL = ("rx", "ry", "rz", "tx", "ty", "tz", "fx", "fy", "cx", "cy", "k1", "k2", "p1", "p2", "k3")


def to_vector(camera: Camera) -> Array:
    """The fifteen numbers of a camera."""
    K = camera.K
    inner = [K[0, 0], K[1, 1], K[0, 2], K[1, 2]]
    return np.concatenate([np.ravel(camera.rvec), np.ravel(camera.tvec), inner, np.ravel(camera.dist)])


def to_camera(vector: Array, size: tuple[int, int], *, wide: bool = False) -> Camera:
    """The camera of fifteen numbers, with the plain or the wide-angle lens model."""
    fx, fy, cx, cy = vector[6:10]
    K = np.array([[fx, 0.0, cx], [0.0, fy, cy], [0.0, 0.0, 1.0]])
    return Camera(K, vector[10:15].copy(), vector[:3].copy(), vector[3:6].copy(), size, wide)


def project_with_derivatives(camera: Camera, points: Array) -> tuple[Array, Array, Array]:
    """Project ring points (N, 3) to pixels (N, 2), with their derivatives.

    By the camera's vector (N, 2, 15) and by the point (N, 2, 3).
    """
    points = np.asarray(points, dtype=np.float64).reshape(-1, 3)
    pixels, by_vector = project_with_jacobian(
        points, camera.rvec, camera.tvec, camera.K, camera.dist, wide=camera.wide
    )
    # A shift of the point by d is a shift of the camera translation by R d.
    by_point = by_vector[:, :, 3:6] @ camera.rotation
    return pixels, by_vector, by_point


@dataclass(frozen=True, eq=False)
class Basis:
    """Which of the fifteen numbers are free: vector = base + matrix @ parameters; of which lens model."""

    names: tuple[str, ...]
    base: Array
    matrix: Array
    wide: bool = False

    def camera(self, parameters: Array, size: tuple[int, int]) -> Camera:
        """The camera of these parameters (P,)."""
        return to_camera(self.vector(parameters), size, wide=self.wide)

    def vector(self, parameters: Array) -> Array:
        """The fifteen numbers for these parameters (P,)."""
        return np.asarray(self.base + self.matrix @ parameters, dtype=np.float64)


def free_basis() -> Basis:
    """Everything free but k3, with square pixels: one f for fx and fy."""
    names = ("rx", "ry", "rz", "tx", "ty", "tz", "f", "cx", "cy", "k1", "k2", "p1", "p2")
    matrix = np.zeros((15, len(names)))
    for column, name in enumerate(names):
        rows = ("fx", "fy") if name == "f" else (name,)
        for row in rows:
            matrix[FULL.index(row), column] = 1.0
    return Basis(names, np.zeros(15), matrix)


def known_basis(intrinsics: Array, *, exact: bool, wide: bool = False) -> Basis:
    """The pose is free around given intrinsics (9,); these too, when they carry a covariance."""
    if exact:
        base = np.concatenate([np.zeros(6), intrinsics])
        return Basis(FULL[:6], base, np.eye(15)[:, :6], wide)
    return Basis(FULL, np.zeros(15), np.eye(15), wide)
