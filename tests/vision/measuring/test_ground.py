"""The ground point: right for modelled figures, honest about its error, taught by one tap."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.camera import Camera
from calibration.ring import RingSpec
from calibration.solve import calibrate
from datasets.figures import bollard, photograph, random_figure, turn
from vision.measuring.builds import BUILDS, shape_of
from vision.measuring.ground import ground_point, stood, taught, untaught
from vision.measuring.sight import Middle
from vision.measuring.silhouette import Silhouette, near_rim_px, view_at

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


# A build that looks the same from everywhere, so that where a figure is seen can be written down.
BUILD, HUMANOID = (
    replace(BUILDS[kind], share_by_steep=0.0, share_sd_by_steep=0.0, wander_by_steep=0.0, rim_by_steep=0.0)
    for kind in (None, "humanoid")
)


def pixel(xy, z=0.0):
    return CALIBRATION.camera.project(np.array([[xy[0], xy[1], z]]))[0]


def body_point(model, xy, facing):
    """Where the point that the model takes for the steady middle is seen."""
    offset = turn(np.degrees(facing))[:2, :2] @ model.mean[:2]
    return pixel(np.asarray(xy) + offset, 0.475 * model.height_cm + model.mean[2])


def total(point):
    return point.own + point.camera @ point.camera.T + point.figure @ point.figure.T


places = st.tuples(st.floats(-30, 30), st.floats(-30, 30)).map(np.array)
facings = st.floats(-np.pi, np.pi)


@settings(deadline=None)
@given(places, facings, st.floats(7, 16))
def test_a_figure_as_believed_is_found_where_it_stands(xy, facing, height):
    model = untaught(CALIBRATION, height, BUILD)
    middle = Middle(body_point(model, xy, facing), SHARP, facing, 0.05)
    np.testing.assert_allclose(ground_point(CALIBRATION, model, middle).xy, xy, atol=1e-4)


@settings(deadline=None)
@given(places, facings, places, facings, st.tuples(st.floats(-1, 1), st.floats(-1, 1)).map(np.array))
def test_a_tap_teaches_an_offset_that_turns_with_the_figure(here, facing, there, later, offset):
    height = 12.0
    model = untaught(CALIBRATION, height, replace(BUILD, share_sd=0.015))
    shifted = [
        Middle(
            pixel(
                xy + turn(np.degrees(f))[:2, :2] @ (model.mean[:2] + offset), 0.475 * height + model.mean[2]
            ),
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


@settings(deadline=None)
@given(places, facings)
def test_a_tap_makes_the_error_bar_smaller_and_never_larger(xy, facing):
    model = untaught(CALIBRATION, 12.0, BUILD)
    middle = Middle(body_point(model, xy, facing), SHARP, facing, 0.01)
    known = taught(CALIBRATION, model, middle, pixel(xy))
    loose = total(ground_point(CALIBRATION, model, middle))
    tight = total(ground_point(CALIBRATION, known, middle))
    assert np.linalg.eigvalsh(loose - tight).min() > -1e-9
    assert np.sqrt(np.linalg.eigvalsh(tight).max()) < 0.35


def test_a_tap_on_another_figure_teaches_nothing():
    model = untaught(CALIBRATION, 12.0, BUILD)
    middle = Middle(body_point(model, (5, 5), 0.3), SHARP, 0.3, 0.01)
    assert not taught(CALIBRATION, model, middle, pixel((20, 5))).tapped


@settings(deadline=None)
@given(places, facings, st.floats(0, 6.28))
def test_jitter_of_three_pixels_is_never_disputed(xy, facing, way):
    model = untaught(CALIBRATION, 12.0, BUILD)
    middle = Middle(body_point(model, xy, facing), SHARP, facing, 0.05)
    known = taught(CALIBRATION, model, middle, pixel(xy) + 3 * np.array([np.cos(way), np.sin(way)]))
    assert known.tapped
    assert known.disputed_cm is None


@settings(deadline=None)
@given(places, facings, st.floats(0, 6.28))
def test_a_tap_four_centimetres_off_moves_nothing_and_the_bar_reaches_as_far_as_it(xy, facing, way):
    model = untaught(CALIBRATION, 12.0, HUMANOID)
    middle = Middle(body_point(model, xy, facing), SHARP, facing, 0.05)
    off = 4 * np.array([np.cos(way), np.sin(way)])
    known = taught(CALIBRATION, model, middle, pixel(xy + off))
    assert not known.tapped
    assert known.disputed_cm == pytest.approx(4, abs=0.01)
    point = ground_point(CALIBRATION, known, middle)
    np.testing.assert_allclose(point.xy, xy, atol=1e-4)
    assert off @ np.linalg.solve(total(point), off) < 5.99


def test_the_same_view_cancels_in_a_move_and_a_half_turn_does_not():
    model = untaught(CALIBRATION, 12.0, BUILD)
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


def seen_middle(figure, xy, facing, rng):
    """Silhouette and middle of a modelled figure, with the near rim of its sole."""
    look = photograph(figure.placed(xy, facing), CALIBRATION.camera, rng)
    seen = Silhouette(look.origin, look.silhouette)
    rim = near_rim_px(CALIBRATION.camera, seen, figure.height)
    return seen, Middle(seen.steady_centroid, SHARP, np.radians(facing), 0.02, rim_px=rim)


def shape_seen(figure, seen, facing):
    return shape_of(CALIBRATION.camera, seen, figure.height, facing)


@pytest.mark.parametrize("kind", ["humanoid", "beast", "absurd"])
def test_modelled_figures_are_found_after_a_tap_in_any_later_pose(kind):
    rng = np.random.default_rng(11)
    errors, inside = [], []
    for _ in range(12):
        figure = random_figure(rng, kind)
        for number in range(3):
            xy, facing = rng.uniform(-25, 25, 2), rng.uniform(-180, 180)
            seen, middle = seen_middle(figure, xy, facing, rng)
            if number == 0:
                belief = untaught(CALIBRATION, figure.height, BUILDS[kind], shape_seen(figure, seen, facing))
                tapped = taught(CALIBRATION, belief, middle, pixel(xy) + rng.normal(0, 1.5, 2))
                model = stood(CALIBRATION, tapped, middle)
                continue
            point = ground_point(CALIBRATION, model, middle)
            errors.append(np.hypot(*(point.xy - xy)))
            sd = np.sqrt(np.diag(total(point)))
            inside += list(np.abs(point.xy - xy) < 1.96 * sd)
    assert np.median(errors) < 0.5
    assert max(errors) < 2.0
    assert np.mean(inside) >= 0.85


@pytest.mark.parametrize("kind", ["humanoid", "beast"])
def test_a_middle_is_expected_in_front_of_its_sole_as_that_of_modelled_figures_is(kind):
    rng = np.random.default_rng(21)
    found, expected = [], []
    for _ in range(24):
        figure = random_figure(rng, kind)
        xy, facing = rng.uniform(-10, 10, 2), rng.uniform(-180, 180)
        seen, middle = seen_middle(figure, xy, facing, rng)
        gap = CALIBRATION.camera.to_plane(middle.px.reshape(1, 2), 0.475 * figure.height)[0] - xy
        found.append((gap @ turn(facing)[:2, :2])[0] / figure.height)
        expected.append(BUILDS[kind].mean(shape_seen(figure, seen, facing))[0])
    assert np.mean(found) == pytest.approx(np.mean(expected), abs=0.03)


def test_a_middle_higher_up_than_believed_is_seen_further_away_than_it_is():
    low, high = (untaught(CALIBRATION, 12.0, replace(BUILD, share=share)) for share in (0.0, 0.1))
    middle = Middle(pixel((0, 8), 5.7), SHARP, 0.0, 0.01)
    gap = ground_point(CALIBRATION, high, middle).xy - ground_point(CALIBRATION, low, middle).xy
    assert gap @ view_at(CALIBRATION.camera, np.array([0.0, 8.0])).away < -0.5


def half_turned(model, extra_cm, *, rim):
    """A figure whose middle is higher than believed and whose sole is wider, tapped, then turned half round:
    the later ground point, which should be (5, 5)."""
    cm = model.height_cm
    row = np.array([1.0, 1.0, 1.0])
    points = []
    for xy, facing in (((5.0, -5.0), np.pi / 2), ((5.0, 5.0), -np.pi / 2)):
        place = np.asarray(xy)
        offset = turn(np.degrees(facing))[:2, :2] @ model.mean[:2]
        px = pixel(place + offset, 0.475 * cm + model.mean[2] + extra_cm)
        away = view_at(CALIBRATION.camera, place).away
        angle = facing - np.arctan2(away[1], away[0])
        reach = model.mean[13:16] @ (row * [1.0, np.cos(2 * angle), np.cos(angle)]) + 0.5
        points.append(Middle(px, SHARP, facing, 0.01, rim_px=pixel(place - reach * away) if rim else None))
    model = taught(CALIBRATION, model, points[0], pixel((5, -5)))
    return ground_point(CALIBRATION, stood(CALIBRATION, model, points[0]), points[1])


def test_the_near_rim_of_the_sole_tells_a_high_middle_from_one_further_back():
    model = untaught(CALIBRATION, 12.0, BUILDS["humanoid"])
    with_rim, without = (half_turned(model, 0.6, rim=rim) for rim in (True, False))
    errors = [np.hypot(*(point.xy - (5, 5))) for point in (with_rim, without)]
    assert errors[0] < 0.7 * errors[1]
    sds = [np.sqrt(np.trace(total(point))) for point in (with_rim, without)]
    assert sds[0] < 0.9 * sds[1]


def test_a_turned_solid_needs_no_facing():
    figure = bollard(10.0)
    rng = np.random.default_rng(2)
    model = untaught(CALIBRATION, 10.0, BUILD)
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
    model = untaught(CALIBRATION, 12.0, BUILD)
    px = body_point(model, (4, 4), 0.0)
    sure = ground_point(CALIBRATION, model, Middle(px, SHARP, 0.0, 0.01))
    doubtful = ground_point(CALIBRATION, model, Middle(px, SHARP, 0.0, 0.01, np.pi, 0.25))
    np.testing.assert_allclose(doubtful.xy, sure.xy)
    gap = 2 * model.mean[:2]
    np.testing.assert_allclose(doubtful.own - sure.own, 0.25 * np.outer(gap, gap), atol=1e-9)


def test_a_silhouette_that_contradicts_the_tap_is_not_asked_where_its_rim_is():
    model = untaught(CALIBRATION, 12.0, HUMANOID)
    px = body_point(model, (5.0, 5.0), 0.3)
    # a shadow taken for the figure: the middle is pulled towards the camera, and the rim lies further on
    middle = Middle(px, SHARP, 0.3, 0.01, rim_px=pixel((4.0, 0.0)))
    disputed = taught(CALIBRATION, model, middle, pixel((6.0, 8.5)))
    assert disputed.disputed_cm is not None
    assert stood(CALIBRATION, disputed, middle) is disputed
    point = ground_point(CALIBRATION, disputed, middle)
    without = ground_point(CALIBRATION, disputed, replace(middle, rim_px=None))
    np.testing.assert_allclose(point.xy, without.xy)
    # the bar reaches the tap
    away = np.array([6.0, 8.5]) - point.xy
    assert away @ np.linalg.solve(total(point), away) < 5.99
