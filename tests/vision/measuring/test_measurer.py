"""Measuring fragments of modelled figures: place, facing, posture, refinement, and what a track carries."""

import gc
import json
import weakref

import numpy as np
import pytest

from datasets.figures import bollard, photograph, random_figure
from tests.vision.measuring.test_ground import CALIBRATION, pixel
from vision.fighters import FighterSpec
from vision.fragments import Fragment
from vision.measuring.displacement import Placement, displacement, total_covariance
from vision.measuring.facing_belief import Facing
from vision.measuring.likelihood import wrap
from vision.measuring.matte import MatteError
from vision.measuring.measurer import Measurer

HERE, THERE, FACING, TURN = np.array([-14.0, 6.0]), np.array([9.0, -11.0]), 30.0, 110.0


def fragment_of(figure, xy, facing, *, first=0, frames=20, seed=1):
    rng = np.random.default_rng(seed)
    look = photograph(figure.placed(xy, facing), CALIBRATION.camera, rng, pad=16)
    support = (look.silhouette > 0.6).astype(np.float32)
    return Fragment("F1", first, first + frames, frames, look.origin, look.picture, support, 0.1)


@pytest.fixture(scope="module")
def beast():
    return random_figure(np.random.default_rng(6), "beast")


@pytest.fixture(scope="module")
def before(beast):
    return fragment_of(beast, HERE, FACING)


@pytest.fixture(scope="module")
def after(beast):
    return fragment_of(beast, THERE, FACING + TURN, first=60, seed=2)


def spec_of(figure, *, tapped=True):
    foot = tuple(pixel(HERE)) if tapped else None
    return FighterSpec("F1", figure.height, FACING, foot_px=foot)


@pytest.fixture(scope="module")
def poses(beast, before, after):
    measurer = Measurer(CALIBRATION, [spec_of(beast)])
    return measurer.measure(0, before), measurer.measure(1, after)


def test_the_ground_point_is_found_and_its_bar_is_small(poses):
    first, second = poses
    assert np.hypot(*(first.xy - HERE)) < 0.35
    assert np.hypot(*(second.xy - THERE)) < 1.0
    assert 2 * 1.96 * np.sqrt(np.diag(first.covariance)).max() < 1.6


def test_the_turn_is_registered_on_top_of_the_event_s_facing(poses):
    first, second = poses
    assert first.facing_deg == FACING
    assert abs(wrap(second.facing_deg - FACING - TURN)) < 10
    assert second.posture == "standing"


def test_a_move_is_the_same_from_poses_and_from_their_json(poses):
    kept = [
        Placement(
            np.asarray(json.loads(json.dumps(p.xy.tolist()))), p.covariance, json.loads(json.dumps(p.error))
        )
        for p in poses
    ]
    move = displacement(*map(Placement.of_pose, poses))
    again = displacement(*kept)
    assert again.length_cm == pytest.approx(move.length_cm)
    assert again.sd_cm == pytest.approx(move.sd_cm)
    length = np.hypot(*(THERE - HERE))
    assert abs(move.length_cm - length) < 2.5 * move.sd_cm


def test_sources_add_up_to_the_whole_covariance(poses):
    for pose in poses:
        np.testing.assert_allclose(total_covariance(pose.error), pose.covariance, atol=1e-5)


def test_the_outline_surrounds_the_ground_point(poses):
    for pose in poses:
        edges = np.roll(pose.outline, -1, axis=0) - pose.outline
        gaps = pose.xy - pose.outline
        assert (edges[:, 0] * gaps[:, 1] - edges[:, 1] * gaps[:, 0] > 0).all()


def test_without_a_tap_the_bar_is_wider(beast, before, poses):
    pose = Measurer(CALIBRATION, [spec_of(beast, tapped=False)]).measure(0, before)
    assert np.trace(pose.covariance) > 1.3 * np.trace(poses[0].covariance)
    assert np.hypot(*(pose.xy - HERE)) < 1.5


def test_a_tap_belongs_to_the_first_frame_only(beast):
    late = fragment_of(beast, HERE, FACING, first=40)
    pose = Measurer(CALIBRATION, [spec_of(beast)]).measure(0, late)
    assert pose.error["basis"] == "F1:height"


def test_the_same_number_again_refines_and_does_not_turn(beast, before, after):
    measurer = Measurer(CALIBRATION, [spec_of(beast)])
    measurer.measure(0, before)
    few = measurer.measure(1, fragment_of(beast, THERE, FACING + TURN, first=60, frames=4, seed=3))
    more = measurer.measure(1, fragment_of(beast, THERE, FACING + TURN, first=60, frames=9, seed=4))
    assert more.facing_deg == few.facing_deg
    assert np.hypot(*(more.xy - few.xy)) < 0.1


