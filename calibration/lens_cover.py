"""What the views of a board have shown of a lens: parts of the picture, and the board leaning which way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.boards import Board
from calibration.boards_find import BoardView
from calibration.camera import Array

PARTS = (
    "upper_left", "upper", "upper_right", "left", "middle", "right", "lower_left", "lower", "lower_right",
)  # fmt: skip
"""The nine parts of a picture, row by row."""
LEANS = ("left_right", "up_down")
"""The ways a board leans: its left or right side nearer, its upper or lower side nearer."""

# A part of the picture that the board has hardly been in: less of it is covered than this share.
_EMPTY = 0.35
# A board that leans less says little about the focal length.
_LEAN_DEG = 18.0
# So many different views are worth having.
ENOUGH_VIEWS = 15
# Covered pixels are counted on a picture of this size.
_GRID = (48, 36)
# The focal length of a usual webcam, in picture widths, until it is known.
_USUAL_FOCAL = 0.9


@dataclass(frozen=True, eq=False)
class Coverage:
    """What views have covered: `seen` (H, W) on a coarse grid over the picture, how many, and their leans.

    leans_deg are the largest angles in the order of LEANS.
    """

    views: int
    seen: NDArray[np.bool_]
    leans_deg: tuple[float, float]

    @property
    def share(self) -> float:
        """The share of the picture that the board has covered in some view."""
        return float(self.seen.mean())

    @property
    def empty(self) -> tuple[str, ...]:
        """The PARTS that are still empty."""
        rows, columns = (np.array_split(np.arange(n), 3) for n in self.seen.shape)
        shares = [self.seen[np.ix_(row, column)].mean() for row in rows for column in columns]
        return tuple(part for part, share in zip(PARTS, shares, strict=True) if share < _EMPTY)

    @property
    def missing_leans(self) -> tuple[str, ...]:
        """The LEANS that no view has shown."""
        return tuple(lean for lean, deg in zip(LEANS, self.leans_deg, strict=True) if deg < _LEAN_DEG)

    @property
    def complete(self) -> bool:
        """Whether more views would hardly help."""
        return self.views >= ENOUGH_VIEWS and not self.empty and not self.missing_leans


def covered(views: Sequence[BoardView], normals: Sequence[Array]) -> Coverage:
    """The coverage of views of one size with the board's normal (3,) in the camera frame in each."""
    seen = np.zeros(_GRID[::-1], np.uint8)
    for view in views:
        scale = np.array(_GRID) / np.array(view.size)
        outline = np.round((view.hull() + 0.5) * scale - 0.5).astype(np.int32)
        cv2.fillConvexPoly(seen, outline, 1)
    leans = np.degrees(np.arcsin(np.clip(np.abs(np.array(normals).reshape(-1, 3)[:, :2]), 0.0, 1.0)))
    sideways, upright = leans.max(axis=0, initial=0.0)
    return Coverage(len(views), seen > 0, (float(sideways), float(upright)))


def rough_normal(view: BoardView, board: Board) -> Array:
    """The board's normal (3,) in the camera frame, as a usual lens would see it: for guidance only."""
    width, height = view.size
    focal = _USUAL_FOCAL * max(width, height)
    K = np.array([[focal, 0.0, (width - 1) / 2], [0.0, focal, (height - 1) / 2], [0.0, 0.0, 1.0]])
    found, rvec, _ = cv2.solvePnP(view.points(board), view.pixels, K, np.zeros(5))
    return np.asarray(cv2.Rodrigues(rvec)[0][:, 2] if found else np.array([0.0, 0.0, 1.0]), np.float64)


def apart(one: BoardView, other: BoardView, board: Board) -> float:
    """How far the board's outline moved between two views, in picture widths."""
    outlines = [_outline(view, board) for view in (one, other)]
    return float(np.linalg.norm(outlines[0] - outlines[1], axis=1).mean() / max(one.size))


def _outline(view: BoardView, board: Board) -> Array:
    """Where the board's four outer inner-corners are in the picture, (4, 2), seen or not."""
    points = board.points()[:, :2]
    homography, _ = cv2.findHomography(points[view.ids], view.pixels)
    columns = board.inner[0]
    ends = points[[0, columns - 1, len(points) - columns, len(points) - 1]].reshape(-1, 1, 2)
    return np.asarray(cv2.perspectiveTransform(ends, np.asarray(homography)), np.float64).reshape(-1, 2)
