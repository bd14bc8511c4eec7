"""The Monte-Carlo twin of the ground point: figures that are what is believed of them, without pictures.

A figure's body is drawn from its class (`vision.measuring.builds`), stood on the table, and seen through a
camera: the middle of its silhouette and the near rim of its sole are projected, not linearised, and every
source of error adds its own noise. Then it is measured as ever. What it is off by must scatter as the
first-order error bar says, for each source alone and for all together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from calibration.result import RingCalibration
from vision.measuring.builds import OBLIQUE, Build, Shape
from vision.measuring.displacement import Placement, error_record, total_covariance
from vision.measuring.ground import camera_root, ground_point, stood, taught, untaught
from vision.measuring.sight import Middle, sight
from vision.measuring.silhouette import SHARE_OF_HEIGHT, view_at

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Noise:
    """Standard deviations of what is told and seen, 0 where a source is off; without a tap's noise there is
    no tap. `body` says whether figures differ from the usual one; only then the sole's rim tells anything."""

    tap_px: float = 0.0
    height_cm: float = 0.0
    facing_deg: float = 0.0
    middle_px: float = 0.0
    body: bool = False


@dataclass(frozen=True, eq=False)
class Standing:
    """Where a figure really stands: xy (2,) in cm, facing in radians."""

    xy: Array
    facing: float


def placements(
    camera: Camera,
    calibration: RingCalibration,
    build: Build,
    height_cm: float,
    standings: Sequence[Standing],
    noise: Noise,
    rng: np.random.Generator,
) -> list[Placement]:
    """One draw: the measured places of a figure in these fragments, tapped in the first.

    `camera` is the true one; `calibration` is what is believed of it, its covariance zero when it is known.
    """
    spread, drawn = build.spread() * noise.body, rng.standard_normal(17)
    body = height_cm * (build.mean(Shape()) + spread * drawn)
    believed = build if noise.body else _known(build)
    told_height = height_cm + noise.height_cm * float(rng.standard_normal())
    turned = np.radians(noise.facing_deg) * float(rng.standard_normal())
    seen = [
        _seen(camera, calibration, build, height_cm, standing, body, noise, rng, turned)
        for standing in standings
    ]
    model = untaught(calibration, told_height, believed, height_sd_cm=noise.height_cm)
    if noise.tap_px > 0:
        foot = camera.project(np.array([[*standings[0].xy, 0.0]]))[0] + noise.tap_px * rng.standard_normal(2)
        model = taught(calibration, model, seen[0], foot, noise.tap_px)
    model = stood(calibration, model, seen[0])
    found = []
    for number, middle in enumerate(seen):
        point = ground_point(calibration, model, middle, learned=number == 0)
        error = error_record(number, point.own, point.camera, point.figure, "twin")
        found.append(Placement(point.xy, total_covariance(error), error))
    return found


def exactly(calibration: RingCalibration, camera: Camera) -> RingCalibration:
    """A calibration that is this camera, known without doubt."""
    return replace(calibration, camera=camera, covariance=np.zeros_like(calibration.covariance))


def _known(build: Build) -> Build:
    """The build of a class whose figures are all the same."""
    return replace(
        build, share_sd=0.0, front_sd=0.0, side_sd=0.0, wander=(0.0, 0.0), rim_spread=(0.0,) * 4, rim_sd=0.0,
        rim_sd_by_steep=0.0,
    )  # fmt: skip


def _seen(
    camera: Camera,
    calibration: RingCalibration,
    build: Build,
    height_cm: float,
    standing: Standing,
    body: Array,
    noise: Noise,
    rng: np.random.Generator,
    turned: float,
) -> Middle:
    """What the true camera sees of a body (17,): the middle of its silhouette, the near rim of its sole."""
    eye = exactly(calibration, camera)
    root, z = camera_root(eye), SHARE_OF_HEIGHT * height_cm
    px = camera.project(np.array([[*standing.xy, z]]))[0]
    for _ in range(4):
        look = sight(eye, build, height_cm, Middle(px, np.zeros((2, 2)), standing.facing, 0.0), root)
        by_height = -eye.plane_jacobian_z(px.reshape(1, 2), z)[0]
        steep = max(0.0, OBLIQUE - float(np.hypot(*by_height)))
        lifted = (
            float(np.exp(build.share_sd_by_steep * steep)) * body[2]
            + build.share_by_steep * steep * height_cm
        )
        planar = [0, 1, *range(3, 13)]
        xy = standing.xy + look.by_figure[:, planar] @ body[planar]
        px = camera.project(np.array([[*xy, z + lifted]]))[0]
    away = view_at(camera, look.raw).away
    angle = standing.facing - float(np.arctan2(away[1], away[0]))
    rim = body[13:] @ np.array([1.0, np.cos(2 * angle), np.cos(angle), np.sin(angle)])
    rim += build.rim_by_steep * steep * height_cm
    rim_sd = np.hypot(build.rim_sd, build.rim_sd_by_steep * steep) * height_cm * noise.body
    reach = float(away @ (standing.xy - look.raw)) - rim + rim_sd * float(rng.standard_normal())
    near = camera.project(np.array([[*(look.raw + reach * away), 0.0]]))[0]
    near = near + noise.middle_px * float(rng.standard_normal()) * _along(camera, look.raw, away)
    return Middle(
        px + noise.middle_px * rng.standard_normal(2),
        noise.middle_px**2 * np.eye(2),
        standing.facing + turned,
        float(np.radians(noise.facing_deg)),
        rim_px=near if noise.body else None,
        rim_sd_px=noise.middle_px,
        told_sd=float(np.radians(noise.facing_deg)),
    )


def _along(camera: Camera, xy: Array, away: Array) -> Array:
    """The unit vector (2,) in the picture along which a point on the table moves away."""
    start, end = camera.project(np.array([[*xy, 0.0], [*(xy + away), 0.0]]))
    return np.asarray((end - start) / np.linalg.norm(end - start))
