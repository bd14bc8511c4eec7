"""The table of real pictures: what counts as found, and that its numbers hold where the pictures are."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from datasets.real_pictures import PAGE, into_page, main, table
from datasets.real_scoring import Row, count, match, row
from datasets.real_stills import OBJECTS, overlap, smarties, snooker
from datasets.real_teaching import Finder, Lesson, Patch, overhead_camera, teachable
from vision.arrays import Image
from vision.colour.models import ColourError
from vision.finding.blobs import Blob

_RED, _BLUE, _GREY = (40, 40, 190), (170, 90, 40), (150, 155, 150)


def _patch(colour: str, u: int, v: int) -> Patch:
    blob = Blob.of(np.ones((11, 11), np.uint8), (u - 5, v - 5))
    assert blob is not None
    return Patch(colour, blob)


def _table(*pieces: tuple[tuple[int, int, int], int, int]) -> Image:
    """Square pieces of 40 px on a grey table, with a camera's noise."""
    picture = np.full((300, 400, 3), _GREY, dtype=np.float64)
    for colour, u, v in pieces:
        picture[v - 20 : v + 20, u - 20 : u + 20] = colour
    noise = np.random.default_rng(1).normal(0, 3, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


_LESSON = Lesson({"red": (92, 92, 12, 12), "blue": (292, 92, 12, 12)}, 60.0)


def test_a_camera_far_above_shows_a_centimetre_alike_everywhere() -> None:
    camera = overhead_camera((400, 300), 5.0)
    px = camera.project(np.array([[0.0, 0.0, 0.0], [10.0, 0.0, 0.0], [10.0, 10.0, 14.0]]))
    assert np.allclose(px, [[200, 150], [250, 150], [250, 100]], atol=0.1)


def test_pieces_are_found_in_another_picture_than_the_one_that_taught() -> None:
    finder = Finder(_table((_RED, 98, 98), (_BLUE, 298, 98)), _LESSON)
    found = finder.find(_table((_BLUE, 60, 200), (_RED, 200, 220)))
    assert [(p.colour, [round(x / 5) for x in p.blob.centroid]) for p in found] == [
        ("red", [40, 44]),
        ("blue", [12, 40]),
    ]
    assert finder.named(_table((_RED, 98, 98)), (90, 90, 16, 16)) == "red"
    assert finder.named(_table((_RED, 98, 98)), (190, 190, 16, 16)) is None


def test_the_light_is_followed_where_the_whole_picture_changes() -> None:
    taught = _table((_RED, 98, 98), (_BLUE, 298, 98))
    finder = Finder(taught, _LESSON)
    dim = np.clip(taught * np.array([0.6, 0.7, 0.8]), 0, 255).astype(np.uint8)
    assert finder.follow_light(dim)
    assert [patch.colour for patch in finder.find(dim)] == ["red", "blue"]


def test_a_box_on_the_table_is_left_out_by_name() -> None:
    lesson = Lesson({**_LESSON.boxes, "grey": (190, 240, 12, 12)}, 60.0)
    picture = _table((_RED, 98, 98), (_BLUE, 298, 98))
    with pytest.raises(ColourError, match="grey"):
        Finder(picture, lesson)
    taken, refused = teachable(picture, lesson)
    assert refused == ["grey"]
    assert set(taken.boxes) == {"red", "blue"}


def test_each_piece_is_found_once_and_wrong_ones_say_why() -> None:
    labels = np.zeros((100, 200), np.uint8)
    labels[40:60, 140:160] = 2
    truth = {"red": [(20.0, 50.0), (25.0, 50.0), (150.0, 50.0)], "blue": [(80.0, 50.0)]}
    patches = [_patch("red", 22, 50), _patch("blue", 150, 50)]
    tally = match("p", truth, patches, 8.0, labels, ["red", "blue"])
    assert (tally.pieces, tally.right, tally.false, tally.wrong) == (4, 1, 1, 4)
    assert dict(tally.why) == {
        "red joined with another red": 1,
        "red named blue": 1,
        "blue is nobody's colour": 1,
        "blue seen on red": 1,
    }
    assert tally.errors_px == pytest.approx((2.0,))


def test_counting_takes_no_piece_of_another_colour() -> None:
    tally = count("p", {"red": 2, "blue": 1}, [_patch("red", 9, 9), _patch("green", 30, 9)])
    assert (tally.pieces, tally.right, tally.false) == (3, 1, 1)
    line = row("set", "by", "taught", [tally, count("q", {"red": 1}, [_patch("red", 9, 9)])])
    assert (line.pieces, line.recall) == (4, 0.5)
    assert line.precision == pytest.approx(2 / 3)
    assert line.worst.startswith("p: 2 missed, 1 false")


def test_overlap_is_intersection_over_union() -> None:
    assert overlap((0, 0, 10, 10), (5, 0, 15, 10)) == pytest.approx(1 / 3)
    assert overlap((0, 0, 10, 10), (20, 0, 30, 10)) == 0.0


def test_the_page_keeps_its_words_and_takes_the_new_table() -> None:
    rows = [Row("a set", "by", "taught", 3, None, 0.5, 1.0, 2.0, "px", "worst")]
    page = into_page("before\n<!-- table -->\nold\n<!-- end of table -->\nafter", rows)
    assert page == f"before\n<!-- table -->\n{table(rows)}\n<!-- end of table -->\nafter"
    assert table(rows).splitlines()[-1] == "| a set | by | taught | 3 |  | 0.50 | 1, 2 px | worst |  |"


def test_the_committed_page_names_every_set() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for name in (
        "billiard_measured_mm", "sweets_counted", "opencv_smarties", "snooker_photo", "android_figurines",
        "dough_lumps", "lego_overhead", "ball_and_hand", "billiard_clips", "draughts_lights", "rubik_lights",
    ):  # fmt: skip
        assert f"\n| {name}" in page, name


def test_without_pictures_it_says_what_to_set(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("PALMO_DATA", raising=False)
    assert main([]) == 2
    assert "PALMO_DATA" in capsys.readouterr().err
    monkeypatch.setenv("PALMO_DATA", str(tmp_path))
    assert main([]) == 2
    assert "GROUND_TRUTH.json" in capsys.readouterr().err


@pytest.fixture(scope="module")
def root() -> Path:
    folder = os.environ.get("PALMO_DATA")
    if folder is None or not (Path(folder) / OBJECTS / "snooker_photo").is_dir():
        pytest.skip("PALMO_DATA with the real pictures is not set")
    return Path(folder)


def test_buttons_and_snooker_balls_are_all_found_under_their_colours(root: Path) -> None:
    for measure in (smarties, snooker):
        (line,), _ = measure(root)
        assert (line.precision or 0.0) >= 0.93, line
        assert (line.recall or 0.0) >= 0.93, line
        assert (line.error_max or 0.0) <= 12.0, line