def test_a_figure_that_nobody_touched_keeps_its_facing(beast, before):
    measurer = Measurer(CALIBRATION, [spec_of(beast)])
    measurer.measure(0, before)
    pose = measurer.measure(1, fragment_of(beast, HERE, FACING, first=70, seed=5))
    assert pose.facing_deg == FACING
    assert (
        displacement(Placement.of_pose(measurer.measure(0, before)), Placement.of_pose(pose)).length_cm < 0.1
    )


def test_what_the_referee_says_overrides_the_pictures(beast, before, after):
    measurer = Measurer(CALIBRATION, [spec_of(beast)])
    measurer.measure(0, before)
    told = measurer.measure(1, after, facing=Facing(-75.0, 2.0, "marker"), posture="lying")
    assert (told.facing_deg, told.facing_source, told.posture) == (-75.0, "marker", "lying")
    more = fragment_of(beast, THERE, FACING + TURN, first=60, frames=60, seed=7)
    again = measurer.measure(1, more)
    assert (again.facing_deg, again.facing_source, again.posture) == (-75.0, "marker", "lying")


def test_a_tap_that_contradicts_the_silhouette_is_warned_of_and_one_with_jitter_is_not(beast, before):
    for off, warned in ((np.array([2.0, -2.0]), False), (np.array([0.0, -30.0]), True)):
        foot = tuple(pixel(HERE) + off)
        measurer = Measurer(CALIBRATION, [FighterSpec("F1", beast.height, FACING, foot_px=foot)])
        assert measurer.warnings == []
        pose = measurer.measure(0, before)
        assert [w.startswith("fighter F1: foot_px lies") for w in measurer.warnings] == [True] * warned
        assert np.hypot(*(pose.xy - HERE)) < 1.5


@pytest.mark.nightly
def test_a_long_match_keeps_few_pictures_and_measures_as_before(beast, before, after):
    first = Measurer(CALIBRATION, [spec_of(beast)])
    first.measure(0, before)
    expected = first.measure(1, after)
    measurer = Measurer(CALIBRATION, [spec_of(beast)])
    # hands pass again and again: each time a new fragment of the same figure
    for number in range(40):
        later = Fragment(
            "F1", 10 * number, 10 * number + 9, 20, before.origin, before.mean, before.support, 0.1
        )
        picture = weakref.ref(later)
        measurer.measure(number, later)
        if number == 20:
            middle = picture
    del later
    gc.collect()
    assert middle() is None
    pose = measurer.measure(40, after)
    assert np.hypot(*(pose.xy - expected.xy)) < 0.1
    assert abs(wrap(pose.facing_deg - expected.facing_deg)) < 6
    assert pose.error["basis"] == "F1:tap"


def test_a_fragment_without_its_figure_is_refused(beast, before):
    empty = Fragment("F1", 0, 9, 5, before.origin, before.mean, np.zeros_like(before.support), 0.1)
    with pytest.raises(MatteError, match="0 pixels"):
        Measurer(CALIBRATION, [spec_of(beast)]).measure(0, empty)


def test_an_assumed_facing_comes_with_the_place_of_every_facing_that_remains():
    """A turned solid looks alike from all sides: every facing remains, and its place is where it stands."""
    figure = bollard(9.0)
    measurer = Measurer(CALIBRATION, [FighterSpec("F1", figure.height, FACING, foot_px=tuple(pixel(HERE)))])
    first = measurer.measure(0, fragment_of(figure, HERE, FACING))
    second = measurer.measure(1, fragment_of(figure, THERE, FACING + TURN, first=60, seed=2))
    assert "readings" not in first.error
    assert second.facing_source == "assumed"
    ways = second.error["readings"]
    assert len(ways) >= 2
    assert sum(way["share"] for way in ways) > 0.97
    # between the places of the likeliest two, which are nearly one
    assert (ways[0]["x"], ways[0]["y"]) == pytest.approx(second.xy, abs=0.05)
    assert all(np.hypot(way["x"] - THERE[0], way["y"] - THERE[1]) < 1.0 for way in ways)
    variances = [total_covariance({**way, "fragment": 1, "basis": ""}) for way in ways]
    assert min(np.trace(v) for v in variances) <= np.trace(second.covariance)
