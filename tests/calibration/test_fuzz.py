"""Whatever is clicked, the answer is a finite calibration or one clear sentence."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.errors import CalibrationError
from calibration.intrinsics import Intrinsics
from calibration.ring import RingSpec
from calibration.solve import calibrate
from tests.calibration.rings import ideal_spec, looking_at

CAMERA = looking_at((5, -85, 125))
SPEC = ideal_spec(CAMERA)
clicks = st.lists(st.tuples(st.floats(-20, 1300), st.floats(-20, 740)), min_size=4, max_size=4)
moves = st.lists(st.tuples(st.floats(-150, 150), st.floats(-150, 150)), min_size=8, max_size=8)
sizes = st.floats(5, 600)


def answers(spec: RingSpec, intrinsics: Intrinsics | None = None) -> None:
    sentence = ""
    try:
        found = calibrate(spec, (1280, 720), intrinsics=intrinsics)
    except CalibrationError as error:
        sentence = str(error)
    if sentence:
        assert "\n" not in sentence
        return
    assert np.isfinite(found.covariance).all()
    assert np.linalg.eigvalsh(found.covariance).min() > -1e-9 * np.abs(found.covariance).max()
    assert found.camera.centre[2] > 0


@settings(deadline=None, max_examples=60)
@given(clicks, sizes, sizes)
def test_random_corners(corners: list[tuple[float, float]], width: float, depth: float) -> None:
    try:
        spec = RingSpec(width, depth, 16.0, np.array(corners))
    except CalibrationError:
        return
    answers(spec)


@pytest.mark.nightly
@settings(deadline=None, max_examples=60)
@given(moves, st.floats(1, 60), st.booleans())
def test_pushed_clicks(moved: list[tuple[float, float]], height: float, known: bool) -> None:
    away = np.array(moved)
    assert SPEC.post_tops_px is not None
    spec = RingSpec(70.0, 66.0, height, SPEC.corners_px + away[:4], SPEC.post_tops_px + away[4:])
    answers(spec, Intrinsics(CAMERA.K, CAMERA.dist, CAMERA.size) if known else None)
