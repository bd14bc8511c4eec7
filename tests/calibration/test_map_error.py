"""The uncertainty map's numbers: what a figure's place is really off by, and more where the camera is far."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.map_error import Finding, error_map, error_mm
from calibration.result import RingCalibration
from calibration.solve import calibrate
from tests.calibration.rings import ideal_spec, looking_at

CAMERA = looking_at((10.0, -60.0, 95.0), focal=1000.0)
FINDING = Finding()


@pytest.fixture(scope="module")
def calibration() -> RingCalibration:
    return calibrate(ideal_spec(CAMERA), (1280, 720))


def test_95_of_100_places_are_within_the_error_of_their_worst_direction(calibration: RingCalibration) -> None:
    rng, draws = np.random.default_rng(3), 3000
    for place in ((0.0, 0.0), (-30.0, 28.0)):
        said = error_mm(calibration, np.array([place]))[0]
        middle = np.array([[*place, FINDING.middle_cm]])
        height = FINDING.middle_cm + FINDING.middle_sd_cm * rng.standard_normal(draws)
        pixels = calibration.camera.project(middle) + FINDING.middle_sd_px * rng.standard_normal((draws, 2))
        cameras = calibration.sample(rng, draws)
        found = np.concatenate(
            [camera.to_plane(px[None], z) for camera, px, z in zip(cameras, pixels, height, strict=True)]
        )
        by_tap = calibration.plane_jacobian_px(calibration.camera.project(np.array([[*place, 0.0]])), 0.0)[0]
        tap = FINDING.tap_sd_px * rng.standard_normal((draws, 2)) @ by_tap.T
        away = 10 * (found + tap - np.array(place))
        worst = np.linalg.eigh(np.cov(away.T))[1][:, 1]
        assert np.mean(np.abs(away @ worst) <= said) == pytest.approx(0.95, abs=0.02)


def test_it_grows_with_the_distance_from_the_camera(calibration: RingCalibration) -> None:
    table = error_map(calibration, 10.0)
    assert table.mm.shape == (len(table.y), len(table.x))
    assert (table.mm[-1] > table.mm[0]).all()


def test_a_steadier_finding_is_surer(calibration: RingCalibration) -> None:
    here = np.array([[0.0, 0.0]])
    steady = Finding(middle_sd_px=0.1, tap_sd_px=0.3)
    assert error_mm(calibration, here, steady) < error_mm(calibration, here)
