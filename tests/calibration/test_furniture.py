"""Posts and ropes are masked where the picture shows them, and nothing else is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.furniture import furniture_mask
from calibration.solve import calibrate
from tests.calibration.rings import CLIPS, ideal_spec, load_clip, looking_at

SIZE = (1280, 720)
CAMERA = looking_at((5, -85, 125))
SPEC = ideal_spec(CAMERA)
FOUND = replace(calibrate(SPEC, SIZE), camera=CAMERA, rope_heights_cm=(5.0, 9.0))


def at(mask: np.ndarray, points: np.ndarray) -> np.ndarray:
    u, v = np.round(CAMERA.project(points)).astype(int).T
    return np.asarray(mask[v, u])


def test_posts_are_covered_from_foot_to_top() -> None:
    mask = furniture_mask(FOUND)
    assert mask.shape == (720, 1280)
    assert mask.dtype == np.bool_
    for corner in SPEC.corners():
        assert at(mask, corner + np.linspace(0, SPEC.post_height_cm, 20)[:, None] * [0, 0, 1]).all()


def test_ropes_are_covered_along_every_side() -> None:
    mask = furniture_mask(FOUND, margin_px=0)
    for height in FOUND.rope_heights_cm:
        for side in range(4):
            begin, end = SPEC.corners()[side], SPEC.corners()[(side + 1) % 4]
            rope = begin + np.linspace(0, 1, 50)[:, None] * (end - begin)
            assert at(mask, rope + np.array([0, 0, height])).all()


def test_the_middle_of_the_mat_is_free() -> None:
    x, y = np.meshgrid(np.linspace(-25, 25, 11), np.linspace(-20, 20, 11))
    assert not at(furniture_mask(FOUND), np.column_stack([x.ravel(), y.ravel(), np.zeros(121)])).any()


def test_the_margin_widens_and_no_ropes_means_no_ropes() -> None:
    areas = [furniture_mask(FOUND, margin).sum() for margin in (0, 2, 5)]
    assert areas[0] < areas[1] < areas[2]
    assert furniture_mask(replace(FOUND, rope_heights_cm=()), 0).sum() < areas[0]


@pytest.mark.parametrize("name", CLIPS)
def test_the_ropes_of_the_clips_are_found_and_masked(name: str) -> None:
    clip = load_clip(name)
    found = calibrate(clip.spec, SIZE, image=clip.first)
    assert found.rope_heights_cm == pytest.approx((5.0, 9.0, 13.0), abs=0.5)
    mask = furniture_mask(found)
    corners = clip.spec.corners()
    for height in (5.0, 9.0, 13.0):
        for side in range(4):
            share = np.linspace(0.02, 0.98, 50)[:, None]
            rope = (
                corners[side] + share * (corners[(side + 1) % 4] - corners[side]) + np.array([0, 0, height])
            )
            u, v = np.round(clip.truth.project(rope)).astype(int).T
            assert mask[v, u].mean() > 0.95
