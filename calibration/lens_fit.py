"""Fitting a lens to views of a board: its nine numbers with their covariance, and which views contradict.

Zhang, A Flexible New Technique for Camera Calibration, PAMI 2000, by OpenCV; the covariance is that of the
least squares with every view's pose eliminated (Schur complement).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.boards import Board
from calibration.boards_find import BoardView
from calibration.camera import Array
from calibration.errors import CalibrationError
from calibration.intrinsics import Intrinsics
from calibration.lens_wide import fit_wide
from calibration.sentences import Said

FEWEST_VIEWS = 4
# A view is contradicted by the others when it is this many times as far off as is usual, and by so much at
# least (in pixels of a picture 1280 wide) that it matters.
_ODD, _ODD_PX = 3.0, 0.35
# The focal lengths of cameras, in picture widths: views that never lean fit any.
_FOCAL = (0.2, 5.0)
# So many views must stay, whatever they say of each other.
_ENOUGH = 6


@dataclass(frozen=True, eq=False)
class FittedView:
    """A view with the board's pose in it (board cm to camera cm) and what the fit leaves over, (N, 2) px."""

    view: BoardView
    rvec: Array
    tvec: Array
    residual_px: Array

    @property
    def rms_px(self) -> float:
        """The root mean square distance of its corners from where the lens sees them."""
        return float(np.sqrt(np.square(self.residual_px).sum(axis=1).mean()))

    @property
    def lean(self) -> Array:
        """The board's normal (3,) in the camera frame: x says how far it leans sideways, y up or down."""
        normal = np.asarray(cv2.Rodrigues(self.rvec)[0])[:, 2]
        return np.asarray(normal if normal[2] > 0 else -normal, dtype=np.float64)


@dataclass(frozen=True, eq=False)
class LensFit:
    """A lens fitted to views; `odd` are views left out because all others contradict them.

    noise_px is the standard deviation of a corner's coordinate, as the fit found it.
    """

    intrinsics: Intrinsics
    views: tuple[FittedView, ...]
    odd: tuple[FittedView, ...]
    noise_px: float

    @property
    def rms_px(self) -> float:
        """The root mean square distance of all corners used."""
        squares = np.concatenate([np.square(view.residual_px).sum(axis=1) for view in self.views])
        return float(np.sqrt(squares.mean()))


def fit_lens(
    views: Sequence[BoardView], board: Board, *, wide: bool = False, keep_all: bool = False
) -> LensFit:
    """The lens that took these views, all of one size. Raises CalibrationError when they do not fix it.

    wide fits the wide-angle model (Kannala and Brandt); keep_all leaves no view out.
    """
    kept = list(views)
    odd: list[FittedView] = []
    while True:
        if len(kept) < FEWEST_VIEWS:
            raise CalibrationError(
                Said(
                    "error.lens.few",
                    "only {n} pictures show the board well enough: at least {fewest} are needed, better 15",
                    n=len(kept),
                    fewest=FEWEST_VIEWS,
                )
            )
        fit = _fitted(kept, board, wide=wide)
        worst = None if keep_all else _odd_one(fit)
        if worst is None:
            return LensFit(fit.intrinsics, fit.views, tuple(odd), fit.noise_px)
        odd.append(worst)
        kept = [view for view in kept if view is not worst.view]


def pixel_derivatives(fitted: FittedView, board: Board, intrinsics: Intrinsics) -> Array:
    """Derivatives (2N, 15) of a view's pixels by its pose (6) and the lens (9)."""
    points = fitted.view.points(board)
    _, jacobian = cv2.projectPoints(points, fitted.rvec, fitted.tvec, intrinsics.K, intrinsics.dist)
    return np.asarray(jacobian, dtype=np.float64)[:, :15]


def eliminated(parts: Sequence[Array]) -> Array:
    """The information (L, L) on the lens in views' derivatives (2N, 6 + L) with every pose eliminated."""
    lens = parts[0].shape[1] - 6
    total = np.zeros((lens, lens))
    for part in parts:
        pose, inner = part[:, :6], part[:, 6:]
        cross = pose.T @ inner
        total += inner.T @ inner - cross.T @ np.linalg.solve(pose.T @ pose, cross)
    return total


