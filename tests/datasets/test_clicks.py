"""The study of careless clicks: what it draws, what it counts."""

import os

import numpy as np
import pytest

from datasets.clicks import Drawn, as_markdown, calibrated, main
from tests.vision.measuring.test_ground import CAMERA, RING

DATA = os.environ.get("PALMO_DATA")


def test_worse_clicks_give_a_worse_camera_and_the_draw_decides_everything():
    fine, again, coarse = (calibrated("T", RING, CAMERA, None, noise, True, 3) for noise in (0.5, 0.5, 4.0))
    assert fine == again
    assert fine.rms_mm is not None
    assert coarse.rms_mm is not None
    assert max(fine.rms_mm) < max(coarse.rms_mm)
    assert calibrated("T", RING, CAMERA, None, 0.5, True, 4) != fine


def test_clicks_that_are_refused_are_counted_and_spoil_no_mean():
    drawn = [
        Drawn("S1", 2.0, True, (3.0, 4.0, 1.0), 0.9),
        Drawn("S1", 2.0, True, (4.0, 3.0, 1.0), 1.0),
        Drawn("S1", 2.0, True, None, None),
        Drawn("S1", 2.0, False, None, None),
    ]
    lines = as_markdown(drawn).splitlines()[2:]
    assert lines[0] == "| S1 | 2 px, with post tops | 3.54 / 3.54 / 1.00 | 4.00 | 95% | 1 of 3 |"
    assert lines[1] == "| S1 | 2 px, corners only | - | - | - | 1 of 1 |"


def test_without_the_clips_it_says_what_to_set(monkeypatch, capsys):
    monkeypatch.delenv("PALMO_DATA", raising=False)
    assert main([]) == 2
    assert "PALMO_DATA is not set" in capsys.readouterr().err


@pytest.mark.skipif(not DATA, reason="PALMO_DATA is not set: the clips are not here")
def test_the_command_writes_its_table(tmp_path, monkeypatch):
    monkeypatch.setattr("datasets.clicks.NOISES_PX", (0.5,))
    assert main(["S1", "--draws", "1", "--out", str(tmp_path)]) == 0
    rows = (tmp_path / "clicks.md").read_text(encoding="utf-8").splitlines()[2:]
    assert len(rows) == 2
    assert np.mean([float(cell) for cell in rows[0].split("|")[3].split("/")]) < 1.0
