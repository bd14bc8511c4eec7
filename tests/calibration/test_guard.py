"""The guard notices a camera that was moved, and nothing else is a movement to it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.guard import ReferenceView
from calibration.guard_watch import EVERY_S, Condition, GuardWatch
from calibration.result import RingCalibration
from calibration.solve import calibrate
from tests.calibration.rings import ideal_spec, looking_at, ring_with_posts

Image = NDArray[np.uint8]
CAMERA = looking_at((10.0, -60.0, 95.0), focal=1000.0)
SPEC = ideal_spec(CAMERA)
STEP_S = 0.2


PICTURE = ring_with_posts(CAMERA, SPEC)
GRAIN = [np.random.default_rng(n).integers(-5, 6, PICTURE.shape, dtype=np.int16) for n in range(3)]


@pytest.fixture(scope="module")
def calibration() -> RingCalibration:
    return calibrate(SPEC, (1280, 720))


@pytest.fixture
def view(calibration: RingCalibration) -> ReferenceView:
    found = ReferenceView.of(PICTURE, calibration)
    assert found is not None
    return found


def grainy(picture: Image, number: int) -> Image:
    return (picture + GRAIN[number % len(GRAIN)]).clip(0, 255).astype(np.uint8)


def warped(matrix: NDArray[np.float64]) -> Image:
    return np.asarray(
        cv2.warpAffine(PICTURE, matrix, (1280, 720), borderMode=cv2.BORDER_REPLICATE), dtype=np.uint8
    )


def shifted(du: float, dv: float) -> Image:
    return warped(np.array([[1.0, 0, du], [0, 1.0, dv]]))


def turned(degrees: float, factor: float = 1.0) -> Image:
    return warped(cv2.getRotationMatrix2D((640, 360), degrees, factor))


def watched(watch: GuardWatch, picture: Image, start: float, seconds: float) -> float | None:
    """When the condition changed, in seconds after the start; None when it never did."""
    for number in range(round(seconds / STEP_S)):
        t = start + number * STEP_S
        if watch.see(t, grainy(picture, number)):
            return number * STEP_S
    return None


@pytest.mark.parametrize("px", [0.5, 2.0, 7.0, 20.0, 60.0])
def test_a_shift_is_measured_to_a_fraction_of_a_pixel(view: ReferenceView, px: float) -> None:
    look = view.look(shifted(0.8 * px, -0.6 * px))
    assert look.shift_px == pytest.approx(px, abs=0.15)
    assert look.both_agree


@pytest.mark.parametrize("factor", [0.98, 1.01, 1.05])
def test_a_zoom_is_told_by_its_factor(view: ReferenceView, factor: float) -> None:
    assert view.look(turned(0.0, factor)).zoom == pytest.approx(factor, abs=0.002)


@pytest.mark.parametrize(
    "picture",
    [shifted(1.6, 1.2), shifted(0.0, -2.0), turned(0.45), turned(-3.0), shifted(45.0, -30.0)],
    ids=["shift", "down", "turn", "large-turn", "knock"],
)
def test_a_moved_camera_is_noticed_within_two_seconds(view: ReferenceView, picture: Image) -> None:
    watch = GuardWatch(view)
    assert watched(watch, PICTURE, 0.0, 3.0) is None
    noticed = watched(watch, picture, 3.0, 3.0)
    assert noticed is not None
    assert noticed <= 2.0
    assert watch.condition.moved_px is not None
    assert watch.in_place_t is not None
    assert watch.in_place_t < 3.0


def test_light_hands_and_figures_are_no_movement(view: ReferenceView) -> None:
    watch = GuardWatch(view)
    warm = (PICTURE * np.array([0.6, 0.75, 0.9])).astype(np.uint8)
    hand = PICTURE.copy()
    cv2.ellipse(hand, (900, 560), (420, 170), 140, 0, 360, (150, 175, 225), -1)
    figure = PICTURE.copy()
    for corner in SPEC.corners_px[:2]:
        cv2.circle(figure, tuple(int(c) for c in np.round(corner)), 45, (40, 40, 200), -1)
    start = 0.0
    for picture in (PICTURE, warm, PICTURE, hand, PICTURE, figure, PICTURE):
        watched(watch, picture, start, 2.5)
        assert watch.condition.moved_px is None
        start += 2.5


def test_a_change_of_light_is_said_as_that_and_goes_again(view: ReferenceView) -> None:
    watch = GuardWatch(view)
    dark = (PICTURE * 0.6).astype(np.uint8)
    assert watched(watch, dark, 0.0, 3.0) is not None
    assert watch.condition.light == pytest.approx(0.6, abs=0.05)
    assert watched(watch, PICTURE, 3.0, 3.0) is not None
    assert watch.condition == Condition()


def test_a_blurred_picture_is_out_of_focus_and_not_moved(view: ReferenceView) -> None:
    watch = GuardWatch(view)
    assert watched(watch, np.asarray(cv2.GaussianBlur(PICTURE, (0, 0), 3.0), np.uint8), 0.0, 3.0) is not None
    assert watch.condition == Condition(out_of_focus=True)


def test_a_covered_ring_is_lost_and_found_again(view: ReferenceView) -> None:
    watch = GuardWatch(view)
    cover = cv2.GaussianBlur(np.random.default_rng(1).normal(128, 60, PICTURE.shape), (0, 0), 9)
    assert watched(watch, cover.clip(0, 255).astype(np.uint8), 0.0, 3.0) is not None
    assert watch.condition.lost
    assert watch.condition.moved_px is None
    assert watched(watch, PICTURE, 3.0, 3.0) is not None
    assert watch.condition == Condition()


def test_a_camera_put_back_is_in_its_place_again(view: ReferenceView) -> None:
    watch = GuardWatch(view)
    assert watched(watch, shifted(6.0, 0.0), 0.0, 3.0) is not None
    assert watched(watch, PICTURE, 3.0, 3.0) is not None
    assert watch.condition.moved_px is None


def test_it_looks_about_once_a_second(view: ReferenceView, monkeypatch: pytest.MonkeyPatch) -> None:
    looks = []
    look = view.look
    monkeypatch.setattr(view, "look", lambda picture: looks.append(1) or look(picture))
    watched(GuardWatch(view), PICTURE, 0.0, 8.0)
    assert len(looks) <= 8.0 / EVERY_S + 1


def test_a_picture_without_a_ring_is_not_watched(calibration: RingCalibration) -> None:
    assert ReferenceView.of(np.full((720, 1280, 3), 90, np.uint8), calibration) is None


def test_a_picture_of_another_size_is_refused(view: ReferenceView) -> None:
    with pytest.raises(ValueError, match="another size"):
        view.look(np.zeros((480, 640, 3), np.uint8))
