"""Figures that fell, and how they are seen: what the network of `vision.shape.fallen` is taught with.

A figure falls over any side, mostly its face, and comes to rest on a side of its convex hull from which it
does not roll on (as `datasets.render.figure`, but over any side and many a second).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import QhullError

from datasets.figures import Figure, turn
from datasets.lessons import Arrays, lessons
from datasets.makers import made
from datasets.resting import lattice, resting
from datasets.ring_views import RingCamera, random_camera
from datasets.shape_samples import HEIGHT_SD, Seen, seen_from, support
from datasets.shape_shading import shaded

Array = NDArray[np.float64]

# Reliefs are kept in whole steps of their spread.
RELIEF_STEPS = 40
# Over which side (degrees from the front) a figure falls, how often, and how far beside it.
_SIDES_DEG, _SHARES, _BESIDE_DEG = (0.0, 180.0, 90.0, -90.0), (0.4, 0.2, 0.2, 0.2), 15.0
# It comes to rest at most so far from the right angle that it fell by; one whose head is still up is no fall.
_ROLLS_DEG, _UPRIGHT = 50.0, 0.75
_HULL_POINTS, _TRIES = 48, 8


@dataclass(frozen=True, eq=False)
class Fall:
    """A figure seen twice as it stood and once as it lies: pictures (3, CELLS, CELLS) 0-255 and reliefs,
    tilts and distances (3,), azimuths (3,) in rad of its front, or of its head as it lies.

    `middle` (2,) is the middle of its lying plan view's bounding box (axes turned with its head) from the
    stand's middle, along away and across, and `support` (DIRECTIONS,) how far that view reaches from the
    stand's middle, in heights."""

    picture: NDArray[np.uint8]
    relief: NDArray[np.int8]
    tilt: Array
    distance: Array
    azimuth: Array
    middle: Array
    support: Array


def fallen(rng: np.random.Generator, figure: Figure) -> tuple[Figure, float] | None:
    """The figure lying near the origin, and where its head points (rad); None when it does not lie."""
    side = rng.choice(_SIDES_DEG, p=_SHARES) + rng.normal(0, _BESIDE_DEG)
    tip = turn(side) @ np.array([[0.0, 0, 1], [0, 1, 0], [-1, 0, 0]]) @ turn(-side)
    tip = _resting(figure, tip) @ tip
    if tip[2, 2] > _UPRIGHT:
        return None
    head = rng.uniform(-np.pi, np.pi)
    rotation = turn(float(np.degrees(head - np.arctan2(tip[1, 2], tip[0, 2])))) @ tip
    centres, shapes = figure.centres @ rotation.T, figure.shapes @ rotation.T
    half = np.linalg.norm(np.linalg.inv(shapes), axis=2)
    low, high = (centres - half).min(axis=0), (centres + half).max(axis=0)
    offset = np.array([*(low + high)[:2] / -2, -low[2]])
    return Figure(figure.kind, centres + offset, shapes), float(head)


def _resting(figure: Figure, tip: Array) -> Array:
    """The small rotation (3, 3) after a tip that lets it rest on the table."""
    covariances = np.linalg.inv(figure.shapes) @ np.linalg.inv(figure.shapes).transpose(0, 2, 1)
    volumes = np.sqrt(np.linalg.det(covariances))
    middle = tip @ (volumes @ figure.centres / volumes.sum())
    ways = lattice(_HULL_POINTS, -1.0)
    reach = np.einsum("nij,mj->nmi", covariances, ways)
    reach /= np.sqrt(np.einsum("nmi,mi->nm", reach, ways))[..., None]
    points = (figure.centres[:, None] + reach).reshape(-1, 3) @ tip.T
    return resting(points, middle, _ROLLS_DEG)


def fall_sample(rng: np.random.Generator, maker: str) -> tuple[str, list[Fall]]:
    """The class of a random figure of a maker, and how it stood and fell before a camera that stays."""
    for _ in range(_TRIES):
        figure = made(rng, maker)
        try:
            lies = fallen(rng, figure)
        except QhullError:
            continue
        if lies is not None:
            return figure.kind, [_seen(rng, figure, *lies)]
    raise ValueError(f"no figure of the maker {maker} falls")


def _seen(rng: np.random.Generator, figure: Figure, lies: Figure, head: float) -> Fall:
    camera = random_camera(rng)
    told = figure.height * (1 + rng.normal(0, HEIGHT_SD))
    facings = [*rng.uniform(-np.pi, np.pi, 2), head]
    placed = [*(figure.placed(np.zeros(2), float(np.degrees(f))) for f in facings[:2]), lies]
    views = [_view(rng, one, told, camera) for one in placed]
    reliefs = [
        shaded(rng, one, view.stand, view.centre, view.picture)
        for one, view in zip(placed, views, strict=True)
    ]
    stand = views[-1].stand
    return Fall(
        np.stack([np.rint(255 * view.picture) for view in views]).astype(np.uint8),
        np.rint(RELIEF_STEPS * np.stack(reliefs)).astype(np.int8),
        np.array([view.stand.tilt for view in views]),
        np.array([view.stand.distance for view in views]),
        np.array([view.azimuth(facing) for view, facing in zip(views, facings, strict=True)]),
        stand.axes.T @ (bounding_middle(lies, head) - stand.middle) / told,
        support(lies, stand),
    )


def _view(rng: np.random.Generator, placed: Figure, told: float, camera: RingCamera) -> Seen:
    # it faces anywhere, so that the direction in which its place is seen changes nothing
    tilt, far, _ = camera.place(rng)
    return seen_from(rng, placed, told, tilt, far)


def bounding_middle(lies: Figure, head: float) -> Array:
    """The middle (2,) of the plan view's bounding box, whose axes are turned with the head (rad)."""
    axes = turn(float(np.degrees(head)))[:2, :2]
    half = np.linalg.norm(axes.T @ np.linalg.inv(lies.shapes)[:, :2, :], axis=2)
    along = lies.centres[:, :2] @ axes
    return np.asarray(axes @ ((along - half).min(axis=0) + (along + half).max(axis=0)) / 2)


def chunk(seed: Sequence[int], makers: Sequence[str], figures: int) -> Arrays:
    """Many falls as `datasets.lessons` makes arrays of them."""
    return lessons(seed, makers, figures, Fall, fall_sample)