def inverse_information(information: Array) -> Array:
    """The covariance at noise 1 px. Raises CalibrationError when the views leave something open."""
    scale = np.sqrt(np.diag(information))
    balanced = information / np.outer(scale, scale) if (scale > 0).all() else np.zeros_like(information)
    if not np.isfinite(balanced).all() or np.linalg.eigvalsh(balanced)[0] < 1e-12:
        raise _flat()
    return np.asarray(np.linalg.inv(balanced) / np.outer(scale, scale), dtype=np.float64)


def _fitted(views: Sequence[BoardView], board: Board, *, wide: bool) -> LensFit:
    size = views[0].size
    points = [view.points(board).astype(np.float32) for view in views]
    pixels = [view.pixels.astype(np.float32).reshape(-1, 1, 2) for view in views]
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_COUNT, 200, 1e-10)
    try:
        _, K, dist, rvecs, tvecs = cv2.calibrateCamera(
            points, pixels, size, np.eye(3), np.zeros(5), criteria=criteria
        )
    except cv2.error:
        raise _flat() from None
    plain = Intrinsics(np.asarray(K, np.float64), np.asarray(dist, np.float64).ravel()[:5], size)
    if not _FOCAL[0] <= plain.K[0, 0] / max(size) <= _FOCAL[1]:
        raise _flat()
    if wide:
        return _wide(views, board, plain)
    fitted = tuple(
        _view(view, np.ravel(rvec), np.ravel(tvec), board, plain)
        for view, rvec, tvec in zip(views, rvecs, tvecs, strict=True)
    )
    covariance = inverse_information(eliminated([pixel_derivatives(view, board, plain) for view in fitted]))
    noise = _noise(fitted, 9)
    known = Intrinsics(plain.K, plain.dist, size, covariance * noise**2)
    return LensFit(known, fitted, (), noise)


def _wide(views: Sequence[BoardView], board: Board, plain: Intrinsics) -> LensFit:
    found = fit_wide([view.points(board) for view in views], [view.pixels for view in views], plain)
    fitted = tuple(
        FittedView(view, rvec, tvec, left)
        for view, rvec, tvec, left in zip(views, found.rvecs, found.tvecs, found.residuals, strict=True)
    )
    noise = _noise(fitted, 8)
    covariance = inverse_information(eliminated(found.derivatives)) * noise**2
    known = Intrinsics(found.K, found.dist, plain.size, covariance, wide=True)
    return LensFit(known, fitted, (), noise)


def _view(
    view: BoardView, rotation: NDArray[Any], place: NDArray[Any], board: Board, lens: Intrinsics
) -> FittedView:
    rvec, tvec = np.asarray(rotation, np.float64), np.asarray(place, np.float64)
    seen, _ = cv2.projectPoints(view.points(board), rvec, tvec, lens.K, lens.dist)
    return FittedView(view, rvec, tvec, view.pixels - np.asarray(seen, np.float64).reshape(-1, 2))


def _noise(views: Sequence[FittedView], lens: int) -> float:
    total = sum(float(np.square(view.residual_px).sum()) for view in views)
    freedom = sum(2 * len(view.residual_px) - 6 for view in views) - lens
    return float(np.sqrt(total / max(1, freedom)))


def _odd_one(fit: LensFit) -> FittedView | None:
    """The view that all others contradict most, if any does."""
    if len(fit.views) <= _ENOUGH:
        return None
    off = np.array([view.rms_px for view in fit.views])
    least = _ODD_PX * max(fit.intrinsics.size) / 1280
    limit = max(_ODD * float(np.median(off)), least)
    worst = int(np.argmax(off))
    return fit.views[worst] if off[worst] > limit else None


def _flat() -> CalibrationError:
    return CalibrationError(
        Said(
            "error.lens.flat",
            "these pictures do not fix the lens: hold the board at a slant, leaning to the left, to the "
            "right, forwards and backwards, and not always at the same place",
        )
    )
