"""How well does the shape learned so far explain a silhouette, for every way the figure may have turned?

Analysis by synthesis: the solid is turned, seen through the camera and laid over the silhouette where it fits
best. The other way round, what the new silhouette alone is guessed to be is laid over the known ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from vision.fighters import FighterClass
from vision.measuring.silhouette import Silhouette
from vision.shape.look import Faced, Look, look_at
from vision.shape.network import FACINGS
from vision.shape.solid import Solid, solid_of
from vision.shape.upright import CELLS, REACH

Array = NDArray[np.float64]
Picture = NDArray[np.float32]

EVERYWHERE = np.arange(-180.0, 180.0, 10.0)
# Cells that a solid may be off its place, and the sd of that, in cells.
_SEARCH, _SHIFT_SD = 6, 3.0
# Neighbouring cells of a silhouette are wrong together: so many of them count as one (on modelled figures).
_TOGETHER = 12.0
# No cell is surer than this.
_LEAST_CHANCE = 0.02
_CELL = 2 * REACH / CELLS


@dataclass(frozen=True, eq=False)
class Seen:
    """A silhouette of a standing figure whose facing, in degrees in the ring, is known."""

    silhouette: Silhouette
    facing_deg: float


@dataclass(frozen=True, eq=False)
class TurnScores:
    """For candidate facings (N,), in degrees in the ring: `log_likelihood` (N,) of the silhouettes together,
    of which only differences mean something; `by_front` (N,) the log probability of the facing by the look
    of the new silhouette alone; `xy` (N, 2) where the figure would stand, ring cm."""

    facing_deg: Array
    log_likelihood: Array
    by_front: Array
    xy: Array


def turn_scores(
    known: Sequence[Seen],
    after: Silhouette,
    camera: Camera,
    height_cm: float,
    kind: FighterClass | None = None,
    facings_deg: Array = EVERYWHERE,
) -> TurnScores:
    """How well every facing explains the silhouette `after`, by what was known of the figure before."""
    new = look_at(camera, after, height_cm, kind)
    blind = new.facing(None)
    looks = [
        look_at(camera, seen.silhouette, height_cm, kind).facing(float(np.radians(seen.facing_deg)))
        for seen in known
    ]
    return scores(looks, blind, facings_deg)


def scores(looks: Sequence[Faced], blind: Faced, facings_deg: Array = EVERYWHERE) -> TurnScores:
    """The same for looks: those whose facing is known, and a blind one without."""
    learned, guessed = solid_of(looks), solid_of([blind])
    new, likely, places = blind.look, [], []
    for azimuth in (new.azimuth(float(np.radians(facing))) for facing in facings_deg):
        forth, place = fitted(learned, new, azimuth, blind.guess.sole)
        # the guessed solid has its front towards away: it has turned by as much as the azimuths differ
        back = [fitted(guessed, look.look, look.azimuth - azimuth, look.guess.sole)[0] for look in looks]
        likely.append(forth + float(np.mean(back)))
        places.append(new.stand.middle + new.stand.height_cm * new.stand.axes @ place)
    azimuths = np.array([new.azimuth(a) for a in np.radians(facings_deg)])
    parts = azimuths / (2 * np.pi) * FACINGS
    front = np.interp(parts, np.arange(FACINGS), blind.guess.facing, period=FACINGS)
    return TurnScores(np.asarray(facings_deg), np.array(likely), np.asarray(front), np.array(places))


def fitted(solid: Solid, look: Look, azimuth: float, sole: Array) -> tuple[float, Array]:
    """The log likelihood of a look at a solid with its front at an azimuth, where it fits best near a sole
    (2,), and that sole (2,), in heights along away and across from the stand's middle."""
    chance = np.clip(solid.seen(look.stand, azimuth, sole), _LEAST_CHANCE, 1 - _LEAST_CHANCE)
    empty = float(np.log(1 - chance).sum())
    outside = float(np.log(_LEAST_CHANCE / (1 - _LEAST_CHANCE)))
    framed = np.pad(np.log(chance / (1 - chance)), _SEARCH, constant_values=outside).astype(np.float32)
    # how likely, wherever the picture's window lies on the solid's
    fit = (np.asarray(cv2.matchTemplate(framed, look.picture, cv2.TM_CCORR), np.float64) + empty) / _TOGETHER
    rows, columns = np.indices(fit.shape) - _SEARCH
    fit -= 0.5 * (rows**2 + columns**2) / _SHIFT_SD**2
    row, column = np.unravel_index(int(fit.argmax()), fit.shape)
    down, right = _vertex(fit[:, column], int(row)), _vertex(fit[row], int(column))
    # a window further up shows the solid further down
    rise, across = -(down - _SEARCH) * _CELL, -(right - _SEARCH) * _CELL
    moved = sole + np.array([rise / np.cos(look.stand.tilt), across])
    return float(fit.max()), moved


def _vertex(values: Array, at: int) -> float:
    """Where the parabola through a highest value and its neighbours is highest."""
    if not 0 < at < len(values) - 1:
        return float(at)
    before, here, after = values[at - 1 : at + 2]
    return at + float(np.clip(0.5 * (before - after) / (before - 2 * here + after - 1e-12), -0.5, 0.5))
