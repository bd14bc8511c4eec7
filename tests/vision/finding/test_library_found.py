"""Finding on rendered clips of the library: faults that its pictures showed, against their exact truth."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from calibration.solve import calibrate
from palmo.convert import fighter_specs, ring_spec
from palmo.event import load_event
from vision.finding.revise import fill_guesses, revise
from vision.pipeline import Pipeline
from vision.sources.open import open_source

LIBRARY = Path(__file__).parents[3] / "datasets" / "library"
HELD = ("in_hand", "covered")


def follow(name, frames):
    """Per fighter what looking back says of the first frames, and what is true of it."""
    folder = LIBRARY / name
    event = load_event(folder / "event.toml")
    truth = json.loads((folder / "truth.json").read_text())["frames"][:frames]
    with open_source(str(folder / "clip.mp4")) as source:
        pictures = list(islice(source, frames))
        calibration = calibrate(ring_spec(event), source.size, image=pictures[0].image)
    pipeline = Pipeline(calibration, fighter_specs(event), pictures[0], measure=False)
    live = [pipeline.observe(picture) for picture in pictures]
    return {
        id_: list(
            zip(
                fill_guesses(revise([seen[id_] for seen in live], 0, pipeline.tracker.stands(id_))),
                [frame["fighters"][id_] for frame in truth],
                strict=True,
            )
        )
        for id_ in live[0]
    }


@pytest.fixture(scope="module")
def brown_on_wood():
    return follow("L11", 62)


def test_a_brown_figure_that_an_arm_hides_is_not_found_again_on_the_wooden_table(brown_on_wood):
    for said, true in brown_on_wood["F1"]:
        if said.state == "placed" and not true["hand"]:
            assert np.hypot(said.guess[0] - true["x"], said.guess[1] - true["y"]) < 5.0


def test_a_figure_seen_last_to_the_right_of_where_it_is_put_down_was_not_there_all_the_time(brown_on_wood):
    held = [said.state in HELD for said, true in brown_on_wood["F3"] if true["hand_on"]]
    assert len(held) > 8
    assert np.mean(held) >= 0.9


def test_a_figure_turned_on_the_spot_under_a_hand_was_in_it():
    found = follow("L06", 24)
    said = [said.state for said, true in found["F2"] if true["lift_cm"] > 1.0]
    assert len(said) > 5
    assert set(said) <= set(HELD)


def test_no_figure_is_called_placed_while_it_is_lifted(brown_on_wood):
    lifted = [said.state for one in brown_on_wood.values() for said, true in one if true["lift_cm"] > 1.0]
    assert lifted
    assert "placed" not in lifted
