"""Figures as `vision.shape` sees them: upright silhouettes with exact truth, many a second.

No camera is rolled and no picture taken: every ellipsoid's outline in the upright picture is a conic, and a
figure's silhouette is the union of what they cover. What a matte does to edges is imitated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.figures import Figure
from datasets.makers import MORE_MAKERS, made
from vision.measuring.silhouette import SHARE_OF_HEIGHT, Silhouette
from vision.shape.network import DIRECTIONS, LAYERS, SOLID_CELLS
from vision.shape.upright import CELLS, FINE, REACH, Stand, averaged, grid, stand_at

Array = NDArray[np.float64]
Bytes = NDArray[np.uint8]

VIEWS = 6
KINDS = ("humanoid", "beast", "absurd")
_TILT_DEG, _TILT_JITTER_DEG = (2.0, 55.0), 7.0
_DISTANCE_CM, _DISTANCE_JITTER = (90.0, 190.0), 0.1
# What was measured with a ruler is wrong by this share.
_HEIGHT_SD = 0.015


@dataclass(frozen=True, eq=False)
class Sample:
    """One view of a figure. `picture` (CELLS, CELLS) 0-255; `azimuth` (rad) of the front from `away` to
    `across`; `sole` (2,) from the stand's middle along away and across; `support` (DIRECTIONS,) how far the
    plan view reaches from that middle; `solid` (LAYERS, SOLID_CELLS, SOLID_CELLS) 0-255, rows along away,
    columns along across. Lengths in heights."""

    picture: Bytes
    tilt: float
    distance: float
    azimuth: float
    sole: Array
    support: Array
    solid: Bytes


_FIELDS = tuple(field.name for field in fields(Sample))


def figure_samples(rng: np.random.Generator, maker: str, views: int = VIEWS) -> tuple[str, list[Sample]]:
    """The class of a random figure of a maker, and views of it from a camera that stays where it is."""
    figure = made(rng, maker)
    tilt = rng.uniform(*np.radians(_TILT_DEG))
    distance = rng.uniform(*_DISTANCE_CM)
    told = figure.height * (1 + rng.normal(0, _HEIGHT_SD))
    fine = _solid(figure, told)
    samples = []
    for _ in range(views):
        here = max(0.01, tilt + np.radians(rng.uniform(-_TILT_JITTER_DEG, _TILT_JITTER_DEG)))
        far = distance * rng.uniform(1 - _DISTANCE_JITTER, 1 + _DISTANCE_JITTER)
        samples.append(_sample(rng, figure, told, here, far, rng.uniform(-np.pi, np.pi), fine))
    return figure.kind, samples


def _sample(
    rng: np.random.Generator,
    figure: Figure,
    told: float,
    tilt: float,
    far: float,
    azimuth: float,
    solid: Array,
) -> Sample:
    # the camera looks along +x: away is x, across is y
    placed = figure.placed(np.zeros(2), float(np.degrees(azimuth)))
    centre = np.array([-far * np.sin(tilt), 0.0, far * np.cos(tilt) + 0.5 * told])
    guess = stand_at(centre, _middle_of(placed, told), told, np.array([1.0, 0.0]))
    fine = matted(rng, cover(placed, guess, centre))
    row_column = Silhouette((0, 0), fine).steady_centroid
    across, rise = (row_column + 0.5) * (2 * REACH / (CELLS * FINE)) - REACH
    (point,) = guess.points(np.array([across]), np.array([rise]))
    ray = point - centre
    middle = (centre + ray * (SHARE_OF_HEIGHT * told - centre[2]) / ray[2])[:2]
    gap = middle - centre[:2]
    stand = stand_at(centre, middle, told, gap / np.hypot(*gap))
    # the same noise on the same cells: the silhouette only moves by a part of a cell or two
    scale = CELLS * FINE / (2 * REACH)
    shift = np.array([[1, 0, -across * scale], [0, 1, -rise * scale]])
    moved = cv2.warpAffine(fine, shift, fine.shape, flags=cv2.INTER_LINEAR)
    picture = averaged(np.asarray(moved, np.float32))
    sole = stand.axes.T @ (-middle) / told
    return Sample(
        np.rint(255 * picture).astype(np.uint8),
        stand.tilt,
        stand.distance,
        azimuth - float(np.arctan2(stand.away[1], stand.away[0])),
        sole,
        support(placed, stand),
        _turned(solid, azimuth - float(np.arctan2(stand.away[1], stand.away[0])), sole),
    )


def _middle_of(figure: Figure, told: float) -> Array:
    half = np.linalg.norm(np.linalg.inv(figure.shapes), axis=2)[:, :2]
    low, high = (figure.centres[:, :2] - half).min(axis=0), (figure.centres[:, :2] + half).max(axis=0)
    return np.asarray((low + high) / 2)


def cover(figure: Figure, stand: Stand, centre: Array) -> NDArray[np.float32]:
    """The sharp silhouette (CELLS FINE, CELLS FINE) of a figure seen from a camera at centre (3,)."""
    places = grid(CELLS * FINE)
    across, rise = (a.ravel() for a in np.meshgrid(places, places))
    monomials = np.stack([across**2, rise**2, across * rise, across, rise, np.ones_like(rise)], axis=1)
    origin = stand.points(np.zeros(1), np.zeros(1))[0]
    steps = stand.points(np.array([1.0, 0.0]), np.array([0.0, 1.0])) - origin
    ways = np.column_stack([*steps, origin - centre])
    start = np.einsum("nij,nj->ni", figure.shapes, centre - figure.centres)
    through = figure.shapes @ ways
    along = np.einsum("nij,ni->nj", through, start)
    outer = along[:, :, None] * along[:, None, :]
    reach = (start**2).sum(axis=1) - 1
    conic = outer - reach[:, None, None] * np.einsum("nki,nkj->nij", through, through)
    conic /= np.abs(conic).max(axis=(1, 2), keepdims=True)
    parts = np.stack(
        [
            conic[:, 0, 0],
            conic[:, 1, 1],
            2 * conic[:, 0, 1],
            2 * conic[:, 0, 2],
            2 * conic[:, 1, 2],
            conic[:, 2, 2],
        ]
    )
    inside = (monomials.astype(np.float32) @ parts.astype(np.float32)).max(axis=1) > 0
    return np.asarray(inside.reshape(CELLS * FINE, CELLS * FINE), np.float32)


def matted(rng: np.random.Generator, sharp: NDArray[np.float32]) -> NDArray[np.float32]:
    """What a matte leaves of a sharp silhouette: softer, a little larger or smaller, shadow eats one side."""
    soft = cv2.GaussianBlur(sharp, (0, 0), rng.uniform(0.35, 0.8))
    if rng.random() < 0.3:
        way, far = rng.uniform(0, 2 * np.pi), rng.uniform(0.2, 1.2)
        matrix = np.array([[1, 0, far * np.cos(way)], [0, 1, far * np.sin(way)]])
        soft = np.minimum(soft, cv2.warpAffine(soft, matrix, soft.shape))
    level = np.clip(rng.normal(0.5, 0.08), 0.3, 0.7)
    return np.asarray(np.clip((soft - level) * rng.uniform(1.0, 2.5) + 0.5, 0, 1), np.float32)


def support(figure: Figure, stand: Stand) -> Array:
    """How far the plan view (DIRECTIONS,) reaches from the stand's middle, in heights."""
    angles = 2 * np.pi * np.arange(DIRECTIONS) / DIRECTIONS
    ways = np.column_stack([np.cos(angles), np.sin(angles)]) @ stand.axes.T
    half = np.linalg.norm(np.linalg.inv(figure.shapes)[:, :2, :].transpose(0, 2, 1) @ ways.T, axis=1)
    reach = (figure.centres[:, :2] - stand.middle) @ ways.T + half
    return np.asarray(reach.max(axis=0) / stand.height_cm)


