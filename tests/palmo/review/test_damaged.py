"""Points and rulings whose files were damaged: one sentence with the place, and nothing of them is used."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from palmo.errors import PalmoError
from palmo.review.corrections import REVIEW, Corrections
from palmo.review.rulings import folder_of, rulings

POINT = {
    "point": 0, "session": 1, "fighter": "F1", "fragment": 3, "t": 1.5, "px": [400.0, 300.0], "sd_px": 2.0,
    "by": "Ana",
}  # fmt: skip
RULING = {
    "format": 1, "number": 1, "session": 1, "fighter": "F1", "before_t": 1.0, "after_t": 3.0, "player": None,
    "allow": 2.0, "decision": "within", "words": "", "by": "Ana",
}  # fmt: skip
NESTED = "[" * 100_000


@pytest.mark.parametrize(
    "line",
    [
        json.dumps(POINT | {"point": "x"}),
        json.dumps(POINT | {"px": [1.0]}),
        json.dumps(POINT | {"px": [1.0, float("nan")]}),
        json.dumps(POINT | {"t": None}),
        json.dumps(POINT | {"more": 1}),
        json.dumps(POINT | {"fragment": [1]}),
        "{}",
        "[1]",
        "7",
        NESTED,
    ],
)
def test_a_point_that_is_none_is_said_with_its_line(tmp_path: Path, line: str) -> None:
    (tmp_path / REVIEW).write_text(f"{json.dumps(POINT)}\n{line}\n", encoding="utf-8")
    with pytest.raises(PalmoError, match=f"{REVIEW}.*2"):
        Corrections(tmp_path)


def test_points_are_read_back_as_they_were_put(tmp_path: Path) -> None:
    (tmp_path / REVIEW).write_text(json.dumps(POINT) + "\n", encoding="utf-8")
    (point,) = Corrections(tmp_path).of(1)
    assert (point.px, point.fragment, point.t) == ((400.0, 300.0), 3, 1.5)


@pytest.mark.parametrize(
    "content",
    [
        json.dumps(RULING | {"number": "one"}),
        json.dumps(RULING | {"before_t": [1]}),
        json.dumps(RULING | {"after_t": float("inf")}),
        json.dumps(RULING | {"decision": "perhaps"}),
        json.dumps(RULING | {"fighter": None}),
        json.dumps(RULING | {"more": 1}),
        json.dumps(RULING | {"format": 2}),
        "[]",
        "",
        NESTED,
    ],
)
def test_a_ruling_that_is_none_is_said(tmp_path: Path, content: str) -> None:
    folder = folder_of(tmp_path, 1)
    folder.mkdir(parents=True)
    (folder / "ruling.json").write_text(content, encoding="utf-8")
    with pytest.raises(PalmoError, match=r"ruling\.json"):
        rulings(tmp_path)
