"""The library is whole, small, and what its scene files say."""

import json

import numpy as np
import pytest

from datasets.render.__main__ import LIBRARY
from datasets.render.making import CLIP, STILL
from datasets.render.scene_file import load_scene
from datasets.render.timeline import Timeline
from datasets.render.truth import event, truth

FOLDERS = sorted(path.parent for path in LIBRARY.glob("*/scene.toml"))
MOST_BYTES = 12_000_000


def test_there_are_clips_and_stills_and_moves_enough():
    clips = [folder for folder in FOLDERS if (folder / CLIP).exists()]
    stills = [folder for folder in FOLDERS if (folder / STILL).exists()]
    assert sorted([*clips, *stills]) == FOLDERS
    assert len(clips) >= 12
    assert len(stills) >= 60
    scenes = [load_scene(folder / "scene.toml") for folder in clips]
    assert sum(len(scene.carry) for scene in scenes) >= 60
    assert sum(path.stat().st_size for path in LIBRARY.rglob("*") if path.is_file()) < MOST_BYTES


@pytest.mark.parametrize("name", ["L05", "L10", "T02"])
def test_the_truth_follows_from_the_scene(name):
    timeline = Timeline(load_scene(LIBRARY / name / "scene.toml"))
    kept = json.loads((LIBRARY / name / "truth.json").read_text())
    made = json.loads(json.dumps(truth(timeline, kept["source"])))
    assert made["camera"].keys() == kept["camera"].keys()
    for part, values in kept["camera"].items():
        # the last digit hangs on the processor
        np.testing.assert_allclose(made["camera"][part], values, rtol=1e-12, atol=1e-12)
    assert made["frames"] == kept["frames"]
    assert {id_: shape["sole_centroid"] for id_, shape in made["fighters"].items()} == {
        id_: shape["sole_centroid"] for id_, shape in kept["fighters"].items()
    }
    assert event(timeline) == (LIBRARY / name / "event.toml").read_text()