def _solid(figure: Figure, told: float) -> Array:
    """The figure in its own frame, sole at the origin: (LAYERS, 2 SOLID_CELLS, 2 SOLID_CELLS) 0-1."""
    placed = figure.placed(np.zeros(2), 0.0)
    side, up = grid(2 * SOLID_CELLS), (np.arange(LAYERS) + 0.5) / LAYERS
    z, x, y = (a.ravel() * told for a in np.meshgrid(up, side, side, indexing="ij"))
    monomials = np.stack([x * x, y * y, z * z, x * y, x * z, y * z, x, y, z, np.ones_like(x)], axis=1)
    form = np.einsum("nki,nkj->nij", placed.shapes, placed.shapes)
    to = np.einsum("nij,nj->ni", form, placed.centres)
    parts = np.stack(
        [
            form[:, 0, 0],
            form[:, 1, 1],
            form[:, 2, 2],
            2 * form[:, 0, 1],
            2 * form[:, 0, 2],
            2 * form[:, 1, 2],
            *(-2 * to.T),
            np.einsum("ni,ni->n", to, placed.centres),
        ]
    )
    nearest = (monomials.astype(np.float32) @ parts.astype(np.float32)).min(axis=1)
    return np.asarray((nearest < 1).reshape(LAYERS, 2 * SOLID_CELLS, 2 * SOLID_CELLS), np.float64)


