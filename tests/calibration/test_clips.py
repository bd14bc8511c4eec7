"""On the rendered clips: how far the calibrated camera is from the true one, in mm on the table."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.ring import RingSpec
from calibration.solve import calibrate
from tests.calibration.rings import CLIPS, grid, load_clip


@pytest.mark.parametrize("name", CLIPS)
def test_table_positions_are_right_at_every_height(name: str) -> None:
    clip = load_clip(name)
    found = calibrate(clip.spec, (1280, 720), image=clip.first)
    for z, limit_mm in ((0, 0.4), (5, 0.5), (10, 0.7), (15, 1.0)):
        points = grid(clip.spec, z)
        xy, _ = found.plane_points(clip.truth.project(points), z)
        rms = 10 * np.sqrt(np.square(xy - points[:, :2]).sum(axis=1).mean())
        assert rms <= limit_mm, f"{name} at {z} cm: {rms:.2f} mm"


@pytest.mark.parametrize("name", CLIPS)
def test_corners_alone_are_within_a_few_mm(name: str) -> None:
    clip = load_clip(name)
    spec = clip.spec
    bare = RingSpec(spec.width_cm, spec.depth_cm, spec.post_height_cm, spec.corners_px)
    points = grid(spec, 0)
    xy, _ = calibrate(bare, (1280, 720)).plane_points(clip.truth.project(points), 0.0)
    assert 10 * np.sqrt(np.square(xy - points[:, :2]).sum(axis=1).mean()) <= 3.0
