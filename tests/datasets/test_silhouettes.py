"""Exact silhouettes lie where the pictures show the figures, and what differs from them is measured."""

import cv2
import numpy as np
import pytest

from calibration.camera import Camera
from datasets.accuracy import LIBRARY
from datasets.render.preview import Preview
from datasets.render.scene_file import load_scene
from datasets.render.timeline import Timeline
from datasets.silhouettes import as_markdown, compared, compared_clip, exact_silhouette
from vision.fragments import Fragment

CAMERA = Camera(
    np.array([[900.0, 0, 320], [0, 900, 240], [0, 0, 1]]), np.zeros(5), np.array([np.pi, 0.0, 0.0]),
    np.array([0.0, 0.0, 120.0]), (640, 480),
)  # fmt: skip
DISC = np.hypot(*(np.indices((80, 90)) - np.array([40, 45])[:, None, None])) < 20


def soft(mask):
    return cv2.GaussianBlur(mask.astype(np.float32), (0, 0), 0.6)


def against(alpha):
    return compared("L01 F1, fragment 0", (300, 200), soft(alpha), soft(DISC), CAMERA, 10.0)


def test_the_exact_silhouette_itself_has_no_error():
    same = against(DISC)
    assert (same.overlap, same.middle_mm, same.extra, same.missing) == (1, 0, 0, 0)
    assert same.outward_px == pytest.approx(0)


def test_an_outline_a_pixel_outside_is_said_to_be_a_pixel_outward():
    wider = cv2.dilate(DISC.astype(np.uint8), np.ones((3, 3))) > 0
    assert against(wider).outward_px == pytest.approx(1.0, abs=0.25)
    assert against(wider).middle_mm < 0.1


def test_a_shift_is_said_in_millimetres_at_the_height_of_the_middle():
    per_px = 10 * (120 - 0.475 * 10) / 900
    assert against(np.roll(DISC, 3, axis=1)).middle_mm == pytest.approx(3 * per_px, rel=0.02)


def test_the_worst_are_named_first():
    worse, better = against(np.roll(DISC, 9, axis=0)), against(np.roll(DISC, 1, axis=0))
    lines = as_markdown([better, worse], 1).splitlines()
    assert lines[0].startswith("2 silhouettes")
    assert f"{worse.middle_mm:.1f}" in lines[-1]


def test_an_exact_silhouette_is_what_the_preview_shows_of_the_figure():
    timeline = Timeline(load_scene(LIBRARY / "L01" / "scene.toml"))
    labels = Preview(timeline).labels(timeline.state(0.0))
    number = list(timeline.figures).index("F2")
    left, top, width, height = cv2.boundingRect((labels == number).astype(np.uint8))
    crop = np.s_[top - 5 : top + height + 5, left - 5 : left + width + 5]
    shown = labels[crop]
    fragment = Fragment(
        "F2", 0, 5, 5, (left - 5, top - 5), np.zeros((*shown.shape, 3), np.float32),
        np.zeros(shown.shape, np.float32), 0.1,
    )  # fmt: skip
    exact = exact_silhouette(timeline, fragment, 0.0) > 0.5
    assert (exact & (shown == number)).sum() / (exact | (shown == number)).sum() > 0.97


@pytest.mark.nightly
def test_silhouettes_of_the_library_have_not_become_worse():
    found = [one for name in ("L05", "L12") for one in compared_clip(LIBRARY / name)]
    assert np.median([one.overlap for one in found]) > 0.9
    assert np.percentile([one.middle_mm for one in found], 90) < 7
