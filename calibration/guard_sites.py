"""Where the guard looks: small patches on posts, corners and mat edges that tell a shift of the picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array
from calibration.result import RingCalibration

_HALF_OF_WIDTH = 0.011  # half a patch in picture widths: 14 px of 1280
_PER_SIDE = 8
_POST_SHARES = (0.5, 1.0)  # half-way up and the top
_LEAST_CONTRAST = 4.0  # grey levels, standard deviation: a plain patch says nothing
_LEAST_SITES = 10
_BLUR_PX = 1.0
_THIN = 2


@dataclass(frozen=True, eq=False)
class Sites:
    """Patches of a picture: places (N, 2) px, offsets (M, 2) px within a patch, values (N, M) normalised.

    gradient (N, M, 2) is that of the normalised values per px; half is half a patch's side in px.
    """

    places: Array
    offsets: Array
    values: Array
    gradient: Array
    half: int

    def __len__(self) -> int:
        """How many sites."""
        return len(self.places)


def choose_sites(image: NDArray[np.uint8], calibration: RingCalibration) -> Sites | None:
    """The sites of a calibrated BGR picture; None when too little of the ring is in it to watch."""
    half = max(7, round(_HALF_OF_WIDTH * image.shape[1]))
    places = _candidates(calibration)
    reach = 2 * half
    height, width = image.shape[:2]
    inside = (places >= reach).all(axis=1) & (places < np.array([width - reach, height - reach])).all(axis=1)
    places = places[inside]
    if len(places) < _LEAST_SITES:
        return None
    span = np.arange(-half, half + 1)
    dense = np.stack(np.meshgrid(span, span), axis=-1).reshape(-1, 2).astype(np.float64)
    raw = read_patches(smoothed(image), places, dense)
    keep = raw.std(axis=1) > _LEAST_CONTRAST
    if keep.sum() < _LEAST_SITES:
        return None
    side = len(span)
    square = raw[keep].reshape(-1, side, side)
    slopes = np.stack([np.gradient(square, axis=2), np.gradient(square, axis=1)], axis=-1)
    # After smoothing, every second pixel says as much as all of them.
    thin = np.s_[:, ::_THIN, ::_THIN]
    values = square[thin].reshape(len(square), -1)
    offsets = dense.reshape(side, side, 2)[::_THIN, ::_THIN].reshape(-1, 2)
    gradient = slopes[thin].reshape(len(square), -1, 2) / values.std(axis=1)[:, None, None]
    return Sites(places[keep], offsets, normalised(values), gradient, half)


def smoothed(image: NDArray[np.uint8]) -> NDArray[np.float32]:
    """A BGR picture in grey, a little smoothed: the grain goes, edges stay."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.GaussianBlur(grey, (5, 5), _BLUR_PX), dtype=np.float32)


def read_patches(picture: NDArray[Any], places: Array, offsets: Array) -> Array:
    """What a picture shows at places + offsets: (N, M) of a grey one, (N, M, 3) of a coloured one."""
    where = (places[:, None, :] + offsets[None]).astype(np.float32)
    read = cv2.remap(picture, where[..., 0], where[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(read, dtype=np.float64)


def normalised(values: Array) -> Array:
    """Every row with mean 0 and standard deviation 1; a plain row becomes zeros."""
    centred = values - values.mean(axis=1, keepdims=True)
    spread = centred.std(axis=1, keepdims=True)
    return np.asarray(np.where(spread > 1e-6, centred / np.maximum(spread, 1e-6), 0.0), dtype=np.float64)


def detail_of(values: Array) -> Array:
    """The mean squared slope of normalised patches (N, M): falls when the picture gets out of focus."""
    side = round(values.shape[1] ** 0.5)
    square = values.reshape(-1, side, side)
    du, dv = np.diff(square, axis=2), np.diff(square, axis=1)
    return np.asarray(np.square(du).mean(axis=(1, 2)) + np.square(dv).mean(axis=(1, 2)), dtype=np.float64)


def _candidates(calibration: RingCalibration) -> Array:
    """Pixels (N, 2) of corners, posts and points along the mat's edges."""
    spec = calibration.spec
    corners = spec.corners()
    points = [corners]
    for share in _POST_SHARES if spec.post_height_cm > 0 else ():
        posts = spec.post_feet()
        posts[:, 2] = share * spec.post_height_cm
        points.append(posts)
    along = (np.arange(_PER_SIDE) + 0.5)[:, None] / _PER_SIDE
    for begin, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        points.append(begin + along * (end - begin))
    return calibration.camera.project(np.concatenate(points))
