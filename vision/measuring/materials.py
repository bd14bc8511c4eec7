"""What an averaged crop's materials look like: small mixtures, tighter than those a single picture allows.

Averaging has taken the noise away, so a material's hue is known to a hundredth; what remains wide is its
light. Between two materials lie the pixels that show a part of both: the lens blurs their border and the
codec spreads hues over it, so that no pixel there looks like either.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats
from vision.colour.mixture import Mixture

# No averaged material is purer than this in (log R/G, log B/G, log light).
_FLOOR_SD = np.array([0.012, 0.012, 0.05])
# What counts as far apart when materials are told from one another.
_SCALE = np.array([0.03, 0.03, 0.1])
_FEWEST = 20
# Shares of the figure that mixed pixels have; less than half is no figure.
_PARTS = (0.15, 0.3, 0.45, 0.6, 0.8)
# How likely each of them is, and how they scatter: hue more than light.
_PART_WEIGHT = 0.1
_PART_SD = np.array([0.05, 0.05, 0.1])
_LEAST_LIGHT = 1e-4


def materials(points: Floats, most: int) -> Mixture:
    """The materials in feature points (N, 3), N >= 1: k-means from a deterministic start."""
    most = max(1, min(most, len(points) // _FEWEST))
    labels = np.empty((len(points), 1), np.int32)
    for rank, part in enumerate(np.array_split(np.argsort(points[:, 2]), most)):
        labels[part] = rank
    criteria = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 25, 1e-3)
    scaled = (points / _SCALE).astype(np.float32)
    _, found, _ = cv2.kmeans(scaled, most, labels, criteria, 1, cv2.KMEANS_USE_INITIAL_LABELS)
    numbers = np.asarray(found).ravel()
    parts = [points[numbers == number] for number in np.unique(numbers)]
    fitted = [_gaussian(part) for part in parts]
    weights = np.array([len(part) for part in parts], float) / len(points)
    return Mixture(np.array([mean for mean, _ in fitted]), np.array([cov for _, cov in fitted]), weights)


def chosen(mixture: Mixture, which: NDArray[np.bool_]) -> Mixture:
    """Only those components (K,)."""
    weights = mixture.weights[which]
    return Mixture(mixture.means[which], mixture.covariances[which], weights / weights.sum())


def with_rim(figure: Mixture, ground: Mixture, lit: Mixture, beside: Floats) -> tuple[Mixture, Mixture]:
    """A figure's and its ground's mixtures with the pixels that show both.

    `lit` is the figure without its shades, `beside` (K, 3) what the ground looks like where it ends.
    """
    mine, theirs = _light(lit.means), _light(beside)
    shares = np.repeat(lit.weights / len(beside), len(beside))
    less, more = (
        [_features((part * mine[:, None] + (1 - part) * theirs[None]).reshape(-1, 3)) for part in parts]
        for parts in (_PARTS[:3], _PARTS[3:])
    )
    return _widened(figure, more, shares), _widened(ground, less, shares)


def _widened(mixture: Mixture, more: list[Floats], shares: Floats) -> Mixture:
    means = np.concatenate([mixture.means, *more])
    spread = np.broadcast_to(np.diag(_PART_SD**2), (len(means) - len(mixture.means), 3, 3))
    weights = np.concatenate([mixture.weights, *(_PART_WEIGHT * shares for _ in more)])
    return Mixture(means, np.concatenate([mixture.covariances, spread]), weights / weights.sum())


def _gaussian(points: Floats) -> tuple[Floats, Floats]:
    """Robust mean (3,) and floored covariance (3, 3)."""
    middle = np.median(points, axis=0)
    spread = 1.4826 * np.median(np.abs(points - middle), axis=0) + _FLOOR_SD
    kept = points[(np.abs(points - middle) < 3 * spread).all(axis=1)]
    covariance = np.diag(_FLOOR_SD**2)
    if len(kept) > 3:
        covariance = covariance + np.cov(kept.T)
    return kept.mean(axis=0), covariance


def _light(colours: Floats) -> Floats:
    """Linear R, G, B (N, 3) of features (N, 3)."""
    red, blue = np.exp(colours[:, 0]), np.exp(colours[:, 1])
    green = 3 * np.exp(colours[:, 2]) / (1 + red + blue)
    return np.column_stack([red * green, green, blue * green])


def _features(light: Floats) -> Floats:
    """The features (N, 3) of linear R, G, B (N, 3); the inverse of `_light`."""
    logs = np.log(np.maximum(light, _LEAST_LIGHT))
    return np.column_stack(
        [logs[:, 0] - logs[:, 1], logs[:, 2] - logs[:, 1], np.log(light.mean(axis=1) + _LEAST_LIGHT)]
    )
