"""Finding on the rendered clips, against their exact truth: states, identities, hand events."""

from __future__ import annotations

import json
import os
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibration.ring import RingSpec
from calibration.solve import calibrate
from vision.assemble import Remark
from vision.fighters import FighterSpec
from vision.finding.following import Stand
from vision.finding.revise import revise
from vision.pipeline import Pipeline
from vision.sources.open import open_source

DATA = os.environ.get("PALMO_DATA")
pytestmark = pytest.mark.skipif(DATA is None, reason="PALMO_DATA does not name the folder with the clips")

IN_A_HAND = ("in_hand", "covered")
# Standing fighters that may be missing, as a share of all samples.
MISSING = {"S1": 0.005, "S2": 0.02, "S3": 0.02}


@dataclass(frozen=True)
class Sample:
    """One fighter in one frame: what was said of it, live and looking back, and what is true."""

    fighter: str
    live: Remark
    revised: Remark
    truth: dict[str, Any]
    nearest: str


@dataclass(frozen=True)
class Found:
    name: str
    samples: list[Sample]
    stands: dict[str, list[Stand]]


def follow(name: str) -> Found:
    folder = Path(DATA or "") / "clips" / name
    event = tomllib.loads((folder / "event.toml").read_text())
    truth = json.loads((folder / "truth.json").read_text())
    ring = event["ring"]
    with open_source(str(folder / "clip.mp4")) as source:
        first = next(iter(source))
        spec = RingSpec(
            ring["width_cm"], ring["depth_cm"], ring["post_height_cm"],
            np.array(ring["corners_px"]), np.array(ring["post_tops_px"]),
        )  # fmt: skip
        fighters = [
            FighterSpec(f["id"], f["height_cm"], f["facing_deg"], tuple(f["colour_box_px"]))
            for f in event["fighter"]
        ]
        calibration = calibrate(spec, source.size, image=first.image)
        pipeline = Pipeline(calibration, fighters, first, measure=False)
        live = [pipeline.observe(first), *(pipeline.observe(frame) for frame in source)]
    frames = [frame["fighters"] for frame in truth["frames"]]
    assert len(live) == len(frames)
    samples = []
    for fighter in (f.id for f in fighters):
        said = [frame[fighter] for frame in live]
        for one, two, true in zip(
            said, revise(said, 0, pipeline.tracker.stands(fighter)), frames, strict=True
        ):
            samples.append(Sample(fighter, one, two, true[fighter], nearest(two, true)))
    stands = {f.id: pipeline.tracker.stands(f.id) for f in fighters}
    return Found(name, samples, stands)


def nearest(remark: Remark, truth: dict[str, dict[str, float]]) -> str:
    """Whose true place is nearest to what was said; empty without a place."""
    if remark.guess is None:
        return ""
    x, y = remark.guess
    return min(truth, key=lambda fighter: float(np.hypot(truth[fighter]["x"] - x, truth[fighter]["y"] - y)))


@pytest.fixture(scope="module", params=["S1", "S2", "S3"])
def found(request: pytest.FixtureRequest) -> Found:
    return follow(request.param)


def test_no_fighter_is_taken_for_another(found: Found) -> None:
    assert [s for s in found.samples if s.live.state == "placed" and s.nearest != s.fighter] == []


@pytest.mark.parametrize("mode", ["live", "revised"])
def test_standing_fighters_are_seldom_missing(found: Found, mode: str) -> None:
    missing = [
        s
        for s in found.samples
        if not s.truth["hand"] and getattr(s, mode).state in ("lost", "unsure", "merged")
    ]
    assert len(missing) <= MISSING[found.name] * len(found.samples)


@pytest.mark.parametrize("mode", ["live", "revised"])
def test_a_lifted_fighter_is_never_placed(found: Found, mode: str) -> None:
    lifted = [s for s in found.samples if s.truth["lift_cm"] > 1.0]
    assert lifted
    assert [s for s in lifted if getattr(s, mode).state == "placed"] == []


@pytest.mark.parametrize(("mode", "others"), [("live", 0.025), ("revised", 0.01)])
def test_a_held_fighter_is_in_the_hand_and_hardly_any_other_one(
    found: Found, mode: str, others: float
) -> None:
    held = [s for s in found.samples if s.truth["hand_on"]]
    free = [s for s in found.samples if not s.truth["hand_on"]]
    assert sum(getattr(s, mode).state in IN_A_HAND for s in held) >= 0.9 * len(held)
    assert sum(getattr(s, mode).state in IN_A_HAND for s in free) <= others * len(free)


def test_every_carry_ends_one_fragment_and_begins_the_next_and_nothing_else_does(found: Found) -> None:
    carried = {s.fighter for s in found.samples if s.truth["hand_on"]}
    for fighter, stands in found.stands.items():
        assert len(stands) == (2 if fighter in carried else 1), fighter


def test_fragments_hold_no_frame_in_which_the_figure_was_lifted(found: Found) -> None:
    frames = len(found.samples) // len(found.stands)
    for number, fighter in enumerate(found.stands):
        truth = [s.truth for s in found.samples[number * frames : (number + 1) * frames]]
        for stand in found.stands[fighter]:
            assert max(t["lift_cm"] for t in truth[stand.first : stand.last + 1]) < 0.7
