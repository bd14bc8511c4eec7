"""What a look at a figure says together with the looks before it: they show one solid.

The solid learned from some looks is laid over a further silhouette where it fits best. That tells where the
figure stands relative to where it stood, much better than two guesses of its sole do, and so how the errors
of the guesses differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.measuring.belief import FigureModel, Told
from vision.measuring.sight import Sight
from vision.shape.fitting import fitted
from vision.shape.look import Faced
from vision.shape.solid import solid_of

Array = NDArray[np.float64]

# How far off a fitted solid is, away and across, in heights, by how many degrees it has turned since it
# was seen from the nearest side, and what the tilt of the view adds to that along it; and the share of its
# guess's error that a fit repeats, because both are misled by the same silhouette. All from modelled figures
# that the training did not see, their facings a few degrees off.
_TURNED_DEG = (0.0, 45.0, 90.0, 180.0)
_FIT_SD = ((0.020, 0.024, 0.030, 0.050), (0.011, 0.015, 0.025, 0.022))
_UPRIGHT, _BY_SLOPE = 0.65, 0.7
_REPEATED = ((0.12, 0.14, 0.25, 0.42), (0.1, 0.1, 0.1, 0.1))


@dataclass(frozen=True, eq=False)
class Known:
    """A look with its sight and the facing (radians) that both were made with."""

    look: Faced
    sight: Sight
    facing: float


def agreement(model: FigureModel, before: Sequence[Known], here: Known) -> Told:
    """What a look says with the looks before it. The error of its own guess that no other look shares is in
    the noise (see `own_rows`)."""
    stand, cm = here.look.look.stand, model.height_cm
    solid = solid_of([corrected(one, model) for one in before])
    expected = corrected(here, model).guess.sole
    _, sole = fitted(solid, here.look.look, here.look.azimuth, expected)
    place = stand.middle + cm * stand.axes @ sole
    by_others, by_camera = np.zeros_like(here.sight.by_figure), np.zeros_like(here.sight.by_camera)
    noise = np.zeros((2, 2))
    for known in before:
        turn = _turned(here.facing - known.facing)
        by_others += turn @ known.sight.by_figure / len(before)
        by_camera += turn @ known.sight.by_camera / len(before)
        noise += turn @ known.sight.by_look @ turn.T / len(before) ** 2
    sd = np.array([np.interp(_gap_deg(before, here), _TURNED_DEG, values) for values in _FIT_SD])
    sd[0] *= _UPRIGHT + _BY_SLOPE * np.tan(stand.tilt)
    fit = cm * stand.axes @ np.diag(sd)
    trusted = own_rows(before, here)
    return Told(
        here.sight.raw - place - by_others @ model.mean,
        trusted @ here.sight.by_figure - by_others,
        here.sight.by_camera - by_camera,
        noise + fit @ fit.T + trusted @ here.sight.by_look @ trusted.T,
    )


def own_rows(before: Sequence[Known], here: Known) -> Array:
    """How much (2, 2) of the error of a look's own guess its agreement with looks before it shows."""
    axes = here.look.look.stand.axes
    repeated = [np.interp(_gap_deg(before, here), _TURNED_DEG, shares) for shares in _REPEATED]
    return np.asarray(axes @ (np.eye(2) - np.diag(repeated)) @ axes.T)


def _gap_deg(before: Sequence[Known], here: Known) -> float:
    """How far it has turned, as seen from the camera, since it was seen from the nearest side."""
    gaps = np.array([here.look.azimuth - known.look.azimuth for known in before])
    return float(np.degrees(np.arccos(np.clip(np.cos(gaps).max(), -1.0, 1.0))))


def corrected(known: Known, model: FigureModel) -> Faced:
    """A look at a figure with the errors of its guess taken off, as far as they are known."""
    return standing(known, known.sight.raw - known.sight.by_figure @ model.mean)


def standing(known: Known, xy: Array) -> Faced:
    """A look at a figure whose sole's middle is known to be at xy (2,)."""
    stand = known.look.look.stand
    sole = stand.axes.T @ (xy - stand.middle) / stand.height_cm
    return replace(known.look, guess=replace(known.look.guess, sole=sole))


def _turned(angle: float) -> Array:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s], [s, c]])
