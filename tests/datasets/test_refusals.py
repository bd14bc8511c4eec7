"""The table of refusals: what is wrong in an event file is made so, and what comes of it is counted."""

from dataclasses import replace

import numpy as np
import pytest

from datasets.refusals import Scene, Tried, mistakes, report, try_scene
from tests.vision.finding.scenes import table
from tests.vision.tables import calibration


@pytest.fixture(scope="module")
def scene():
    shown = table()
    fighters = [replace(spec, colour_box_px=shown.box(spec.id)) for spec in shown.specs()]
    frame = shown.frame()
    return Scene("S9", frame, calibration(), fighters, np.zeros(frame.image.shape[:2], bool))


def test_a_box_is_moved_half_off_its_figure_and_wholly_onto_the_mat(scene):
    true = scene.told(scene.fighters)
    assert not true.refused
    made = dict(mistakes(scene, true, np.random.default_rng(1)))
    anyone = np.any(list(true.regions.values()), axis=0)
    for mistake, least, most in (("box half off the figure", 0.4, 0.6), ("box on the mat", 0.0, 0.0)):
        spec = made[mistake]
        u, v, w, h = (round(x) for x in spec.colour_box_px)
        assert least <= true.regions[spec.id][v : v + h, u : u + w].mean() <= most
        assert anyone[v : v + h, u : u + w].mean() <= most
    heights = {spec.id: spec.height_cm for spec in scene.fighters}
    double = made["height times 2"]
    assert double.height_cm == 2 * heights[double.id]


def test_the_true_file_passes_and_a_box_on_the_mat_does_not(scene):
    tried = {one.mistake: one.outcome for one in try_scene(scene)}
    assert tried[""] == "silent"
    assert tried["box on the mat"] == "refused"
    assert tried["box on another figure"] == "refused"


def test_what_is_refused_stands_in_the_table_by_name():
    said = report(
        [
            Tried("S1", "", "silent", ("",)),
            Tried("L07", "", "refused", ("fighter F1: its box lies on the mat",)),
            Tried("S1", "box on the mat", "warned", ("", "fighter F1: faint")),
        ]
    )
    assert "| S1 to S3 | 1 | 0 | 0 | 1 |" in said
    assert "| L01 to L13 | 1 | 1 | 0 | 0 |" in said
    assert "| box on the mat | 1 | 0 | 1 | 0 | 0 |" in said
    assert said.endswith("- L07: refused, fighter F1: its box lies on the mat")
