"""The camera comes back from what was clicked, and its error bars are true."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.intrinsics import INTRINSIC_NAMES, Intrinsics
from calibration.result import RingCalibration
from calibration.ring import RingSpec
from calibration.solve import calibrate
from tests.calibration.rings import (
    CLIPS,
    Camera,
    clicked_ring,
    grid,
    ideal_spec,
    load_clip,
    looking_at,
    painted_ring,
)

SIZE = (1280, 720)
CAMERA = looking_at((5, -85, 125), dist=(-0.12, 0.02, 0.0, 0.0, 0.0))


def rms_mm(found: RingCalibration, truth: Camera, z: float) -> float:
    points = grid(found.spec, z)
    xy, _ = found.plane_points(truth.project(points), z)
    return float(10 * np.sqrt(np.square(xy - points[:, :2]).sum(axis=1).mean()))


def sd_mm(found: RingCalibration, z: float) -> float:
    _, covariance = found.plane_points(found.camera.project(grid(found.spec, z)), z)
    return float(10 * np.sqrt(np.trace(covariance, axis1=1, axis2=2).mean()))


@pytest.mark.parametrize("eye", [(0.0, -1.0, 140.0), (20.0, -90.0, 120.0), (-40.0, -60.0, 150.0)])
def test_perfect_clicks_give_the_camera_back(eye: tuple[float, float, float]) -> None:
    camera = looking_at(eye)
    found = calibrate(ideal_spec(camera), SIZE, corner_sd_px=0.01)
    assert found.camera.K[0, 0] == pytest.approx(camera.K[0, 0], rel=0.005)
    assert found.camera.centre == pytest.approx(camera.centre, abs=1.0)
    assert max(rms_mm(found, camera, z) for z in (0.0, 8.0, 16.0)) < 0.15


@pytest.mark.parametrize("tops", [True, False])
def test_error_bars_hold_95_percent_of_the_truth(tops: bool) -> None:
    rng = np.random.default_rng(7)
    inside: list[float] = []
    for _ in range(250):
        camera, spec = clicked_ring(rng, tops=tops)
        found = calibrate(spec, SIZE)
        for z in (0.0, 10.0):
            points = grid(spec, z, 4)
            xy, covariance = found.plane_points(camera.project(points), z)
            away = np.abs(xy - points[:, :2]) / np.sqrt(np.diagonal(covariance, axis1=1, axis2=2))
            inside.append(float((away < 1.96).mean()))
    assert 0.93 <= np.mean(inside) <= 0.97


def test_corners_from_straight_above_alone_are_honest_about_height() -> None:
    camera = looking_at((0.0, -1.0, 140.0))
    spec = ideal_spec(camera)
    bare = calibrate(replace(spec, post_tops_px=None), SIZE)
    full = calibrate(spec, SIZE)
    assert "focal_length" in [assumption.key for assumption in bare.assumptions]
    assert "add post_tops_px" in " ".join(assumption.text for assumption in bare.assumptions)
    assert sd_mm(bare, 15.0) > 2.0 * sd_mm(full, 15.0)
    assert "focal_length" not in [assumption.key for assumption in full.assumptions]


def test_noisier_clicks_widen_the_error_bars() -> None:
    spec = ideal_spec(CAMERA)
    assert sd_mm(calibrate(spec, SIZE, corner_sd_px=2.0), 0.0) > 2 * sd_mm(calibrate(spec, SIZE), 0.0)


def test_clicks_that_do_not_fit_raise_the_noise() -> None:
    spec = ideal_spec(CAMERA)
    shaken = replace(spec, corners_px=spec.corners_px + np.array([[3, 0], [-3, 2], [2, 3], [0, -3]]))
    assert calibrate(shaken, SIZE).click_sd_px > calibrate(spec, SIZE).click_sd_px


def test_a_known_lens_leaves_only_the_pose_free() -> None:
    lens = Intrinsics(CAMERA.K, CAMERA.dist, SIZE)
    found = calibrate(replace(ideal_spec(CAMERA), post_tops_px=None), SIZE, intrinsics=lens)
    assert found.parameters == ("rx", "ry", "rz", "tx", "ty", "tz")
    assert found.covariance.shape == (6, 6)
    assert np.array_equal(found.camera.K, CAMERA.K)
    assert rms_mm(found, CAMERA, 10.0) < 0.01


def test_the_doubt_of_a_lens_reaches_the_table() -> None:
    doubt = np.diag(np.square([20.0, 20.0, 5.0, 5.0, 0.02, 0.02, 1e-4, 1e-4, 0.0]))
    spec = replace(ideal_spec(CAMERA), post_tops_px=None)
    exact = calibrate(spec, SIZE, intrinsics=Intrinsics(CAMERA.K, CAMERA.dist, SIZE))
    doubted = calibrate(spec, SIZE, intrinsics=Intrinsics(CAMERA.K, CAMERA.dist, SIZE, doubt))
    assert doubted.parameters[6:] == INTRINSIC_NAMES
    assert sd_mm(doubted, 10.0) > 1.1 * sd_mm(exact, 10.0)


def test_posts_beside_the_corners_are_noticed() -> None:
    camera = looking_at((5, -85, 125))
    spec = ideal_spec(camera)
    beside = replace(spec, post_offset_cm=1.5)
    clicked = replace(spec, post_tops_px=camera.project(beside.post_tops()))
    found = calibrate(clicked, SIZE)
    assert any("outside the mat's corners" in str(note) for note in found.notes)
    assert rms_mm(found, camera, 10.0) < 3.0 * sd_mm(found, 10.0)
    told = calibrate(replace(beside, post_tops_px=camera.project(beside.post_tops())), SIZE)
    assert told.notes == ()
    assert rms_mm(told, camera, 10.0) < 1.0


def test_edges_bring_the_distortion() -> None:
    spec = ideal_spec(CAMERA)
    rng = np.random.default_rng(4)
    assert spec.post_tops_px is not None
    shaken = replace(
        spec,
        corners_px=spec.corners_px + rng.normal(0, 0.5, (4, 2)),
        post_tops_px=spec.post_tops_px + rng.normal(0, 0.5, (4, 2)),
    )
    picture = painted_ring(CAMERA, spec)
    with_edges, without = calibrate(shaken, SIZE, image=picture), calibrate(shaken, SIZE)
    assert with_edges.notes == ()
    assert with_edges.edges is not None
    assert set(with_edges.edges.side) == {0, 1, 2, 3}
    assert with_edges.camera.dist[0] == pytest.approx(-0.12, abs=0.02)
    assert rms_mm(with_edges, CAMERA, 0.0) < 0.4
    assert sd_mm(with_edges, 0.0) < 0.5 * sd_mm(without, 0.0)


def test_ropes_are_found_at_their_heights() -> None:
    spec = ideal_spec(CAMERA)
    found = calibrate(spec, SIZE, image=painted_ring(CAMERA, spec, (5.0, 9.0, 13.0)))
    assert found.rope_heights_cm == pytest.approx((5.0, 9.0, 13.0), abs=0.25)
    assert calibrate(spec, SIZE, image=painted_ring(CAMERA, spec)).rope_heights_cm == ()


def test_edges_that_contradict_the_clicks_are_dropped_with_a_note() -> None:
    spec = ideal_spec(CAMERA)
    smaller = RingSpec(spec.width_cm - 1.0, spec.depth_cm - 1.0, spec.post_height_cm, spec.corners_px)
    found = calibrate(spec, SIZE, image=painted_ring(CAMERA, smaller))
    assert found.edges is None
    assert any("not used" in str(note) for note in found.notes)
    assert rms_mm(found, CAMERA, 0.0) < 3.0


def test_a_picture_without_a_mat_says_so() -> None:
    found = calibrate(ideal_spec(CAMERA), SIZE, image=np.full((720, 1280, 3), 128, np.uint8))
    assert found.edges is None
    assert len(found.notes) == 4
    assert all("was not found clearly" in str(note) for note in found.notes)


@pytest.mark.nightly
@pytest.mark.parametrize("name", CLIPS)
def test_redrawn_clicks_on_the_clips(name: str) -> None:
    clip = load_clip(name)
    rng = np.random.default_rng(11)
    tops = clip.truth.project(clip.spec.post_tops())
    corners = clip.truth.project(clip.spec.corners())
    errors = []
    for _ in range(20):
        spec = replace(
            clip.spec,
            corners_px=corners + rng.normal(0, 0.5, (4, 2)),
            post_tops_px=tops + rng.normal(0, 0.5, (4, 2)),
        )
        found = calibrate(spec, SIZE, image=clip.first)
        errors.append([rms_mm(found, clip.truth, z) for z in (0.0, 10.0)])
    pooled = np.sqrt(np.square(errors).mean(axis=0))
    assert pooled[0] <= 0.4
    assert pooled[1] <= 0.6
    assert np.max(errors) <= 1.2


def test_ropes_that_cover_each_other_are_known_but_measure_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = ideal_spec(CAMERA)
    picture = painted_ring(CAMERA, spec, (5.0, 9.0, 13.0))
    with_ropes = calibrate(spec, SIZE, image=picture)
    monkeypatch.setattr("calibration.ropes._ALONE_PX", 1e9)
    covered = calibrate(spec, SIZE, image=picture)
    assert covered.rope_heights_cm == pytest.approx((5.0, 9.0, 13.0), abs=0.25)
    assert sd_mm(covered, 10.0) > sd_mm(with_ropes, 10.0)
