"""Does a figure stand or lie, and which way does it face: judged against a fragment in which it stood.

A standing figure is what its earlier silhouette says, turned about the vertical. When no turn explains the
new silhouette, the same solid is tried lying on its front, its back and either side; it lies when one of
these explains far more. The figure's height enters through the solid. A lying figure faces where its
head points (on its face that is where it faced before it fell); which end of its axis is the head cannot
be told from one earlier view, so the end nearer to its earlier facing is taken and marked as assumed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.camera import Camera
from vision.measuring.experience import Experience
from vision.measuring.facing import Known, Turn, register_history, solid_of
from vision.measuring.likelihood import wrap
from vision.measuring.registration import Array, Canvas, FragmentView
from vision.tracks import FacingSource, Posture

# Lying is tried when standing leaves more than the first unexplained, and must explain so many times better:
# of 483 modelled figures with faulty mattes 78 % of those that fell did, and 4 % of those that stood.
_UNEXPLAINED, _LYING_ADVANTAGE = 0.06, 1.5
# No solid figure looks like pictures that leave so much unexplained: something is wrong with them.
_LYING_MISFIT = 0.4
_LEVELS, _HEADS_DEG, _SIDES_DEG = 12, np.arange(-180.0, 180.0, 20.0), 90.0 * np.arange(4)
# A lying figure is about this thick for its height, half of it below the middle.
_LYING_MIDDLE = 0.15
_LYING_SHIFT_SD_CM = 1.0
_LYING_SD_DEG = 8.0


@dataclass(frozen=True)
class Stance:
    """How a figure is there: posture, facing (degrees, with sd), where the facing came from and its margin.

    `turn` is the registration behind it, also when the figure lies.
    """

    posture: Posture
    facing_deg: float
    facing_sd_deg: float
    source: FacingSource
    margin: float
    turn: Turn


def judge(
    known: Sequence[Known],
    after: FragmentView,
    camera: Camera,
    height_cm: float,
    experience: Experience | None = None,
) -> Stance:
    """The stance in the view `after` of a figure, from views in which it stood, the latest last.

    `facing_sd_deg` is that of the turn since the last of them alone. Raises RegistrationError when a
    silhouette is empty.
    """
    last = known[-1]
    turn = register_history(known, after, camera, height_cm, experience)
    if turn.misfit > _UNEXPLAINED and _lies(turn, known, after, camera, height_cm, experience):
        head = lying_axis_deg(after, camera, height_cm)
        if abs(wrap(head - last.facing_deg)) > 90:
            head = wrap(head + 180)
        return Stance("lying", head, _LYING_SD_DEG, "assumed", 0.0, turn)
    source: FacingSource = "assumed" if turn.assumed else "registered"
    facing = wrap(last.facing_deg + turn.turn_deg)
    return Stance("standing", facing, turn.sd_deg, source, turn.margin, turn)


def lying_axis_deg(view: FragmentView, camera: Camera, height_cm: float) -> float:
    """The long axis of a lying figure's plan view, degrees in -90..90: a direction without a sign."""
    rows, columns = np.nonzero(_trusted(view) > 0.5)
    pixels = np.column_stack([columns, rows]).astype(np.float64) + np.asarray(view.origin)
    points = camera.to_plane(pixels, _LYING_MIDDLE * height_cm)
    _, axes = np.linalg.eigh(np.cov(points.T))
    x, y = axes[:, 1]
    return float(np.degrees(np.arctan(y / x))) if x else 90.0


def _trusted(view: FragmentView) -> Array:
    weights = view.silhouette.astype(np.float64)
    return weights if view.dont_care is None else weights * ~view.dont_care


def _lies(
    turn: Turn,
    known: Sequence[Known],
    after: FragmentView,
    camera: Camera,
    height_cm: float,
    experience: Experience | None,
) -> bool:
    """Whether the best of the lying poses explains the view, and far better than any turn."""
    rows, columns = np.nonzero(_trusted(after) > 0.5)
    middle = np.array([[columns.mean(), rows.mean()]]) + np.asarray(after.origin, dtype=np.float64)
    ground = np.asarray(camera.to_plane(middle, _LYING_MIDDLE * height_cm)[0])
    canvas = Canvas(replace(after, ground=ground), camera, height_cm, _LEVELS)
    solid = solid_of(known, camera, height_cm, experience, _LEVELS)
    lying = min(
        solid.fit(canvas, solid.fallen(head, side), shift_sd_cm=_LYING_SHIFT_SD_CM).misfit
        for head in _HEADS_DEG
        for side in known[-1].facing_deg + _SIDES_DEG
    )
    return turn.misfit > _LYING_ADVANTAGE * lying and lying < _LYING_MISFIT
