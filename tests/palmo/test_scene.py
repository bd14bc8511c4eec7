from __future__ import annotations

import math
from dataclasses import replace

import pytest

from palmo.event import Event
from palmo.scene import SceneBuilder
from vision.tracks import Track, TrackFrame

SQUARE = ((1.0, 1.0), (3.0, 1.0), (3.0, 3.0), (1.0, 3.0))
STANDING = Track(
    state="placed", x=2.0, y=2.0, sx=0.2, sy=0.3, sxy=0.01, facing_deg=-45.0, facing_sd_deg=6.0,
    facing_source="registered", outline=SQUARE,
)  # fmt: skip


def test_units_and_owners_are_those_of_the_rules(event: Event) -> None:
    scene = SceneBuilder(event).scene(TrackFrame(3, 0.3, {"F1": STANDING}))
    figure = scene.figures["F1"]
    assert (scene.ring.width, scene.ring.depth, scene.t) == (70, 60, 0.3)
    assert figure.facing == pytest.approx(-math.pi / 4)
    assert figure.facing_sd == pytest.approx(math.radians(6))
    assert figure.covariance == pytest.approx((0.04, 0.01, 0.09))
    assert not figure.facing_assumed
    assert scene.hands["F1"].palm == 20.5
    assert scene.hands["F2"].palm == 18.0


def test_how_sure_an_outline_is_comes_with_it(event: Event) -> None:
    error = {"fragment": 0, "own": [0, 0, 0], "camera": [[], []], "figure": [[], []], "basis": ""}
    said = replace(STANDING, error=error | {"outline": [0.2, 0.01, 0.5]})
    scene = SceneBuilder(event).scene(TrackFrame(0, 0.0, {"F1": said, "F2": replace(STANDING, error=error)}))
    assert scene.figures["F1"].outline_covariance == (0.2, 0.01, 0.5)
    assert scene.figures["F2"].outline_covariance is None


def test_an_outline_left_out_of_a_frame_is_the_last_one(event: Event) -> None:
    builder = SceneBuilder(event)
    builder.scene(TrackFrame(0, 0.0, {"F1": STANDING}))
    later = Track(state="placed", x=2.0, y=2.0, sx=0.2, sy=0.2)
    assert builder.scene(TrackFrame(1, 0.1, {"F1": later})).figures["F1"].outline == SQUARE


@pytest.mark.parametrize("state", ["in_hand", "lost", "unsure"])
def test_what_is_not_on_the_table_is_not_in_the_scene(event: Event, state: str) -> None:
    track = Track(state=state, x=1.0, y=1.0)  # type: ignore[arg-type]
    assert SceneBuilder(event).scene(TrackFrame(0, 0.0, {"F1": track})).figures == {}


def test_a_figure_never_measured_is_vague_and_its_facing_assumed(event: Event) -> None:
    figure = (
        SceneBuilder(event)
        .scene(TrackFrame(0, 0.0, {"F2": Track(state="placed", x=0.0, y=0.0)}))
        .figures["F2"]
    )
    assert figure.facing_assumed
    assert figure.covariance[0] >= 1
    assert len(figure.outline) >= 8


@pytest.mark.parametrize(
    ("fragment", "facing", "assumed"),
    [(0, -45.0, False), (0, 315.0, False), (1, -45.0, True), (0, 30.0, True)],
)
def test_the_facing_somebody_entered_for_the_first_picture_is_not_assumed(
    event: Event, fragment: int, facing: float, assumed: bool
) -> None:
    track = replace(STANDING, facing_deg=facing, facing_source="assumed", fragment=fragment)
    figure = SceneBuilder(event).scene(TrackFrame(0, 0.0, {"F1": track})).figures["F1"]
    assert figure.facing_assumed == assumed
