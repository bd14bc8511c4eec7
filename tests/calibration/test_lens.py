"""Lenses: the numbers are right, the error bars hold, and what is wrong or missing is named."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.boards import Board
from calibration.boards_find import BoardView, find_board
from calibration.camera import Array
from calibration.errors import CalibrationError
from calibration.heldout import Verdict
from calibration.intrinsics import Intrinsics
from calibration.lens_check import check_lens, ring_seen_by, widened_lens
from calibration.lens_cover import Coverage, apart, covered, rough_normal
from calibration.lens_fit import LensFit, fit_lens
from calibration.projection import project
from calibration.solve import calibrate
from tests.calibration.board_pictures import photographed, poses, webcam

BOARD = Board()


def seen(lens: Intrinsics, rvec: Array, tvec: Array, noise: Array | float, name: str) -> BoardView:
    """A view by projection, with noise (54, 2) in pixels, cut at the picture's edge."""
    points = BOARD.points()
    pixels = cv2.projectPoints(points, rvec, tvec, lens.K, lens.dist)[0].reshape(-1, 2) + noise
    inside = ((pixels > 2) & (pixels < np.array(lens.size) - 3)).all(axis=1)
    return BoardView(name, np.flatnonzero(inside), np.asarray(pixels[inside], np.float64), lens.size)


def simulated(lens: Intrinsics, count: int, sd: float, seed: int) -> list[BoardView]:
    rng = np.random.default_rng(seed)
    return [
        seen(lens, rvec, tvec, rng.normal(0, sd, (54, 2)), str(number))
        for number, (rvec, tvec) in enumerate(poses(BOARD, count))
    ]


def coverage_of(fit: LensFit) -> Coverage:
    return covered([one.view for one in fit.views], [one.lean for one in fit.views])


def test_a_lens_is_found_from_pictures() -> None:
    lens = webcam()
    pictures = [photographed(BOARD, lens, *pose, seed=n) for n, pose in enumerate(poses(BOARD, 11))]
    views = [find_board(picture, BOARD, str(n)) for n, picture in enumerate(pictures)]
    fit = fit_lens([view for view in views if isinstance(view, BoardView)], BOARD)
    assert len(fit.views) >= 10
    assert fit.rms_px < 0.08
    assert np.allclose(fit.intrinsics.K, lens.K, atol=1.5)
    check = check_lens(fit, BOARD, coverage_of(fit))
    assert check.verdict is Verdict.GOOD
    assert check.worst_mm < 0.2
    # Where a pixel looks is what counts: to a sixth of a pixel in all of the picture that was covered.
    grid = np.stack(np.meshgrid(np.linspace(60, 580, 9), np.linspace(50, 430, 7)), axis=-1).reshape(-1, 1, 2)
    there = cv2.undistortPoints(grid, lens.K, lens.dist).reshape(-1, 2)
    rays = np.column_stack([there, np.ones(len(there))])
    back = cv2.projectPoints(rays, np.zeros(3), np.zeros(3), fit.intrinsics.K, fit.intrinsics.dist)[0]
    assert np.abs(back.reshape(-1, 2) - grid.reshape(-1, 2)).max() < 0.7


def test_the_error_bars_of_a_lens_hold() -> None:
    """95 % intervals of all nine numbers contain the truth in 93 to 97 % of 600 cases (binomial)."""
    lens = webcam()
    inside = []
    for seed in range(70):
        fit = fit_lens(simulated(lens, 10, 0.25, seed), BOARD).intrinsics
        assert fit.covariance is not None
        inside.append(np.abs(fit.vector() - lens.vector()) < 1.96 * np.sqrt(np.diag(fit.covariance)))
    assert 0.92 <= np.mean(inside) <= 0.98


def test_the_error_over_a_ring_is_as_large_as_is_said() -> None:
    lens = webcam()
    spec, camera = ring_seen_by(lens)
    points = np.array([[x, y, 10.0] for x in (-30, 0, 30) for y in (-30, 0, 30)])
    off, told = [], []
    for seed in range(25):
        fit = fit_lens(simulated(lens, 10, 0.5, seed), BOARD)
        told.append(check_lens(fit, BOARD, coverage_of(fit)).expected_mm)
        found = fit.intrinsics
        ring = calibrate(spec, lens.size, intrinsics=Intrinsics(found.K, found.dist, found.size))
        away = ring.camera.to_plane(camera.project(points), 10.0) - points[:, :2]
        off.append(10 * np.sqrt(np.square(away).sum(axis=1).mean()))
    ratio = np.sqrt(np.square(off).mean()) / np.sqrt(np.square(told).mean())
    assert 0.5 < ratio < 1.6


