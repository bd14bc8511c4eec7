"""Wide-angle lenses in the ring's camera: there and back, derivatives, and a ring calibrated through one."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.camera import Array, Camera
from calibration.errors import CalibrationError
from calibration.intrinsics import Intrinsics
from calibration.lens_model import project_with_derivatives, to_camera, to_vector
from calibration.ring import RingSpec
from calibration.solve import calibrate

SIZE = (1280, 720)
# An action camera: 120 degrees across.
K = np.array([[560.0, 0.0, 642.0], [0.0, 558.0, 357.0], [0.0, 0.0, 1.0]])
BEND = np.array([0.04, -0.012, 0.006, -0.002])


def over_the_ring(eye: tuple[float, float, float] = (4.0, -46.0, 60.0), bend: Array = BEND) -> Camera:
    """The lens near the table, looking at the middle of the ring."""
    forward = -np.array(eye) / np.linalg.norm(eye)
    right = np.cross(forward, [0.0, 0.0, 1.0])
    right /= np.linalg.norm(right)
    rotation = np.stack([right, np.cross(forward, right), forward])
    rvec = np.asarray(cv2.Rodrigues(rotation)[0], np.float64).ravel()
    return Camera(K, np.append(bend, 0.0), rvec, -rotation @ np.array(eye), SIZE, wide=True)


coefficients = st.tuples(
    st.floats(-0.08, 0.08), st.floats(-0.03, 0.03), st.floats(-0.01, 0.01), st.floats(-0.005, 0.005)
)


@settings(max_examples=60, deadline=None)
@given(coefficients, st.floats(0, 1279), st.floats(0, 719), st.floats(0, 15))
def test_pixels_go_to_the_table_and_back(
    bend: tuple[float, float, float, float], u: float, v: float, z: float
) -> None:
    camera = over_the_ring(bend=np.array(bend))
    point = camera.to_plane(np.array([[u, v]]), z)
    # Where the lens looks over the edge of the table there is no point to come back from.
    if np.isfinite(point).all():
        back = camera.project(np.array([[*point[0], z]]))
        assert back[0] == pytest.approx((u, v), abs=1e-4)


def test_it_is_the_model_of_opencv() -> None:
    camera = over_the_ring()
    points = np.array([[0.0, 0.0, 0.0], [30.0, 30.0, 0.0], [-33.0, -20.0, 14.0]])
    seen, _ = cv2.fisheye.projectPoints(points.reshape(-1, 1, 3), camera.rvec, camera.tvec, K, BEND)
    assert camera.project(points) == pytest.approx(np.asarray(seen).reshape(-1, 2), abs=1e-9)
    flat = cv2.fisheye.undistortPoints(np.asarray(seen), K, BEND)
    rays = camera.rays(camera.project(points)) @ camera.rotation.T
    assert rays[:, :2] == pytest.approx(np.asarray(flat).reshape(-1, 2), abs=1e-6)


def test_derivatives_are_those_of_small_steps() -> None:
    camera = over_the_ring()
    points = np.array([[10.0, -5.0, 3.0], [-30.0, 25.0, 0.0]])
    pixels, by_vector, by_point = project_with_derivatives(camera, points)
    assert pixels == pytest.approx(camera.project(points))
    vector = to_vector(camera)
    for number in range(14):
        step = np.zeros(15)
        step[number] = 1e-6 * max(1.0, abs(vector[number]))
        plus, minus = (to_camera(vector + way * step, SIZE, wide=True).project(points) for way in (1, -1))
        assert by_vector[..., number] == pytest.approx(
            (plus - minus) / (2 * step[number]), rel=1e-4, abs=1e-4
        )
    assert not by_vector[..., 14].any()
    for axis in range(3):
        step = np.eye(3)[axis] * 1e-5
        slope = (camera.project(points + step) - camera.project(points - step)) / 2e-5
        assert by_point[..., axis] == pytest.approx(slope, rel=1e-4, abs=1e-4)


def test_what_the_lens_cannot_see_is_no_place() -> None:
    camera = over_the_ring(bend=np.array([-0.2, -0.1, 0.0, 0.0]))
    assert np.isnan(camera.to_plane(np.array([[-4000.0, 357.0]]))).all()
    assert camera.rays(np.empty((0, 2))).shape == (0, 3)


def ring(camera: Camera) -> RingSpec:
    bare = RingSpec(70.0, 70.0, 16.0, np.zeros((4, 2)), np.zeros((4, 2)))
    rng = np.random.default_rng(3)
    clicks = [camera.project(one) + rng.normal(0, 0.4, (4, 2)) for one in (bare.corners(), bare.post_tops())]
    return RingSpec(70.0, 70.0, 16.0, clicks[0], clicks[1])


def figures() -> Array:
    x, y = np.meshgrid(np.linspace(-33, 33, 7), np.linspace(-33, 33, 7))
    return np.column_stack([x.ravel(), y.ravel(), np.full(x.size, 10.0)])


def test_a_ring_is_calibrated_through_it_with_honest_bars() -> None:
    truth = over_the_ring()
    covariance = np.diag([1.0, 1.0, 1.5, 1.5, 2e-3, 2e-3, 1e-3, 5e-4]) ** 2
    lens = Intrinsics(K, BEND, SIZE, covariance, wide=True)
    found = calibrate(ring(truth), SIZE, intrinsics=lens)
    assert found.camera.wide
    points = figures()
    pixels = truth.project(points)
    places, bars = found.plane_points(pixels, 10.0)
    off = places - points[:, :2]
    error = float(np.sqrt(np.square(off).sum(axis=1).mean()))
    assert error < 0.25
    away = np.einsum("ni,nij,nj->n", off, np.linalg.inv(bars), off)
    assert np.median(away) < 6.0
    # The plain model cannot follow such a lens.
    plain = calibrate(ring(truth), SIZE)
    away = plain.camera.to_plane(pixels, 10.0) - points[:, :2]
    assert np.sqrt(np.square(away).sum(axis=1).mean()) > 1.5 * error


def test_what_is_no_wide_lens_is_refused() -> None:
    with pytest.raises(CalibrationError, match="four finite numbers"):
        Intrinsics(K, np.zeros(3), SIZE, wide=True)
    with pytest.raises(CalibrationError, match="8x8"):
        Intrinsics(K, BEND, SIZE, np.eye(5), wide=True)
    assert Intrinsics(K, BEND, SIZE, np.eye(8), wide=True).vector().shape == (9,)
