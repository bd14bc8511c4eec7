"""A move's error bar counts every shared source once and stays sensible near zero."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.measuring.displacement import (
    DisplacementError,
    Placement,
    displacement,
    error_record,
    total_covariance,
)
from vision.tracks import Track

CAMERA = np.array([[0.05, 0.01], [0.0, 0.04]])
FIGURE = np.array([[0.2, 0.0, 0.1], [0.05, 0.25, 0.0]])


def placement(xy, number, *, camera=CAMERA, figure=FIGURE, own=1e-4, basis="F1:tap"):
    error = error_record(number, own * np.eye(2), camera, figure, basis)
    return Placement(np.asarray(xy, dtype=float), total_covariance(error), error)


def test_what_two_fragments_share_cancels():
    move = displacement(placement([0, 0], 0), placement([20, 5], 1))
    np.testing.assert_allclose(move.covariance, 2e-4 * np.eye(2), atol=1e-9)


def test_a_half_turn_doubles_what_turns_with_the_figure():
    move = displacement(placement([0, 0], 0), placement([20, 0], 1, figure=-FIGURE))
    expected = 4 * FIGURE @ FIGURE.T + 2e-4 * np.eye(2)
    np.testing.assert_allclose(move.covariance, expected, atol=1e-6)


def test_two_figures_share_the_camera_only():
    between = displacement(placement([0, 0], 0), placement([20, 0], 0), same_figure=False)
    np.testing.assert_allclose(between.covariance, 2 * FIGURE @ FIGURE.T + 2e-4 * np.eye(2), atol=1e-6)


def test_loadings_of_different_bases_are_independent():
    move = displacement(placement([0, 0], 0), placement([9, 0], 1, basis="F1:height"))
    np.testing.assert_allclose(move.covariance, 2 * FIGURE @ FIGURE.T + 2e-4 * np.eye(2), atol=1e-6)


def test_a_fragment_against_itself_did_not_move():
    move = displacement(placement([3, 4], 2), placement([3, 4], 2))
    assert (move.length_cm, move.sd_cm, move.interval95_cm) == (0.0, 0.0, (0.0, 0.0))


def test_the_record_survives_json_to_a_micrometre():
    before = placement([1, 2], 3)
    after = Placement(before.xy, before.covariance, json.loads(json.dumps(before.error)))
    np.testing.assert_allclose(total_covariance(after.error), before.covariance, atol=1e-6)


def test_a_track_without_a_record_counts_as_independent():
    track = Track("placed", x=10.0, y=0.0, sx=0.3, sy=0.4, sxy=0.0)
    move = displacement(placement([0, 0], 0), Placement.of_track(track))
    np.testing.assert_allclose(
        move.covariance, placement([0, 0], 0).covariance + np.diag([0.09, 0.16]), atol=1e-9
    )


def test_a_lost_fighter_is_refused_with_a_sentence():
    with pytest.raises(DisplacementError, match="lost in this frame"):
        Placement.of_track(Track("lost"))


@pytest.mark.parametrize("true_length", [0.0, 0.3, 1.0, 3.0, 40.0])
@pytest.mark.parametrize("across", [0.1, 0.4])
def test_intervals_contain_the_truth_about_as_often_as_they_say(true_length, across):
    rng = np.random.default_rng(5)
    covariance = np.diag([0.3**2, across**2])
    here = Placement(np.zeros(2), np.zeros((2, 2)), None)
    inside, lengths = 0, []
    for noise in rng.multivariate_normal([0, 0], covariance, 500):
        move = displacement(here, Placement(np.array([true_length, 0.0]) + noise, covariance, None))
        low, high = move.interval95_cm
        inside += low <= true_length <= high
        lengths.append(move.length_cm)
    assert inside / 500 >= 0.91
    if true_length >= 3.0:
        assert inside / 500 <= 0.985
        assert abs(np.mean(lengths) - true_length) < 0.03


@given(st.floats(-50, 50), st.floats(-50, 50), st.floats(0.01, 1), st.floats(0.01, 1), st.floats(-0.9, 0.9))
def test_the_length_lies_in_its_interval_and_turning_the_table_changes_nothing(x, y, sx, sy, r):
    covariance = np.array([[sx**2, r * sx * sy], [r * sx * sy, sy**2]])
    here = Placement(np.zeros(2), np.zeros((2, 2)), None)
    move = displacement(here, Placement(np.array([x, y]), covariance, None))
    low, high = move.interval95_cm
    assert 0 <= low <= high
    assert move.length_cm <= high + 1e-9
    quarter = np.array([[0.0, -1.0], [1.0, 0.0]])
    turned = displacement(here, Placement(quarter @ np.array([x, y]), quarter @ covariance @ quarter.T, None))
    assert turned.length_cm == pytest.approx(move.length_cm)
    assert turned.interval95_cm == pytest.approx(move.interval95_cm, rel=0.05, abs=0.02)
