"""What a look at a figure says together with the looks before it: they show one solid.

The solid learned from some looks is laid over a further silhouette where it fits best, and the sole is
carried over from the look at the nearest side: seen from the same side it lies under the same point of the
silhouette. Together they tell where the figure stands relative to where it stood, much better than two
guesses of its sole do, and so how the errors of the guesses differ.
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

# By how many degrees it has turned since it was seen from the nearest side: how much the sole carried over
# counts against the fitted solid, away and across; how far off both together are, in heights, and what the
# tilt of the view adds to that along it; and the share of its guess's error that they repeat, because all
# are misled by the same silhouette. All from modelled figures that the training did not see, their facings a
# few degrees off.
_TURNED_DEG = (0.0, 10.0, 20.0, 45.0, 90.0, 180.0)
_CARRIED = ((0.82, 0.8, 0.65, 0.4, 0.0, 0.0), (0.87, 0.4, 0.05, 0.0, 0.0, 0.0))
_SD = ((0.014, 0.014, 0.015, 0.020, 0.030, 0.050), (0.006, 0.0095, 0.0135, 0.015, 0.025, 0.022))
_UPRIGHT, _BY_SLOPE = 0.65, 0.7
_REPEATED = ((0.12, 0.12, 0.13, 0.14, 0.25, 0.42), (0.1, 0.1, 0.1, 0.1, 0.1, 0.1))


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
    soles = [corrected(one, model) for one in before]
    expected = corrected(here, model).guess.sole
    _, fit = fitted(solid_of(soles), here.look.look, here.look.azimuth, expected)
    nearest, gap = _nearest(before, here)
    carried = _turned(here.look.azimuth - soles[nearest].azimuth) @ soles[nearest].guess.sole
    share = np.diag(_at(gap, _CARRIED))
    place = stand.middle + cm * stand.axes @ (fit + share @ (carried - fit))
    by_others, by_camera = np.zeros_like(here.sight.by_figure), np.zeros_like(here.sight.by_camera)
    noise = np.zeros((2, 2))
    of_carried = stand.axes @ share @ stand.axes.T
    for number, known in enumerate(before):
        weight = (np.eye(2) - of_carried) / len(before) + of_carried * (number == nearest)
        turn = weight @ _turned(here.facing - known.facing)
        by_others += turn @ known.sight.by_figure
        by_camera += turn @ known.sight.by_camera
        noise += turn @ known.sight.by_look @ turn.T
    sd = _at(gap, _SD)
    sd[0] *= _UPRIGHT + _BY_SLOPE * np.tan(stand.tilt)
    off = cm * stand.axes @ np.diag(sd)
    trusted = own_rows(before, here)
    return Told(
        here.sight.raw - place - by_others @ model.mean,
        trusted @ here.sight.by_figure - by_others,
        here.sight.by_camera - by_camera,
        noise + off @ off.T + trusted @ here.sight.by_look @ trusted.T,
    )


def own_rows(before: Sequence[Known], here: Known) -> Array:
    """How much (2, 2) of the error of a look's own guess its agreement with looks before it shows."""
    axes = here.look.look.stand.axes
    return np.asarray(axes @ np.diag(1 - _at(_nearest(before, here)[1], _REPEATED)) @ axes.T)


def _at(gap_deg: float, values: tuple[tuple[float, ...], tuple[float, ...]]) -> Array:
    """What a table of values (2, N), away and across, gives for a turn, (2,)."""
    return np.array([np.interp(gap_deg, _TURNED_DEG, row) for row in values])


def _nearest(before: Sequence[Known], here: Known) -> tuple[int, float]:
    """The look from the nearest side, and how many degrees it has turned since, as seen from the camera."""
    gaps = np.array([here.look.azimuth - known.look.azimuth for known in before])
    nearest = int(np.cos(gaps).argmax())
    return nearest, float(np.degrees(np.arccos(np.clip(np.cos(gaps[nearest]), -1.0, 1.0))))


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
