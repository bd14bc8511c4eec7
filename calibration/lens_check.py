"""What a lens' doubt means over a ring: millimetres on the table, by its covariance and by its two halves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.boards import Board
from calibration.boards_find import BoardView
from calibration.camera import Array, Camera
from calibration.errors import CalibrationError
from calibration.heldout import Verdict, expected_mm
from calibration.intrinsics import Intrinsics
from calibration.lens_cover import Coverage
from calibration.lens_fit import LensFit, fit_lens
from calibration.result import RingCalibration
from calibration.ring import RingSpec
from calibration.sentences import Said
from calibration.solve import calibrate

# The ring that a lens is judged by: a usual one, as a webcam beside the table sees it.
RING_CM, POST_CM = 70.0, 16.0
_DOWN_DEG = 55.0
# The ring and its posts fill the picture but for this share of it.
_MARGIN = 0.06
# The lens is one of several errors of a camera that may be 2 mm off in all, and 5 mm to be usable.
GOOD_MM, USABLE_MM = 1.0, 3.0
# Where less of the picture was covered the lens is guessed there, and no covariance knows how well.
_COVERED = 0.5
_FIGURE_CM = 10.0
_FEWEST_HALVES = 10


@dataclass(frozen=True)
class LensCheck:
    """How far off a point 10 cm above a 70 cm ring is because of the lens, in mm (one sd, both axes).

    expected_mm by the covariance; halves_mm by how far two lenses, each from half of the views, disagree,
    None with too few views. worst_mm is the larger one.
    """

    verdict: Verdict
    expected_mm: float
    halves_mm: float | None
    worst_mm: float


def check_lens(fit: LensFit, board: Board, coverage: Coverage, *, wide: bool = False) -> LensCheck:
    """Judge a lens. Costs two more fits."""
    expected = _lens_mm(fit.intrinsics)
    halves = _halves_mm(fit, board, wide=wide)
    worst = max(expected, halves or 0.0)
    verdict = Verdict.GOOD if worst <= GOOD_MM else Verdict.USABLE if worst <= USABLE_MM else Verdict.REDO
    unsure = halves is None or coverage.share < _COVERED or bool(coverage.missing_leans)
    if verdict is Verdict.GOOD and unsure:
        verdict = Verdict.USABLE
    return LensCheck(verdict, expected, halves, worst)


def widened_lens(fit: LensFit, check: LensCheck) -> Intrinsics:
    """The lens with a covariance as large as its halves' disagreement, where that is larger."""
    lens = fit.intrinsics
    assert lens.covariance is not None
    factor = max(1.0, check.worst_mm / max(check.expected_mm, 1e-9))
    return replace(lens, covariance=lens.covariance * factor**2)


def ring_seen_by(lens: Intrinsics) -> tuple[RingSpec, Camera]:
    """A 70 cm ring that fills the picture of this lens, seen from the near side at a usual slant.

    Raises CalibrationError for a lens that bends the picture back on itself.
    """
    bare = RingSpec(RING_CM, RING_CM, POST_CM, np.zeros((4, 2)), np.zeros((4, 2)))
    points = np.concatenate([bare.corners(), bare.post_tops()])
    room = np.array(lens.size) * _MARGIN
    for distance in np.geomspace(50.0, 800.0, 250):
        camera = _over(lens, float(distance))
        pixels = camera.project(points)
        inside = (pixels > room).all() and (pixels < np.array(lens.size) - room).all()
        if inside and np.allclose(camera.to_plane(pixels, points[:, 2]), points[:, :2], atol=0.01):
            return RingSpec(RING_CM, RING_CM, POST_CM, pixels[:4], pixels[4:]), camera
    raise CalibrationError(
        Said(
            "error.lens.folded",
            "the lens that fits these pictures bends the picture back on itself: take more pictures with the "
            "board near the edges of the picture, or try --fisheye",
        )
    )


def _over(lens: Intrinsics, distance: float) -> Camera:
    """The lens looking at the middle of the ring from a distance in cm."""
    down = np.radians(_DOWN_DEG)
    forward, right = np.array([0.0, np.cos(down), -np.sin(down)]), np.array([1.0, 0.0, 0.0])
    rotation = np.stack([right, np.cross(forward, right), forward])
    eye = np.array([0.0, 0.0, POST_CM / 2]) - distance * forward
    rvec = np.asarray(cv2.Rodrigues(rotation)[0], np.float64).ravel()
    return Camera(lens.K, lens.dist, rvec, -rotation @ eye, lens.size, lens.wide)


def _lens_mm(lens: Intrinsics) -> float:
    """The part of the standard error over the ring that comes from the lens' covariance, in mm."""
    spec, _ = ring_seen_by(lens)
    exact = replace(lens, covariance=None)
    both, clicks = (expected_mm(calibrate(spec, lens.size, intrinsics=one)) for one in (lens, exact))
    return float(np.sqrt(max(0.0, both**2 - clicks**2)))


def _halves_mm(fit: LensFit, board: Board, *, wide: bool) -> float | None:
    """The root mean square error over the ring when half of the views make the lens, in mm.

    The views are dealt out in turn. Half of the views have twice the variance, which is taken off again.
    """
    views = [one.view for one in fit.views]
    if len(views) < _FEWEST_HALVES:
        return None
    spec, camera = ring_seen_by(fit.intrinsics)
    errors = [_off_mm(half, board, spec, camera, wide=wide) for half in (views[::2], views[1::2])]
    return float(np.sqrt(np.square(errors).mean() / 2))


def _off_mm(views: Sequence[BoardView], board: Board, spec: RingSpec, camera: Camera, *, wide: bool) -> float:
    """How far off points 10 cm above the ring are with the lens of some views, rms in mm."""
    lens = fit_lens(views, board, wide=wide, keep_all=True).intrinsics
    ring = calibrate(spec, lens.size, intrinsics=replace(lens, covariance=None))
    points = _figures(spec)
    return _apart_mm(ring, camera.project(points), points)


def _apart_mm(ring: RingCalibration, pixels: Array, points: Array) -> float:
    off = ring.camera.to_plane(pixels, _FIGURE_CM) - points[:, :2]
    return float(10.0 * np.sqrt(np.square(off).sum(axis=1).mean()))


def _figures(spec: RingSpec) -> Array:
    """Points (N, 3) over the whole ring at the middle height of figures."""
    x, y = np.meshgrid(*(np.linspace(-half, half, 6) for half in spec.half))
    return np.column_stack([x.ravel(), y.ravel(), np.full(x.size, _FIGURE_CM)])
