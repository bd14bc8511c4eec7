"""How far a figure moved between two fragments, with an error bar that counts every source once.

Two positions of one figure share most of their error: the same camera, the same guessed height, the same
tap on its feet. What they share and what turned with the figure partly cancels in a move, so the variance
of a move is not the sum of the two. The error of a ground point is therefore stored as a sum of loadings
on unit-variance latent factors:

    error of xy = own noise + camera @ f + figure @ g

`FragmentPose.error` and the `error` of a line of tracks.jsonl are the same JSON object:

    {"fragment": n,                which fragment this is, numbered per fighter
     "own": [xx, xy, yy],          cm^2, noise of this fragment alone
     "camera": [[...], [...]],     (2, P) cm, loadings on the calibration's P factors, one set per event
     "figure": [[...], [...]],     (2, Q) cm, loadings on the factors of this figure's shape, height, tap
     "basis": "...",               names what the figure's factors mean; loadings of different bases are
                                   not comparable and are taken as independent
     "outline": [xx, xy, yy]}      cm^2, how far a point of the plan view may be off, all sources together;
                                   left out where nobody knows

Loadings are in ring axes. First-order propagation as in Criminisi, Reid & Zisserman, *A Plane Measuring
Device*, BMVC 1997.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.measuring.poses import FragmentPose
from vision.tracks import Track

Array = NDArray[np.float64]

# 95 % of a normal, and of a chi-square with two degrees of freedom.
_NORMAL_95 = 1.959964
_CHI2_95 = 5.991465
# Points per axis of the product rule that integrates a length over a two-dimensional normal.
_QUADRATURE = 48
# No direction is surer than this share of the whole variance: what is left of a difference may be rounding.
_LEAST_SHARE = 1e-12


class DisplacementError(ValueError):
    """A move that cannot be measured: one sentence."""


@dataclass(frozen=True, eq=False)
class Placement:
    """A measured ground point: xy (2,) in cm, covariance (2, 2) in cm^2, error split by source or None."""

    xy: Array
    covariance: Array
    error: dict[str, Any] | None

    @classmethod
    def of_pose(cls, pose: FragmentPose) -> Placement:
        """The placement of a measured fragment."""
        return cls(pose.xy, pose.covariance, pose.error or None)

    @classmethod
    def of_track(cls, track: Track) -> Placement:
        """The placement in one line of tracks.jsonl. Raises DisplacementError when the figure was lost."""
        if track.x is None or track.y is None or track.sx is None or track.sy is None:
            raise DisplacementError("the fighter was lost in this frame: choose one in which it stands")
        off = track.sxy or 0.0
        covariance = np.array([[track.sx**2, off], [off, track.sy**2]])
        return cls(np.array([track.x, track.y]), covariance, track.error)


@dataclass(frozen=True, eq=False)
class Displacement:
    """A move in cm: its length with sd and 95 % interval (low, high), vector (2,), covariance (2, 2)."""

    length_cm: float
    sd_cm: float
    interval95_cm: tuple[float, float]
    vector: Array
    covariance: Array


def displacement(a: Placement, b: Placement, *, same_figure: bool = True) -> Displacement:
    """The move from a to b; with `same_figure` false the distance between two figures' ground points."""
    vector = b.xy - a.xy
    covariance = _covariance_of_difference(a, b, same_figure)
    length, sd, interval = _length(vector, covariance)
    return Displacement(length, sd, interval, vector, covariance)


def error_record(
    fragment: int, own: Array, camera: Array, figure: Array, basis: str, outline: Array | None = None
) -> dict[str, Any]:
    """The JSON object of the module's docstring, from own (2, 2), camera (2, P), figure (2, Q), basis and
    outline (2, 2)."""
    seen = {} if outline is None else {"outline": _rounded([outline[0, 0], outline[0, 1], outline[1, 1]])}
    return {
        "fragment": fragment,
        "own": _rounded([own[0, 0], own[0, 1], own[1, 1]]),
        "camera": [_rounded(row) for row in camera],
        "figure": [_rounded(row) for row in figure],
        "basis": basis,
        **seen,
    }


def total_covariance(error: dict[str, Any]) -> Array:
    """The whole covariance (2, 2) that an error record adds up to."""
    camera, figure = _loadings(error, "camera"), _loadings(error, "figure")
    return _own(error) + camera @ camera.T + figure @ figure.T


def _covariance_of_difference(a: Placement, b: Placement, same_figure: bool) -> Array:
    if a.error is None or b.error is None:
        return a.covariance + b.covariance
    if same_figure and a.error["fragment"] == b.error["fragment"]:
        return np.zeros((2, 2))
    total = _own(a.error) + _own(b.error)
    shared = {"camera": True, "figure": same_figure and a.error["basis"] == b.error["basis"]}
    for source, cancels in shared.items():
        first, second = _loadings(a.error, source), _loadings(b.error, source)
        if cancels and first.shape == second.shape:
            total = total + (second - first) @ (second - first).T
        else:
            total = total + first @ first.T + second @ second.T
    return total


def _length(vector: Array, covariance: Array) -> tuple[float, float, tuple[float, float]]:
    """Length, sd and 95 % interval of a noisy vector.

    The length of a noisy vector is too long by half the variance across over the length (Rice); that is
    taken off. Where a move of zero cannot be excluded the interval starts at zero and is one-sided, so
    that a figure that stood still is still inside it.
    """
    squared = float(vector @ vector)
    trace = float(np.trace(covariance))
    if trace <= 0.0:
        length = float(np.sqrt(squared))
        return length, 0.0, (length, length)
    along = float(vector @ covariance @ vector) / squared if squared > 0 else trace / 2
    across = max(trace - along, 0.0)
    length = float(np.sqrt(max(squared - across, 0.0)))
    variances, axes = np.linalg.eigh(covariance)
    root = axes * np.sqrt(np.maximum(variances, _LEAST_SHARE * trace))
    if float(np.square(np.linalg.solve(root, vector)).sum()) > _CHI2_95:
        sd = float(np.sqrt(along + across**2 / (2 * squared)))
        return length, sd, (max(length - _NORMAL_95 * sd, 0.0), length + _NORMAL_95 * sd)
    lengths = _lengths_around(vector, root)
    sd = float(np.sqrt(np.mean((lengths - length) ** 2)))
    return length, sd, (0.0, float(np.quantile(lengths, 0.95)))


def _lengths_around(vector: Array, root: Array) -> Array:
    """Lengths at equally probable points of the normal about a vector (polar product rule); root (2, 2) times
    its transpose is the covariance."""
    share = (np.arange(_QUADRATURE) + 0.5) / _QUADRATURE
    radius, angle = np.sqrt(-2 * np.log(share)), 2 * np.pi * share
    unit = np.stack(
        [np.outer(radius, np.cos(angle)).ravel(), np.outer(radius, np.sin(angle)).ravel()], axis=1
    )
    return np.asarray(np.linalg.norm(vector + unit @ root.T, axis=1))


def _own(error: dict[str, Any]) -> Array:
    xx, xy, yy = error["own"]
    return np.array([[xx, xy], [xy, yy]])


def _loadings(error: dict[str, Any], source: str) -> Array:
    return np.asarray(error[source], dtype=np.float64).reshape(2, -1)


def _rounded(values: Any) -> list[float]:
    """Six decimals: a hundredth of a micrometre, and lines a person can still read."""
    return [round(float(value), 6) for value in values]
