"""What one silhouette says, linearly, about where a standing figure is and how it is built.

With s the figure's unknowns (in cm; see `vision.measuring.ground`), u the direction away from the camera:

    plane point of the middle = ground point + B s
    u . (plane point of the near rim - that of the middle) = R s
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.result import RingCalibration
from vision.measuring.builds import OBLIQUE, Build
from vision.measuring.silhouette import SHARE_OF_HEIGHT, view_at

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Middle:
    """The steady middle px (2,) of a silhouette with its covariance (2, 2) in px^2 (all that pixels, light
    and time add), and the facing with its sd in radians, of which `told_sd` is that of the facing told at
    first, which all fragments share; with probability `rival_share` the facing is `rival` instead.
    `rim_px` (2,) is where the near rim of its sole is seen, when it is, with its sd in px.
    """

    px: Array
    px_covariance: Array
    facing: float
    facing_sd: float
    rival: float = 0.0
    rival_share: float = 0.0
    rim_px: Array | None = None
    rim_sd_px: float = 1.0
    told_sd: float = 0.0


@dataclass(frozen=True, eq=False)
class Rim:
    """The near rim seen from the middle: distance in cm, row R (Q,), camera (P,), variance of its own, and
    the direction u (2,) along which the middle's own error counts too."""

    distance: float
    by_figure: Array
    by_camera: Array
    own: float
    away: Array


@dataclass(frozen=True, eq=False)
class Sight:
    """A middle seen through the camera: raw plane point, B (2, Q), camera (2, P), own covariance (2, 2)."""

    raw: Array
    by_figure: Array
    by_camera: Array
    own: Array
    rim: Rim | None


def sight(
    calibration: RingCalibration, build: Build, height_cm: float, middle: Middle, camera_root: Array
) -> Sight:
    """What a middle says of a figure of this build and height."""
    px, z = middle.px.reshape(1, 2), SHARE_OF_HEIGHT * height_cm
    raw = calibration.camera.to_plane(px, z)[0]
    # a middle that is higher up than assumed is seen further away than it is
    by_height = -calibration.plane_jacobian_z(px, z)[0]
    by_px = calibration.plane_jacobian_px(px, z)[0]
    steep = max(0.0, OBLIQUE - float(np.hypot(*by_height)))
    rotation = rotated(middle.facing)
    wander = np.exp(build.wander_by_steep * steep) * _seen_from(calibration, raw, z, rotation)
    share = np.exp(build.share_sd_by_steep * steep) * by_height
    by_figure = np.column_stack(
        [rotation, share, *(rotation * weight for weight in wander), np.zeros((2, 4))]
    )
    own = by_px @ middle.px_covariance @ by_px.T
    expected = raw - by_height * build.share_by_steep * steep * height_cm
    by_camera = calibration.plane_jacobian(px, z)[0] @ camera_root
    plain = Sight(expected, by_figure, by_camera, own, None)
    if middle.rim_px is None:
        return plain
    return Sight(
        expected,
        by_figure,
        by_camera,
        own,
        _rim(calibration, build, height_cm, middle, plain, steep, camera_root),
    )


def rotated(angle: float) -> Array:
    """The (2, 2) rotation by an angle in radians, counter-clockwise."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s], [s, c]])


def _rim(
    calibration: RingCalibration,
    build: Build,
    height_cm: float,
    middle: Middle,
    seen: Sight,
    steep: float,
    camera_root: Array,
) -> Rim:
    assert middle.rim_px is not None
    px = middle.rim_px.reshape(1, 2)
    away = view_at(calibration.camera, seen.raw).away
    by_px = away @ calibration.plane_jacobian_px(px, 0.0)[0]
    near = calibration.camera.to_plane(px, 0.0)[0]
    angle = middle.facing - float(np.arctan2(away[1], away[0]))
    row = -away @ seen.by_figure
    row[-4:] = -1.0, -np.cos(2 * angle), -np.cos(angle), -np.sin(angle)
    spread = np.hypot(build.rim_sd, build.rim_sd_by_steep * steep) * height_cm
    return Rim(
        float(away @ (near - seen.raw)) + build.rim_by_steep * steep * height_cm,
        row,
        away @ (seen.by_camera - calibration.plane_jacobian(px, 0.0)[0] @ camera_root),
        float(spread**2 + middle.rim_sd_px**2 * (by_px @ by_px)),
        away,
    )


def _seen_from(calibration: RingCalibration, xy: Array, z: float, rotation: Array) -> Array:
    """The monomials (5,) x, y, x^2 - y^2, 2 x y, x^2 + y^2 of the body-frame direction to the camera."""
    camera = calibration.camera
    view = view_at(camera, xy)
    lean = view.slope * camera.centre[2] / np.hypot(view.slope * camera.centre[2], camera.centre[2] - z)
    x, y = -lean * (rotation.T @ view.away)
    return np.array([x, y, x * x - y * y, 2 * x * y, x * x + y * y])
