"""Single keys and tables are changed, and every other character stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from palmo.errors import SaidError
from palmo.event import EventError, load_event
from palmo.event.edit import read_text, rewrite, with_keys, with_table
from tests.palmo.conftest import EVENT

CAMERA = ["K = [[900.0, 0.0, 640.0], [0.0, 900.0, 360.0], [0.0, 0.0, 1.0]]", "size = [1280, 720]"]


def test_a_table_comes_first_and_is_replaced_in_its_place() -> None:
    text = "# mine\n\n# the ring\n" + EVENT
    once = with_table(text, "camera", CAMERA)
    assert once.index("[camera]") < once.index("# the ring") < once.index("[ring]")
    changed = [*CAMERA[:1], "size = [640, 480]", "covariance = [", "    [1.0],", "]"]
    twice = with_table(once, "camera", changed)
    assert twice.count("[camera]") == 1
    assert "1280" not in twice
    assert with_table(twice, "camera", CAMERA) == once


def test_keys_are_changed_or_added_with_their_remarks_kept() -> None:
    text = EVENT.replace("palm_cm = 20.5", "palm_cm = 20.5   # by ruler")
    changed = with_keys(text, ("player", 0), {"palm_cm": "21.3", "palm_sd_cm": "0.05"})
    assert "palm_cm = 21.3   # by ruler\n" in changed
    assert changed.replace("21.3", "20.5").replace("palm_sd_cm = 0.05", "palm_sd_cm = 0.1") == text
    added = with_keys(text, ("player", 1), {"palm_sd_cm": "0.07"})
    assert "half_palm_cm = 7.7\npalm_sd_cm = 0.07\n[[fighter]]" in added


def test_no_such_table_is_said() -> None:
    with pytest.raises(SaidError, match="table of its own"):
        with_keys(EVENT, ("player", 5), {"palm_cm": "20.0"})


def test_a_text_that_is_no_event_file_any_more_is_never_written(tmp_path: Path) -> None:
    path = tmp_path / "event.toml"
    path.write_text(EVENT, encoding="utf-8")
    with pytest.raises(EventError) as caught:
        rewrite(path, with_keys(read_text(path), ("player", 0), {"palm_cm": "99.0"}))
    assert str(path) in str(caught.value)
    assert path.read_text(encoding="utf-8") == EVENT
    rewrite(path, with_keys(read_text(path), ("player", 0), {"palm_cm": "21.0"}))
    assert load_event(path).player[0].palm_cm == 21.0
