"""The tops of the posts in a picture: where the outlines of four equal squares at the posts' height are.

A camera from the mat and the ropes knows where the tops are but for its own doubt, which moves all four
together; along that doubt, and a little around every top, the outlines are looked for in the picture.
"""

from __future__ import annotations

from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array
from calibration.lens_model import project_with_derivatives
from calibration.result import RingCalibration
from calibration.ring import CORNER_SIGNS

_WIDTHS_CM = (1.6, 2.0, 2.4, 2.8, 3.2, 3.6)
_SIGMAS = np.linspace(-3.0, 3.0, 41)
_PER_SIDE = 9
_AROUND_PX = 3.0  # every single top may be so far from where all four say it is
_AWAY_SD_PX = 2.0
_LEAST_PX = 0.8  # doubt that is surely left, however sure the camera is


def find_tops(image: NDArray[np.uint8], calibration: RingCalibration) -> Array:
    """The middles of the four post tops in a BGR picture, (4, 2) px."""
    tops = calibration.spec.post_tops()
    seen, by_vector, _ = project_with_derivatives(calibration.camera, tops)
    jacobian = (by_vector @ calibration.basis.matrix).reshape(8, -1)
    size, direction = np.linalg.eigh(jacobian @ calibration.covariance @ jacobian.T)
    together = (direction[:, -1] * np.sqrt(max(size[-1], _LEAST_PX**2))).reshape(4, 2)
    gradient = _gradient(image)
    outlines = {width: _outlines(calibration, tops, width) for width in _WIDTHS_CM}

    def score(item: tuple[float, float]) -> float:
        sigma, width = item
        found = [_edge(gradient, outlines[width][post] + sigma * together[post]) for post in range(4)]
        return float(np.mean(found)) * float(np.exp(-0.05 * sigma**2))

    sigma, width = max(product(_SIGMAS, _WIDTHS_CM), key=score)
    shifts = [_alone(gradient, outlines[width][post] + sigma * together[post]) for post in range(4)]
    return np.asarray(seen + sigma * together + np.array(shifts), dtype=np.float64)


def _outlines(calibration: RingCalibration, tops: Array, width: float) -> Array:
    """Points (4, 4, n, 2) px on the four sides of the four tops, each a square of so many cm."""
    square = CORNER_SIGNS * width / 2
    share = np.linspace(0.1, 0.9, _PER_SIDE)[:, None]
    rims = []
    for top in tops:
        corners = np.column_stack([top[:2] + square, np.full(4, top[2])])
        sides = [a + share * (b - a) for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True)]
        rims.append(calibration.camera.project(np.concatenate(sides)).reshape(4, _PER_SIDE, 2))
    return np.array(rims)


def _gradient(image: NDArray[np.uint8]) -> NDArray[np.float32]:
    """(H, W, 6): how every Lab channel changes along u and along v, grain taken out."""
    lab = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2LAB).astype(np.float32), (0, 0), 1.0)
    along_u, along_v = (
        cv2.Sobel(lab, cv2.CV_32F, *order, ksize=3, scale=0.125) for order in ((1, 0), (0, 1))
    )
    return np.asarray(np.concatenate([along_u, along_v], axis=2), dtype=np.float32)


def _edge(gradient: NDArray[np.float32], rim: Array) -> float:
    """How much the colour changes across the four sides (4, n, 2) of an outline; a faint side counts most."""
    height, width = gradient.shape[:2]
    places = np.round(rim).astype(int)
    u, v = places[..., 0].clip(0, width - 1), places[..., 1].clip(0, height - 1)
    side = rim[:, -1] - rim[:, 0]
    normal = np.stack([side[:, 1], -side[:, 0]], axis=-1)
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-9)
    read = gradient[v, u]
    across = read[..., :3] * normal[:, None, :1] + read[..., 3:] * normal[:, None, 1:]
    # The mean of the signed change: grain and wood cancel, an edge does not.
    steps = np.linalg.norm(across.mean(axis=1), axis=1)
    return float(np.sqrt(np.clip(steps, 0.0, None)).mean())


def _alone(gradient: NDArray[np.float32], rim: Array) -> Array:
    """The shift (2,) of one outline that fits it best, staying near."""
    reach = np.arange(-_AROUND_PX, _AROUND_PX + 0.25, 0.5)
    best, shift = -1.0, np.zeros(2)
    for du, dv in product(reach, reach):
        away = (du**2 + dv**2) / (2 * _AWAY_SD_PX**2)
        found = _edge(gradient, rim + np.array([du, dv])) * float(np.exp(-0.3 * away))
        if found > best:
            best, shift = found, np.array([du, dv])
    return shift
