"""What is believed of the errors of one figure's guesses, and how an observation changes it.

Linear and Gaussian (Kalman 1960): unit factors g, one set per figure. The camera is a *considered*
parameter (Schmidt 1966): an observation does not re-calibrate it, but its error is carried through. The
factors stay what they are and every observation adds columns for its own noise, so that the errors of two
fragments can be compared whenever they were measured.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.result import RingCalibration
from vision.shape.errors import features

Array = NDArray[np.float64]

# So many looks after the first are learned from: a figure has only so many sides.
LESSONS = 5


@dataclass(frozen=True, eq=False)
class FigureModel:
    """What is believed of a figure: mean (Q,) of its unit factors, gain of the camera's error (Q, P), and a
    root (Q, R) of the covariance of the rest.

    `disputed_cm` is how far a tap lies from where the feet should be, when it was not believed.
    """

    height_cm: float
    height_sd_cm: float
    mean: Array
    by_camera: Array
    root: Array
    tapped: bool
    disputed_cm: float | None = None


@dataclass(frozen=True, eq=False)
class Told:
    """An observation (M,) of the factors: rows (M, Q), camera (M, P), covariance (M, M) of its noise."""

    value: Array
    by_figure: Array
    by_camera: Array
    noise: Array


def untaught(calibration: RingCalibration, height_cm: float, height_sd_cm: float = 0.0) -> FigureModel:
    """The belief before any observation, of a figure whose height was told with an sd."""
    size = unknowns()
    by_camera = np.zeros((size, len(calibration.parameters)))
    return FigureModel(height_cm, height_sd_cm, np.zeros(size), by_camera, np.eye(size), False)


def unknowns() -> int:
    """How many unit factors a figure has: those that its guesses' errors share, its height, and two for what
    is wrong with its first look alone."""
    return int(features(0.0).shape[1]) + 3


def weighed(model: FigureModel, told: Told) -> tuple[Array, Array, Array]:
    """Surprise (M,), its covariance (M, M), and the gain (Q, M)."""
    rows = told.by_figure @ model.root
    camera = told.by_camera + told.by_figure @ model.by_camera
    expected = rows @ rows.T + camera @ camera.T + told.noise
    gain = np.linalg.solve(expected, rows @ model.root.T).T
    return told.value - told.by_figure @ model.mean, expected, np.asarray(gain)


def learned_from(model: FigureModel, told: Told) -> FigureModel:
    """The belief after an observation; the columns of its noise come last."""
    surprise, _, gain = weighed(model, told)
    keep = np.eye(len(model.mean)) - gain @ told.by_figure
    camera = told.by_camera + told.by_figure @ model.by_camera
    return replace(
        model,
        mean=model.mean + gain @ surprise,
        by_camera=model.by_camera - gain @ camera,
        root=np.column_stack([keep @ model.root, gain @ root_of(told.noise)]),
    )


def camera_root(calibration: RingCalibration) -> Array:
    """A (P, P) root of the camera's covariance: unit-variance factors shared by everything measured."""
    return root_of(calibration.covariance)


def root_of(covariance: Array) -> Array:
    """R with R R^T = covariance, for any positive semidefinite covariance.

    It changes as little as the covariance does (no eigenvector changes its sign), so that loadings found
    with a few frames and with many are those of the same factors.
    """
    scale = np.sqrt(np.maximum(np.diag(covariance), 1e-300))
    values, vectors = np.linalg.eigh(covariance / np.outer(scale, scale))
    return np.asarray(scale[:, None] * (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T)
