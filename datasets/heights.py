"""What a silhouette says of a figure's height, learned: `python -m datasets.heights`.

Random figures of the makers of `datasets.makers` are shown to random cameras as their outlines on the table's
plane; of some a part is missing, as if hidden or of another colour. The log of the height over the root of
the area is fitted by class (the terms are `vision.measuring.height_seen.looks`), and the error is that of a
maker that was left out. What is printed stands in `vision.measuring.height_seen`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.figures import Figure
from datasets.makers import MORE_MAKERS, made
from vision.measuring.height_seen import looks

Array = NDArray[np.float64]

# A pixel on the table in cm, tilts of the view off the vertical in degrees, heights of cameras in cm.
_CELL_CM = 0.15
_TILT_DEG, _CAMERA_CM = (1.0, 60.0), (70.0, 190.0)
# So often a part of a figure is missing, of this radius in heights.
_PART_MISSING, _MISSING = 0.3, (0.1, 0.35)
# Views that count as from above and as oblique when the error is taken, in degrees.
_ABOVE_DEG, _OBLIQUE_DEG = 25.0, 35.0
_RIDGE = 0.1


def main(arguments: Sequence[str] | None = None) -> int:
    """Fit and print the weights and errors by class."""
    parser = argparse.ArgumentParser(prog="python -m datasets.heights", description=__doc__)
    parser.add_argument("--figures", type=int, default=250, help="how many of each maker")
    parser.add_argument("--seed", type=int, default=2, help="of the figures")
    options = parser.parse_args(arguments)
    rng = np.random.default_rng(options.seed)
    by_kind: dict[str, list[Array]] = {}
    for maker in MORE_MAKERS:
        kind = made(rng, maker).kind
        views = np.array([view(rng, maker) for _ in range(options.figures)])
        by_kind.setdefault(kind, []).append(views)
    for kind, makers in by_kind.items():
        above, oblique = errors(makers)
        weights = ", ".join(f"{weight:.3f}" for weight in fitted(makers))
        print(f'"{kind}": (({weights}), {above:.3f}, {oblique:.3f}),')
    return 0


def view(rng: np.random.Generator, maker: str) -> Array:
    """A random figure seen by a random camera: height, tilt (rad), length, width, root of area (cm)."""
    while True:
        high, tilt = rng.uniform(*_CAMERA_CM), np.radians(rng.uniform(*_TILT_DEG))
        figure = made(rng, maker).placed(np.zeros(2), rng.uniform(-180, 180))
        if figure.height < 0.5 * high:
            break
    centre = np.array([0.0, -np.tan(tilt) * high, high])
    points = _shadow(rng, figure, centre)
    middle = points.mean(axis=0)
    gap = middle - centre[:2]
    away = gap / np.hypot(*gap)
    across = np.array([-away[1], away[0]])
    length, width = (float(np.ptp(np.percentile((points - middle) @ way, [1, 99]))) for way in (away, across))
    side = float(np.sqrt(len(points))) * _CELL_CM
    return np.array([figure.height, np.arctan(np.hypot(*gap) / high), length, width, side])


def _shadow(rng: np.random.Generator, figure: Figure, centre: Array) -> Array:
    """The points (N, 2) of the table that a figure hides from a camera at centre (3,)."""
    ball = rng.normal(size=(60, 3))
    ball /= np.linalg.norm(ball, axis=1, keepdims=True)
    hulls = []
    for middle, shape in zip(figure.centres, figure.shapes, strict=True):
        points = middle + ball @ np.linalg.inv(shape).T
        points[:, 2] = np.maximum(points[:, 2], 0.0)
        reach = centre[2] / (centre[2] - points[:, 2:])
        hulls.append(centre[:2] + (points[:, :2] - centre[:2]) * reach)
    everything = np.concatenate(hulls)
    corner = everything.min(axis=0) - 1.0
    columns, rows = (int(n) for n in np.ceil((np.ptp(everything, axis=0) + 2.0) / _CELL_CM))
    picture = np.zeros((rows, columns), np.uint8)
    for points in hulls:
        hull = cv2.convexHull(((points - corner) / _CELL_CM).astype(np.float32))
        cv2.fillConvexPoly(picture, np.round(hull).astype(np.int32), 1)
    if rng.random() < _PART_MISSING:
        v, u = np.nonzero(picture)
        one = rng.integers(len(u))
        radius = rng.uniform(*_MISSING) * figure.height / _CELL_CM
        cv2.circle(picture, (int(u[one]), int(v[one])), int(radius), 0, -1)
    v, u = np.nonzero(picture)
    return np.asarray(np.column_stack([u, v]) * _CELL_CM + corner)


def fitted(makers: Sequence[Array]) -> Array:
    """The weights (8,) of `looks` for the views (N, 5) of several makers."""
    terms, heights = _terms(np.concatenate(makers))
    ridge = _RIDGE * np.eye(terms.shape[1])
    return np.asarray(np.linalg.solve(terms.T @ terms + ridge, terms.T @ heights))


def errors(makers: Sequence[Array]) -> tuple[float, float]:
    """The sd of log heights of makers that were left out, from above and obliquely."""
    tilts, off = [], []
    for number, views in enumerate(makers):
        terms, heights = _terms(views)
        off.append(heights - terms @ fitted([*makers[:number], *makers[number + 1 :]]))
        tilts.append(np.degrees(views[:, 1]))
    tilt, wrong = np.concatenate(tilts), np.concatenate(off)
    return float(wrong[tilt < _ABOVE_DEG].std()), float(wrong[tilt > _OBLIQUE_DEG].std())


def _terms(views: Array) -> tuple[Array, Array]:
    height, tilt, length, width, side = views.T
    return looks(tilt, length / side, width / side), np.log(height / side)


if __name__ == "__main__":
    sys.exit(main())
