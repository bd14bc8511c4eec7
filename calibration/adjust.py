"""Least squares over clicks, edge points and beliefs, and the covariance that follows.

Unknowns are the camera's free parameters and the ring's slips: small ways in which the real ring differs
from the ideal one (posts standing a little outward, a mat edge a little off), each with a belief of
mean 0. The slips are solved with the rest and their doubt ends in the camera's covariance.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import least_squares

from calibration.camera import Array, Camera
from calibration.lens_model import Basis, project_with_derivatives
from calibration.priors import Prior

_STEP_CAP = 50.0


@dataclass(frozen=True, eq=False)
class Observations:
    """Points of the ring seen in the picture.

    points (N, 3) cm; pixels (N, 2); weights (N, 2, 2) whiten a pixel difference (for an edge point the
    second row is zero: only the distance along its normal is measured); slips (N, 3, Q) is how far the
    point moves per unit of every slip.
    """

    points: Array
    pixels: Array
    weights: Array
    slips: Array

    def scaled(self, factors: Array) -> Observations:
        """The same with every standard deviation multiplied by factors (N,)."""
        return replace(self, weights=self.weights / factors[:, None, None])

    def joined(self, other: Observations) -> Observations:
        """Both, one after the other (the same slips)."""
        return Observations(
            *(
                np.concatenate([getattr(self, name), getattr(other, name)])
                for name in ("points", "pixels", "weights", "slips")
            )
        )

    def predicted(self, camera: Camera, slips: Array) -> Array:
        """Where this camera sees the points, slipped by slips (Q or more), (N, 2)."""
        return camera.project(self.points + self.slips @ slips[: self.slips.shape[2]])

    def widened(self, slips: int) -> Observations:
        """The same with room for this many slips; the new ones move nothing here."""
        return replace(self, slips=np.pad(self.slips, ((0, 0), (0, 0), (0, slips - self.slips.shape[2]))))

    def subset(self, keep: list[int]) -> Observations:
        """The rows with these indices."""
        return Observations(self.points[keep], self.pixels[keep], self.weights[keep], self.slips[keep])


@dataclass(frozen=True, eq=False)
class Fit:
    """A solution: parameters (P,), slips (Q,), their joint covariance, whitened residuals (N, 2).

    freedom (N,) is how many degrees of freedom every observation keeps; cost the sum of squares.
    """

    camera: Camera
    parameters: Array
    slips: Array
    covariance: Array
    residuals: Array
    freedom: Array
    cost: float

    @property
    def camera_covariance(self) -> Array:
        """Covariance (P, P) of the camera's parameters with the slips' doubt inside."""
        count = len(self.parameters)
        return self.covariance[:count, :count]


@dataclass(frozen=True, eq=False)
class Problem:
    """What is free and what is believed."""

    basis: Basis
    prior: Prior
    slip_sd: Array
    size: tuple[int, int]

    def fit(self, seen: Observations, start: Fit | Array) -> Fit:
        """The most likely unknowns given the observations, begun at a fit or at parameters (P,)."""
        fresh = np.zeros(len(self.slip_sd))
        parameters, slips = (start.parameters, start.slips) if isinstance(start, Fit) else (start, fresh)
        count = len(parameters)
        begin = np.concatenate([parameters, slips])
        # Steps in units of what the beliefs call large, bounded, so that the free pose cannot run away.
        scale = np.concatenate([np.minimum(self.prior.sd(parameters), _STEP_CAP), self.slip_sd])
        solved = least_squares(
            self.residuals,
            begin,
            jac=self._jacobian,
            args=(seen, count),
            x_scale=scale,
            method="lm",
            xtol=1e-12,
            ftol=1e-10,
            gtol=1e-12,
            max_nfev=300,
        )
        return self._finish(np.asarray(solved.x, dtype=np.float64), seen, count)

    def _finish(self, x: Array, seen: Observations, count: int) -> Fit:
        jacobian = self._jacobian(x, seen, count)
        residuals = self.residuals(x, seen, count)
        normal = jacobian.T @ jacobian
        root = 1.0 / np.sqrt(np.diag(normal))
        covariance = root[:, None] * np.linalg.inv(normal * np.outer(root, root)) * root
        rows = jacobian[: 2 * len(seen.points)]
        leverage = np.einsum("ni,ij,nj->n", rows, covariance, rows).reshape(-1, 2)
        measured = np.abs(seen.weights).sum(axis=2) > 0
        return Fit(
            camera=self.basis.camera(x[:count], self.size),
            parameters=x[:count],
            slips=x[count:],
            covariance=covariance,
            residuals=residuals[: 2 * len(seen.points)].reshape(-1, 2),
            freedom=np.where(measured, 1.0 - leverage, 0.0).sum(axis=1),
            cost=float(residuals @ residuals),
        )

    def residuals(self, x: Array, seen: Observations, count: int) -> Array:
        """Whitened differences of the observations, then of the beliefs; x is parameters, slips."""
        camera = self.basis.camera(x[:count], self.size)
        away = seen.predicted(camera, x[count:]) - seen.pixels
        whitened = np.einsum("nij,nj->ni", seen.weights, away)
        beliefs = [self.prior.residuals(x[:count]), x[count:] / self.slip_sd]
        return np.concatenate([whitened.ravel(), *beliefs])

    def _jacobian(self, x: Array, seen: Observations, count: int) -> Array:
        camera = self.basis.camera(x[:count], self.size)
        points = seen.points + seen.slips @ x[count:]
        _, by_vector, by_point = project_with_derivatives(camera, points)
        by_unknown = np.concatenate([by_vector @ self.basis.matrix, by_point @ seen.slips], axis=2)
        rows = (seen.weights @ by_unknown).reshape(-1, len(x))
        beliefs = np.zeros((len(x), len(x)))
        beliefs[:count, :count] = self.prior.jacobian(x[:count])
        beliefs[count:, count:] = np.diag(1.0 / self.slip_sd)
        return np.vstack([rows, beliefs])
