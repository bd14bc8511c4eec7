"""Printed tags that lie on the table at the mat's corners, so that a camera finds the corners by itself.

A tag is cut out with its white margin and laid outside the mat, upright as seen from the near side, with one
corner of the paper exactly on the mat's corner.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.boards import Rectangle, cells
from calibration.camera import Array
from calibration.ring import CORNER_SIGNS

# Few and large cells: from a webcam over a ring a cell is only five pixels wide.
_DICTIONARY = cv2.aruco.DICT_4X4_50
CELLS = 6
"""How many cells a tag has each way, its black border included."""


@dataclass(frozen=True)
class CornerTags:
    """Four tags with black squares of side_mm in white margins of margin_mm; tag i is for CORNER_NAMES[i]."""

    side_mm: float = 40.0
    margin_mm: float = 8.0

    @property
    def paper_mm(self) -> float:
        """The side of a tag as it is cut out."""
        return self.side_mm + 2 * self.margin_mm

    def dark(self, number: int) -> list[Rectangle]:
        """The dark cells of a tag in mm from the upper left of the paper that is cut out."""
        dictionary = cv2.aruco.getPredefinedDictionary(_DICTIONARY)
        runs = cells(dictionary, number, self.side_mm)
        return [(x + self.margin_mm, y + self.margin_mm, w, h) for x, y, w, h in runs]

    def touching(self, number: int) -> Array:
        """The corner of the paper that lies on the mat's corner, (2,) in mm from its upper left, y down."""
        across, away = CORNER_SIGNS[number]
        # A tag beside the far left corner touches it with its right lower corner.
        return np.array([self.paper_mm if across < 0 else 0.0, self.paper_mm if away > 0 else 0.0])

    def black_corners(self) -> Array:
        """The corners of the black square, (4, 2) in mm from the paper's upper left, clockwise from there."""
        a, b = self.margin_mm, self.margin_mm + self.side_mm
        return np.array([[a, a], [b, a], [b, b], [a, b]])


def find_corner_tags(image: NDArray[np.uint8], tags: CornerTags) -> dict[int, Array]:
    """Where the mat's corners are by the tags seen in a picture: pixels (2,) by number of the corner.

    A number seen twice is nobody's: one of the two is a mistake.
    """
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    dictionary = cv2.aruco.getPredefinedDictionary(_DICTIONARY)
    outlines, numbers, _ = cv2.aruco.ArucoDetector(dictionary, parameters).detectMarkers(image)
    seen = [] if numbers is None else [int(number) for number in np.ravel(numbers)]
    found: dict[int, Array] = {}
    for number, outline in zip(seen, outlines, strict=True):
        if number < len(CORNER_SIGNS) and seen.count(number) == 1:
            pixels = np.asarray(outline, np.float32).reshape(4, 2)
            to_picture = cv2.getPerspectiveTransform(tags.black_corners().astype(np.float32), pixels)
            corner = tags.touching(number).reshape(1, 1, 2)
            found[number] = np.asarray(cv2.perspectiveTransform(corner, to_picture), np.float64).reshape(2)
    return found
