"""Where a standing figure touches the table, and what that costs in certainty.

The model has few numbers and each has a meaning. The steady middle of a silhouette is the picture of one
point of the body: `SHARE_OF_HEIGHT` of its height up, a little in front of its sole (more so in a long body,
whose head reaches out over its fore feet), elsewhere by what a tap on its feet teaches. That point is only
nearly fixed: as the view changes it wanders a little, modelled as a quadratic polynomial, with random
coefficients, of the direction from which the body is seen. So the same view gives the same error (it cancels
in a move) and opposite views give unrelated ones.

All of it is linear and Gaussian: with s the figure's unknowns, f the camera's,

    ground point = plane point of the middle - B s - C f,     tap = ground point + noise

and one Kalman update folds the tap in. The camera is a *considered* parameter (Schmidt 1966): a tap does
not re-calibrate it, but its error is carried through.

Where the numbers come from: the wandering is that of random modelled figures, and so is the place in front of
the sole, fitted to 200 of them on two and on four legs and then found right on the rendered clips. Its spread
lies between theirs (0.04) and the clips' (0.015). The share of the height is that of the clips, whose figures
are stout as plasticine must be (0.46-0.50, by moves with large turns).
Slim figures on long legs have it at 0.54: after a large turn their error bars come out too small.
`python -m datasets.accuracy` measures all of it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.result import RingCalibration
from vision.measuring.silhouette import view_at

Array = NDArray[np.float64]

# The steady middle's height over the figure's, and where it lies in front of the sole's middle (x front,
# y left) of a body as long as wide, all in heights of the figure, with standard deviations (the second one
# either way); and how much further in front for every e-fold of length over width.
SHARE_OF_HEIGHT, SHARE_SD = 0.475, 0.015
FORWARD, OFFSET_SD = 0.02, 0.035
FORWARD_BY_LENGTH = 0.045
# Spread, in heights, of each coefficient of the linear and of the quadratic wandering.
_WANDER_1, _WANDER_2 = 0.012, 0.012
# A tap on the feet: where a hand with a mouse or a finger puts it, in px.
TAP_SD_PX = 1.5
# How far light and shadow on its edges move the middle of even a clear silhouette, in px.
_EDGE_SD_PX = 0.5
# A tap further off than this share of the height, from where the feet should be, was not on these feet.
_TAP_GATE = 0.6
# Squared Mahalanobis distance beyond which a tap and the silhouette contradict each other. Of 4000 taps on
# the clips' figures (1.5 px of jitter) none went beyond 17.
_CONTRADICTION = 25.0
# The probability that the tap was right all the same (the height was measured wrong).
_TAP_RIGHT = 0.3


@dataclass(frozen=True, eq=False)
class Middle:
    """The steady middle px (2,) of a silhouette with its covariance (2, 2) in px^2, and the facing with its
    sd in radians; with probability `rival_share` the facing is `rival` instead."""

    px: Array
    px_covariance: Array
    facing: float
    facing_sd: float
    rival: float = 0.0
    rival_share: float = 0.0


@dataclass(frozen=True, eq=False)
class _Sight:
    """A middle seen through the camera: raw plane point, B (2, Q), C (2, P), own covariance (2, 2)."""

    raw: Array
    by_figure: Array
    by_camera: Array
    own: Array


@dataclass(frozen=True, eq=False)
class FigureModel:
    """What is believed of a figure: mean (Q,), gain of the camera's error (Q, P), root (Q, Q) of the rest.

    `disputed_cm` is how far a tap lies from where the feet should be, when it was not believed.
    """

    height_cm: float
    mean: Array
    by_camera: Array
    root: Array
    tapped: bool
    disputed_cm: float | None = None


@dataclass(frozen=True, eq=False)
class GroundPoint:
    """xy (2,) in cm with loadings camera (2, P), figure (2, Q) and own covariance (2, 2)."""

    xy: Array
    camera: Array
    figure: Array
    own: Array


def untaught(calibration: RingCalibration, height_cm: float, elongation: float = 1.0) -> FigureModel:
    """The belief before a tap, of a figure of this height whose plan view is `elongation` times as long
    (along its facing) as wide."""
    linear, quadratic = np.full(4, _WANDER_1), np.full(6, _WANDER_2)
    spread = height_cm * np.concatenate([[OFFSET_SD, OFFSET_SD, SHARE_SD], linear, quadratic])
    mean = np.zeros(len(spread))
    mean[0] = (FORWARD + FORWARD_BY_LENGTH * np.log(elongation)) * height_cm
    return FigureModel(
        height_cm, mean, np.zeros((len(spread), len(calibration.parameters))), np.diag(spread), False
    )


def taught(calibration: RingCalibration, model: FigureModel, middle: Middle, foot_px: Array) -> FigureModel:
    """The belief after a tap at foot_px (2,) on the feet, in the fragment whose middle is given.

    A tap that contradicts silhouette and height by far more than their errors allow is disputed and not
    believed: the belief stays, but wide enough for the tap to be right. One that cannot be on this figure's
    feet (0.6 of its height away from where they should be) does not even widen it.
    """
    sight = _sight(calibration, model.height_cm, middle)
    foot = np.asarray(foot_px, dtype=np.float64).reshape(1, 2)
    by_px = calibration.plane_jacobian_px(foot, 0.0)[0] * TAP_SD_PX
    tap_by_camera = calibration.plane_jacobian(foot, 0.0)[0] @ camera_root(calibration)
    leverage = tap_by_camera - sight.by_camera
    noise = by_px @ by_px.T + leverage @ leverage.T + sight.own
    prior = model.root @ model.root.T
    expected = sight.by_figure @ prior @ sight.by_figure.T + noise
    surprise = sight.raw - calibration.camera.to_plane(foot)[0] - sight.by_figure @ model.mean
    gain = np.linalg.solve(expected, sight.by_figure @ prior).T
    away = float(np.hypot(*surprise))
    if away > _TAP_GATE * model.height_cm:
        return replace(model, disputed_cm=away)
    if float(surprise @ np.linalg.solve(expected, surprise)) > _CONTRADICTION:
        shift = gain @ surprise
        return replace(model, root=_root(prior + _TAP_RIGHT * np.outer(shift, shift)), disputed_cm=away)
    keep = np.eye(len(model.mean)) - gain @ sight.by_figure
    own_noise = by_px @ by_px.T + sight.own
    rest = keep @ prior @ keep.T + gain @ own_noise @ gain.T
    return FigureModel(model.height_cm, model.mean + gain @ surprise, -gain @ leverage, _root(rest), True)


def ground_point(calibration: RingCalibration, model: FigureModel, middle: Middle) -> GroundPoint:
    """Where the figure stands in the fragment whose middle is given."""
    sight = _sight(calibration, model.height_cm, middle)
    xy = sight.raw - sight.by_figure @ model.mean
    offset = model.mean[:2]
    turned = _rotation(middle.facing + np.pi / 2) @ offset * middle.facing_sd
    # the place belongs to the facing that is shown; that of the other facing counts as doubt about it
    other = (_rotation(middle.facing) - _rotation(middle.rival)) @ offset
    return GroundPoint(
        xy,
        sight.by_camera - sight.by_figure @ model.by_camera,
        -sight.by_figure @ model.root,
        sight.own + np.outer(turned, turned) + middle.rival_share * np.outer(other, other),
    )


def _rotation(angle: float) -> Array:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s], [s, c]])


def _sight(calibration: RingCalibration, height_cm: float, middle: Middle) -> _Sight:
    px, z = middle.px.reshape(1, 2), SHARE_OF_HEIGHT * height_cm
    raw = calibration.camera.to_plane(px, z)[0]
    by_height = calibration.plane_jacobian_z(px, z)[0]
    by_px = calibration.plane_jacobian_px(px, z)[0]
    rotation = _rotation(middle.facing)
    seen = _seen_from(calibration, raw, z, rotation)
    wander = [rotation * weight for weight in seen]
    by_figure = np.column_stack([rotation, by_height, *wander])
    own = by_px @ (middle.px_covariance + _EDGE_SD_PX**2 * np.eye(2)) @ by_px.T
    return _Sight(raw, by_figure, calibration.plane_jacobian(px, z)[0] @ camera_root(calibration), own)


def _seen_from(calibration: RingCalibration, xy: Array, z: float, rotation: Array) -> Array:
    """The monomials (5,) x, y, x^2 - y^2, 2 x y, x^2 + y^2 of the body-frame direction to the camera."""
    camera = calibration.camera
    view = view_at(camera, xy)
    lean = view.slope * camera.centre[2] / np.hypot(view.slope * camera.centre[2], camera.centre[2] - z)
    x, y = -lean * (rotation.T @ view.away)
    return np.array([x, y, x * x - y * y, 2 * x * y, x * x + y * y])


def camera_root(calibration: RingCalibration) -> Array:
    """A (P, P) root of the camera's covariance: unit-variance factors shared by everything measured."""
    return _root(calibration.covariance)


def _root(covariance: Array) -> Array:
    """R with R R^T = covariance, for any positive semidefinite covariance."""
    scale = np.sqrt(np.maximum(np.diag(covariance), 1e-300))
    values, vectors = np.linalg.eigh(covariance / np.outer(scale, scale))
    return np.asarray(scale[:, None] * vectors * np.sqrt(np.maximum(values, 0.0)))
