"""By how much a figure turned between two fragments, from its silhouettes over the full circle.

The moments of a silhouette give a figure's axis to half a degree, but only modulo half a turn, so every
turn is tried: first in coarse steps over the circle, then finely around the best one and its rivals.
What is tried is whether one solid figure can look like both pictures (see
`vision.measuring.registration`). The margin says how much better the best turn explains them than the best
turn more than 60 degrees away; with too small a margin the turn is *assumed* and somebody at the table must
confirm it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.camera import Camera
from vision.measuring.appearance import evidence_against
from vision.measuring.registration import Array, Canvas, FragmentView, Solid, ground_of
from vision.measuring.silhouette import view_at

_COARSE_LEVELS, _FINE_LEVELS = 12, 20
_COARSE_STEP_DEG, _FINE_STEPS_DEG = 10.0, (-8.0, -4.0, 0.0, 4.0, 8.0)
_RIVAL_DEG = 60.0
_CANDIDATES = 3
# Hardly ever does a turn about the vertical leave so much unexplained: 1 % of 720 random figures.
STANDING_MISFIT = 0.08
# Misfit that matte and modelling leave even at the true turn: below it, less misfit is no better.
_MISFIT_FLOOR = 0.02
# Misfit in units of the best one acts as a log likelihood; calibrated on random figures.
_TEMPERATURE = 0.25
_SD_PER_WIDTH, _SD_DOUBLED_AT = 0.4, 0.04
_LEAST_SD_DEG, _VAGUE_SD_DEG = 1.0, 15.0
# Chosen on 480 random figures. On 420 others 14 % were asked about; of the rest 5 were over 60 degrees off,
# all seen obliquely and with one known view.
ASSUMED_MARGIN = 0.25
# Seen obliquely and from one side only, some figures look like themselves turned far: of 358 random turns 5
# were over 60 degrees off, with margins up to 0.6. The dip must then be narrow, and but for the smallest
# turns much deeper than its rivals: none was left, and half of the turns are asked about (a quarter before).
# With two known sides none of 179 was off.
CLEAR_MARGIN, _CLEAR_SD_DEG, SMALL_TURN_DEG, _OBLIQUE_SLOPE = 0.5, 12.0, 20.0, 0.4
# Known facings that differ by more than this show two sides.
_TWO_SIDES_DEG = 30.0
# A figure whose worst turn misfits less than this many times the best looks alike from all sides (1 % of
# the random figures, and every turned solid tried).
_FLAT = 4.2


@dataclass(frozen=True)
class Mode:
    """A turn that explains the silhouettes better than its neighbours, degrees, with sd and what it costs."""

    turn_deg: float
    sd_deg: float
    cost: float


@dataclass(frozen=True, eq=False)
class Turn:
    """How a figure turned about the vertical from one fragment to the next.

    `turn_deg` in -180..180, counter-clockwise from above, with `sd_deg` around the right end of the
    axis; `margin` 0-1 against the best turn over 60 degrees away, `rival_deg`; `assumed` when the margin
    is too small to call. `shift_cm` (2,) is what the later ground point had to move for the best match.
    `modes` are all turns that were looked at closely, the best first.
    """

    turn_deg: float
    sd_deg: float
    margin: float
    assumed: bool
    rival_deg: float
    misfit: float
    shift_cm: Array
    modes: tuple[Mode, ...] = ()


@dataclass(frozen=True, eq=False)
class Known:
    """A fragment in which the figure stood and whose facing, in degrees from any common zero, is known."""

    view: FragmentView
    facing_deg: float


class RegistrationError(ValueError):
    """Two fragments that cannot be registered: one sentence."""


def wrap(degrees: float) -> float:
    """An angle brought to -180 <= angle < 180."""
    return (degrees + 180.0) % 360.0 - 180.0


def register(before: FragmentView, after: FragmentView, camera: Camera, height_cm: float) -> Turn:
    """Find the turn between two views of a standing figure of a height.

    Raises RegistrationError when a silhouette is empty.
    """
    return register_history([Known(before, 0.0)], after, camera, height_cm)


def register_history(known: Sequence[Known], after: FragmentView, camera: Camera, height_cm: float) -> Turn:
    """Find the turn since the last known view of a standing figure, with all known views (1 to 4 or so).

    Views from other sides make the solid firmer: on 102 random figures a second known view left no turn
    over 30 degrees off (4 with one) and 6 % to ask about (10 %).
    Raises RegistrationError when a silhouette is empty.
    """
    for view in (*(k.view for k in known), after):
        if not (view.silhouette > 0.5).any():
            raise RegistrationError("A fragment's silhouette is empty: there is no figure to register.")
    coarse = _Search(known, after, camera, height_cm, _COARSE_LEVELS)
    circle = np.arange(-180.0, 180.0, _COARSE_STEP_DEG)
    misfits = np.array([coarse.misfit(angle) for angle in circle])
    fine = _Search(known, after, camera, height_cm, _FINE_LEVELS)
    found = sorted((fine.minimum(angle) for angle in _candidates(circle, misfits)), key=lambda m: m.cost)
    best = found[0]
    rival = next(m for m in found[1:] if abs(wrap(m.angle - best.angle)) > _RIVAL_DEG * 0.75)
    margin = 1 - (best.cost + _MISFIT_FLOOR) / (rival.cost + _MISFIT_FLOOR)
    alike = float(misfits.max()) < _FLAT * float(misfits.min())
    unclear = best.sd_deg > _CLEAR_SD_DEG or (
        margin < CLEAR_MARGIN and abs(wrap(best.angle)) > SMALL_TURN_DEG
    )
    risky = unclear and _one_oblique_side(known, after, camera, height_cm)
    return Turn(
        turn_deg=wrap(best.angle),
        sd_deg=best.sd_deg,
        margin=margin,
        assumed=margin < ASSUMED_MARGIN or best.misfit > STANDING_MISFIT or alike or risky,
        rival_deg=wrap(rival.angle),
        misfit=best.misfit,
        shift_cm=best.shift_cm,
        modes=tuple(Mode(wrap(m.angle), m.sd_deg, m.cost) for m in found),
    )


@dataclass(frozen=True, eq=False)
class _Minimum:
    """A turn at the bottom of a dip: its misfit, and its cost with what the shading says."""

    angle: float
    misfit: float
    cost: float
    sd_deg: float
    shift_cm: Array


class _Search:
    """Misfit as a function of the turn, at one resolution."""

    def __init__(
        self, known: Sequence[Known], after: FragmentView, camera: Camera, height_cm: float, levels: int
    ) -> None:
        self._canvases, self._solid = _solid(known, camera, height_cm, levels)
        self._canvas = Canvas(after, camera, height_cm, levels)

    def misfit(self, angle: float) -> float:
        return self._solid.fit(self._canvas, self._solid.standing(angle)).misfit

    def minimum(self, about: float) -> _Minimum:
        """The lowest point near an angle: the bottom of the parabola through the three lowest samples."""
        angles = about + np.array(_FINE_STEPS_DEG)
        misfits = np.array([self.misfit(angle) for angle in angles])
        middle = int(np.clip(np.argmin(misfits), 1, len(angles) - 2))
        angle, misfit, sd = _vertex(angles[middle - 1 : middle + 2], misfits[middle - 1 : middle + 2])
        points = self._solid.standing(angle)
        fit = self._solid.fit(self._canvas, points)
        against = evidence_against(angle, self._solid, fit, points, self._canvases[0], self._canvas)
        return _Minimum(angle, misfit, misfit * (1 + _TEMPERATURE * against), sd, fit.shift_cm)


def _solid(
    known: Sequence[Known], camera: Camera, height_cm: float, levels: int
) -> tuple[list[Canvas], Solid]:
    """The solid of all known views in the frame of the last one, each moved to where it fits best."""
    last = known[-1]
    canvases, facings = [Canvas(last.view, camera, height_cm, levels)], [0.0]
    solid = Solid(canvases, facings, levels)
    for other in reversed(known[:-1]):
        turn = other.facing_deg - last.facing_deg
        canvas = Canvas(other.view, camera, height_cm, levels)
        shift = solid.fit(canvas, solid.standing(turn)).shift_cm
        canvases.append(Canvas(replace(other.view, ground=canvas.ground + shift), camera, height_cm, levels))
        facings.append(turn)
        solid = Solid(canvases, facings, levels)
    return canvases, solid


def _one_oblique_side(known: Sequence[Known], after: FragmentView, camera: Camera, height_cm: float) -> bool:
    """Whether the figure is seen obliquely and all known views show it from about the same side."""
    away = max(abs(wrap(k.facing_deg - known[-1].facing_deg)) for k in known)
    slope = view_at(camera, ground_of(after, camera, height_cm)).slope
    return away < _TWO_SIDES_DEG and slope > _OBLIQUE_SLOPE


def _vertex(angles: Array, misfits: Array) -> tuple[float, float, float]:
    """Angle, misfit and sd at the bottom of the parabola through three evenly spaced samples."""
    step = float(angles[1] - angles[0])
    curve = float(misfits[0] - 2 * misfits[1] + misfits[2])
    if curve <= 1e-9:
        lowest = int(np.argmin(misfits))
        return float(angles[lowest]), float(misfits[lowest]), _VAGUE_SD_DEG
    offset = float(np.clip((misfits[0] - misfits[2]) / (2 * curve), -1.0, 1.0))
    bottom = max(float(misfits[1] - 0.5 * curve * offset**2), 1e-4)
    return float(angles[1]) + offset * step, bottom, _sd(curve / step**2, bottom)


def _sd(curvature: float, misfit: float) -> float:
    """The width of the dip, wider where much stays unexplained, and what mattes leave.

    On random figures 95 % of the registered turns lie within 1.3 of it (humanoids seen obliquely: 2.3).
    """
    width = float(np.sqrt(misfit / curvature))
    return float(np.hypot(_SD_PER_WIDTH * (1 + misfit / _SD_DOUBLED_AT) * width, _LEAST_SD_DEG))


def _candidates(circle: Array, misfits: Array) -> list[float]:
    """The best angle and its best rivals, each over 60 degrees from all better ones."""
    left = np.ones(len(circle), bool)
    chosen: list[float] = []
    while len(chosen) < _CANDIDATES and left.any():
        best = int(np.argmin(np.where(left, misfits, np.inf)))
        chosen.append(float(circle[best]))
        left &= np.abs((circle - circle[best] + 180) % 360 - 180) > _RIVAL_DEG
    return chosen
