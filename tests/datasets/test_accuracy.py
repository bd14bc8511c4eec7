"""The clips with known truth, measured with one draw of the taps: the numbers must not get worse."""

import os
from pathlib import Path

import numpy as np
import pytest

from datasets.accuracy import load_clip, main, measure_draw
from datasets.accuracy_report import Move, Standing, as_markdown

DATA = os.environ.get("PALMO_DATA")
needs_clips = pytest.mark.skipif(DATA is None, reason="PALMO_DATA does not name the folder with the clips")


@needs_clips
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "overlap", "move_cm"), [("S1", 0.65, 0.4), ("S2", 0.75, 0.4), ("S3", 0.65, 0.6)]
)
def test_a_clip_is_measured_within_its_budget(name, overlap, move_cm):
    standing, moves = measure_draw(load_clip(Path(DATA) / "clips" / name), 0)
    tapped = [s for s in standing if s.tapped]
    assert np.median([s.error for s in tapped]) < 0.4
    assert np.percentile([s.error for s in tapped], 95) < 0.9
    untapped = [s.error for s in standing if not s.tapped]
    assert np.median(untapped) < 0.6
    assert np.percentile(untapped, 95) < 1.2
    assert np.median([s.iou for s in tapped]) > overlap
    assert np.mean([s.inside for s in tapped]) > 0.85
    assert not any(s.facing_error > 90 and not s.facing_assumed for s in tapped if not s.lying)
    lengths = [m for m in moves if m.tapped]
    assert len(lengths) == {"S1": 4, "S2": 3, "S3": 4}[name]
    assert max(abs(m.error) for m in lengths) < move_cm
    assert np.mean([m.inside for m in lengths]) >= 0.75


def test_the_table_names_what_it_pools():
    standing = [
        Standing("S1", "F1", n, 0, True, False, 0.1 * n, 1.0, 0.8, 2.0, False, 0.7) for n in (1, 2, 3)
    ]
    standing += [Standing("S1", "F1", 1, 0, False, False, 0.5, 0.5, 2.0, 2.0, False, 0.7)]
    moves = [
        Move("S1", "F1", 0, tapped, 12.0, -0.1, 0.2, True, 0.8, 30.0, 3.0, False, False)
        for tapped in (True, False)
    ]
    table = as_markdown(standing, moves)
    assert "| all | 0.20 | 0.29 | 100.0% | 0.80 | 0.80 | 0.70 |" in table
    assert "| S1 | 1.0 | 1.0 | 1.0 | 100.0% | 3.0 | 3.0 | 0 |" in table
    assert "| S1 | F1 | 12.0 | 30 | -1.0 | 0.0 | 1.0 | 2.0 | 100% |" in table


def test_says_where_the_clips_should_be(monkeypatch, capsys):
    monkeypatch.delenv("PALMO_DATA", raising=False)
    assert main([]) == 2
    assert "PALMO_DATA is not set" in capsys.readouterr().err