def _turned(solid: Array, azimuth: float, sole: Array) -> Bytes:
    """A solid turned to its azimuth and moved to its sole (2,) in the view's axes."""
    c, s = np.cos(azimuth), np.sin(azimuth)
    # from view (across, away), as columns and rows, to the figure's own (y, x)
    turn = np.array([[c, -s], [s, c]])
    per = 2 * SOLID_CELLS / (2 * REACH)
    offset = -turn @ np.array([sole[1], sole[0]]) * per
    middle = np.array([SOLID_CELLS - 0.5] * 2)
    matrix = np.column_stack([turn, middle - turn @ middle + offset])
    out = []
    for layer in solid:
        moved = cv2.warpAffine(
            layer, matrix, layer.shape, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderValue=0
        )
        out.append(moved.reshape(SOLID_CELLS, 2, SOLID_CELLS, 2).mean(axis=(1, 3)))
    return np.asarray(np.rint(255 * np.stack(out)), np.uint8)


def chunk(
    seed: Sequence[int], makers: Sequence[str], figures: int, views: int = VIEWS
) -> dict[str, NDArray[np.generic]]:
    """Arrays of many samples, figure by figure: the fields of Sample, and `kind` and `maker` as numbers."""
    rng = np.random.default_rng(seed)
    names = list(MORE_MAKERS)
    columns: dict[str, list[object]] = {name: [] for name in (*_FIELDS, "kind", "maker")}
    for number in range(figures):
        maker = makers[number % len(makers)]
        kind, samples = figure_samples(rng, maker, views)
        for sample in samples:
            for name in _FIELDS:
                columns[name].append(getattr(sample, name))
            columns["kind"].append(KINDS.index(kind))
            columns["maker"].append(names.index(maker))
    return {name: np.asarray(values) for name, values in columns.items()}


def widened(pictures: NDArray[np.float32], factor: float) -> NDArray[np.float32]:
    """Pictures (..., N) whose columns are spread from the middle by a factor."""
    count = pictures.shape[-1]
    place = (np.arange(count) - (count - 1) / 2) / factor + (count - 1) / 2
    share = np.clip(1 - np.abs(place[None] - np.arange(count)[:, None]), 0, None)
    return np.asarray(pictures @ share.astype(np.float32))


def stretched(support: NDArray[np.float32], factor: float) -> NDArray[np.float32]:
    """Support functions (B, DIRECTIONS) of plan views that are spread across the view by a factor."""
    angles = 2 * np.pi * np.arange(DIRECTIONS) / DIRECTIONS
    x, y = np.cos(angles), factor * np.sin(angles)
    place = np.arctan2(y, x) / (2 * np.pi) * DIRECTIONS
    low = np.floor(place).astype(int)
    part = (place - low).astype(np.float32)
    between = support[:, low % DIRECTIONS] * (1 - part) + support[:, (low + 1) % DIRECTIONS] * part
    return np.asarray(between * np.hypot(x, y).astype(np.float32))
