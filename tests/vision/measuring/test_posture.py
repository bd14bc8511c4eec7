"""Standing or lying, on random solid figures with exact truth."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.camera import Camera
from datasets.figures import Figure, photograph, random_camera, random_figure
from vision.measuring.experience import Experience
from vision.measuring.facing import Known
from vision.measuring.likelihood import wrap
from vision.measuring.posture import Stance, judge
from vision.measuring.registration import FragmentView


def view_of(figure: Figure, camera: Camera) -> FragmentView:
    look = photograph(figure, camera, np.random.default_rng(0))
    return FragmentView(look.origin, look.silhouette, picture=look.picture)


def after_a_fall(rng: np.random.Generator, kind: str, oblique: bool) -> tuple[Stance, float]:
    figure, camera = random_figure(rng, kind), random_camera(rng, oblique=oblique)
    facing, head = rng.uniform(-180, 180, 2)
    before = view_of(figure.placed(rng.uniform(-20, 20, 2), facing), camera)
    after = view_of(figure.fallen(rng.uniform(-20, 20, 2), head), camera)
    return judge([Known(before, facing)], after, camera, figure.height), head


def test_a_humanoid_on_its_face_is_seen_from_above_and_faces_where_its_head_points() -> None:
    rng = np.random.default_rng(1)
    for _ in range(4):
        stance, head = after_a_fall(rng, "humanoid", oblique=False)
        assert stance.posture == "lying"
        assert abs(wrap(stance.facing_deg - head)) < 25 or stance.source == "assumed"


@pytest.mark.parametrize("oblique", [True, False])
def test_a_standing_figure_is_never_said_to_lie(oblique: bool) -> None:
    rng = np.random.default_rng(3)
    for kind in ("humanoid", "beast", "absurd"):
        for _ in range(3):
            figure, camera = random_figure(rng, kind), random_camera(rng, oblique=oblique)
            first, turn = rng.uniform(-180, 180, 2)
            before = view_of(figure.placed(rng.uniform(-20, 20, 2), first), camera)
            after = view_of(figure.placed(rng.uniform(-20, 20, 2), first + turn), camera)
            stance = judge([Known(before, first)], after, camera, figure.height)
            assert stance.posture == "standing"
            assert stance.source == ("assumed" if stance.turn.assumed else "registered")


def test_by_experience_wrestlers_seen_obliquely_fall_and_turn_and_are_told_apart() -> None:
    rng = np.random.default_rng(6)
    noticed = wrong = 0
    for _ in range(6):
        figure, camera = random_figure(rng, "humanoid"), random_camera(rng, oblique=True)
        experience = Experience(camera, figure.height, "humanoid")
        first, second, turned, head = rng.uniform(-180, 180, 4)
        known = [
            Known(view_of(figure.placed(rng.uniform(-20, 20, 2), facing), camera), facing)
            for facing in (first, second)
        ]
        fell = view_of(figure.fallen(rng.uniform(-20, 20, 2), head), camera)
        stood = view_of(figure.placed(rng.uniform(-20, 20, 2), turned), camera)
        noticed += judge(known, fell, camera, figure.height, experience).posture == "lying"
        wrong += judge(known, stood, camera, figure.height, experience).posture == "lying"
    assert noticed >= 5
    assert wrong == 0


def test_a_picture_that_nothing_explains_is_neither_lying_nor_registered() -> None:
    rng = np.random.default_rng(4)
    figure, camera = random_figure(rng, "beast"), random_camera(rng, oblique=True)
    before = view_of(figure.placed(np.zeros(2), 0.0), camera)
    crumb = np.zeros_like(before.silhouette)
    crumb[20:28, 20:28] = 1
    after = FragmentView(before.origin, crumb)
    stance = judge([Known(before, 0.0)], after, camera, figure.height)
    assert stance.posture == "standing"
    assert stance.source == "assumed"
