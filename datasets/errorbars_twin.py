"""The Monte-Carlo twin of the ground point: figures that are what is believed of them, without pictures.

How wrong the guesses of a figure's sole are is drawn by lot: the less it has turned between two looks, the
more alike the errors are, and that is known of them (`related`). The figure is stood on the table and seen
through a camera: the middle of its silhouette is projected, not linearised, and every source of error adds
its own noise. Then it is measured as ever. What it is off by must scatter as the first-order error bar says,
for each source alone and for all together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from calibration.result import RingCalibration
from vision.measuring.agreement import first_look
from vision.measuring.belief import untaught
from vision.measuring.displacement import Placement, error_record, total_covariance
from vision.measuring.ground import ground_point, known, taught
from vision.measuring.sight import Shown, beyond_trained
from vision.measuring.silhouette import SHARE_OF_HEIGHT, view_at
from vision.shape.look import Faced, Look
from vision.shape.network import DIRECTIONS, LAYERS, SOLID_CELLS, Guess, Run
from vision.shape.pairs import Relation
from vision.shape.upright import CELLS, Stand, stand_at

Array = NDArray[np.float64]

# How far guesses are off, away and across, in heights, and how far in front of its sole, in its own frame,
# the middle of a figure is.
_GUESS_SD, _FRONT = (0.05, 0.03), np.array([0.06, 0.01])


@dataclass(frozen=True)
class Noise:
    """Standard deviations of what is told and seen, 0 where a source is off; without a tap's noise there is
    no tap. `body` says whether guesses err."""

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
    height_cm: float,
    standings: Sequence[Standing],
    noise: Noise,
    rng: np.random.Generator,
) -> list[Placement]:
    """One draw: the measured places of a figure in these fragments, tapped in the first.

    `camera` is the true one; `calibration` is what is believed of it, its covariance zero when it is known.
    """
    azimuths = [_azimuth(camera, standing, height_cm) for standing in standings]
    body = [rng.standard_normal(2)]
    body += [_alike(azimuth - azimuths[0], body[0], rng) for azimuth in azimuths[1:]]
    # what training did not know already: see `vision.measuring.sight`
    told = height_cm + beyond_trained(height_cm, noise.height_cm) * float(rng.standard_normal())
    turned = np.radians(noise.facing_deg) * float(rng.standard_normal())
    seen = [
        _shown(camera, calibration, (height_cm, told), standing, errors, noise, rng, turned)
        for standing, errors in zip(standings, body, strict=True)
    ]
    model = untaught(calibration, told, noise.height_cm)
    first = known(calibration, model, seen[0])
    if noise.tap_px > 0:
        foot = camera.project(np.array([[*standings[0].xy, 0.0]]))[0] + noise.tap_px * rng.standard_normal(2)
        model = taught(calibration, model, seen[0], foot, noise.tap_px)
    else:
        model = first_look(model, first)
    found = []
    for number, shown in enumerate(seen):
        before = [first] if number else []
        point = ground_point(calibration, model, shown, before, learned=not before, relate=related)
        error = error_record(number, point.own, point.camera, point.figure, "twin")
        found.append(Placement(point.xy, total_covariance(error), error))
    return found


def related(before: Faced, after: Faced) -> Relation:
    """How the soles of two looks at such a figure hang together: what their guesses are off, away and
    across, is the same in part."""
    share = _share(after.azimuth - before.azimuth)
    root = after.guess.sole_root
    offset = after.guess.sole - share * before.guess.sole
    return Relation(offset, share * np.eye(2), (1 - share**2) * root @ root.T)


def _share(turn: float) -> float:
    """How much of a guess's error is the same after a turn (radians)."""
    return float((1 + np.cos(turn)) / 2)


def _alike(turn: float, errors: Array, rng: np.random.Generator) -> Array:
    """What a guess is off, (2,) in its sds, after another one that was off by `errors` (2,)."""
    share = _share(turn)
    return share * errors + float(np.sqrt(1 - share**2)) * rng.standard_normal(2)


def exactly(calibration: RingCalibration, camera: Camera) -> RingCalibration:
    """A calibration that is this camera, known without doubt."""
    return replace(calibration, camera=camera, covariance=np.zeros_like(calibration.covariance))


def _shown(
    camera: Camera,
    calibration: RingCalibration,
    heights_cm: tuple[float, float],
    standing: Standing,
    errors: Array,
    noise: Noise,
    rng: np.random.Generator,
    turned: float,
) -> Shown:
    """What the true camera sees of a figure of a height, which is told another one."""
    height, told = heights_cm
    middle = _middle(standing, height)
    px = camera.project(np.array([[*middle, SHARE_OF_HEIGHT * height]]))[0]
    px = px + noise.middle_px * rng.standard_normal(2)
    root = np.diag(_GUESS_SD) * noise.body
    wrong = root @ errors
    place = calibration.camera.to_plane(px.reshape(1, 2), SHARE_OF_HEIGHT * told)[0]
    nothing = np.zeros((CELLS, CELLS), np.float32)
    look = Look(_stand(calibration.camera, place, told), nothing, None, nothing)

    def faced(facing: float) -> Faced:
        # the truth is the guess plus what it is wrong by
        sole = look.stand.axes.T @ -(_turn(facing) @ _FRONT) - wrong
        return Faced(look, look.azimuth(facing), _guess(sole, root))

    return Shown(
        px,
        noise.middle_px**2 * np.eye(2),
        faced,
        standing.facing + turned,
        float(np.radians(noise.facing_deg)),
        told_sd=float(np.radians(noise.facing_deg)),
    )


def _middle(standing: Standing, height: float) -> Array:
    return np.asarray(standing.xy + height * _turn(standing.facing) @ _FRONT)


def _azimuth(camera: Camera, standing: Standing, height: float) -> float:
    away = _stand(camera, _middle(standing, height), height).away
    return standing.facing - float(np.arctan2(away[1], away[0]))


def _stand(camera: Camera, middle: Array, height_cm: float) -> Stand:
    return stand_at(camera.centre, middle, height_cm, view_at(camera, middle).away)


def _guess(sole: Array, root: Array) -> Guess:
    nothing = np.zeros(DIRECTIONS)
    solid = np.zeros((LAYERS, SOLID_CELLS, SOLID_CELLS), np.float32)
    run = Run(np.zeros(0, np.float32), np.zeros(0, np.float32), nothing)
    return Guess(sole, root, nothing, nothing, solid, (run, run))


def _turn(angle: float) -> Array:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s], [s, c]])
