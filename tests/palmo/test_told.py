"""Heights and taps of the event file that the first picture contradicts, blamed on their lines."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path

import pytest

from palmo.demo_files import DEMO_CLIP, DEMO_EVENT
from palmo.event import EventError
from palmo.workbench import open_workbench

# Where F1 stands at first, by the clip's truth.
TRUE_PLACE = (-23.6, 21.5)
BOX = "colour_box_px = [457, 169, 6, 6]"
HEIGHT, FOOT = "height_cm = 14.3", "foot_px = [468, 206]"


def edited(tmp_path: Path, old: str, new: str) -> tuple[Path, int]:
    text = DEMO_EVENT.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path = tmp_path / "event.toml"
    path.write_text(text.replace(old, new), encoding="utf-8")
    return path, text[: text.index(old)].count("\n") + 1


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (HEIGHT, "height_cm = 40", "it cannot be 40 cm tall"),
        (HEIGHT, "height_cm = 6", "it cannot be 6 cm tall"),
        # this one looks like a wrong colour box at first
        (HEIGHT, "height_cm = 2", "it cannot be 2 cm tall"),
        (FOOT, "foot_px = [1468, 206]", "lies outside the picture of 1280 x 720 px"),
        (FOOT, "foot_px = [568, 206]", "px beside the figure"),
    ],
)
def test_what_cannot_be_true_is_refused_on_its_line(tmp_path: Path, old: str, new: str, said: str) -> None:
    event, line = edited(tmp_path, old, new)
    with open_workbench(str(DEMO_CLIP), event) as bench, pytest.raises(EventError) as caught:
        bench.pipeline()
    (problem,) = caught.value.problems
    assert (problem.line, problem.key) == (line, f"fighter.0.{new.split()[0]}")
    assert said in problem.sentence


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (HEIGHT, "height_cm = 8", "height_cm is 8 cm, but what is seen of it looks like a figure of"),
        (HEIGHT, "height_cm = 25", "height_cm is 25 cm, but what is seen of it looks like a figure of"),
        (BOX, "colour_box_px = [425, 160, 24, 24]", "colour_box_px lies on two colours"),
    ],
)
def test_what_is_hardly_true_is_warned_of_and_the_fighter_followed(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    with open_workbench(str(DEMO_CLIP), edited(tmp_path, old, new)[0]) as bench:
        pipeline = bench.pipeline()
        assert f"fighter F1: {said}" in "\n".join(pipeline.warnings)
        seen = pipeline.look_back(islice(bench.frames(), 3))[-1].fighters["F1"]
    assert (seen.x, seen.y) == pytest.approx(TRUE_PLACE, abs=2.5)


def test_a_tap_too_high_on_the_figure_is_warned_of_and_moves_it_no_further_than_its_bar(
    tmp_path: Path,
) -> None:
    places, warnings = [], []
    for event in (DEMO_EVENT, edited(tmp_path, FOOT, "foot_px = [468, 180]")[0]):
        with open_workbench(str(DEMO_CLIP), event) as bench:
            pipeline = bench.pipeline()
            places.append(pipeline.look_back(islice(bench.frames(), 12))[-1].fighters["F1"])
            warnings.append(pipeline.warnings)
    assert warnings[0] == []
    assert len(warnings[1]) == 1
    assert re.match(r"fighter F1: foot_px lies [3-6]\.\d cm", warnings[1][0])
    right, wrong = places
    assert abs((wrong.y or 99) - (right.y or 0)) < 1.96 * (wrong.sy or 0)
    assert (wrong.sy or 0) > 1.5 * (right.sy or 1)
