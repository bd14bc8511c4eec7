"""The facings that remain, written with the places that go with them and read back from a track."""

import numpy as np
import pytest

from vision.measuring.displacement import displacement
from vision.measuring.facing_belief import Rival
from vision.measuring.ground import GroundPoint
from vision.measuring.readings import readings, records
from vision.tracks import Track


def point(x, y):
    return GroundPoint(np.array([x, y]), np.array([[0.3], [0.1]]), np.zeros((2, 0)), 0.01 * np.eye(2))


def track_with(ways, source="assumed"):
    error = {
        "fragment": 3,
        "own": [0.5, 0.0, 0.5],
        "camera": [[0.3], [0.1]],
        "figure": [[], []],
        "basis": "F1",
    }
    return Track("placed", 1.0, 2.0, 0.8, 0.8, 0.0, 40.0, 5.0, source, error={**error, "readings": ways})


def test_what_is_written_is_read_back():
    ways = records([(Rival(40.0, 5.0, 0.7), point(1.0, 2.0)), (Rival(-140.0, 8.0, 0.3), point(1.4, 2.1))])
    first, second = readings(track_with(ways))
    assert (first.share, first.facing_deg, first.facing_sd_deg) == (0.7, 40.0, 5.0)
    assert second.placement.xy == pytest.approx([1.4, 2.1])
    assert second.placement.covariance == pytest.approx(np.array([[0.1, 0.03], [0.03, 0.02]]))


def test_the_camera_still_cancels_between_two_readings_of_two_fragments():
    ways = records([(Rival(40.0, 5.0, 1.0), point(1.0, 2.0))])
    (there,) = readings(track_with(ways))
    here = track_with(records([(Rival(0.0, 5.0, 1.0), point(-9.0, 2.0))]))
    start = readings(Track(**{**vars(here), "error": {**here.error, "fragment": 2}}))[0]
    assert displacement(start.placement, there.placement).sd_cm == pytest.approx(np.sqrt(0.02), rel=1e-3)


def test_facings_that_hardly_count_are_left_out():
    ways = [(Rival(40.0, 5.0, 0.93), point(1.0, 2.0)), (Rival(-140.0, 8.0, 0.05), point(1.4, 2.1))]
    assert len(records([*ways, (Rival(100.0, 8.0, 0.02), point(0.0, 0.0))])) == 2
    assert (
        len(records([(Rival(40.0, 5.0, 0.98), point(1.0, 2.0)), (Rival(9.0, 8.0, 0.02), point(0, 0))])) == 1
    )


def test_a_facing_that_was_called_has_no_readings():
    assert readings(Track("placed", 1.0, 2.0, facing_source="registered")) == []
