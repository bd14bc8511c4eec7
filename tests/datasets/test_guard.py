"""The study of the guard: what it moves by how much, and what it counts."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.guard import ReferenceView
from calibration.solve import calibrate
from datasets.guard import Still, Trial, as_markdown, left_alone, main, moved, movement
from tests.calibration.rings import ideal_spec, looking_at, ring_with_posts

CAMERA = looking_at((10.0, -60.0, 95.0), focal=1000.0)
SPEC = ideal_spec(CAMERA)


@pytest.mark.parametrize("kind", ["shift", "turn", "zoom"])
def test_a_movement_moves_by_what_it_says_a_quarter_from_the_middle(kind: str) -> None:
    matrix = movement(kind, 3.0, (720, 1280, 3), np.random.default_rng(1))
    place = np.array([640.0 + 320.0, 360.0])
    assert np.linalg.norm(matrix @ [*place, 1.0] - place) == pytest.approx(3.0, abs=0.02)


def test_a_short_study_finds_what_was_moved_and_nothing_else() -> None:
    picture = ring_with_posts(CAMERA, SPEC)
    view = ReferenceView.of(picture, calibrate(SPEC, (1280, 720)))
    assert view is not None
    trials = moved("T", view, [picture], 1)
    assert all((one.noticed_s is not None) == (one.px >= 2.0) for one in trials)
    still = left_alone("T", view, [picture], 0.1)
    assert (still.moved, still.lost) == (0, 0)
    assert still.ms_per_s > 0
    assert still.largest_px < 0.3


def test_the_tables_count_what_was_never_noticed_too() -> None:
    trials = [Trial("A", "shift", 2.0, 0.5), Trial("B", "shift", 2.0, 1.5), Trial("B", "shift", 2.0, None)]
    table = as_markdown(trials, [Still("A", 10.0, 0, 1, 0.26, 3.31)])
    assert "2 of 3, 1.0 s, worst 1.5 s" in table
    assert "| A | 10 | 0 | 1 | 0.26 px | 3.3 ms/s |" in table


def test_without_data_it_says_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PALMO_DATA", raising=False)
    assert main([]) == 2
