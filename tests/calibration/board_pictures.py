"""Pictures of calibration boards with exact truth: every pixel is traced back to the board."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.boards import Board
from calibration.camera import Array
from calibration.intrinsics import Intrinsics

Picture = NDArray[np.uint8]
# The texture's pixels per millimetre and the paper around the squares.
_FINE, _PAPER_MM = 4, 15


def webcam(dist: Sequence[float] = (-0.25, 0.08, 0.001, -0.0006, 0.0)) -> Intrinsics:
    """A webcam of 640 x 480 with strong distortion."""
    K = np.array([[560.0, 0.0, 325.0], [0.0, 562.0, 236.0], [0.0, 0.0, 1.0]])
    return Intrinsics(K, np.array(dist), (640, 480))


def photographed(
    board: Board, lens: Intrinsics, rvec: Array, tvec: Array, *, noise: float = 2.0, seed: int = 0
) -> Picture:
    """The board at a pose (board cm to camera cm) as this lens sees it, grey, with noise in levels."""
    texture = _texture(board)
    u, v = np.meshgrid(np.arange(lens.size[0]), np.arange(lens.size[1]))
    pixels = np.column_stack([u.ravel(), v.ravel()]).astype(np.float64).reshape(-1, 1, 2)
    criteria = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 12, 1e-9)
    flat = cv2.undistortPoints(pixels, lens.K, lens.dist, None, None, None, criteria).reshape(-1, 2)
    rotation = np.asarray(cv2.Rodrigues(rvec)[0])
    # The ray meets the board's plane: solve a1 x + a2 y + t = s * ray.
    homography = np.linalg.inv(np.column_stack([rotation[:, :2], tvec]))
    on = np.column_stack([flat, np.ones(len(flat))]) @ homography.T
    millimetres = 10 * on[:, :2] / on[:, 2:]
    where = ((millimetres + _PAPER_MM) * _FINE - 0.5).astype(np.float32)
    across, down = (where[:, axis].reshape(lens.size[::-1]).copy() for axis in (0, 1))
    image = cv2.remap(texture, across, down, cv2.INTER_LINEAR, borderValue=(110.0,))
    grainy = np.asarray(image, np.float64) + np.random.default_rng(seed).normal(0, noise, image.shape)
    return np.asarray(np.clip(np.round(grainy), 0, 255), np.uint8)


def poses(board: Board, count: int, *, lean_deg: float = 32.0, seed: int = 1) -> list[tuple[Array, Array]]:
    """Poses that walk through the picture with the board leaning to all sides, (rvec, tvec) in cm."""
    rng = np.random.default_rng(seed)
    middle = np.array(board.squares) * board.square_mm / 20
    found = []
    for number in range(count):
        angle = 2 * np.pi * number / count
        lean = np.radians(lean_deg) * np.array([np.sin(angle), np.cos(2 * angle), 0.15 * np.sin(3 * angle)])
        rvec = lean + rng.normal(0, 0.03, 3)
        rotation = np.asarray(cv2.Rodrigues(rvec)[0])
        place = np.array([13 * np.cos(2.4 * number), 9 * np.sin(2.4 * number), 36 + 6 * np.sin(1.7 * number)])
        found.append((rvec, place - rotation @ np.array([middle[0], middle[1], 0.0])))
    return found


@lru_cache(maxsize=4)
def _texture(board: Board) -> Picture:
    """The printed sheet with a margin of paper, blurred as paper and lens blur it."""
    width, height = (round((n * board.square_mm + 2 * _PAPER_MM) * _FINE) for n in board.squares)
    sheet = np.full((height, width), 235, np.uint8)
    for x, y, w, h in board.dark():
        left, top = round((x + _PAPER_MM) * _FINE), round((y + _PAPER_MM) * _FINE)
        right, bottom = round((x + w + _PAPER_MM) * _FINE), round((y + h + _PAPER_MM) * _FINE)
        sheet[top:bottom, left:right] = 25
    return np.asarray(cv2.GaussianBlur(sheet, (0, 0), 1.2 * _FINE / 2), np.uint8)
