"""By how much a figure turned between two fragments, from its silhouettes over the full circle.

The moments of a silhouette give a figure's axis to half a degree, but only modulo half a turn, so every
turn is tried: first in coarse steps over the circle, then finely wherever the right one may be. What is
tried is whether one solid figure can look like both pictures (see `vision.measuring.registration`), and
whether the surface that both show is shaded alike. All turns together get a probability
(`vision.measuring.likelihood`): its width about the best turn is the turn's sd, and when turns more than 60
degrees away keep more than a hundredth of it, or no turn stands out, the turn is *assumed* and somebody at
the table must confirm it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

import numpy as np

from calibration.camera import Camera
from vision.measuring.appearance import evidence_against
from vision.measuring.experience import Experience
from vision.measuring.likelihood import Mode, Scan, fitted, modes, probabilities, wrap
from vision.measuring.registration import Array, Canvas, FragmentView, Solid

Expected: TypeAlias = Callable[[Array], Array]

COARSE_LEVELS, FINE_LEVELS = 12, 20
COARSE_DEG, FINE_DEG = 10.0, 5.0
# A coarse turn that misfits more than so many times the best (over the floor) is not looked at finely.
_HOPELESS, _COARSE_FLOOR = 3.0, 0.01
# Where a fine neighbour misfits so many times more, the dip is narrow and is sampled between its samples.
_NARROW, _BETWEEN_DEG = 1.5, 2.5
# Hardly ever does a turn about the vertical leave so much unexplained: 1 % of 720 random figures.
STANDING_MISFIT = 0.08
# More of the probability than this for turns over 60 degrees away and the turn is only assumed.
ASSUMED_SHARE = 0.01
# Nor is a turn called that is known no better than this.
ASSUMED_SD_DEG = 12.0
# Silhouettes are clear with up to this share of them in doubt. What is in doubt beyond it (white on cream)
# says nothing of the turn, however well it fits: so much of the probability is spread over the circle.
_CLEAR = 0.06


@dataclass(frozen=True, eq=False)
class Turn:
    """How a figure turned about the vertical from one fragment to the next.

    `modes` are the turns that the pictures allow, at least two, the likeliest first; the first one is the
    turn. `misfit` is what it leaves unexplained.
    """

    modes: tuple[Mode, ...]
    misfit: float

    @property
    def turn_deg(self) -> float:
        """The likeliest turn, -180..180, counter-clockwise from above."""
        return self.modes[0].turn_deg

    @property
    def sd_deg(self) -> float:
        """The sd of the turn, if it is right at all."""
        return self.modes[0].sd_deg

    @property
    def rival_deg(self) -> float:
        """The likeliest turn more than 60 degrees away from it."""
        return self.modes[1].turn_deg

    @property
    def margin(self) -> float:
        """How much more probable (0-1) the turn is than its rival."""
        return self.modes[0].share - self.modes[1].share

    @property
    def assumed(self) -> bool:
        """Whether turns far away are too probable to call it, or no turn explains the pictures."""
        return is_open(self.modes) or self.misfit > STANDING_MISFIT


def is_open(found: Sequence[Mode]) -> bool:
    """Whether modes far from the first are too probable to call it, or it is too wide."""
    return sum(mode.share for mode in found[1:]) > ASSUMED_SHARE or found[0].sd_deg > ASSUMED_SD_DEG


@dataclass(frozen=True, eq=False)
class Known:
    """A fragment in which the figure stood and whose facing, in degrees from any common zero, is known."""

    view: FragmentView
    facing_deg: float


class RegistrationError(ValueError):
    """Two fragments that cannot be registered: one sentence."""


def register(before: FragmentView, after: FragmentView, camera: Camera, height_cm: float) -> Turn:
    """Find the turn between two views of a standing figure of a height.

    Raises RegistrationError when a silhouette is empty.
    """
    return register_history([Known(before, 0.0)], after, camera, height_cm)


def register_history(
    known: Sequence[Known],
    after: FragmentView,
    camera: Camera,
    height_cm: float,
    experience: Experience | None = None,
) -> Turn:
    """Find the turn since the last known view of a standing figure, with all known views (1 to 4 or so).

    Views from other sides make the solid firmer. With `experience` of such figures the known facings are
    those of its front, in the ring. Raises RegistrationError when a silhouette is empty.
    """
    for view in (*(k.view for k in known), after):
        if not (view.silhouette > 0.5).any():
            raise RegistrationError("A fragment's silhouette is empty: there is no figure to register.")
    scan = scanned(known, after, camera, height_cm, experience)
    doubt = (known[-1].view.doubt + after.doubt) / 2
    weights = replace(fitted(), stray=fitted().stray + max(doubt - _CLEAR, 0.0))
    found = modes(probabilities(scan, weights), weights.width)
    nearest = np.abs((scan.angles_deg - found[0].turn_deg + 180.0) % 360.0 - 180.0) <= FINE_DEG
    return Turn(tuple(found), float(scan.misfits[nearest].min(initial=np.inf)))


def scanned(
    known: Sequence[Known],
    after: FragmentView,
    camera: Camera,
    height_cm: float,
    experience: Experience | None = None,
    *,
    everywhere: bool = False,
) -> Scan:
    """The turns since the last known view that may be right (or the whole circle), tried finely."""
    search = partial(_Search, known, after, camera, height_cm, _expected(known, experience))
    circle = np.arange(-180.0, 180.0, COARSE_DEG)
    if not everywhere:
        coarse = search(COARSE_LEVELS)
        misfits = np.array([coarse.misfit(angle) for angle in circle]) + _COARSE_FLOOR
        circle = circle[misfits <= _HOPELESS * misfits.min()]
    fine = search(FINE_LEVELS)
    around = np.arange(-COARSE_DEG, COARSE_DEG + 1, FINE_DEG)
    tried = {angle: fine.sample(angle) for angle in sorted({wrap(a + d) for a in circle for d in around})}
    best = min(tried, key=lambda angle: tried[angle][0])
    beside = [n for d in (-FINE_DEG, FINE_DEG) if (n := wrap(best + d)) in tried]
    if max((tried[n][0] for n in beside), default=0.0) > _NARROW * tried[best][0]:
        tried |= {wrap(best + d): fine.sample(wrap(best + d)) for d in (-_BETWEEN_DEG, _BETWEEN_DEG)}
    angles = np.array(sorted(tried))
    misfits, against = np.array([tried[angle] for angle in angles.tolist()]).T
    front = np.zeros(len(angles))
    if experience is not None:
        last = known[-1]
        front = experience.front(last.view, last.facing_deg, after, last.facing_deg + angles)
    return Scan(angles, misfits, against, front)


def _expected(known: Sequence[Known], experience: Experience | None) -> Expected | None:
    """Where clay is expected, by the last known view and experience."""
    return None if experience is None else experience.clay(known[-1].view, known[-1].facing_deg)


class _Search:
    """Misfit as a function of the turn, at one resolution."""

    def __init__(
        self,
        known: Sequence[Known],
        after: FragmentView,
        camera: Camera,
        height_cm: float,
        expected: Expected | None,
        levels: int,
    ) -> None:
        self._canvases, self._solid = _solid(known, camera, height_cm, expected, levels)
        self._canvas = Canvas(after, camera, height_cm, levels)

    def misfit(self, angle: float) -> float:
        """What a turn leaves unexplained of the silhouettes."""
        return self._solid.fit(self._canvas, self._solid.standing(angle)).misfit

    def sample(self, angle: float) -> tuple[float, float]:
        """The misfit of a turn, and what the shading says against it."""
        points = self._solid.standing(angle)
        fit = self._solid.fit(self._canvas, points)
        against = evidence_against(angle, self._solid, fit, points, self._canvases[0], self._canvas)
        return fit.misfit, against


def _solid(
    known: Sequence[Known], camera: Camera, height_cm: float, expected: Expected | None, levels: int
) -> tuple[list[Canvas], Solid]:
    """The solid of all known views in the frame of the last one, each moved to where it fits best."""
    last = known[-1]
    canvases, facings = [Canvas(last.view, camera, height_cm, levels)], [0.0]
    solid = Solid(canvases, facings, levels, expected)
    for other in reversed(known[:-1]):
        turn = other.facing_deg - last.facing_deg
        canvas = Canvas(other.view, camera, height_cm, levels)
        shift = solid.fit(canvas, solid.standing(turn)).shift_cm
        canvases.append(Canvas(replace(other.view, ground=canvas.ground + shift), camera, height_cm, levels))
        facings.append(turn)
        solid = Solid(canvases, facings, levels, expected)
    return canvases, solid
