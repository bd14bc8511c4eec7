"""Hands on photographs with rulers, tags and coins: found, told open from closed, and measured."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.camera import Array
from calibration.palm_hand import ends_of, posture
from calibration.palm_marks import Marks, find_hand
from vision.arrays import Image


def photo(folder: str, name: str) -> tuple[Image, dict[str, Any]]:
    root = os.environ.get("PALMO_DATA")
    if root is None or not (Path(root) / "real" / "c_hands").is_dir():
        pytest.skip("PALMO_DATA with the photographs of hands is not set")
    path = Path(root) / "real" / "c_hands" / folder
    image = cv2.imread(str(path / name))
    assert image is not None
    return np.asarray(image, np.uint8), json.loads((path / "GROUND_TRUTH.json").read_text())["images"][name]


def found(image: Image, side: float) -> Marks:
    marks = find_hand(image, [side])
    assert marks is not None
    return marks


def apart(ends: Array) -> float:
    return float(np.linalg.norm(ends[0] - ends[1]))


def test_an_open_hand_on_a_sheet_of_known_size_is_right_to_three_millimetres() -> None:
    image, truth = photo("hand_aruco_coin", "test_ashkan_aligned.png")
    marks = found(image, 1900.0)
    assert posture(marks) == "open"
    assert marks.right < 0.5
    span_mm = apart(ends_of(image, marks, "open")) / truth["scale_px_per_mm"]
    assert span_mm == pytest.approx(truth["palm_span_mm"], abs=3.0)


def test_a_closed_hand_beside_a_tag_is_right_to_three_millimetres() -> None:
    image, truth = photo("hand_apriltag_closed", "hand_fingers_together.jpg")
    marks = found(image, 1280.0)
    assert posture(marks) == "closed"
    side = truth["tag_side_mm"]
    flat = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)
    plane = cv2.getPerspectiveTransform(np.array(truth["tag_corners_px"], np.float32), flat)
    ends = cv2.perspectiveTransform(ends_of(image, marks, "closed").reshape(-1, 1, 2), plane).reshape(2, 2)
    low, high = truth["palm_breadth_mm_tag_homography"]
    assert low - 3.0 <= apart(np.asarray(ends, np.float64)) <= high + 3.0
    low, high = truth["accept_mm"]["palm_breadth"]
    assert low <= apart(np.asarray(ends, np.float64)) <= high


@pytest.mark.parametrize("half", [0, 1])
def test_both_open_hands_of_one_picture(half: int) -> None:
    """No scale is known: against the tips read by hand, of a span of 295 px."""
    image, truth = photo("tfjs_hands", "hands.jpg")
    part = np.ascontiguousarray(image[:, 360 * half : 360 * (half + 1)])
    marks = found(part, 400.0)
    assert posture(marks) == "open"
    labelled = truth["tips_by_hand"][half]
    by_hand = np.array([labelled["thumb_tip_px"], labelled["little_finger_tip_px"]], float) - [360 * half, 0]
    ends = ends_of(part, marks, "open")
    assert np.linalg.norm(ends - by_hand, axis=1).max() < 12.0
    assert apart(ends) == pytest.approx(apart(by_hand), rel=0.02)


@pytest.mark.parametrize("name", ["Human_Hand_Precision_max.jpg", "Human_Hand_Precision_int.jpg"])
def test_pointing_at_a_hand_that_holds_a_ruler_reads_the_ruler(name: str) -> None:
    """Thumb to index finger against the ticks of a steel ruler; the truth allows itself 1.5 mm."""
    _, truth = photo("hand_ruler", name)
    ticks = {float(tick.split()[0]): np.array(px, float) for tick, px in truth["ruler_ticks_px"].items()}
    low, high = min(ticks), max(ticks)
    per_cm = (ticks[high] - ticks[low]) / (high - low)
    ends = np.array([truth["thumb_tip_px"], truth["index_tip_px"]], float)
    along = (ends - ticks[low]) @ per_cm / (per_cm @ per_cm)
    assert abs(along[0] - along[1]) == pytest.approx(truth["tip_to_tip_cm_by_ruler"], abs=0.3)


def test_a_fist_and_hands_that_hold_things_are_no_open_or_closed_hand() -> None:
    for name in (
        "Human_Hand_Power_min_mid.jpg",
        "Human_Hand_Precision_max.jpg",
        "Human_Hand_Precision_int.jpg",
    ):
        image, _ = photo("hand_ruler", name)
        marks = find_hand(image, [1100.0, 1900.0])
        assert marks is None or posture(marks) == "half_open", name


def test_a_table_without_a_hand_has_none() -> None:
    image = np.full((480, 640, 3), (90, 140, 170), np.uint8)
    cv2.rectangle(image, (200, 150), (420, 300), (40, 40, 200), -1)
    assert find_hand(image, [300.0]) is None
