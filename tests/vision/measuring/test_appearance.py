"""Shading speaks where silhouettes cannot, and only then."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from calibration.camera import Camera
from datasets.figures import photograph, random_camera, random_figure, ridge
from vision.measuring.facing import Turn, register
from vision.measuring.likelihood import wrap
from vision.measuring.registration import FragmentView


def overhead_camera() -> Camera:
    """Straight down from 150 cm: no parallax in the middle of the ring."""
    K = np.array([[1200.0, 0, 640], [0, 1200, 360], [0, 0, 1]])
    return Camera(K, np.zeros(5), np.array([np.pi, 0.0, 0.0]), np.array([0.0, 0.0, 150.0]), (1280, 720))


def ridges_turned(turn_deg: float, pictures: bool) -> Turn:
    figure, camera = ridge(8.0), overhead_camera()
    views = []
    for xy, facing in (((-3.0, 1.0), 20.0), ((3.0, -1.0), 20.0 + turn_deg)):
        look = photograph(figure.placed(np.array(xy), facing), camera, np.random.default_rng(0))
        views.append(FragmentView(look.origin, look.silhouette, picture=look.picture if pictures else None))
    return register(views[0], views[1], camera, figure.height)


def test_after_a_small_turn_shading_tells_the_ends_apart() -> None:
    for turn in (-30.0, -15.0, 0.0):
        blind, seeing = ridges_turned(turn, pictures=False), ridges_turned(turn, pictures=True)
        assert abs(wrap(seeing.turn_deg - turn)) < 5
        assert abs(wrap(blind.turn_deg - blind.rival_deg)) > 170
        assert seeing.margin > blind.margin


def test_black_pictures_say_nothing() -> None:
    rng = np.random.default_rng(2)
    figure, camera = random_figure(rng, "beast"), random_camera(rng, oblique=True)
    views = []
    for xy, facing in (((-8.0, 5.0), 10.0), ((7.0, -4.0), 150.0)):
        look = photograph(figure.placed(np.array(xy), facing), camera, rng)
        views.append(FragmentView(look.origin, look.silhouette))
    black = [replace(v, picture=np.zeros((*v.silhouette.shape, 3), np.float32)) for v in views]
    plain = register(views[0], views[1], camera, figure.height)
    dark = register(black[0], black[1], camera, figure.height)
    assert dark.turn_deg == plain.turn_deg
    assert dark.misfit == plain.misfit