def test_a_view_that_all_others_contradict_is_named_and_left_out() -> None:
    lens = webcam()
    views = simulated(lens, 12, 0.1, 3)
    bent = views[4].pixels + 2.5 * np.sin(views[4].ids[:, None] / np.array([2.0, 3.0]))
    views[4] = BoardView("bent", views[4].ids, bent, lens.size)
    fit = fit_lens(views, BOARD)
    assert [one.view.name for one in fit.odd] == ["bent"]
    everything = fit_lens(views, BOARD, keep_all=True)
    assert everything.odd == ()
    assert everything.rms_px > 3 * fit.rms_px
    assert abs(fit.intrinsics.K[0, 0] - 560) < abs(everything.intrinsics.K[0, 0] - 560)


def test_too_few_views_are_refused() -> None:
    with pytest.raises(CalibrationError, match="only 3 pictures"):
        fit_lens(simulated(webcam(), 3, 0.1, 0), BOARD)


def test_a_board_that_never_leans_is_told_to_lean() -> None:
    """Seen from straight above a plane says nothing about the focal length."""
    lens = webcam(dist=(0.0,) * 5)
    rng = np.random.default_rng(0)
    views = [
        seen(lens, np.zeros(3), np.array([x, y, 60.0]), rng.normal(0, 0.1, (54, 2)), f"{x} {y}")
        for x in (-18.0, -12.0, -6.0)
        for y in (-14.0, -9.0, -4.0)
    ]
    coverage = covered(views, [rough_normal(view, BOARD) for view in views])
    assert coverage.missing_leans == ("left_right", "up_down")
    with pytest.raises(CalibrationError, match="leaning to the left"):
        fit_lens(views, BOARD)


def test_what_is_still_empty_is_named() -> None:
    lens = webcam()
    views = [
        seen(lens, np.array([0.0, 0.35, 0.0]), np.array([-19.0, y, 48.0]), 0.0, str(y)) for y in (-15.0, -8.0)
    ]
    coverage = covered(views, [rough_normal(view, BOARD) for view in views])
    assert "upper_right" in coverage.empty
    assert "left" not in coverage.empty
    assert coverage.missing_leans == ("up_down",)
    assert not coverage.complete
    assert apart(views[0], views[1], BOARD) > 0.05
    assert apart(views[0], views[0], BOARD) == pytest.approx(0.0, abs=1e-6)


def test_a_very_wide_lens_is_fitted_with_its_own_model() -> None:
    K, bend = np.array([[300.0, 0, 320], [0, 300, 240], [0, 0, 1]]), np.array([0.02, -0.01, 0.003, -0.001])
    rng = np.random.default_rng(5)
    views = []
    for number, (rvec, tvec) in enumerate(poses(BOARD, 14)):
        near = tvec * np.array([1.6, 1.6, 0.62])
        points = BOARD.points().reshape(-1, 1, 3)
        pixels = cv2.fisheye.projectPoints(points, rvec, near, K, bend)[0].reshape(-1, 2)
        inside = ((pixels > 2) & (pixels < np.array([637, 477]))).all(axis=1)
        pixels = pixels + rng.normal(0, 0.1, pixels.shape)
        kept = np.asarray(pixels[inside], np.float64)
        views.append(BoardView(str(number), np.flatnonzero(inside), kept, (640, 480)))
    wide, plain = (fit_lens(views, BOARD, wide=way, keep_all=True) for way in (True, False))
    assert wide.rms_px < 0.16 < plain.rms_px
    angle = np.radians(np.linspace(-40, 40, 9))
    rays = np.column_stack([np.tan(angle), np.zeros(9), np.ones(9)])
    truth = cv2.fisheye.projectPoints(rays.reshape(-1, 1, 3), np.zeros(3), np.zeros(3), K, bend)[0]
    found = wide.intrinsics
    assert found.wide
    assert found.covariance is not None
    said = project(rays, np.zeros(3), np.zeros(3), found.K, found.dist, wide=True)
    assert np.abs(said - truth.reshape(-1, 2)).max() < 1.0
    off = np.abs(found.vector()[:8] - [300, 300, 320, 240, *bend])
    assert (off < 4 * np.sqrt(np.diag(found.covariance)[:8])).all()


def test_bars_are_widened_when_halves_disagree() -> None:
    fit = fit_lens(simulated(webcam(), 12, 0.2, 9), BOARD)
    check = check_lens(fit, BOARD, coverage_of(fit))
    wider = widened_lens(fit, check)
    assert wider.covariance is not None
    assert fit.intrinsics.covariance is not None
    factor = np.sqrt(wider.covariance[0, 0] / fit.intrinsics.covariance[0, 0])
    assert factor == pytest.approx(max(1.0, check.worst_mm / check.expected_mm))
