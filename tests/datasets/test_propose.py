"""The study of proposals: what it counts as right."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from datasets.propose import Proposed, as_markdown, main, proposed

DATA = os.environ.get("PALMO_DATA")


def test_what_was_not_proposed_counts_as_not_right() -> None:
    found = [
        Proposed("A", 0, (0.1, 0.3, 2.9, 3.1), (0.5, 0.5, 0.5, 0.5)),
        Proposed("A", 9, None, None),
    ]
    assert as_markdown(found).splitlines()[2] == "| A | 2 | 3 of 8 | 1.6 px | 4 of 8 | 0.5 px | 1 |"


@pytest.mark.slow
@pytest.mark.skipif(DATA is None, reason="PALMO_DATA is not set")
def test_the_first_picture_of_a_clip_is_proposed_rightly() -> None:
    assert DATA is not None
    (one,) = proposed(Path(DATA) / "clips" / "S1", 1)
    assert one.corners_px is not None
    assert one.tops_px is not None
    assert max(*one.corners_px, *one.tops_px) < 3.0


def test_without_data_it_says_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PALMO_DATA", raising=False)
    assert main([]) == 2
