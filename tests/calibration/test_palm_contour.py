"""Drawn hands on a mat: the ends of open ones by their outline, and what is no open hand."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.camera import Array
from calibration.palm_contour import find_shape

PER_CM = 8.0
MAT = np.array([[60.0, 40], [700, 40], [700, 560], [60, 560]])
# Fingers as angle from the middle finger in degrees, length from the palm's middle, width, and how far beside
# the middle line they are rooted, in cm.
Fingers = tuple[tuple[float, float, float, float], ...]
OPEN = (
    (-75.0, 10.5, 2.0, 0.0), (-25.0, 13.0, 1.8, 0.0), (0.0, 13.8, 1.8, 0.0), (22.0, 13.0, 1.7, 0.0),
    (48.0, 11.2, 1.5, 0.0),
)  # fmt: skip
CLOSED = (
    (0.0, 12.4, 1.95, -2.85),
    (0.0, 13.4, 1.95, -0.95),
    (0.0, 13.0, 1.95, 0.95),
    (0.0, 11.4, 1.95, 2.85),
)
HALF_OPEN = ((-70.0, 10.0, 2.0, 0.0), (-14.0, 12.6, 1.8, 0.0), (4.0, 13.4, 1.8, 0.0), (24.0, 13.2, 1.8, 0.0))
BREADTH_CM = 7.6


def drawn(fingers: Fingers, turn_deg: float) -> tuple[NDArray[np.uint8], Array]:
    """A pale mat with a hand and its forearm, and the ends of its fingers (N, 2) in pixels."""
    image = np.full((600, 760, 3), (120, 150, 170), np.uint8)
    cv2.fillPoly(image, [MAT.astype(np.int32)], (205, 210, 205))
    grain = np.random.default_rng(3).normal(0, 3, image.shape)
    skin = (95, 120, 185)

    def at(angle_deg: float, cm: float, beside: float = 0.0) -> Array:
        angle, whole = np.radians(angle_deg + turn_deg), np.radians(turn_deg)
        way, side = np.array([np.sin(angle), -np.cos(angle)]), np.array([np.cos(whole), np.sin(whole)])
        return np.asarray(np.array([380.0, 300.0]) + PER_CM * (cm * way + beside * side), dtype=np.float64)

    half = BREADTH_CM / 2
    palm = [
        at(0, cm, beside)
        for cm, beside in ((4, -half), (4, half), (-3, half), (-5, 2.6), (-5, -2.6), (-3, -half))
    ]
    cv2.fillPoly(image, [np.round(palm).astype(np.int32)], skin)
    cv2.line(image, _pt(at(180, 2)), _pt(at(180, 60)), skin, round(5.2 * PER_CM))
    ends = []
    for angle, length, width, beside in fingers:
        # The line's round cap reaches half its width farther.
        end = at(angle, length - width / 2, beside)
        cv2.line(image, _pt(at(angle, 2.0, beside)), _pt(end), skin, round(width * PER_CM))
        ends.append(at(angle, length, beside))
    return np.asarray(np.clip(image + grain, 0, 255), np.uint8), np.array(ends)


def _pt(point: Array) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))


@pytest.mark.parametrize("turn", [0.0, 40.0, -115.0])
def test_the_ends_of_an_open_hand(turn: float) -> None:
    image, ends = drawn(OPEN, turn)
    shape = find_shape(image, MAT, PER_CM)
    assert shape is not None
    assert shape.posture == "open"
    tips = shape.tips
    assert tips is not None
    assert np.linalg.norm(tips - ends[[0, 4]], axis=1).max() < 0.35 * PER_CM
    assert np.linalg.norm(tips[0] - tips[1]) == pytest.approx(
        np.linalg.norm(ends[0] - ends[4]), abs=0.3 * PER_CM
    )


def test_a_closed_hand_is_left_to_pointing() -> None:
    for turn in (0.0, 60.0):
        assert find_shape(drawn(CLOSED, turn)[0], MAT, PER_CM) is None


def test_a_half_open_hand_is_neither() -> None:
    shape = find_shape(drawn(HALF_OPEN, 0.0)[0], MAT, PER_CM)
    assert shape is not None
    assert shape.posture == "half_open"


def test_figures_and_an_empty_mat_are_no_hand() -> None:
    image = drawn((), 0.0)[0]
    image[40:560, 60:700] = (205, 210, 205)
    assert find_shape(image, MAT, PER_CM) is None
    cv2.circle(image, (300, 300), round(1.8 * PER_CM), (40, 40, 200), -1)
    cv2.circle(image, (500, 200), round(1.8 * PER_CM), (40, 200, 200), -1)
    assert find_shape(image, MAT, PER_CM) is None
