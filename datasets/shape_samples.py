"""Figures as `vision.shape` sees them: upright silhouettes with exact truth, many a second.

No camera is rolled and no picture taken: every ellipsoid's outline in the upright picture is a conic, and a
figure's silhouette is the union of what they cover. What a matte does to edges is imitated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.figures import Figure, pressed
from datasets.lessons import Arrays, lessons
from datasets.makers import made
from datasets.ring_views import random_camera
from vision.measuring.silhouette import SHARE_OF_HEIGHT, Silhouette
from vision.shape.network import DIRECTIONS, LAYERS, SOLID_CELLS
from vision.shape.upright import CELLS, FINE, REACH, Stand, averaged, grid, stand_at

Array = NDArray[np.float64]
Bytes = NDArray[np.uint8]

VIEWS = 6
# The shares of moves that do not turn a figure, but for so many degrees (sd), and that turn it by at most so
# many; the others turn it anywhere.
_NOT_TURNED, _TURNED_LITTLE, _ALIKE_SD_DEG, _LITTLE_DEG = 0.2, 0.2, 5.0, 40.0
# The shares of silhouettes that are spoilt by a cast shadow, by something in front of them, and by parts of a
# colour that was not taught; at least this share of a figure's parts is found.
_WITH_SHADOW, _HIDDEN, _WITH_OTHER_COLOUR, _LEAST_SEEN = 0.06, 0.05, 0.12, 0.5
# The share of what is of another colour that is shoes; what is as high as something else, in heights.
_SHOES, _LEVEL = 0.4, 0.03
# How far out the rim of a matte lies, mean and sd, and how far it wobbles, in points of the sharp silhouette.
_RIM, _ROUGH = (0.1, 0.28), 0.55
# Every so many points are looked at first, and so many around what is found there.
_COARSE, _AROUND = 4, 8
# Soles are pressed flat by up to this share of a figure's height, but for this share of all figures.
_PRESSED, _NOT_PRESSED = 0.05, 0.2
# Parts that reach no deeper than this below the table stand on it.
_TOUCHING_CM = 1e-6
# What was measured with a ruler is wrong by this share.
HEIGHT_SD = 0.015


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


def figure_samples(rng: np.random.Generator, maker: str, views: int = VIEWS) -> tuple[str, list[Sample]]:
    """The class of a random figure of a maker, and views of it, put down in one ring again and again."""
    figure, camera = set_down(rng, made(rng, maker)), random_camera(rng)
    told = figure.height * (1 + rng.normal(0, HEIGHT_SD))
    fine = _solid(figure, told)
    samples = []
    for facing in _facings(rng, views):
        tilt, far, direction = camera.place(rng)
        samples.append(_sample(rng, figure, told, tilt, far, facing - direction, fine))
    return figure.kind, samples


def _facings(rng: np.random.Generator, views: int) -> Array:
    """Where a figure faces (views,) rad, as it was put down at first and later."""
    anywhere = rng.uniform(-np.pi, np.pi, views)
    turned = np.radians(rng.uniform(-_LITTLE_DEG, _LITTLE_DEG, views))
    alike = np.radians(rng.normal(0, _ALIKE_SD_DEG, views))
    way = rng.choice(3, views, p=(_NOT_TURNED, _TURNED_LITTLE, 1 - _NOT_TURNED - _TURNED_LITTLE))
    way[0] = 2
    return np.asarray(np.choose(way, [anywhere[0] + alike, anywhere[0] + turned, anywhere]))


def set_down(rng: np.random.Generator, figure: Figure) -> Figure:
    """A figure as it stands on a table: nearly all have flat soles."""
    if rng.random() < _NOT_PRESSED:
        return figure
    return pressed(figure, rng.uniform(0, _PRESSED) * figure.height)


def _sample(
    rng: np.random.Generator,
    figure: Figure,
    told: float,
    tilt: float,
    far: float,
    azimuth: float,
    solid: Array,
) -> Sample:
    placed = figure.placed(np.zeros(2), float(np.degrees(azimuth)))
    seen = seen_from(rng, placed, told, tilt, far)
    stand = seen.stand
    sole = stand.axes.T @ (-stand.middle) / told
    return Sample(
        np.rint(255 * seen.picture).astype(np.uint8),
        stand.tilt,
        stand.distance,
        seen.azimuth(azimuth),
        sole,
        support(placed, stand),
        _turned(solid, seen.azimuth(azimuth), sole),
    )


@dataclass(frozen=True, eq=False)
class Seen:
    """What a camera at `centre` (3,) sees of a figure: its stand, its upright silhouette (CELLS, CELLS)."""

    centre: Array
    stand: Stand
    picture: NDArray[np.float32]

    def azimuth(self, direction: float) -> float:
        """The angle from `away` to `across` of a direction (rad) on the table."""
        return direction - float(np.arctan2(self.stand.away[1], self.stand.away[0]))


def seen_from(rng: np.random.Generator, placed: Figure, told: float, tilt: float, far: float) -> Seen:
    """A figure near the origin, told so high, seen along +x, so steeply (rad) and from so far (cm)."""
    # the camera looks along +x: away is x, across is y
    centre = np.array([-far * np.sin(tilt), 0.0, far * np.cos(tilt) + 0.5 * told])
    guess = stand_at(centre, _middle_of(placed, told), told, np.array([1.0, 0.0]))
    fine = matted(rng, cover(_seen(rng, placed), guess, centre))
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
    return Seen(centre, stand, picture)


def _seen(rng: np.random.Generator, figure: Figure) -> Figure:
    """What is found of a figure by its colour: now and then not its shoes, or not a hat, a shell or a pair of
    claws of another one."""
    if rng.random() >= _WITH_OTHER_COLOUR:
        return figure
    if rng.random() < _SHOES:
        kept = figure.centres[:, 2] > rng.uniform(0.04, 0.16) * figure.height
    else:
        # what comes in pairs is equally high
        one = rng.integers(len(figure.centres))
        level = np.abs(figure.centres[:, 2] - figure.centres[one, 2]) < _LEVEL * figure.height
        pair = figure.centres[[one, rng.choice(np.flatnonzero(level))]]
        away = np.linalg.norm(figure.centres[:, None] - pair, axis=2).min(axis=1)
        kept = away > rng.uniform(0.05, 0.25) * figure.height
    if kept.mean() < _LEAST_SEEN:
        return figure
    return Figure(figure.kind, figure.centres[kept], figure.shapes[kept])


def _middle_of(figure: Figure, told: float) -> Array:
    half = np.linalg.norm(np.linalg.inv(figure.shapes), axis=2)[:, :2]
    low, high = (figure.centres[:, :2] - half).min(axis=0), (figure.centres[:, :2] + half).max(axis=0)
    return np.asarray((low + high) / 2)


def cover(figure: Figure, stand: Stand, centre: Array) -> NDArray[np.float32]:
    """The sharp silhouette (CELLS FINE, CELLS FINE) of a figure seen from a camera at centre (3,)."""
    origin = stand.points(np.zeros(1), np.zeros(1))[0]
    steps = stand.points(np.array([1.0, 0.0]), np.array([0.0, 1.0])) - origin
    ways = np.column_stack([*steps, origin - centre])
    conics = _outlines(figure, ways, centre)
    places = grid(CELLS * FINE)
    # coarsely first: most of the picture is empty
    row, column = np.nonzero(_inside(conics, places[::_COARSE], places[::_COARSE]))
    whole = np.zeros((len(places), len(places)), np.float32)
    if len(row):
        rows, columns = (
            slice(max(_COARSE * int(i.min()) - _AROUND, 0), _COARSE * int(i.max()) + _AROUND)
            for i in (row, column)
        )
        whole[rows, columns] = _inside(conics, places[columns], places[rows])
    return whole


def _outlines(figure: Figure, ways: Array, centre: Array) -> list[tuple[Array, ...]]:
    """The conics (6, N) of a figure's parts for rays ways @ (x, y, 1) from centre (3,): of whole parts, and
    of those cut by the table with two more, of which a point has to lie in one."""
    start = np.einsum("nij,nj->ni", figure.shapes, centre - figure.centres)
    through = figure.shapes @ ways
    along = np.einsum("nij,ni->nj", through, start)
    square = np.einsum("nki,nkj->nij", through, through)
    reach = (start**2).sum(axis=1) - 1
    seen = _monomials(along[:, :, None] * along[:, None, :] - reach[:, None, None] * square)
    deep = np.linalg.norm(np.linalg.inv(figure.shapes)[:, 2, :], axis=1) - figure.centres[:, 2]
    cut = deep > _TOUCHING_CM
    # a ray that meets the table inside of a part, or that is half through it above the table, met it there
    down, high = ways[2], centre[2]
    at_table = start[cut][:, :, None] * down - high * through[cut]
    inside = np.outer(down, down) - np.einsum("nki,nkj->nij", at_table, at_table)
    first = high * square[cut] - along[cut][:, :, None] * down
    above = _monomials((first + first.transpose(0, 2, 1)) / 2)
    return [(seen[:, ~cut],), (seen[:, cut], _monomials(inside), above)]


def _monomials(form: Array) -> Array:
    """Quadratic forms (N, 3, 3) of (x, y, 1) by x2, y2, xy, x, y and 1: (6, N)."""
    largest = np.abs(form).max(axis=(1, 2), initial=0.0)
    a = form / largest[:, None, None]
    return np.stack([a[:, 0, 0], a[:, 1, 1], 2 * a[:, 0, 1], 2 * a[:, 0, 2], 2 * a[:, 1, 2], a[:, 2, 2]])


def _inside(conics: Sequence[tuple[Array, ...]], across: Array, rise: Array) -> NDArray[np.bool_]:
    """Which places (rise, across) lie in one of the conics (6, N), of those cut by the table also in one of
    their other two."""
    x, y = (a.ravel() for a in np.meshgrid(across, rise))
    monomials = np.stack([x**2, y**2, x * y, x, y, np.ones_like(y)], axis=1).astype(np.float32)
    inside = np.zeros(len(x), bool)
    for seen, *either in conics:
        if seen.size:
            value = monomials @ seen.astype(np.float32)
            if either:
                value = np.minimum(value, np.maximum(*(monomials @ e.astype(np.float32) for e in either)))
            inside |= value.max(axis=1) > 0
    return np.asarray(inside.reshape(len(rise), len(across)))


def matted(rng: np.random.Generator, sharp: NDArray[np.float32]) -> NDArray[np.float32]:
    """What a matte leaves of a sharp silhouette, as was measured on rendered clips: its rim lies a little
    further out or in, wobbles and is soft. Now and then a cast shadow is taken for clay, or something in
    front hides a part."""
    chance = rng.random()
    if chance < _WITH_SHADOW:
        sharp = _shadowed(rng, sharp)
    elif chance < _WITH_SHADOW + _HIDDEN:
        sharp = _hidden(rng, sharp)
    # the finer the picture, the less of it in heights
    size = rng.uniform(0.4, 1.0)
    rim = cv2.GaussianBlur(_depth(sharp), (0, 0), rng.uniform(0.4, 1.0)) + size * rng.normal(*_RIM)
    rough = size * np.exp(rng.normal(np.log(_ROUGH), 0.45))
    rim = rim + rough * waves(rng, sharp.shape, rng.uniform(1.2, 2.6))
    return np.asarray(np.clip(rim / rng.uniform(0.7, 2.0) + 0.5, 0, 1), np.float32)


def _depth(sharp: NDArray[np.float32]) -> NDArray[np.float32]:
    """How far inside the rim every point is, in points; negative outside."""
    inside = (sharp > 0.5).astype(np.uint8)
    within, without = (cv2.distanceTransform(part, cv2.DIST_L2, 5) for part in (inside, 1 - inside))
    return np.asarray(within - without - np.where(inside, 0.5, -0.5), np.float32)


def waves(rng: np.random.Generator, shape: tuple[int, ...], length: float) -> NDArray[np.float32]:
    """Noise of unit variance that is alike over so many points."""
    white = rng.standard_normal(shape).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(white, (0, 0), length) * np.float32(2 * np.sqrt(np.pi) * length))


def _shadowed(rng: np.random.Generator, sharp: NDArray[np.float32]) -> NDArray[np.float32]:
    """A silhouette with a part of the shadow that the figure casts on the table."""
    rows = np.flatnonzero(sharp.any(axis=1))
    foot, tall = float(rows[0]), float(rows[-1] - rows[0]) + 1
    aside, up = rng.uniform(-1.2, 1.2), rng.choice([-1, 1]) * rng.uniform(0.15, 0.6)
    matrix = np.array([[1, aside, -aside * foot], [0, up, foot * (1 - up)]])
    cast = cv2.warpAffine(sharp, matrix, sharp.shape)
    # only what is near the feet is as dark as the clay
    down = np.abs(np.arange(len(sharp)) - foot) < abs(up) * rng.uniform(0.2, 0.8) * tall
    taken = np.where(down[:, None], cast, 0) * np.float32(rng.uniform(0.3, 1.0))
    return np.maximum(sharp, taken).astype(np.float32)


def _hidden(rng: np.random.Generator, sharp: NDArray[np.float32]) -> NDArray[np.float32]:
    """A silhouette of which a straight edge hides a small part."""
    row, column = np.nonzero(sharp > 0.5)
    angle = rng.uniform(0, 2 * np.pi)
    along = row * np.cos(angle) + column * np.sin(angle)
    limit = np.quantile(along, rng.uniform(0.88, 0.98))
    rows, columns = np.indices(sharp.shape)
    return np.where(rows * np.cos(angle) + columns * np.sin(angle) > limit, 0, sharp).astype(np.float32)


def support(figure: Figure, stand: Stand) -> Array:
    """How far the plan view (DIRECTIONS,) reaches from the stand's middle, in heights."""
    angles = 2 * np.pi * np.arange(DIRECTIONS) / DIRECTIONS
    ways = np.column_stack([np.cos(angles), np.sin(angles)]) @ stand.axes.T
    reach = figure.reaches(ways, 0.0).max(axis=1)
    return np.asarray((reach - ways @ stand.middle) / stand.height_cm)


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


def chunk(seed: Sequence[int], makers: Sequence[str], figures: int, views: int = VIEWS) -> Arrays:
    """Views of many figures, figure by figure, as `datasets.lessons` makes arrays of them."""
    return lessons(seed, makers, figures, Sample, lambda rng, maker: figure_samples(rng, maker, views))
