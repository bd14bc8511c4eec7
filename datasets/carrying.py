"""A random figure carried by a hand, as a tracker sees it: `vision.fragments.Carry` with known truth."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from datasets.figures import Figure, Look, photograph
from vision.fragments import BEHIND, FIGURE, HIDDEN, Carried, Carry

Array = NDArray[np.float64]

FRAMES = 11
_LIFT_CM, _TILT_SD_DEG, _TREMBLE_SD_DEG = 4.0, 4.0, 1.5
# The turn begins and ends anywhere in these parts of the carry, and is now and then the long way round.
_BEGINS, _ENDS, _LONG_WAY = (0.0, 0.25), (0.75, 1.0), 0.3
# A finger and a fist, and how far they reach, in cm.
_FINGER_CM, _FIST_CM, _ARM_CM = 2.5, 5.5, 12.0


@dataclass(frozen=True, eq=False)
class Place:
    """Where a figure stands: its sole's middle (2,) in cm and its facing in degrees."""

    xy: Array
    facing_deg: float


def carried(
    figure: Figure, camera: Camera, rng: np.random.Generator, start: Place, end: Place, *, begin: int
) -> Carry:
    """A figure carried in FRAMES frames from the frame `begin` on: lifted, turned and tilted a little.

    A finger and a fist from a random side of the picture hide a part of it.
    """
    turn = (end.facing_deg - start.facing_deg + 180.0) % 360.0 - 180.0
    if abs(turn) > 150.0 and rng.random() < _LONG_WAY:
        turn -= float(np.copysign(360.0, turn))
    first, last, pace = rng.uniform(*_BEGINS), rng.uniform(*_ENDS), rng.uniform(0.8, 1.25)
    axis, tilt = rng.uniform(0, 2 * np.pi), np.radians(rng.normal(0, _TILT_SD_DEG))
    side, grip = rng.uniform(0, 2 * np.pi), rng.uniform(0.3, 0.75) * figure.height
    seen, up = [], np.array([0.0, 0.0, grip])
    for i in range(FRAMES):
        part = (i + 1) / (FRAMES + 1)
        lift = float(np.sin(np.pi * part))
        done = _smooth(float(np.clip((part - first) / (last - first), 0, 1)) ** pace)
        facing = start.facing_deg + turn * done + rng.normal(0, _TREMBLE_SD_DEG)
        xy = start.xy + (end.xy - start.xy) * _smooth(part)
        base = np.array([*xy, _LIFT_CM * lift])
        held = _lifted(figure.placed(xy, facing), xy, base, lift * tilt, axis)
        look = photograph(held, camera, rng, pad=14)
        seen.append(Carried(begin + i, look.origin, _parts(look, camera, base + up, side)))
    return Carry(begin, tuple(seen))


def _smooth(part: float) -> float:
    return part * part * (3 - 2 * part)


def _lifted(figure: Figure, xy: Array, base: Array, tilt: float, axis: float) -> Figure:
    """The figure that stands at xy, lifted to a base (3,) and tilted about a horizontal axis."""
    turn = np.asarray(cv2.Rodrigues(tilt * np.array([np.cos(axis), np.sin(axis), 0.0]))[0], np.float64)
    foot = np.array([*xy, 0.0])
    return Figure(figure.kind, (figure.centres - foot) @ turn.T + base, figure.shapes @ turn.T)


def _parts(look: Look, camera: Camera, grip: Array, side: float) -> NDArray[np.uint8]:
    """What shows when a hand from one side of the picture holds the figure at a grip (3,)."""
    here, beside = camera.project(grip + np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])) - np.asarray(
        look.origin
    )
    scale, way = float(np.hypot(*(beside - here))), np.array([np.cos(side), np.sin(side)])
    hand = np.zeros(look.silhouette.shape, np.uint8)
    for begins, width in ((0.8, _FINGER_CM), (3.3, _FIST_CM)):
        ends = [tuple((here + way * cm * scale).astype(int).tolist()) for cm in (begins, _ARM_CM)]
        cv2.line(hand, ends[0], ends[1], 1, max(1, int(width * scale)))
    figure = np.where(look.silhouette > 0.5, FIGURE, BEHIND)
    return np.where(hand > 0, HIDDEN, figure).astype(np.uint8)
