"""On photographs of real boards, four corners alone place the inner crossings as well as stated.

The boards' sizes are not recorded: a chess field is taken as 40 cm square, a go board as 42.4 x 45.4 cm. The
crossings are found by corner refinement in the picture and were no part of the calibration.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.camera import Array
from calibration.ring import RingSpec
from calibration.solve import calibrate


def board(folder: str, name: str, key: str) -> tuple[NDArray[np.uint8], Array]:
    root = os.environ.get("PALMO_DATA")
    if root is None or not (Path(root) / "real" / "f_quads").is_dir():
        pytest.skip("PALMO_DATA with the real boards is not set")
    path = Path(root) / "real" / "f_quads" / folder
    corners = json.loads((path / "GROUND_TRUTH.json").read_text())["images"][name][key]
    picture = cv2.imread(str(path / name), cv2.IMREAD_GRAYSCALE)
    assert picture is not None
    return np.asarray(picture, dtype=np.uint8), np.array(corners)


def crossings_off(picture: NDArray[np.uint8], spec: RingSpec, cells: tuple[int, int], sd_px: float) -> Array:
    """Per inner crossing: how far its place is from where it belongs, in cm and in stated sds, (N, 2)."""
    found = calibrate(spec, (picture.shape[1], picture.shape[0]), corner_sd_px=sd_px)
    assert 0.6 < found.camera.K[0, 0] / max(found.size) < 1.2
    steps = [np.linspace(-half, half, count + 1)[1:-1] for half, count in zip(spec.half, cells, strict=True)]
    x, y = (axis.ravel() for axis in np.meshgrid(*steps))
    start = found.camera.project(np.column_stack([x, y, np.zeros(len(x))])).astype(np.float32)
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_COUNT, 40, 0.01)
    refined = cv2.cornerSubPix(picture, start.reshape(-1, 1, 2), (7, 7), (-1, -1), criteria).reshape(-1, 2)
    xy, covariance = found.plane_points(refined.astype(np.float64), 0.0, np.eye(2) * sd_px**2)
    away = np.hypot(xy[:, 0] - x, xy[:, 1] - y)
    return np.column_stack([away, away / np.sqrt(np.trace(covariance, axis1=1, axis2=2))])


@pytest.mark.parametrize("name", ["13.jpg", "5.jpg", "9.jpg", "cc8.jpg"])
def test_chess_boards(name: str) -> None:
    picture, corners = board("chessboards_oblique", name, "field_corners_px")
    off = crossings_off(picture, RingSpec(40.0, 40.0, 0.0, corners), (8, 8), 2.0)
    assert np.median(off[:, 0]) <= 0.45
    assert np.percentile(off[:, 1], 90) <= 2.0


def test_a_go_board() -> None:
    picture, corners = board("goban_oblique", "goban_1.jpg", "line_corners_px")
    off = crossings_off(picture, RingSpec(42.4, 45.4, 0.0, corners), (18, 18), 1.5)
    assert np.median(off[:, 0]) <= 0.3
    assert np.percentile(off[:, 1], 90) <= 2.0
