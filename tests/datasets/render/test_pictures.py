"""The pictures show what the truth says, to a fraction of a pixel, in both modes of rendering."""

import cv2
import numpy as np
import pytest

from datasets.render.furniture import post_feet
from datasets.render.photo import Photo, PhotoError, mitsuba, reach
from datasets.render.preview import FURNITURE, Preview
from datasets.render.timeline import Timeline

CLOSE_PX = 0.3
WIDE = (-0.3, 0.09, 0.0005, -0.0004, 0.0)


@pytest.fixture
def photo():
    try:
        mitsuba()
    except PhotoError as error:
        pytest.skip(f"photo-real pictures: {error}")
    return Photo


def chequered(small_scene):
    ring = small_scene().ring.model_dump()
    mat = {"kind": "checked", "colour": "#e8e8e8", "second": "#303030", "cell_cm": 6.0}
    ring |= {"mat": mat, "rope": [], "post_width_cm": 0.5}
    camera = {**small_scene().camera.model_dump(), "dist": WIDE}
    scene = small_scene(
        ring=ring, camera=camera, fighter=small_scene().model_dump(by_alias=True)["fighter"][:1]
    )
    return Timeline(scene)


def corners_found(light, timeline):
    """Where corners of the pattern are found, and where the camera says they are, (N, 2) both."""
    points = [
        (x, y, 0.0)
        for x in np.arange(-24, 25, 6.0)
        for y in np.arange(-24, 25, 6.0)
        if np.hypot(x + 14, y - 8) > 18
    ]
    expected = timeline.camera.project(np.array(points))
    grey = (255 * np.clip(light.mean(axis=2), 0, 1)).astype(np.uint8)
    criteria = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 50, 1e-3)
    start = expected.astype(np.float32).reshape(-1, 1, 2) + np.float32(0.4)
    return cv2.cornerSubPix(grey, start, (7, 7), (-1, -1), criteria).reshape(-1, 2), expected


def agrees(found, expected):
    """Within a fraction of a pixel (the mat's grain makes single corners noisy), and not one-sided."""
    assert np.percentile(np.hypot(*(found - expected).T), 95) < CLOSE_PX
    assert np.abs((found - expected).mean(axis=0)).max() < 0.1


def test_the_preview_shows_the_mat_where_the_bent_camera_says(small_scene):
    timeline = chequered(small_scene)
    found, expected = corners_found(Preview(timeline, 3).picture(timeline.state(0.0)), timeline)
    assert len(found) > 40
    agrees(found, expected)


def test_the_photo_shows_the_mat_where_the_bent_camera_says(small_scene, photo):
    timeline = chequered(small_scene)
    found, expected = corners_found(photo(timeline).picture(timeline.state(0.0), 16), timeline)
    agrees(found, expected)


def test_post_tops_stand_where_the_camera_says(small_scene):
    timeline = chequered(small_scene)
    finer = 8
    labels = Preview(timeline, finer).labels(timeline.state(0.0))
    tops = post_feet(timeline.scene.ring) + [0.0, 0.0, timeline.scene.ring.post_height_cm]
    for top in timeline.camera.project(tops):
        v, u = np.nonzero(labels == FURNITURE)
        near = np.hypot(u - top[0], v - top[1]) < 6
        # the camera looks down from the near side: a post's top is its highest part in the picture
        assert v[near].min() == pytest.approx(top[1], abs=2.5)
        assert u[near & (v < top[1] + 1)].mean() == pytest.approx(top[0], abs=1.0)


def test_both_modes_show_the_same_silhouettes(small_scene, photo):
    carry = {"fighter": "F2", "begin_s": 1, "end_s": 2, "to_cm": [4, 3], "facing_deg": 0, "arm_deg": -60}
    timeline = Timeline(small_scene(seconds=3.0, carry=[carry]))
    for seconds in (0.0, 1.5):
        state = timeline.state(seconds)
        traced, drawn = photo(timeline).labels(state), Preview(timeline).labels(state)
        for number in range(len(timeline.figures)):
            one, other = traced == number, drawn == number
            assert (one & other).sum() / (one | other).sum() > 0.99


def test_a_hand_hides_what_it_holds(small_scene):
    carry = {"fighter": "F2", "begin_s": 1, "end_s": 2, "to_cm": [4, 3], "facing_deg": 0, "arm_deg": -60}
    timeline = Timeline(small_scene(seconds=3.0, carry=[carry]))
    preview = Preview(timeline)
    free, held = ((preview.labels(timeline.state(s)) == 1).sum() for s in (0.0, 1.1))
    assert 0.1 * free < held < 0.8 * free


def test_an_arm_that_reaches_past_the_camera_changes_the_picture_from_the_hand_to_its_border(small_scene):
    timeline = chequered(small_scene)
    eye = timeline.camera.centre
    hand = np.array([[0.0, 0.0, 1.0]])
    # a hair before the plane of the lens, where the terms of its distortion overflow any whole number
    away = timeline.camera.rotation.T @ np.array([3.0, 60.0, 1e-4])
    u, v, width, height = reach(timeline.camera, np.concatenate([hand, eye[None] + away]), [], 20)
    assert np.abs(timeline.camera.project(eye[None] + away)).max() > 1e12
    at = timeline.camera.project(hand)[0]
    assert u <= at[0] <= u + width
    assert v <= at[1] <= v + height
    assert width * height > 0.05 * np.prod(timeline.camera.size)
