"""The ground point: right for modelled figures, honest about its error, taught by one tap."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.camera import Camera
from calibration.ring import RingSpec
from calibration.solve import calibrate
from tests.vision.figures import bollard, photograph, random_figure, turn
from vision.measuring.ground import Middle, ground_point, taught, untaught
from vision.measuring.silhouette import Silhouette, view_at

SIZE = (1280, 720)
SHARP = np.zeros((2, 2))


def oblique_camera():
    tilt = np.radians(35.0)
    rotation = np.array([[1, 0, 0], [0, -np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), -np.cos(tilt)]])
    import cv2

    K = np.array([[1250.0, 0, 640], [0, 1250, 360], [0, 0, 1]])
    return Camera(K, np.zeros(5), cv2.Rodrigues(rotation)[0].ravel(), np.array([0.0, 0.0, 155.0]), SIZE)


CAMERA = oblique_camera()
RING = RingSpec(70, 70, 16, np.zeros((4, 2)))
CALIBRATION = calibrate(
    RingSpec(70, 70, 16, CAMERA.project(RING.corners()), CAMERA.project(RING.post_tops())), SIZE
)


def pixel(xy, z=0.0):
    return CALIBRATION.camera.project(np.array([[xy[0], xy[1], z]]))[0]


def body_point(model, xy, facing):
    """Where the point that the model takes for the steady middle is seen."""
    offset = turn(np.degrees(facing))[:2, :2] @ model.mean[:2]
    return pixel(np.asarray(xy) + offset, 0.475 * model.height_cm)


def total(point):
    return point.own + point.camera @ point.camera.T + point.figure @ point.figure.T


places = st.tuples(st.floats(-30, 30), st.floats(-30, 30)).map(np.array)
facings = st.floats(-np.pi, np.pi)


@given(places, facings, st.floats(7, 16))
def test_a_figure_as_believed_is_found_where_it_stands(xy, facing, height):
    model = untaught(CALIBRATION, height)
    middle = Middle(body_point(model, xy, facing), SHARP, facing, 0.05)
    np.testing.assert_allclose(ground_point(CALIBRATION, model, middle).xy, xy, atol=1e-4)


@given(places, facings, places, facings, st.tuples(st.floats(-1, 1), st.floats(-1, 1)).map(np.array))
def test_a_tap_teaches_an_offset_that_turns_with_the_figure(here, facing, there, later, offset):
    height = 12.0
    model = untaught(CALIBRATION, height)
    shifted = [
        Middle(
            pixel(xy + turn(np.degrees(f))[:2, :2] @ (model.mean[:2] + offset), 0.475 * height),
            SHARP,
            f,
            0.01,
        )
        for xy, f in ((here, facing), (there, later))
    ]
    known = taught(CALIBRATION, model, shifted[0], pixel(here))
    assert known.tapped
    before = np.hypot(*(ground_point(CALIBRATION, model, shifted[1]).xy - there))
    after = np.hypot(*(ground_point(CALIBRATION, known, shifted[1]).xy - there))
    # along the view a tap cannot tell the offset from the height: most of it is learned, not all
    assert after <= 0.5 * before + 0.02


@given(places, facings)
def test_a_tap_makes_the_error_bar_smaller_and_never_larger(xy, facing):
    model = untaught(CALIBRATION, 12.0)
    middle = Middle(body_point(model, xy, facing), SHARP, facing, 0.01)
    known = taught(CALIBRATION, model, middle, pixel(xy))
    loose = total(ground_point(CALIBRATION, model, middle))
    tight = total(ground_point(CALIBRATION, known, middle))
    assert np.linalg.eigvalsh(loose - tight).min() > -1e-9
    assert np.sqrt(np.linalg.eigvalsh(tight).max()) < 0.35


def test_a_tap_on_another_figure_teaches_nothing():
    model = untaught(CALIBRATION, 12.0)
    middle = Middle(body_point(model, (5, 5), 0.3), SHARP, 0.3, 0.01)
    assert not taught(CALIBRATION, model, middle, pixel((20, 5))).tapped


@given(places, facings, st.floats(0, 6.28))
def test_jitter_of_three_pixels_is_never_disputed(xy, facing, way):
    model = untaught(CALIBRATION, 12.0)
    middle = Middle(body_point(model, xy, facing), SHARP, facing, 0.05)
    known = taught(CALIBRATION, model, middle, pixel(xy) + 3 * np.array([np.cos(way), np.sin(way)]))
    assert known.tapped
    assert known.disputed_cm is None


@given(places, facings, st.floats(0, 6.28))
def test_a_tap_four_centimetres_off_moves_nothing_and_the_bar_reaches_as_far_as_it(xy, facing, way):
    model = untaught(CALIBRATION, 12.0)
    middle = Middle(body_point(model, xy, facing), SHARP, facing, 0.05)
    off = 4 * np.array([np.cos(way), np.sin(way)])
    known = taught(CALIBRATION, model, middle, pixel(xy + off))
    assert not known.tapped
    assert known.disputed_cm == pytest.approx(4, abs=0.01)
    point = ground_point(CALIBRATION, known, middle)
    np.testing.assert_allclose(point.xy, xy, atol=1e-4)
    assert off @ np.linalg.solve(total(point), off) < 5.99


def test_the_same_view_cancels_in_a_move_and_a_half_turn_does_not():
    model = untaught(CALIBRATION, 12.0)
    known = taught(
        CALIBRATION, model, Middle(body_point(model, (0, 0), 0.2), SHARP, 0.2, 0.01), pixel((0, 0))
    )
    points = [
        ground_point(CALIBRATION, known, Middle(body_point(model, (0, 1), f), SHARP, f, 0.01))
        for f in (0.2, 0.2 + np.pi)
    ]
    start = ground_point(CALIBRATION, known, Middle(body_point(model, (0, 0), 0.2), SHARP, 0.2, 0.01))
    spread = [np.sqrt(np.trace((p.figure - start.figure) @ (p.figure - start.figure).T)) for p in points]
    assert spread[0] < 0.1
    assert spread[1] > 0.3


@settings(deadline=None)
@given(places)
def test_views_are_unit_vectors_at_right_angles(xy):
    view = view_at(CALIBRATION.camera, xy)
    assert np.hypot(*view.away) == pytest.approx(1)
    assert view.away @ view.across == pytest.approx(0, abs=1e-12)
    raised = np.array([[xy[0], xy[1], 2.0]])
    moved = CALIBRATION.camera.to_plane(CALIBRATION.camera.project(raised), 0.0)[0] - xy
    # two centimetres up look like about two slopes further away
    assert moved @ view.away == pytest.approx(2 * view.slope, rel=0.05, abs=1e-6)


@pytest.mark.parametrize("kind", ["humanoid", "beast"])
def test_modelled_figures_are_found_after_a_tap_in_any_later_pose(kind):
    rng = np.random.default_rng(11)
    errors, inside = [], []
    for _ in range(6):
        figure = random_figure(rng, kind)
        model = untaught(CALIBRATION, figure.height)
        for number in range(3):
            xy, facing = rng.uniform(-25, 25, 2), rng.uniform(-180, 180)
            look = photograph(figure.placed(xy, facing), CALIBRATION.camera, rng)
            seen = Silhouette(look.origin, look.silhouette).steady_centroid
            middle = Middle(seen, SHARP, np.radians(facing), 0.02)
            if number == 0:
                model = taught(CALIBRATION, model, middle, pixel(xy) + rng.normal(0, 1.5, 2))
                continue
            point = ground_point(CALIBRATION, model, middle)
            errors.append(np.hypot(*(point.xy - xy)))
            covariance = total(point)
            inside.append((point.xy - xy) @ np.linalg.solve(covariance, point.xy - xy) < 5.99)
    assert np.median(errors) < 0.75
    assert max(errors) < 2.0


def test_a_long_body_s_middle_is_expected_further_in_front_as_that_of_modelled_figures_is():
    rng = np.random.default_rng(21)
    offsets = {}
    for kind, elongation in (("humanoid", 0.6), ("beast", 2.6)):
        model = untaught(CALIBRATION, 10.0, elongation)
        found = []
        for _ in range(24):
            figure = random_figure(rng, kind)
            xy, facing = rng.uniform(-10, 10, 2), rng.uniform(-180, 180)
            look = photograph(figure.placed(xy, facing), CALIBRATION.camera, rng)
            middle = Silhouette(look.origin, look.silhouette).steady_centroid.reshape(1, 2)
            gap = CALIBRATION.camera.to_plane(middle, 0.475 * figure.height)[0] - xy
            found.append((gap @ turn(facing)[:2, :2])[0] / figure.height)
        offsets[kind] = float(np.mean(found))
        assert offsets[kind] == pytest.approx(model.mean[0] / 10.0, abs=0.025)
    assert offsets["beast"] > offsets["humanoid"] + 0.03


def test_a_turned_solid_needs_no_facing():
    figure = bollard(10.0)
    rng = np.random.default_rng(2)
    model = untaught(CALIBRATION, 10.0)
    spots = []
    for facing in (0.0, 2.5):
        look = photograph(figure.placed(np.array([8.0, -6.0]), 0.0), CALIBRATION.camera, rng)
        seen = Silhouette(look.origin, look.silhouette).steady_centroid
        first = Middle(seen, SHARP, facing, 0.02)
        known = taught(CALIBRATION, model, first, pixel((8.0, -6.0)))
        spots.append(ground_point(CALIBRATION, known, first).xy)
    np.testing.assert_allclose(spots[0], [8.0, -6.0], atol=0.12)
    np.testing.assert_allclose(spots[1], [8.0, -6.0], atol=0.12)


def test_another_possible_facing_widens_the_bar_towards_its_place_and_moves_nothing():
    model = untaught(CALIBRATION, 12.0)
    px = body_point(model, (4, 4), 0.0)
    sure = ground_point(CALIBRATION, model, Middle(px, SHARP, 0.0, 0.01))
    doubtful = ground_point(CALIBRATION, model, Middle(px, SHARP, 0.0, 0.01, np.pi, 0.25))
    np.testing.assert_allclose(doubtful.xy, sure.xy)
    gap = 2 * model.mean[:2]
    np.testing.assert_allclose(doubtful.own - sure.own, 0.25 * np.outer(gap, gap), atol=1e-9)
