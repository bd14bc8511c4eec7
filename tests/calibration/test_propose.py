"""Corners and post tops proposed from the picture alone are where a careful person would click."""

from __future__ import annotations

import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.errors import CalibrationError
from calibration.propose import propose
from calibration.propose_edges import refined_corners
from calibration.propose_mat import ordered, rough_mat
from tests.calibration.rings import CLIPS, ideal_spec, load_clip, looking_at, ring_with_posts

CAMERA = looking_at((10.0, -60.0, 95.0), focal=1000.0)
SPEC = ideal_spec(CAMERA)
WITHIN_PX = 3.0


def grainy(seed: int = 0) -> np.ndarray:
    picture = ring_with_posts(CAMERA, SPEC)
    noise = np.random.default_rng(seed).normal(0, 3, picture.shape)
    return (picture + noise).clip(0, 255).astype(np.uint8)


def test_corners_and_tops_are_found_without_a_click() -> None:
    found = propose(grainy(), SPEC.width_cm, SPEC.depth_cm, SPEC.post_height_cm)
    assert np.linalg.norm(found.corners_px - SPEC.corners_px, axis=1).max() < 1.0
    assert SPEC.post_tops_px is not None
    assert np.linalg.norm(found.post_tops_px - SPEC.post_tops_px, axis=1).max() < WITHIN_PX
    assert 0.5 < found.score <= 1.0


def test_figures_on_the_mat_and_over_its_edge_only_bite_pieces_out() -> None:
    picture = grainy()
    middle = tuple(int(c) for c in SPEC.corners_px.mean(axis=0))
    near = tuple(int(c) for c in SPEC.corners_px[2:].mean(axis=0))
    for at, colour in ((middle, (40, 40, 190)), (near, (60, 150, 40))):
        cv2.circle(picture, at, 45, colour, -1)
    mat = rough_mat(picture)
    assert mat is not None
    corners = refined_corners(picture, mat.corners, 13.0)
    assert np.linalg.norm(corners - SPEC.corners_px, axis=1).max() < 1.5


@pytest.mark.parametrize("away", [2.0, 5.0])
def test_refining_finds_the_same_corners_from_anywhere_near(away: float) -> None:
    rng = np.random.default_rng(5)
    corners = refined_corners(grainy(), SPEC.corners_px + rng.uniform(-away, away, (4, 2)), 13.0)
    assert np.linalg.norm(corners - SPEC.corners_px, axis=1).max() < 1.0


def test_where_there_is_no_edge_the_corners_stay_where_they_were() -> None:
    plain = np.full((720, 1280, 3), 128, np.uint8)
    assert refined_corners(plain, SPEC.corners_px, 13.0) == pytest.approx(SPEC.corners_px)


@pytest.mark.parametrize("turn", range(4))
def test_corners_are_put_in_order_however_they_come(turn: int) -> None:
    shuffled = np.roll(SPEC.corners_px, turn, axis=0)[::-1]
    assert ordered(shuffled) == pytest.approx(SPEC.corners_px)


def test_a_picture_without_a_mat_is_refused_with_what_to_do() -> None:
    with pytest.raises(CalibrationError, match="click the four corners"):
        propose(np.full((720, 1280, 3), 128, np.uint8), 70.0, 66.0, 16.0)


def test_a_chequered_mat_is_refused_rather_than_misjudged() -> None:
    picture = grainy()
    turn = cv2.getPerspectiveTransform(
        np.array([[0, 0], [8, 0], [8, 8], [0, 8]], np.float32), SPEC.corners_px.astype(np.float32)
    )
    for row, column in np.argwhere(np.indices((8, 8)).sum(axis=0) % 2):
        corners = np.array(
            [[column, row], [column + 1, row], [column + 1, row + 1], [column, row + 1]], float
        )
        seen = cv2.perspectiveTransform(corners.reshape(-1, 1, 2), turn).reshape(-1, 2)
        cv2.fillConvexPoly(picture, np.round(seen).astype(np.int32), (40, 45, 60))
    with pytest.raises(CalibrationError, match="plain colour"):
        propose(picture, SPEC.width_cm, SPEC.depth_cm, SPEC.post_height_cm)


@pytest.mark.parametrize(
    "name",
    [
        *(f"chessboards_oblique/{name}.jpg" for name in ("13", "2", "5", "9", "cc8")),
        "draughts_aruco/board-v2.jpg",
        "goban_oblique/goban_1.jpg",
    ],
)
def test_real_boards_with_bold_patterns_are_refused(name: str) -> None:
    root = os.environ.get("PALMO_DATA")
    if root is None or not (Path(root) / "real" / "f_quads").is_dir():
        pytest.skip("PALMO_DATA with the real boards is not set")
    picture = cv2.imread(str(Path(root) / "real" / "f_quads" / name))
    assert picture is not None
    assert rough_mat(np.asarray(picture, np.uint8)) is None


@pytest.mark.slow
@pytest.mark.parametrize("name", CLIPS)
def test_on_the_clips_every_proposal_is_right(name: str) -> None:
    clip = load_clip(name)
    spec = clip.spec
    found = propose(clip.first, spec.width_cm, spec.depth_cm, spec.post_height_cm)
    for proposed, true in (
        (found.corners_px, clip.truth.project(spec.corners())),
        (found.post_tops_px, clip.truth.project(spec.post_tops())),
    ):
        assert np.linalg.norm(proposed - true, axis=1).max() < WITHIN_PX


def test_a_hand_over_a_corner_leaves_even_that_corner_right() -> None:
    picture = grainy()
    u, v = (int(c) for c in SPEC.corners_px[3])
    cv2.ellipse(picture, (u - 60, v + 30), (150, 60), -30, 0, 360, (150, 175, 225), -1)
    found = propose(picture, SPEC.width_cm, SPEC.depth_cm, SPEC.post_height_cm)
    assert np.linalg.norm(found.corners_px - SPEC.corners_px, axis=1).max() < WITHIN_PX
