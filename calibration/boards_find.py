"""Finding a calibration board in a picture: its corners to a fraction of a pixel, or why there are none."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.boards import MARKER_SHARE, Board
from calibration.camera import Array

Grey = NDArray[np.uint8]
# Boards are looked for on a picture of about this width and measured on the whole one.
_SEARCH_PX = 1280
# A corner is refined inside this share of the distance to its nearest neighbour: a window of fixed size
# reaches over the next square of a small board, or into a marker, which bends the result.
_WINDOW_SHARE = {"chessboard": 0.4, "charuco": (1.0 - MARKER_SHARE) / 2}
_SMALLEST_WINDOW, _LARGEST_WINDOW = 2, 11
# Closer corners than this cannot be told apart well enough.
_CLOSEST_PX = 7.0
# Fewer corners of a ChArUco board do not fix where it is.
_FEWEST = 8
# The edges of squares may be this wide from dark to bright, in pixels of a picture of _SEARCH_PX.
_BLURRED_PX = 6.0


@dataclass(frozen=True, eq=False)
class BoardView:
    """A board seen in one picture: `ids` (N,) are rows of `Board.points()`, pixels (N, 2)."""

    name: str
    ids: NDArray[np.intp]
    pixels: Array
    size: tuple[int, int]

    def hull(self) -> NDArray[np.float32]:
        """The outline of its corners, (M, 2)."""
        return np.asarray(cv2.convexHull(self.pixels.astype(np.float32)), np.float32).reshape(-1, 2)

    def points(self, board: Board) -> Array:
        """The corners seen, (N, 3), in the board frame in cm."""
        return board.points()[self.ids]


@dataclass(frozen=True)
class NotUsed:
    """A picture that is not used: `why` is the key of the reason in REASONS."""

    name: str
    why: str


REASONS = ("no_board", "part", "small", "blurred", "moving", "known", "size", "outlier", "many", "unread")
"""Why a picture is not used: no board in it, too little of the board, too small, not sharp, not still,
hardly other than one used, another size, contradicted by all others, enough without it, no picture."""


def find_board(
    image: NDArray[np.uint8], board: Board, name: str, window_px: int | None = None
) -> BoardView | NotUsed:
    """The board in a picture (H, W, 3) or (H, W).

    window_px fixes the half width of the window corners are refined in; left out, it follows the board.
    """
    grey: Grey = image if image.ndim == 2 else np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    step = max(1.0, max(grey.shape) / _SEARCH_PX)
    small = grey if step == 1.0 else _shrunk(grey, step)
    found = _chessboard(small, board) if board.kind == "chessboard" else _charuco(small, board)
    if found is None:
        return NotUsed(name, "no_board")
    ids, pixels = found
    if len(ids) < _FEWEST:
        return NotUsed(name, "part")
    # Pixel centres are at integers: a shrunken picture's first one lies in the middle of a block.
    pixels = (pixels + 0.5) * step - 0.5
    spacing = _spacing(pixels)
    if spacing / step < _CLOSEST_PX:
        return NotUsed(name, "small")
    if board.kind == "chessboard" and _edge_width(small, board, (pixels + 0.5) / step - 0.5) > _BLURRED_PX:
        return NotUsed(name, "blurred")
    half = window_px or int(
        np.clip(_WINDOW_SHARE[board.kind] * spacing, _SMALLEST_WINDOW, _LARGEST_WINDOW * step)
    )
    refined = _refined(grey, pixels, half)
    return BoardView(name, ids, refined, (grey.shape[1], grey.shape[0]))


def _shrunk(grey: Grey, step: float) -> Grey:
    size = (round(grey.shape[1] / step), round(grey.shape[0] / step))
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)


def _chessboard(grey: Grey, board: Board) -> tuple[NDArray[np.intp], Array] | None:
    flags = cv2.CALIB_CB_ADAPTIVE_THRESH | cv2.CALIB_CB_NORMALIZE_IMAGE | cv2.CALIB_CB_FAST_CHECK
    found, corners = cv2.findChessboardCorners(grey, board.inner, flags=flags)
    if not found:
        return None
    return np.arange(len(corners)), np.asarray(corners, np.float64).reshape(-1, 2)


def _charuco(grey: Grey, board: Board) -> tuple[NDArray[np.intp], Array] | None:
    detector = cv2.aruco.CharucoDetector(board.opencv())
    corners, ids, _, _ = detector.detectBoard(grey)
    if corners is None or ids is None or len(corners) == 0:
        return None
    return np.asarray(ids, np.intp).ravel(), np.asarray(corners, np.float64).reshape(-1, 2)


def _spacing(pixels: Array) -> float:
    """The smallest distance between two corners that are neighbours."""
    apart = np.linalg.norm(pixels[:, None] - pixels[None], axis=2)
    apart[np.diag_indices(len(pixels))] = np.inf
    return float(np.quantile(apart.min(axis=1), 0.1))


def _edge_width(grey: Grey, board: Board, pixels: Array) -> float:
    """How many pixels the edges of a whole chessboard's squares take from dark to bright, on average."""
    corners = pixels.astype(np.float32).reshape(-1, 1, 2)
    sharpness, _ = cv2.estimateChessboardSharpness(grey, board.inner, corners)
    return float(np.ravel(sharpness)[0])


def _refined(grey: Grey, pixels: Array, half: int) -> Array:
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_COUNT, 60, 0.002)
    corners = np.ascontiguousarray(pixels, dtype=np.float32).reshape(-1, 1, 2)
    moved = cv2.cornerSubPix(grey, corners, (half, half), (-1, -1), criteria)
    return np.asarray(moved, np.float64).reshape(-1, 2)
