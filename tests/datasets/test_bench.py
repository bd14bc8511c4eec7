"""The benchmark compares like with like: both methods find the same figures on the same pictures."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.bench import load, measure
from datasets.crowd import Clip
from datasets.naive import NaiveFinder
from palmo.event import Event
from vision.pipeline import Pipeline


@pytest.fixture(scope="module")
def crowd() -> tuple[Clip, Event]:
    with pytest.MonkeyPatch.context() as patch:
        # The bundled clip: nothing beside its ring misleads the naive method.
        patch.delenv("PALMO_DATA", raising=False)
        return load(540, 10, frames=3)


def test_missing_fighters_are_painted_in_and_known_to_the_event(crowd: tuple[Clip, Event]) -> None:
    clip, event = crowd
    assert len(clip.fighters) == 10
    assert [fighter.id for fighter in event.fighter] == [fighter.id for fighter in clip.fighters]
    assert clip.frames[0].image.shape[:2] == (540, 960)


def test_palmo_finds_everybody_where_they_were_put(crowd: tuple[Clip, Event]) -> None:
    clip, _ = crowd
    pipeline = Pipeline(clip.calibration, clip.fighters, clip.frames[0])
    frame = [pipeline.update(one) for one in clip.frames][-1]
    for fighter in clip.fighters:
        assert fighter.foot_px is not None
        track = frame.fighters[fighter.id]
        foot = clip.calibration.camera.to_plane(np.array([fighter.foot_px]))[0]
        assert track.state == "placed", fighter.id
        assert np.hypot((track.x or 0) - foot[0], (track.y or 0) - foot[1]) < 1.5, fighter.id


def test_the_naive_method_is_a_fair_opponent(crowd: tuple[Clip, Event]) -> None:
    clip, _ = crowd
    found = NaiveFinder(clip.frames[0].image, clip.fighters).find(clip.frames[0].image)
    near = 0
    for fighter in clip.fighters:
        assert fighter.colour_box_px is not None
        u, v, w, h = fighter.colour_box_px
        middle = found.get(fighter.id, (-1e6, -1e6))
        near += np.hypot(middle[0] - u - w / 2, middle[1] - v - h / 2) < 60
    assert near >= 6


def test_every_cost_is_measured(crowd: tuple[Clip, Event]) -> None:
    costs = measure(*crowd, runs=1)
    assert min(vars(costs).values()) > 0
    # Sums, not comparisons of two timings: machines are shared and noisy.
    assert costs.loop == pytest.approx(costs.decode + costs.find + costs.rules + costs.draw)
    assert costs.loop_evidence == pytest.approx(costs.loop + costs.evidence)
    assert costs.loop_both == pytest.approx(costs.loop_evidence - costs.find + costs.vision)
