"""Cameras see the places of a ring as the geometry says."""

import numpy as np
import pytest

from datasets.ring_views import DISTANCE_CM, RingCamera, random_camera

FAR = RingCamera(np.radians(40.0), 160.0, 70.0)


def test_a_ring_seen_obliquely_is_seen_steeper_on_its_near_side() -> None:
    rng = np.random.default_rng(1)
    tilts, distances, directions = np.array([FAR.place(rng) for _ in range(2000)]).T
    height, foot = 160 * np.cos(FAR.tilt), 160 * np.sin(FAR.tilt)
    corner = np.hypot(foot + 35, 35)
    assert np.degrees(tilts.min()) == pytest.approx(np.degrees(np.arctan2(foot - 35, height)), abs=1.5)
    assert tilts.max() < np.arctan2(corner, height)
    np.testing.assert_allclose(distances * np.cos(tilts), height)
    assert np.abs(directions).max() < np.arctan2(35, foot - 35)


def test_a_figure_that_passes_under_a_camera_is_seen_from_all_sides() -> None:
    rng = np.random.default_rng(2)
    above = RingCamera(0.0, 130.0, 70.0)
    directions = np.array([above.place(rng)[2] for _ in range(400)])
    assert (np.histogram(directions, 8, (-np.pi, np.pi))[0] > 20).all()


def test_cameras_stand_where_people_put_them() -> None:
    cameras = [random_camera(np.random.default_rng([seed, 3])) for seed in range(300)]
    distances = [camera.distance for camera in cameras]
    assert DISTANCE_CM[0] <= min(distances) < 90
    assert 230 < max(distances) <= DISTANCE_CM[1]
    for camera in cameras:
        tilt, distance, _ = camera.place(np.random.default_rng(4))
        assert 0 < tilt < np.radians(62.1)
        assert distance > 30
