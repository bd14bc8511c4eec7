"""Pixel and ring plane are each other's inverse, and the derivatives are those of the functions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.camera import Camera
from calibration.lens_model import project_with_derivatives, to_camera, to_vector
from calibration.result import RingCalibration
from calibration.solve import calibrate
from tests.calibration.rings import grid, ideal_spec, looking_at

cameras = st.builds(
    lambda tilt, turn, far, roll, focal, k1, k2, p1: looking_at(
        (
            far * np.sin(tilt) * np.sin(turn),
            -far * np.sin(tilt) * np.cos(turn),
            far * np.cos(tilt),
        ),
        focal=focal,
        dist=(k1, k2, p1, -p1, 0.0),
        roll=roll,
    ),
    st.floats(0.0, 1.0),
    st.floats(-0.6, 0.6),
    st.floats(110.0, 250.0),
    st.floats(-0.5, 0.5),
    st.floats(800.0, 1600.0),
    st.floats(-0.25, 0.1),
    st.floats(0.0, 0.05),
    st.floats(-1e-3, 1e-3),
)
spots = st.tuples(st.floats(-35, 35), st.floats(-33, 33), st.floats(0, 20))


@settings(deadline=None)
@given(cameras, spots)
def test_a_ring_point_comes_back_from_its_pixel(camera: Camera, spot: tuple[float, float, float]) -> None:
    pixel = camera.project(np.array([spot]))
    assert camera.to_plane(pixel, spot[2]) == pytest.approx(np.array([spot[:2]]), abs=1e-5)


@settings(deadline=None)
@given(cameras, st.floats(200, 1080), st.floats(120, 600), st.floats(0, 20))
def test_a_pixel_comes_back_from_its_ring_point(camera: Camera, u: float, v: float, z: float) -> None:
    xy = camera.to_plane(np.array([[u, v]]), z)
    if np.isfinite(xy).all() and np.abs(xy).max() < 60:
        assert camera.project(np.column_stack([xy, [z]])) == pytest.approx(np.array([[u, v]]), abs=1e-4)


@settings(deadline=None)
@given(cameras)
def test_a_camera_comes_back_from_its_vector(camera: Camera) -> None:
    again = to_camera(to_vector(camera), camera.size)
    points = np.array([[1.0, 2.0, 3.0], [-20.0, 10.0, 15.0]])
    assert np.array_equal(again.project(points), camera.project(points))


def test_a_ray_that_misses_the_plane_is_nan() -> None:
    camera = looking_at((0, -100, 50), aim=(0, 0, 50))
    assert np.isnan(camera.to_plane(np.array([[640.0, 10.0]]), 0.0)).all()
    assert np.isnan(camera.to_plane(np.array([[640.0, 359.5]]), 0.0)).all()


def calibrated(camera: Camera | None = None) -> RingCalibration:
    camera = camera or looking_at((5, -85, 125), dist=(-0.1, 0.02, 0.0004, 0.0, 0.0))
    return calibrate(ideal_spec(camera), camera.size)


@settings(deadline=None, max_examples=20)
@given(cameras)
def test_projection_derivatives_are_the_numerical_ones(camera: Camera) -> None:
    points = np.array([[10.0, -20.0, 0.0], [-30.0, 25.0, 12.0]])
    _, by_vector, by_point = project_with_derivatives(camera, points)
    vector = to_vector(camera)
    for column in range(15):
        step = np.zeros(15)
        step[column] = 1e-5 * max(1.0, abs(vector[column]))
        plus, minus = (to_camera(vector + sign * step, camera.size).project(points) for sign in (1, -1))
        expected = (plus - minus) / (2 * step[column])
        assert by_vector[:, :, column] == pytest.approx(expected, rel=1e-3, abs=1e-3)
    for axis in range(3):
        shift = np.eye(3)[axis] * 1e-4
        expected = (camera.project(points + shift) - camera.project(points - shift)) / 2e-4
        assert by_point[:, :, axis] == pytest.approx(expected, rel=1e-4, abs=1e-4)


def test_plane_derivatives_are_the_numerical_ones() -> None:
    found = calibrated()
    px = np.array([[500.0, 200.0], [800.0, 500.0]])
    z = np.array([3.0, 12.0])
    by_camera = found.plane_jacobian(px, z)
    for column, value in enumerate(found.values):
        step = np.zeros(len(found.values))
        step[column] = 1e-5 * max(1.0, abs(value))
        plus, minus = (
            to_camera(found.basis.vector(found.values + sign * step), found.size).to_plane(px, z)
            for sign in (1, -1)
        )
        expected = (plus - minus) / (2 * step[column])
        assert by_camera[:, :, column] == pytest.approx(expected, rel=1e-3, abs=1e-4)
    expected_z = (found.camera.to_plane(px, z + 1e-4) - found.camera.to_plane(px, z - 1e-4)) / 2e-4
    assert found.plane_jacobian_z(px, z) == pytest.approx(expected_z, rel=1e-4, abs=1e-6)
    for axis in range(2):
        shift = np.eye(2)[axis] * 1e-3
        expected = (found.camera.to_plane(px + shift, z) - found.camera.to_plane(px - shift, z)) / 2e-3
        assert found.plane_jacobian_px(px, z)[:, :, axis] == pytest.approx(expected, rel=1e-3, abs=1e-6)


def test_plane_points_adds_click_and_height_errors() -> None:
    found = calibrated()
    px = found.camera.project(grid(found.spec, 6.0, 3))
    xy, bare = found.plane_points(px, 6.0)
    _, full = found.plane_points(px, 6.0, np.diag([0.25, 0.25]), z_sd=0.5)
    by_px, by_z = found.plane_jacobian_px(px, 6.0), found.plane_jacobian_z(px, 6.0)
    extra = 0.25 * by_px @ by_px.transpose(0, 2, 1) + 0.25 * by_z[:, :, None] * by_z[:, None, :]
    assert full == pytest.approx(bare + extra)
    assert xy == pytest.approx(grid(found.spec, 6.0, 3)[:, :2], abs=1e-6)


def test_sampled_cameras_scatter_like_the_covariance() -> None:
    found = calibrated()
    px = np.array([[420.0, 250.0], [860.0, 520.0]])
    seen = np.array([camera.to_plane(px, 8.0) for camera in found.sample(np.random.default_rng(1), 3000)])
    _, expected = found.plane_points(px, 8.0)
    for index in range(2):
        assert np.cov(seen[:, index].T) == pytest.approx(expected[index], rel=0.15, abs=2e-4)
    assert found.sample(np.random.default_rng(1), 0) == []


def test_no_pixels_give_no_points() -> None:
    xy, covariance = calibrated().plane_points(np.empty((0, 2)), 0.0)
    assert xy.shape == (0, 2)
    assert covariance.shape == (0, 2, 2)
