"""Hands over the table: right in spite of their height, honest about it, refused when they are no hand."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.camera import Array, Camera
from calibration.errors import CalibrationError
from calibration.palm import (
    CLICK_SD_PX,
    HEIGHT_SD_CM,
    HEIGHTS_CM,
    Span,
    check_open_and_closed,
    palm_of,
    span_between,
)
from calibration.result import RingCalibration
from calibration.ring import RingSpec
from calibration.solve import calibrate
from tests.calibration.rings import looking_at


def over(camera: Camera, noise: Array | float = 0.0) -> RingCalibration:
    spec = RingSpec(70.0, 70.0, 16.0, np.zeros((4, 2)), np.zeros((4, 2)))
    corners, tops = camera.project(spec.corners()) + noise, camera.project(spec.post_tops())
    return calibrate(RingSpec(70.0, 70.0, 16.0, corners, tops), camera.size)


CAMERA = looking_at((5.0, -75.0, 115.0))
# The thumb's and the little finger's end of a hand of 20 cm, at the heights at which their edges are seen.
PLACES = [(-12.0, 3.0), (15.0, -20.0), (0.0, 22.0)]


def ends(place: tuple[float, float], turn: float, length: float, heights: Array) -> Array:
    way = length / 2 * np.array([np.cos(turn), np.sin(turn)])
    return np.column_stack([np.array([place + way, place - way]), heights])


def test_the_height_of_a_hand_is_corrected_for() -> None:
    ring = over(CAMERA)
    heights, longer = np.array(HEIGHTS_CM["open"]), []
    for place in PLACES:
        for turn in (0.3, 1.7, 4.0):
            pixels = CAMERA.project(ends(place, turn, 20.0, heights))
            assert span_between(ring, pixels).cm == pytest.approx(20.0, abs=0.02)
            longer.append(float(np.linalg.norm(np.diff(ring.camera.to_plane(pixels, 0.0), axis=0))) - 20.0)
    # As if it lay in the mat's plane it would be up to 3 mm too long.
    assert min(longer) > -0.02
    assert 0.12 < max(longer) < 0.5


def test_the_sd_of_a_span_holds() -> None:
    """Over heights, clicks and calibrations drawn at random, nine tenths and more lie within two sds."""
    rng = np.random.default_rng(2)
    off = []
    for number in range(120):
        ring = over(CAMERA, rng.normal(0, 0.6, (4, 2)))
        heights = np.array(HEIGHTS_CM["open"]) + rng.normal(0, HEIGHT_SD_CM, 2)
        pixels = CAMERA.project(ends(PLACES[number % 3], rng.uniform(0, 6.28), 20.0, heights))
        span = span_between(ring, pixels + rng.normal(0, CLICK_SD_PX, (2, 2)))
        off.append((span.cm - 20.0) / span.sd_cm)
    assert 0.75 < np.std(off) < 1.25
    assert 0.9 <= np.mean(np.abs(off) < 2.0) <= 0.99


def test_placements_are_averaged_and_their_scatter_is_kept() -> None:
    palm = palm_of([Span("open", cm, 0.1) for cm in (20.1, 20.3, 20.5)])
    assert palm.cm == pytest.approx(20.3)
    assert palm.scatter_cm == pytest.approx(0.2)
    assert palm.sd_cm == pytest.approx(np.hypot(0.2, 0.1))
    assert palm_of([Span("open", 20.1, 0.1)]).sd_cm > 0.2


def test_what_is_no_hand_is_refused() -> None:
    ring = over(CAMERA)
    short = CAMERA.project(ends((0.0, 0.0), 0.0, 6.0, np.zeros(2)))
    with pytest.raises(CalibrationError, match=r"it is 6\.\d cm, and a hand measures 10 to 30"):
        span_between(ring, short)
    assert span_between(ring, short, "closed").cm == pytest.approx(6.0, abs=0.1)
    side = looking_at((0.0, -190.0, 60.0))
    with pytest.raises(CalibrationError, match="does not see the mat"):
        span_between(over(side), np.array([[600.0, -900.0], [700.0, 400.0]]))


def test_placements_of_different_stretch_are_refused() -> None:
    with pytest.raises(CalibrationError, match=r"differ by 1\.6 cm"):
        palm_of([Span("open", 19.0, 0.1), Span("open", 20.6, 0.1)])


@pytest.mark.parametrize(("wide", "narrow"), [(20.5, 8.8), (18.0, 7.7), (16.6, 8.3)])
def test_real_hands_pass(wide: float, narrow: float) -> None:
    check_open_and_closed(wide, narrow)


@pytest.mark.parametrize(("wide", "narrow"), [(14.0, 8.8), (20.5, 13.0), (28.0, 7.0)])
def test_a_half_open_hand_is_refused(wide: float, narrow: float) -> None:
    with pytest.raises(CalibrationError, match="half open"):
        check_open_and_closed(wide, narrow)
