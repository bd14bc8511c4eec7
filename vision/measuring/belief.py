"""What is believed of the errors of one figure's guesses, and how an observation changes it.

Linear and Gaussian (Kalman 1960). What is unknown of a figure: how its height was told wrong, how far pixels
and light moved its first look, and the error of the guess in each look that was learned from, in cm. The
camera is a *considered* parameter (Schmidt 1966): an observation does not re-calibrate it, but its error is
carried through. What was believed once stays what it was and everything that is learned adds columns for its
own noise, so that the errors of two fragments can be compared whenever they were measured.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.result import RingCalibration

Array = NDArray[np.float64]

# So many looks after the first are learned from: a figure has only so many sides.
LESSONS = 5
# Columns of the noise of a whole belief: the height, pixels and guess of the first look, a tap on it, the
# doubt that a disputed one leaves, and every further look.
MOST_COLUMNS = 1 + 2 + 2 + 2 + 1 + 2 * LESSONS
# Where in the unknowns the first look's pixels and the first guess are.
_PIXELS, _GUESSES = 1, 3


@dataclass(frozen=True, eq=False)
class FigureModel:
    """What is believed of a figure: mean (N,) of its unknowns, gain of the camera's error (N, P), and a root
    (N, R) of the covariance of the rest. The unknowns are the height's error in sds and then two for each
    look.

    `disputed_cm` is how far a tap lies from where the feet should be, when it was not believed.
    """

    height_cm: float
    height_sd_cm: float
    mean: Array
    by_camera: Array
    root: Array
    tapped: bool = False
    disputed_cm: float | None = None

    @property
    def looks(self) -> int:
        """How many looks it has learned from."""
        return (len(self.mean) - _GUESSES) // 2

    def rows(self, look: int) -> Array:
        """The (2, N) rows that pick the error of a look's guess."""
        return np.eye(len(self.mean))[_GUESSES + 2 * look : _GUESSES + 2 * look + 2]

    @property
    def pixel_rows(self) -> Array:
        """The (2, N) rows that pick how far pixels moved the first look."""
        return np.eye(len(self.mean))[_PIXELS:_GUESSES]


@dataclass(frozen=True, eq=False)
class Told:
    """An observation (M,) of the unknowns: rows (M, N), camera (M, P), covariance (M, M) of its noise."""

    value: Array
    by_figure: Array
    by_camera: Array
    noise: Array


@dataclass(frozen=True, eq=False)
class Error:
    """What is believed of the error of a further look's guess: `mean` (2,) + `by_known` (2, N) @ (unknowns
    less their mean), and a root (2, 2) of the covariance of the rest."""

    mean: Array
    by_known: Array
    root: Array


def untaught(calibration: RingCalibration, height_cm: float, height_sd_cm: float = 0.0) -> FigureModel:
    """The belief before any look, of a figure whose height was told with an sd."""
    size = _GUESSES
    by_camera = np.zeros((size, len(calibration.parameters)))
    root = np.diag([1.0, 0.0, 0.0])
    return FigureModel(height_cm, height_sd_cm, np.zeros(size), by_camera, root)


def begun(model: FigureModel, pixels: Array, error: Error) -> FigureModel:
    """The belief with a first look, of whose middle pixels have a covariance (2, 2) on the table."""
    root = model.root.copy()
    root[_PIXELS:_GUESSES, _PIXELS:_GUESSES] = root_of(pixels)
    return with_look(replace(model, root=root), error)


def with_look(model: FigureModel, error: Error) -> FigureModel:
    """The belief with a further look among the unknowns; the columns of its noise come last."""
    count, columns = model.root.shape
    root = np.zeros((count + 2, columns + 2))
    root[:count, :columns] = model.root
    root[count:] = np.column_stack([error.by_known @ model.root, error.root])
    return replace(
        model,
        mean=np.append(model.mean, error.mean),
        by_camera=np.vstack([model.by_camera, error.by_known @ model.by_camera]),
        root=root,
    )


def weighed(model: FigureModel, told: Told) -> tuple[Array, Array, Array]:
    """Surprise (M,), its covariance (M, M), and the gain (N, M)."""
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
