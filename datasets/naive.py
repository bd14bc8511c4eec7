"""The method everybody starts with: HSV, a range per colour, contours, the largest one wins."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.arrays import Image, as_bytes
from vision.fighters import FighterSpec

# Half widths of the range around the taught colour, as tutorials choose them.
_HUE, _SATURATION, _VALUE = 10, 70, 70
_HUES = 180


class NaiveFinder:
    """Ranges taught from the fighters' boxes on the first picture (H, W, 3) BGR."""

    def __init__(self, first: Image, fighters: Sequence[FighterSpec]) -> None:
        hsv = as_bytes(cv2.cvtColor(first, cv2.COLOR_BGR2HSV))
        self._ranges = {one.id: _range(hsv, one) for one in fighters if one.colour_box_px is not None}

    def find(self, image: Image) -> dict[str, tuple[float, float]]:
        """The middle (u, v) of the largest contour of each fighter's colour."""
        hsv = cv2.cvtColor(image, cv2.COLOR_BGR2HSV)
        found = {}
        for name, ranges in self._ranges.items():
            mask = cv2.inRange(hsv, *ranges[0])
            for low, high in ranges[1:]:
                mask = cv2.bitwise_or(mask, cv2.inRange(hsv, low, high))
            contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
            if contours:
                moments = cv2.moments(max(contours, key=cv2.contourArea))
                if moments["m00"] > 0:
                    found[name] = (moments["m10"] / moments["m00"], moments["m01"] / moments["m00"])
        return found


def _range(hsv: Image, fighter: FighterSpec) -> list[tuple[Image, Image]]:
    """One range, or two where the hue wraps around red."""
    assert fighter.colour_box_px is not None
    u, v, w, h = (round(number) for number in fighter.colour_box_px)
    hue, saturation, value = (int(x) for x in np.median(hsv[v : v + h, u : u + w].reshape(-1, 3), axis=0))
    rest = [(max(x - d, 0), min(x + d, 255)) for x, d in ((saturation, _SATURATION), (value, _VALUE))]
    hues = [(hue - _HUE, hue + _HUE)]
    if hue < _HUE:
        hues = [(0, hue + _HUE), (_HUES + hue - _HUE, _HUES - 1)]
    elif hue > _HUES - 1 - _HUE:
        hues = [(hue - _HUE, _HUES - 1), (0, hue + _HUE - _HUES)]
    return [
        (
            np.array([low, rest[0][0], rest[1][0]], np.uint8),
            np.array([high, rest[0][1], rest[1][1]], np.uint8),
        )
        for low, high in hues
    ]
