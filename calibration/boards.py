"""Calibration boards: what is printed on them, and where their corners lie.

Board frame: centimetres, origin at the upper left of the squares, x to the right, y down the page, z into it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array
from calibration.errors import CalibrationError
from calibration.sentences import Said

Kind = Literal["chessboard", "charuco"]
Rectangle = tuple[float, float, float, float]
"""A dark rectangle of a sheet as x, y, width, height in millimetres from the upper left, y down."""

# A marker's share of its square. What is left is white: the corner of a square is measured in a window as
# large as that, and a marker inside the window bends the result by half a pixel.
MARKER_SHARE = 0.64
# 250 markers of 5 x 5 cells: enough for any board that fits on a table, and far apart from each other.
_DICTIONARY = cv2.aruco.DICT_5X5_250
_MARKERS = 250
_FEWEST, _MOST = 3, 40


@dataclass(frozen=True)
class Board:
    """A flat board of `squares` (columns, rows) with sides of square_mm.

    A chessboard must be seen whole; of a ChArUco board, whose white squares carry markers, any part will do.
    Raises CalibrationError for a board that cannot be.
    """

    kind: Kind = "charuco"
    squares: tuple[int, int] = (10, 7)
    square_mm: float = 25.0

    def __post_init__(self) -> None:
        """Check the numbers."""
        columns, rows = self.squares
        if not all(_FEWEST <= count <= _MOST for count in self.squares):
            raise CalibrationError(
                Said(
                    "error.board.squares",
                    "a board of {columns} x {rows} squares: give between {fewest} and {most} each way, "
                    "such as 10x7",
                    columns=columns,
                    rows=rows,
                    fewest=_FEWEST,
                    most=_MOST,
                )
            )
        if self.kind == "charuco" and columns * rows // 2 > _MARKERS:
            raise CalibrationError(
                Said(
                    "error.board.markers",
                    "a ChArUco board of {columns} x {rows} squares needs more than the {most} markers there "
                    "are: give fewer squares",
                    columns=columns,
                    rows=rows,
                    most=_MARKERS,
                )
            )
        if not 1.0 <= self.square_mm <= 500.0:
            raise CalibrationError(
                Said(
                    "error.board.size",
                    "squares of {mm} mm: measure the side of a square in millimetres, 1 to 500",
                    mm=self.square_mm,
                )
            )

    @property
    def inner(self) -> tuple[int, int]:
        """The inner corners, columns and rows: one fewer than squares."""
        return self.squares[0] - 1, self.squares[1] - 1

    def points(self) -> Array:
        """The inner corners in the board frame, (N, 3) in cm, row by row."""
        columns, rows = self.inner
        across, down = np.meshgrid(np.arange(1, columns + 1), np.arange(1, rows + 1))
        flat = np.column_stack([across.ravel(), down.ravel(), np.zeros(columns * rows)])
        return np.asarray(flat * self.square_mm / 10.0, dtype=np.float64)

    def opencv(self) -> cv2.aruco.CharucoBoard:
        """OpenCV's description of a ChArUco board, in cm."""
        side = self.square_mm / 10.0
        return cv2.aruco.CharucoBoard(self.squares, side, MARKER_SHARE * side, _dictionary())

    def dark(self) -> list[Rectangle]:
        """Everything dark on the board, in mm; rectangles of one run of cells each, which do not overlap."""
        squares = [
            (column * self.square_mm, row * self.square_mm, self.square_mm, self.square_mm)
            for row in range(self.squares[1])
            for column in range(self.squares[0])
            if (row + column) % 2 == 0
        ]
        return squares if self.kind == "chessboard" else squares + self._markers()

    def _markers(self) -> list[Rectangle]:
        """The markers lie in the white squares, numbered row by row."""
        inset = (1.0 - MARKER_SHARE) / 2 * self.square_mm
        white = [
            (column, row)
            for row in range(self.squares[1])
            for column in range(self.squares[0])
            if (row + column) % 2 == 1
        ]
        found: list[Rectangle] = []
        for number, (column, row) in enumerate(white):
            x, y = column * self.square_mm + inset, row * self.square_mm + inset
            side = MARKER_SHARE * self.square_mm
            found += [(x + a, y + b, c, d) for a, b, c, d in cells(_dictionary(), number, side)]
        return found


def cells(dictionary: cv2.aruco.Dictionary, number: int, side_mm: float) -> list[Rectangle]:
    """The dark cells of a marker of this side with its border, as runs along its rows."""
    across = dictionary.markerSize + 2
    bits: NDArray[np.uint8] = np.asarray(
        dictionary.generateImageMarker(number, across, borderBits=1), np.uint8
    )
    step = side_mm / across
    runs: list[Rectangle] = []
    for row, line in enumerate(bits):
        edges = np.flatnonzero(np.diff(np.concatenate([[1], (line > 0).astype(int), [1]])))
        runs += [
            (a * step, row * step, (b - a) * step, step) for a, b in zip(edges[::2], edges[1::2], strict=True)
        ]
    return runs


def _dictionary() -> cv2.aruco.Dictionary:
    return cv2.aruco.getPredefinedDictionary(_DICTIONARY)
