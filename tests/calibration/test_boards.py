"""Printed boards are what OpenCV expects, and are found in pictures to a twentieth of a pixel."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.boards import Board
from calibration.boards_find import BoardView, NotUsed, find_board
from calibration.errors import CalibrationError
from tests.calibration.board_pictures import photographed, webcam


@pytest.mark.parametrize("squares", [(10, 7), (9, 6), (5, 8)])
def test_what_is_printed_is_the_board_that_is_looked_for(squares: tuple[int, int]) -> None:
    board = Board("charuco", squares)
    fine = 14
    drawn = np.full((round(squares[1] * 25 * fine), round(squares[0] * 25 * fine)), 255, np.uint8)
    for x, y, w, h in board.dark():
        drawn[round(y * fine) : round((y + h) * fine), round(x * fine) : round((x + w) * fine)] = 0
    expected = board.opencv().generateImage(drawn.shape[::-1], marginSize=0)
    # OpenCV rounds every marker to whole pixels of its own.
    assert np.mean(drawn != expected) < 0.01
    assert np.allclose(board.points(), board.opencv().getChessboardCorners())


@pytest.mark.parametrize("kind", ["charuco", "chessboard"])
def test_corners_are_found_to_a_twentieth_of_a_pixel(kind: str) -> None:
    board, lens = Board(kind), webcam()  # type: ignore[arg-type]
    rvec, tvec = np.array([0.25, -0.3, 0.05]), np.array([-12.0, -8.0, 48.0])
    view = find_board(photographed(board, lens, rvec, tvec), board, "one")
    assert isinstance(view, BoardView)
    assert len(view.ids) >= 50
    truth = cv2.projectPoints(view.points(board), rvec, tvec, lens.K, lens.dist)[0].reshape(-1, 2)
    assert np.sqrt(np.square(view.pixels - truth).sum(axis=1).mean()) < 0.05


def test_a_part_of_a_charuco_board_is_enough_and_of_a_chessboard_is_not() -> None:
    lens, cut = webcam(), np.array([5.0, -8.0, 45.0])
    for kind, seen in (("charuco", True), ("chessboard", False)):
        board = Board(kind)  # type: ignore[arg-type]
        view = find_board(photographed(board, lens, np.array([0.1, 0.2, 0.0]), cut), board, "cut")
        assert isinstance(view, BoardView) is seen
        if isinstance(view, BoardView):
            assert 8 <= len(view.ids) < 54


def test_what_is_not_used_says_why() -> None:
    board, lens = Board("chessboard"), webcam()
    empty = np.full((480, 640), 120, np.uint8)
    assert find_board(empty, board, "empty") == NotUsed("empty", "no_board")
    far = photographed(board, lens, np.zeros(3), np.array([-12.0, -8.0, 250.0]))
    assert find_board(far, board, "far") in (NotUsed("far", "small"), NotUsed("far", "no_board"))
    sharp = photographed(board, lens, np.array([0.1, 0.2, 0.0]), np.array([-12.0, -8.0, 42.0]))
    smeared = np.asarray(cv2.blur(sharp, (17, 17)), np.uint8)
    assert find_board(smeared, board, "smeared") == NotUsed("smeared", "blurred")


@pytest.mark.parametrize(
    ("kind", "squares", "mm", "told"),
    [
        ("charuco", (2, 7), 25.0, "between 3 and 40"),
        ("charuco", (10, 99), 25.0, "between 3 and 40"),
        ("charuco", (30, 30), 25.0, "more than the 250 markers"),
        ("chessboard", (10, 7), 0.0, "squares of 0 mm"),
        ("chessboard", (10, 7), float("nan"), "squares of nan mm"),
    ],
)
def test_impossible_boards_are_refused(kind: str, squares: tuple[int, int], mm: float, told: str) -> None:
    with pytest.raises(CalibrationError, match=told):
        Board(kind, squares, mm)  # type: ignore[arg-type]
