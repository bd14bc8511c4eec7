"""What was seen of a figure in the hand tells turns apart that its two silhouettes do not."""

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.solve import calibrate
from datasets.carrying import FRAMES, Place, carried
from datasets.figures import photograph, random_figure
from palmo.convert import fighter_specs, ring_spec
from palmo.evaluate.truth import load_truth
from palmo.event import load_event
from tests.vision.measuring.test_ground import CALIBRATION
from vision.fighters import FighterSpec
from vision.fragments import BEHIND, FIGURE, HIDDEN, Carry, Fragment
from vision.measuring.carry import carried_costs
from vision.measuring.experience import Experience
from vision.measuring.facing import register
from vision.measuring.likelihood import wrap
from vision.measuring.measurer import Measurer
from vision.measuring.registration import FragmentView
from vision.pipeline import Pipeline
from vision.sources.open import open_source

DATA = os.environ.get("PALMO_DATA")

CAMERA = CALIBRATION.camera
BEGIN, UNTIL = 21, 21 + FRAMES
START = Place(np.array([-14.0, 6.0]), 30.0)


@pytest.fixture(scope="module")
def scene():
    """A beast that looks from behind almost as it does from the front: figure, turn, looks, carry."""
    rng = np.random.default_rng(7)
    figure = random_figure(rng, "beast")
    turn = float(rng.uniform(60, 170))
    end = Place(np.array([9.0, -11.0]), START.facing_deg + turn)
    looks = [photograph(figure.placed(p.xy, p.facing_deg), CAMERA, rng, pad=16) for p in (START, end)]
    carry = carried(figure, CAMERA, rng, START, end, begin=BEGIN)
    return figure, turn, looks, carry


def view(look):
    return FragmentView(look.origin, look.silhouette, None, None, look.picture)


@pytest.fixture(scope="module")
def found(scene):
    figure, _, looks, _ = scene
    return register(view(looks[0]), view(looks[1]), CAMERA, figure.height)


def costs(scene, found, carry):
    figure, _, looks, _ = scene
    return carried_costs(found.modes, view(looks[0]), view(looks[1]), carry, UNTIL, CAMERA, figure.height)


def test_the_right_turn_alone_explains_the_carry(scene, found):
    assert found.assumed
    assert abs(wrap(found.turn_deg - found.rival_deg)) > 90
    assert found.modes[1].share > 0.1
    of_modes = costs(scene, found, scene[3])
    best = found.modes[int(np.argmin(of_modes))]
    assert abs(wrap(best.turn_deg - scene[1])) < 10
    assert sorted(of_modes)[1] > 2 * min(of_modes)


def test_a_carry_that_ends_elsewhere_is_explained_by_no_turn_as_well(scene, found):
    figure, turn, _, carry = scene
    other = Place(np.array([9.0, -11.0]), START.facing_deg - turn)
    elsewhere = carried(figure, CAMERA, np.random.default_rng(8), START, other, begin=BEGIN)
    assert min(costs(scene, found, elsewhere)) > 1.5 * min(costs(scene, found, carry))


def test_a_figure_that_the_hand_hides_tells_nothing(scene, found):
    hidden = [
        replace(one, parts=np.where(one.parts == FIGURE, HIDDEN, one.parts).astype(np.uint8))
        for one in scene[3].frames
    ]
    assert costs(scene, found, Carry(BEGIN, tuple(hidden))) is None
    assert costs(scene, found, Carry(BEGIN, ())) is None


def test_the_hand_says_nothing_where_it_is(scene, found):
    """A hand over half of the figure changes the costs little, the same half missing changes them much."""
    carry = scene[3]
    covered, cut = (
        Carry(BEGIN, tuple(lower_half(one, what) for one in carry.frames)) for what in (HIDDEN, BEHIND)
    )
    right = int(np.argmin(costs(scene, found, carry)))
    assert costs(scene, found, covered)[right] < costs(scene, found, cut)[right]


def lower_half(one, what):
    parts = one.parts.copy()
    rows = np.flatnonzero((parts == FIGURE).any(axis=1))
    parts[rows[0] + int(0.7 * len(rows)) :] = what
    return replace(one, parts=parts)


def test_a_measured_fragment_that_was_seen_carried_faces_where_the_hand_turned_it(scene, monkeypatch):
    figure, turn, looks, carry = scene
    # a figure like no other: experience says nothing of it
    monkeypatch.setattr(Experience, "front", lambda self, known, facing, view, facings: 0 * facings)
    monkeypatch.setattr(Experience, "clay", lambda self, view, facing: None)
    first, later = (
        Fragment(
            "F1", at, at + 20, 20, look.origin, look.picture, (look.silhouette > 0.6).astype(np.float32), 0.1
        )
        for look, at in zip(looks, (0, UNTIL), strict=True)
    )
    spec = FighterSpec("F1", figure.height, START.facing_deg, kind="beast")
    poses = {}
    for seen in (None, carry):
        measurer = Measurer(CALIBRATION, [spec])
        measurer.measure(0, first)
        poses[seen] = measurer.measure(1, replace(later, carry=seen))
    assert poses[None].facing_source == "assumed"
    assert poses[carry].posture == "standing"
    assert poses[carry].facing_source == "motion" or poses[carry].facing_margin > 0.9
    assert abs(wrap(poses[carry].facing_deg - START.facing_deg - turn)) < 10
    assert np.trace(poses[carry].covariance) < np.trace(poses[None].covariance)


@pytest.mark.skipif(not DATA, reason="PALMO_DATA is not set: the clips are not here")
@pytest.mark.parametrize(
    "looking_back",
    [pytest.param(False, id="live", marks=pytest.mark.nightly), pytest.param(True, id="recorded")],
)
def test_of_the_large_turns_of_the_clip_the_right_one_is_shown(looking_back):
    folder = Path(str(DATA)) / "clips" / "S3"
    event, truth = load_event(folder / "event.toml"), load_truth(folder / "truth.json")
    with open_source(str(folder / "clip.mp4")) as source:
        frames = iter(source)
        first = next(frames)
        calibration = calibrate(ring_spec(event), source.size, image=first.image)
        pipeline = Pipeline(calibration, fighter_specs(event), first)
        if looking_back:
            pipeline.look_back(frames)
        else:
            for frame in frames:
                pipeline.update(frame)
    for fighter in ("F1", "F3"):
        pose = pipeline.measured[fighter, 1]
        off = abs(wrap(pose.facing_deg - truth.frames[-1][fighter].facing_deg))
        assert off < (3 * pose.facing_sd_deg if pose.facing_source == "assumed" else 13)
        assert off < 30
