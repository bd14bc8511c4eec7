"""Standing or lying, on random solid figures with exact truth."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.camera import Camera
from datasets.figures import Figure, photograph, random_camera, random_figure
from vision.measuring.experience import Experience
from vision.measuring.facing import Known
from vision.measuring.likelihood import wrap
from vision.measuring.posture import Stance, judge, lying_axis_deg
from vision.measuring.registration import FragmentView


def view_of(figure: Figure, camera: Camera) -> FragmentView:
    look = photograph(figure, camera, np.random.default_rng(0))
    return FragmentView(look.origin, look.silhouette)


def after_a_fall(rng: np.random.Generator, kind: str, oblique: bool) -> tuple[Stance, float]:
    figure, camera = random_figure(rng, kind), random_camera(rng, oblique=oblique)
    facing, head = rng.uniform(-180, 180, 2)
    before = view_of(figure.placed(rng.uniform(-20, 20, 2), facing), camera)
    after = view_of(figure.fallen(rng.uniform(-20, 20, 2), head), camera)
    return judge([Known(before, facing)], after, camera, figure.height), head


def off_axis(a: float, b: float) -> float:
    gap = abs(wrap(a - b))
    return min(gap, 180 - gap)


def test_a_humanoid_on_its_face_is_seen_from_above_and_lies_along_its_head() -> None:
    rng = np.random.default_rng(1)
    for _ in range(4):
        stance, head = after_a_fall(rng, "humanoid", oblique=False)
        assert stance.posture == "lying"
        assert stance.source == "assumed", "the head's end of the axis is a guess"
        assert off_axis(stance.facing_deg, head) < 16


def test_the_head_is_taken_at_the_end_nearer_to_where_it_faced() -> None:
    rng = np.random.default_rng(2)
    figure, camera = random_figure(rng, "humanoid"), random_camera(rng, oblique=False)
    before = view_of(figure.placed(np.array([-8.0, 2.0]), 60.0), camera)
    after = view_of(figure.fallen(np.array([6.0, -3.0]), 75.0), camera)
    assert judge([Known(before, 60.0)], after, camera, figure.height).facing_deg == pytest.approx(75, abs=15)


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


def test_the_axis_of_a_long_plate_is_found_to_a_degree() -> None:
    camera = random_camera(np.random.default_rng(5), oblique=True)
    angle = np.radians(35.0)
    along, across = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
    grid = np.stack(np.meshgrid(np.linspace(-7, 7, 400), np.linspace(-2, 2, 150)), axis=-1).reshape(-1, 2)
    points = np.column_stack([grid[:, :1] * along + grid[:, 1:] * across, np.full(len(grid), 0.15 * 14)])
    pixels = np.round(camera.project(points)).astype(int)
    origin = pixels.min(axis=0)
    silhouette = np.zeros(tuple((pixels.max(axis=0) - origin + 1)[::-1]), np.float32)
    silhouette[pixels[:, 1] - origin[1], pixels[:, 0] - origin[0]] = 1
    view = FragmentView((int(origin[0]), int(origin[1])), silhouette)
    assert off_axis(lying_axis_deg(view, camera, 14.0), 35.0) < 1
