"""Which of the possible turns was it? What the hand did with the figure was seen as well.

Two standing silhouettes may look alike after two different turns. In between a hand turned the figure
gradually, and most of the time much of it showed. For every turn that the silhouettes allow, the solid of
both fragments is turned along that way and compared with what showed. Under the right turn there is a steady
way from the one facing to the other on which every frame fits; under a wrong one the solid is another, and
no such way leads through the frames (silhouette coherence: Hernandez, Schmitt & Cipolla, IEEE PAMI 29, 2007).
The way is one reach of the hand, with minimum jerk (Flash & Hogan, J. Neurosci. 5, 1985); when it begins and
ends within the carry is free. A lift looks like a shift, and shifts are found anew in every frame.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from calibration.camera import Camera
from vision.arrays import as_bytes
from vision.fragments import FIGURE, HIDDEN, Carried, Carry
from vision.measuring.likelihood import Mode
from vision.measuring.registration import CENTROID_HEIGHT, Array, Canvas, FragmentView, Solid

_LEVELS = 12
_MOST_FRAMES, _FEWEST_FRAMES = 7, 3
# A frame that shows less than this share of the figure's silhouette says little.
_LEAST_SHOWN = 0.4
_STEP_DEG = 12.0
# When the turn begins and ends, in parts of the carry, and the least part that it takes.
_MOMENTS, _LEAST_PART = np.linspace(-0.1, 1.1, 13), 0.4
# Turns this large may have gone the other way round.
_EITHER_WAY_DEG = 120.0
# Turns that the silhouettes leave less than this share are not tried: no carry makes up for it.
_HOPELESS_SHARE = 2e-3
# A carried figure is about this high above the table, in cm; the rest is a shift of so many cells at most.
_LIFT_CM, _SEARCH = 2.0, 6
_SHIFT_SD_CM = 1.0
# Specks of mat inside a figure and of anything inside a hand, and a hand's rim, in pixels.
_SPECK, _HAND_SPECK, _RIM = np.ones((3, 3), np.uint8), np.ones((5, 5), np.uint8), np.ones((3, 3), np.uint8)


def carried_costs(
    modes: Sequence[Mode],
    before: FragmentView,
    after: FragmentView,
    carry: Carry,
    until: int,
    camera: Camera,
    height_cm: float,
) -> list[float] | None:
    """How badly each turn between two views explains the carry between them, which ended before `until`.

    The modes come as registration found them, the best first. None when the hand hid too much of the figure.
    The costs are misfits as registration's: about 0.05 where everything fits, infinite for a hopeless turn.
    """
    shown = _shown(carry.frames, before)
    if len(shown) < _FEWEST_FRAMES:
        return None
    parts = np.array([(one.frame - carry.begin + 1) / (until - carry.begin + 1) for one in shown])
    frames = [Canvas(_view(one, camera, height_cm), camera, height_cm, _LEVELS) for one in shown]
    start, end = (Canvas(view, camera, height_cm, _LEVELS) for view in (before, after))
    alone = Solid([start], [0.0], _LEVELS)
    costs: list[float] = []
    for i, mode in enumerate(modes):
        if i > 0 and mode.share < _HOPELESS_SHARE:
            costs.append(np.inf)
            continue
        shift = alone.fit(end, alone.standing(mode.turn_deg)).shift_cm
        both = Solid([start, end.at(end.ground + shift)], [0.0, mode.turn_deg], _LEVELS)
        costs.append(min(_cost(turn, both, frames, parts) for turn in _ways_round(mode.turn_deg)))
    return costs


def _ways_round(turn_deg: float) -> list[float]:
    if abs(turn_deg) < _EITHER_WAY_DEG:
        return [turn_deg]
    return [turn_deg, turn_deg - float(np.copysign(360.0, turn_deg))]


def _shown(frames: Sequence[Carried], before: FragmentView) -> list[Carried]:
    """A few frames, spread over the carry, that show much of the figure."""
    least = _LEAST_SHOWN * float((before.silhouette > 0.5).sum())
    shown = [one for one in frames if np.count_nonzero(one.parts == FIGURE) > least]
    count = min(len(shown), _MOST_FRAMES)
    return [shown[i] for i in np.round(np.linspace(0, len(shown) - 1, count)).astype(int)]


def _view(one: Carried, camera: Camera, height_cm: float) -> FragmentView:
    figure = as_bytes(cv2.morphologyEx(as_bytes(one.parts == FIGURE), cv2.MORPH_CLOSE, _SPECK))
    hand = as_bytes(cv2.morphologyEx(as_bytes(one.parts == HIDDEN), cv2.MORPH_CLOSE, _HAND_SPECK))
    hidden = cv2.dilate(hand & (1 - figure), _RIM) > 0
    rows, columns = np.nonzero(figure)
    middle = np.array([[columns.mean(), rows.mean()]]) + np.asarray(one.origin, np.float64)
    ground = camera.to_plane(middle, CENTROID_HEIGHT * height_cm + _LIFT_CM)[0]
    return FragmentView(one.origin, np.asarray(figure, np.float32), hidden, ground)


def _cost(turn_deg: float, solid: Solid, frames: Sequence[Canvas], parts: Array) -> float:
    """The mean misfit of the frames, seen at these parts (N,) of the carry, on the best way to a turn."""
    moments = [(b, e) for b in _MOMENTS for e in _MOMENTS if e - b >= _LEAST_PART]
    done = np.array([[_reach((part - b) / (e - b)) for part in parts] for b, e in moments])
    grid = np.linspace(0.0, 1.0, max(4, int(abs(turn_deg) / _STEP_DEG) + 2))
    cost = np.zeros(len(moments))
    for frame, wanted in zip(frames, done.T, strict=True):
        # only what some way passes through is tried
        first = np.searchsorted(grid, wanted.min(), side="right") - 1
        tried = grid[first : np.searchsorted(grid, wanted.max()) + 1]
        cost += np.interp(wanted, tried, [_misfit(solid, frame, turn_deg * part) for part in tried])
    return float(cost.min()) / len(frames)


def _reach(part: float) -> float:
    """The share of a reach of minimum jerk that is done after a part of its time."""
    p = min(max(part, 0.0), 1.0)
    return float(p**3 * (10 - 15 * p + 6 * p * p))


def _misfit(solid: Solid, frame: Canvas, angle_deg: float) -> float:
    """The misfit of a frame at an angle, wherever the hand held the figure."""
    points = solid.standing(angle_deg)
    seen = (frame.splat(points) @ solid.mass)[:-1].reshape(frame.known.shape).astype(np.float32)
    known = frame.known.astype(np.float32)
    match = cv2.matchTemplate(np.pad(seen, _SEARCH), frame.thickness, cv2.TM_CCORR_NORMED, mask=known)
    # where nothing of the solid lies in what is known there is nothing to match
    match = np.nan_to_num(np.asarray(match), nan=-1.0, posinf=-1.0, neginf=-1.0)
    row, column = np.unravel_index(int(match.argmax()), match.shape)
    cells = np.array([_SEARCH - column, _SEARCH - row], np.float64)
    moved = frame.at(frame.ground + np.linalg.solve(frame.cells_per_cm(), cells))
    return solid.fit(moved, points, shift_sd_cm=_SHIFT_SD_CM).misfit
