"""Clicks several pixels off: the picture corrects them, the error bars know, the report names them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.heldout import Verdict, expected_mm, held_out, widened
from calibration.result import RingCalibration
from calibration.ring import RingSpec
from calibration.solve import calibrate
from tests.calibration.rings import grid, ideal_spec, looking_at, painted_ring

SIZE = (1280, 720)
CAMERA = looking_at((5, -85, 125), dist=(-0.1, 0.02, 0.0, 0.0, 0.0))
SPEC = ideal_spec(CAMERA)


def clicked(sd_px: float, seed: int) -> RingSpec:
    rng = np.random.default_rng(seed)
    assert SPEC.post_tops_px is not None
    return replace(
        SPEC,
        corners_px=SPEC.corners_px + rng.normal(0, sd_px, (4, 2)),
        post_tops_px=SPEC.post_tops_px + rng.normal(0, sd_px, (4, 2)),
    )


def inside(found: RingCalibration, z: float) -> float:
    points = grid(found.spec, z)
    xy, covariance = found.plane_points(CAMERA.project(points), z)
    away = np.abs(xy - points[:, :2]) / np.sqrt(np.diagonal(covariance, axis1=1, axis2=2))
    return float((away < 1.96).mean())


@pytest.mark.nightly
def test_the_edges_in_the_picture_correct_careless_clicks() -> None:
    picture = painted_ring(CAMERA, SPEC)
    for seed in range(3):
        for spec in (clicked(3.0, seed), replace(clicked(3.0, seed), post_tops_px=None)):
            found = calibrate(spec, SIZE, image=picture)
            points = grid(spec, 0.0)
            xy, _ = found.plane_points(CAMERA.project(points), 0.0)
            assert found.edges is not None
            assert 10 * np.sqrt(np.square(xy - points[:, :2]).sum(axis=1).mean()) < 1.0
            assert found.click_sd_px > 1.2


def test_a_click_that_is_off_is_named_with_its_pixels() -> None:
    assert SPEC.post_tops_px is not None
    off = np.zeros((4, 2))
    off[1] = (5.0, 4.0)
    bad = replace(SPEC, post_tops_px=SPEC.post_tops_px + off)
    found = calibrate(bad, SIZE, image=painted_ring(CAMERA, SPEC))
    told = [note for note in found.notes if note.key == "click_off"]
    assert told[0].names["click"] == "far-right post top"
    assert 4.0 <= told[0].values["px"] <= 8.0
    assert "far-right post top is" in str(told[0])


@pytest.mark.nightly
def test_error_bars_hold_the_truth_however_careless_the_clicks() -> None:
    """Without a picture, from nothing but how the clicks contradict each other."""
    for sd_px in (1.0, 1.5, 2.0):
        share = []
        for seed in range(30):
            found = calibrate(clicked(sd_px, seed), SIZE)
            share += [inside(found, z) for z in (0.0, 10.0)]
        assert np.mean(share) >= 0.85, f"{sd_px} px"


def test_a_failed_check_is_never_good() -> None:
    smaller = RingSpec(SPEC.width_cm - 1.0, SPEC.depth_cm - 1.0, SPEC.post_height_cm, SPEC.corners_px)
    picture = painted_ring(CAMERA, smaller)
    found = calibrate(SPEC, SIZE, image=picture)
    assert found.contradicted
    assert held_out(found, image=picture).verdict is not Verdict.GOOD


def test_corners_that_nothing_checks_are_never_good() -> None:
    found = calibrate(replace(SPEC, post_tops_px=None), SIZE)
    assert held_out(found).verdict is not Verdict.GOOD


def test_bars_are_widened_to_what_a_failed_check_found() -> None:
    assert SPEC.post_tops_px is not None
    off = np.array([[0, 0], [6, -5], [0, 0], [0, 0]])
    found = calibrate(
        replace(SPEC, corners_px=SPEC.corners_px + off, post_tops_px=SPEC.post_tops_px - off), SIZE
    )
    check = held_out(found)
    assert check.verdict is Verdict.REDO
    assert expected_mm(widened(found, check)) >= 0.99 * check.worst_mm
    good = calibrate(SPEC, SIZE)
    assert widened(good, held_out(good)) is good
