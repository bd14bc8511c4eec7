"""Small Gaussian mixtures in the colour features: what a material looks like under all its shading."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats

# No material is purer than this in (log R/G, log B/G, log light): camera noise and texture.
FLOOR_SD = np.array([0.02, 0.02, 0.05])

# Points whose likelihoods are taken at once.
_AT_ONCE = 1024

# Shadows as (loss of log light, share of pixels relative to the lit material).
_SHADOWS = ((0.2, 0.3), (0.45, 0.2), (0.75, 0.1), (1.1, 0.05))


@dataclass(frozen=True, eq=False)
class Mixture:
    """Gaussians with means (K, 3), covariances (K, 3, 3) and weights (K,) summing to 1."""

    means: Floats
    covariances: Floats
    weights: Floats

    def distances(self, points: Floats) -> Floats:
        """Squared Mahalanobis distances (N, K) of feature points (N, 3) to every component."""
        return np.asarray(np.maximum(_terms(points) @ self._quadratics, 0.0))

    def log_likelihood(self, points: Floats) -> Floats:
        """Log density (N,) at feature points (N, 3), good to a few millionths of itself."""
        norm = np.log(self.weights) - 0.5 * np.log(np.linalg.det(2 * np.pi * self.covariances))
        quadratics = -0.5 * self._quadratics
        quadratics[-1] += norm
        out = np.empty(len(points))
        # so many at once stay in the cache, and exponentials are quicker in single precision
        for start in range(0, len(points), _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            logs = (_terms(points[part]) @ quadratics).astype(np.float32)
            top = logs.max(axis=1)
            logs -= top[:, None]
            out[part] = top + np.log(np.exp(logs, out=logs).sum(axis=1))
        return out

    @cached_property
    def _quadratics(self) -> Floats:
        """Squared distances to the components, multiplied out: what each of `_terms` counts for, (10, K)."""
        inverse = np.linalg.inv(self.covariances)
        linear = -2.0 * np.einsum("kij,kj->ki", inverse, self.means)
        constant = np.einsum("ki,kij,kj->k", self.means, inverse, self.means)
        diagonal = inverse[:, [0, 1, 2], [0, 1, 2]]
        mixed = 2.0 * inverse[:, [0, 0, 1], [1, 2, 2]]
        return np.concatenate([diagonal, mixed, linear, constant[:, None]], axis=1).T

    def nearest(self, points: Floats) -> Floats:
        """The smallest Mahalanobis distance (N,) to any component."""
        return np.asarray(np.sqrt(self.distances(points).min(axis=1)))

    def blurred(self, sd: float) -> Mixture:
        """The same material seen through noise of this sd in every feature."""
        return Mixture(self.means, self.covariances + np.eye(3) * sd**2, self.weights)

    def with_shadows(self) -> Mixture:
        """This material lit, and in the half and full shadows that figures and hands throw on it."""
        means, covariances, weights = [self.means], [self.covariances], [self.weights]
        for darker, share in _SHADOWS:
            means.append(self.means - np.array([0.0, 0.0, darker]))
            covariances.append(self.covariances + np.diag([0.02**2, 0.02**2, 0.10**2]))
            weights.append(self.weights * share)
        total = np.concatenate(weights)
        return Mixture(np.concatenate(means), np.concatenate(covariances), total / total.sum())


def _terms(points: Floats) -> Floats:
    """The products (N, 10) of which every quadratic form in points (N, 3) is made."""
    x, y, z = points.T
    return np.stack([x * x, y * y, z * z, x * y, x * z, y * z, x, y, z, np.ones_like(x)], axis=1)


def gaussian(points: Floats) -> tuple[Floats, Floats]:
    """Robust mean (3,) and floored covariance (3, 3) of feature points (N, 3), N >= 1."""
    centre = np.median(points, axis=0)
    spread = 1.4826 * np.median(np.abs(points - centre), axis=0) + FLOOR_SD
    keep = points[(np.abs(points - centre) < 3.5 * spread).all(axis=1)]
    mean = keep.mean(axis=0)
    covariance = np.diag(FLOOR_SD**2)
    if len(keep) > 3:
        covariance = covariance + np.cov(keep.T)
    return mean, covariance


def by_shading(points: Floats, bands: int = 3) -> Mixture:
    """A material's mixture: one Gaussian per band of its shading, dark to bright."""
    order = np.argsort(points[:, 2])
    parts = [part for part in np.array_split(order, bands) if len(part) >= 8] or [order]
    fitted = [gaussian(points[part]) for part in parts]
    weights = np.array([len(part) for part in parts], dtype=np.float64)
    return Mixture(
        np.array([mean for mean, _ in fitted]), np.array([cov for _, cov in fitted]), weights / weights.sum()
    )


def by_clusters(points: Floats, clusters: int = 8) -> Mixture:
    """A mixture of unknown materials: k-means from a deterministic start, one Gaussian per cluster."""
    clusters = max(1, min(clusters, len(points) // 20))
    start = np.empty((len(points), 1), dtype=np.int32)
    for rank, part in enumerate(np.array_split(np.argsort(points[:, 2]), clusters)):
        start[part] = rank
    criteria = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 25, 1e-3)
    scaled = (points / FLOOR_SD).astype(np.float32)
    _, labels, _ = cv2.kmeans(scaled, clusters, start, criteria, 1, cv2.KMEANS_USE_INITIAL_LABELS)
    return _from_labels(points, np.asarray(labels, dtype=np.int32).ravel())


def _from_labels(points: Floats, labels: NDArray[np.int32]) -> Mixture:
    means, covariances, weights = [], [], []
    for label in np.unique(labels):
        part = points[labels == label]
        mean, covariance = gaussian(part)
        means.append(mean)
        covariances.append(covariance)
        weights.append(len(part) / len(points))
    total = np.array(weights)
    return Mixture(np.array(means), np.array(covariances), total / total.sum())
