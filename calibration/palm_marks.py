"""Twenty-one landmarks of a hand by a small learned model, run with OpenCV alone.

The model is MediaPipe's hand landmark model (see models/ORIGIN.md). It wants a square crop with the hand in
its middle; where that is, is searched here, and sharpened by the landmarks themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array

MODEL = Path(__file__).parent / "models" / "hand_landmark_full.tflite"
WRIST, THUMB, LITTLE = 0, (1, 2, 3, 4), (17, 18, 19, 20)
INDEX, MIDDLE = (5, 6, 7, 8), (9, 10, 11, 12)
"""Joints from the palm to the tip; the wrist is landmark 0."""

_SIDE = 224
# Below the first a crop shows no hand; the second is what is found in the end.
_MAYBE, _SURE = 0.3, 0.8
# The best crops of the search are sharpened, each so often.
_BEST, _ROUNDS = 4, 3
# A crop is so many times as long as the hand from its wrist to the middle finger's root, and its middle lies
# on that line, so far from the wrist. (As in MediaPipe's own graph.)
_CROP, _ALONG = 2.9, 0.87
_QUARTERS = 4


@dataclass(frozen=True, eq=False)
class Marks:
    """Landmarks (21, 2) in pixels; sure (0 to 1) that it is a hand; right that it looks like a right one."""

    pixels: Array
    sure: float
    right: float

    @property
    def length(self) -> float:
        """From the wrist to the root of the middle finger, in pixels."""
        return float(np.linalg.norm(self.pixels[MIDDLE[0]] - self.pixels[WRIST]))


@dataclass(frozen=True, eq=False)
class Crop:
    """A square of the picture: its middle, side in pixels, and the direction that is up in it, in radians."""

    middle: Array
    side: float
    up: float

    def to_picture(self) -> Array:
        """The (2, 3) map from the model's pixels to the picture's."""
        right = np.array([-np.sin(self.up), np.cos(self.up)])
        down = -np.array([np.cos(self.up), np.sin(self.up)])
        scale = self.side / _SIDE
        start = self.middle - (right + down) * self.side / 2
        return np.column_stack([right * scale, down * scale, start])


def find_hand(image: NDArray[np.uint8], sides: Sequence[float], within: Array | None = None) -> Marks | None:
    """The surest hand in a picture (H, W, 3) BGR; None when there is none.

    sides are the lengths of the crops to try, in pixels: about twice as long as an open hand. within is a
    polygon (N, 2) that the middle of the hand lies in.
    """
    tried = [(found.sure, found) for crop in _crops(image, sides, within) if (found := _marks(image, crop))]
    best = sorted(tried, key=lambda one: -one[0])[:_BEST]
    sharpened = [_sharpened(image, marks) for sure, marks in best if sure > _MAYBE]
    sure = max(sharpened, key=lambda marks: marks.sure, default=None)
    return sure if sure is not None and sure.sure >= _SURE else None


def _crops(image: NDArray[np.uint8], sides: Sequence[float], within: Array | None) -> Iterator[Crop]:
    height, width = image.shape[:2]
    polygon = np.array([[0, 0], [width, 0], [width, height], [0, height]]) if within is None else within
    low, high = polygon.min(axis=0), polygon.max(axis=0)
    outline = polygon.astype(np.float32)
    for side in sides:
        across, down = (max(1, round(2.0 * (b - a) / side)) for a, b in zip(low, high, strict=True))
        for u in np.linspace(low[0], high[0], 2 * across + 1)[1::2]:
            for v in np.linspace(low[1], high[1], 2 * down + 1)[1::2]:
                if cv2.pointPolygonTest(outline, (float(u), float(v)), False) >= 0:
                    for quarter in range(_QUARTERS):
                        yield Crop(np.array([u, v]), side, quarter * np.pi / 2)


def _sharpened(image: NDArray[np.uint8], marks: Marks) -> Marks:
    for _ in range(_ROUNDS):
        wrist, root = marks.pixels[WRIST], marks.pixels[MIDDLE[0]]
        along = root - wrist
        crop = Crop(wrist + _ALONG * along, _CROP * marks.length, float(np.arctan2(along[1], along[0])))
        marks = _marks(image, crop)
    return marks


def _marks(image: NDArray[np.uint8], crop: Crop) -> Marks:
    there = crop.to_picture()
    cut = cv2.warpAffine(image, there, (_SIDE, _SIDE), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    net, names = _net()
    net.setInput(cv2.dnn.blobFromImage(cut, 1 / 255.0, (_SIDE, _SIDE), swapRB=True))
    out = dict(zip(names, net.forward(names), strict=True))
    points = np.asarray(out["Identity"], np.float64).reshape(21, 3)[:, :2]
    pixels = np.column_stack([points, np.ones(21)]) @ there.T
    return Marks(pixels, float(np.ravel(out["Identity_1"])[0]), float(np.ravel(out["Identity_2"])[0]))


@lru_cache(maxsize=1)
def _net() -> tuple[Any, list[str]]:
    # OpenCV 5.0 reads models with several outputs only with the classic engine; later the name is gone.
    engine = getattr(cv2.dnn, "ENGINE_CLASSIC", None)
    net = cv2.dnn.readNetFromTFLite(str(MODEL), *([] if engine is None else [engine]))
    return net, list(net.getUnconnectedOutLayersNames())
