"""A figure on top of another one is told from one in front of it, behind it, or beside it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.camera import Camera
from datasets.figures import Figure, photograph, random_camera, random_figure
from tests.vision.measuring.test_ground import CALIBRATION
from vision.fighters import FighterSpec
from vision.fragments import Fragment
from vision.measuring.measurer import Measurer
from vision.measuring.silhouette import Silhouette, view_at
from vision.measuring.stacked import Below, Stacked, stacked_on, top_of
from vision.shape.look import look_at
from vision.shape.plan import plan_view

HERE = np.array([2.0, 4.0])


def silhouette_of(figure: Figure, camera: Camera, behind: Silhouette | None = None) -> Silhouette:
    """How a figure is seen, by itself or behind another one that hides it."""
    look = photograph(figure, camera, np.random.default_rng(0))
    seen = Silhouette(look.origin, look.silhouette)
    if behind is not None:
        places = seen.pixels.astype(int) - behind.origin
        height, width = behind.alpha.shape
        there = ((places >= 0) & (places < [width, height])).all(axis=1)
        hidden = np.zeros(len(places), bool)
        hidden[there] = behind.alpha[places[there, 1], places[there, 0]] > 0.5
        us, vs = (seen.pixels[hidden].astype(int) - seen.origin).T
        alpha = seen.alpha.copy()
        alpha[vs, us] = 0
        seen = Silhouette(look.origin, alpha)
    return seen


def lifted(figure: Figure, by_cm: float) -> Figure:
    return replace(figure, centres=figure.centres + np.array([0.0, 0.0, by_cm]))


def placed(where: str, oblique: bool, seed: int) -> tuple[Stacked | None, Figure]:
    """A humanoid somewhere about a beast: what is said of it, and the beast."""
    rng = np.random.default_rng([seed, int(oblique)])
    camera = random_camera(rng, oblique=oblique)
    below, upper = random_figure(rng, "beast"), random_figure(rng, "humanoid")
    facing, turned = rng.uniform(-180, 180, 2)
    other = silhouette_of(below.placed(HERE, facing), camera)
    look = look_at(camera, other, below.height).facing(float(np.radians(facing)))
    outline = plan_view([look], look, look.xy, float(np.radians(facing)))
    alone = Below("B", other, outline, top_of(below.height, False))
    away = view_at(camera, HERE).away
    gap = 0.8 * below.height + 0.5 * upper.height
    steps = {"on top": 0 * away, "in front": -gap * away, "behind": gap * away}
    steps |= {"beside": gap * np.array([-away[1], away[0]])}
    figure = upper.placed(HERE + steps[where], turned)
    if where == "on top":
        figure = lifted(figure, 0.85 * below.height)
    seen = silhouette_of(figure, camera, other if where == "behind" else None)
    return stacked_on(seen, upper.height, camera, [alone]), below


@pytest.mark.parametrize("oblique", [True, False], ids=["obliquely", "from above"])
def test_most_of_those_on_top_are_noticed(oblique: bool) -> None:
    found = [placed("on top", oblique, seed) for seed in range(8)]
    said = [stacked for stacked, _ in found if stacked is not None]
    # seen obliquely a figure may stand on a head and hide almost nothing of it
    assert len(said) >= (5 if oblique else 7)
    for stacked, below in found:
        if stacked is not None:
            assert stacked.on == "B"
            assert np.hypot(*(stacked.xy - HERE)) < 0.5 * below.height


@pytest.mark.parametrize("oblique", [True, False], ids=["obliquely", "from above"])
@pytest.mark.parametrize("where", ["in front", "behind", "beside"])
def test_whoever_stands_on_the_table_is_never_said_to_be_on_top(where: str, oblique: bool) -> None:
    assert [placed(where, oblique, seed)[0] for seed in range(6)] == [None] * 6


def test_the_place_of_a_stacked_figure_is_uncertain_along_the_view_by_its_height() -> None:
    camera = random_camera(np.random.default_rng(3), oblique=True)
    view = view_at(camera, HERE)
    low, high = (Stacked("B", lift, 0.25 * lift, HERE).covariance(camera, 12.0) for lift in (4.0, 12.0))
    along = [float(np.sqrt(view.away @ one @ view.away)) for one in (low, high)]
    across = [float(np.sqrt(view.across @ one @ view.across)) for one in (low, high)]
    assert along[1] > along[0] > across[0] == pytest.approx(across[1])


def fragment_of(fighter: str, figure: Figure, first: int) -> Fragment:
    look = photograph(figure, CALIBRATION.camera, np.random.default_rng(first), pad=16)
    support = (look.silhouette > 0.6).astype(np.float32)
    return Fragment(fighter, first, first + 20, 20, look.origin, look.picture, support, 0.1)


def two_known() -> tuple[Figure, Figure, Measurer]:
    """A and B, of whom each has been measured once; B stands HERE."""
    rng = np.random.default_rng(12)
    upper, below = random_figure(rng, "humanoid"), random_figure(rng, "beast")
    specs = [FighterSpec("A", upper.height, 0.0), FighterSpec("B", below.height, 30.0)]
    measurer = Measurer(CALIBRATION, specs)
    measurer.measure(0, fragment_of("A", upper.placed(np.array([-15.0, 0.0]), 0.0), 0))
    measurer.measure(0, fragment_of("B", below.placed(HERE, 30.0), 1))
    return upper, below, measurer


def test_a_measured_fragment_says_so_and_nothing_is_built_on_it() -> None:
    upper, below, measurer = two_known()
    on_top = fragment_of("A", lifted(upper.placed(HERE, 40.0), 0.9 * below.height), 60)
    pose = measurer.measure(1, on_top, beside={"A": 1, "B": 0})
    assert (pose.posture, pose.facing_source) == ("stacked", "assumed")
    assert "readings" not in pose.error
    gap, sd = pose.xy - HERE, np.sqrt(np.diag(pose.covariance))
    assert (np.abs(gap) < 2.5 * sd).all()
    assert sd.max() > 1.0
    # the same with more frames stays what it is; down on the table again it stands
    assert measurer.measure(1, replace(on_top, frames_used=21), beside={"B": 0}).posture == "stacked"
    down = fragment_of("A", upper.placed(np.array([18.0, -8.0]), 40.0), 120)
    assert measurer.measure(2, down, beside={"B": 0}).posture == "standing"


def test_a_figure_in_the_place_that_another_one_left_stands() -> None:
    upper, _, measurer = two_known()
    there = fragment_of("A", upper.placed(HERE, 40.0), 60)
    assert measurer.measure(1, there, beside={"A": 1}).posture == "standing"
