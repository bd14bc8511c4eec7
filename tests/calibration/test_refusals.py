"""What cannot be a ring is refused with one sentence that says what to do."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.errors import CalibrationError
from calibration.intrinsics import Intrinsics
from calibration.ring import RingSpec
from calibration.solve import calibrate
from tests.calibration.rings import ideal_spec, looking_at

SIZE = (1280, 720)
CAMERA = looking_at((5, -85, 125), dist=(-0.1, 0.02, 0.0, 0.0, 0.0))
SPEC = ideal_spec(CAMERA)


def refusal(spec: RingSpec, size: tuple[int, int] = SIZE, **options: object) -> str:
    with pytest.raises(CalibrationError) as caught:
        calibrate(spec, size, **options)  # type: ignore[arg-type]
    sentence = str(caught.value)
    assert "\n" not in sentence
    return sentence


def with_corners(order: list[int]) -> RingSpec:
    return replace(SPEC, corners_px=SPEC.corners_px[order], post_tops_px=None)


@pytest.mark.parametrize(
    ("order", "fault"),
    [
        ([1, 0, 2, 3], "crossed"),
        ([0, 2, 1, 3], "crossed"),
        ([3, 2, 1, 0], "mirrored"),
        ([1, 0, 3, 2], "mirrored"),
        ([1, 2, 3, 0], "do not begin at the far left"),
        ([2, 3, 0, 1], "do not begin at the far left"),
    ],
)
def test_a_wrong_order_says_the_right_one(order: list[int], fault: str) -> None:
    sentence = refusal(with_corners(order))
    assert fault in sentence
    assert "far-left, far-right, near-right, near-left" in sentence
    advice = [int(number) - 1 for number in sentence.rsplit("in the order ", 1)[1].split(", ")]
    assert np.array_equal(SPEC.corners_px[order][advice], SPEC.corners_px)


def test_post_tops_in_another_order_say_the_right_one() -> None:
    assert SPEC.post_tops_px is not None
    order = [1, 2, 3, 0]
    sentence = refusal(replace(SPEC, post_tops_px=SPEC.post_tops_px[order]))
    assert sentence.startswith("post_tops_px are not in the order of corners_px")
    assert sentence.endswith("4, 1, 2, 3")


def test_a_corner_inside_the_triangle_of_the_others() -> None:
    corners = SPEC.corners_px.copy()
    corners[1] = corners[[0, 2, 3]].mean(axis=0)
    assert "one lies inside the others" in refusal(replace(SPEC, corners_px=corners))


def test_corners_on_a_line() -> None:
    line = np.array([[300.0, 200.0], [500.0, 300.0], [700.0, 400.0], [320.0, 600.0]])
    assert "on one line" in refusal(replace(SPEC, corners_px=line, post_tops_px=None))


def test_corners_in_one_place() -> None:
    assert "all in one place" in refusal(replace(SPEC, corners_px=np.full((4, 2), 300.0), post_tops_px=None))


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_corner_that_is_not_a_number(bad: float) -> None:
    corners = SPEC.corners_px.copy()
    corners[2, 1] = bad
    with pytest.raises(CalibrationError, match="near-right point of corners_px is not a number"):
        replace(SPEC, corners_px=corners)


def test_three_corners() -> None:
    with pytest.raises(CalibrationError, match="must be four points"):
        replace(SPEC, corners_px=SPEC.corners_px[:3])


def test_a_corner_outside_the_picture() -> None:
    corners = SPEC.corners_px + np.array([0.0, 200.0])
    assert "near-right point of corners_px" in refusal(replace(SPEC, corners_px=corners))


def test_a_post_top_outside_the_picture() -> None:
    assert SPEC.post_tops_px is not None
    tops = SPEC.post_tops_px - np.array([0.0, 100.0])
    assert "post_tops_px" in refusal(replace(SPEC, post_tops_px=tops))


@pytest.mark.parametrize("key", ["width_cm", "depth_cm"])
@pytest.mark.parametrize("value", [0.0, -3.0, 2000.0, float("nan")])
def test_a_ring_of_no_size(key: str, value: float) -> None:
    with pytest.raises(CalibrationError, match=key):
        replace(SPEC, **{key: value})


@pytest.mark.parametrize("value", [-1.0, 300.0, float("nan")])
def test_a_post_of_no_height(value: float) -> None:
    with pytest.raises(CalibrationError, match="post_height_cm"):
        replace(SPEC, post_height_cm=value)


def test_tops_without_a_post_height() -> None:
    with pytest.raises(CalibrationError, match="enter the height of the posts"):
        replace(SPEC, post_height_cm=0.0)


def test_another_picture_size() -> None:
    sentence = refusal(SPEC, image=np.zeros((1080, 1920, 3), np.uint8))
    assert "1920x1080" in sentence
    assert "1280x720" in sentence


def test_a_grey_picture() -> None:
    assert "colour" in refusal(SPEC, image=np.zeros((720, 1280), np.uint8))


def test_a_picture_without_pixels() -> None:
    assert "no pixels" in refusal(SPEC, (0, 0))


def test_a_lens_of_another_size() -> None:
    lens = Intrinsics(CAMERA.K, CAMERA.dist, (1920, 1080))
    assert "lens was calibrated at 1920x1080" in refusal(SPEC, intrinsics=lens)


@pytest.mark.parametrize("post", range(4))
def test_a_wrong_click_is_named(post: int) -> None:
    assert SPEC.post_tops_px is not None
    tops = SPEC.post_tops_px.copy()
    tops[post] += [60.0, 15.0]
    sentence = refusal(replace(SPEC, post_tops_px=tops))
    name = ("far-left", "far-right", "near-right", "near-left")[post]
    assert f"the {name} " in sentence


def test_a_wrong_ring_shape_is_refused() -> None:
    assert "check width_cm, depth_cm" in refusal(replace(SPEC, depth_cm=33.0))


def test_a_focal_length_nobody_owns_is_refused() -> None:
    far = looking_at((0, -1400, 2000), focal=19000)
    assert "focal length" in refusal(ideal_spec(far))


@pytest.mark.parametrize(
    ("K", "dist", "covariance", "word"),
    [
        (np.diag([0.0, 1.0, 1.0]), np.zeros(5), None, "positive focal"),
        (np.eye(2), np.zeros(5), None, "3x3"),
        (np.eye(3), np.zeros(8), None, "five"),
        (np.eye(3), np.array([np.nan]), None, "finite"),
        (np.eye(3), np.zeros(5), np.eye(3), "9x9"),
    ],
)
def test_a_lens_that_cannot_be(K: object, dist: object, covariance: object, word: str) -> None:
    with pytest.raises(CalibrationError, match=word):
        Intrinsics(K, dist, SIZE, covariance)  # type: ignore[arg-type]
