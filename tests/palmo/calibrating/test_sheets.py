"""Printed sheets: exact in millimetres, found again by the detectors, the same bytes every time."""

from __future__ import annotations

import re
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.boards import Board
from calibration.boards_find import BoardView, find_board
from calibration.boards_tags import CornerTags, find_corner_tags
from palmo.calibrating.sheets import board_pdf, tags_pdf
from palmo.cli import run
from palmo.errors import PalmoError

MM = 72 / 25.4
PER_MM = 6


def printed(pdf: bytes) -> NDArray[np.uint8]:
    """The sheet as a printer sets it, 6 pixels per millimetre: filled shapes only."""
    text = pdf.decode("latin-1")
    box = re.search(r"/MediaBox \[ 0 0 (\S+) (\S+) \]", text)
    assert box is not None
    width, height = float(box[1]), float(box[2])
    sheet = np.full((round(height / MM * PER_MM), round(width / MM * PER_MM)), 255, np.uint8)
    for body in re.findall(r"^n (.+) h\s+f\*", text, re.MULTILINE):
        rings = [np.array(re.findall(r"(\S+) (\S+) [ml]", ring), float) for ring in body.split("h")]
        pixels = [np.column_stack([one[:, 0], height - one[:, 1]]) / MM * PER_MM - 0.5 for one in rings]
        # Vertices to a 256th of a pixel.
        cv2.fillPoly(sheet, [np.round(one * 256).astype(np.int32) for one in pixels], (0,), cv2.LINE_8, 8)
    return sheet


@pytest.mark.parametrize(
    ("board", "paper"),
    [
        (Board(), "a4"),
        (Board("chessboard", (10, 7), 25.0), "a4"),
        (Board("charuco", (12, 9), 28.0), "a3"),
        (Board("charuco", (6, 9), 25.0), "letter"),
    ],
)
def test_a_printed_board_is_found_with_its_corners_where_they_are_said_to_be(
    board: Board, paper: str
) -> None:
    view = find_board(printed(board_pdf(board, paper, "en")), board, "sheet")
    assert isinstance(view, BoardView)
    assert len(view.ids) == len(board.points())
    expected = 10 * board.points()[view.ids, :2]
    millimetres = (view.pixels + 0.5) / PER_MM
    offset = millimetres - expected
    # A tenth of a millimetre over the whole sheet, without any scaling allowed.
    assert np.abs(offset - offset.mean(axis=0)).max() < 0.1


def test_printed_tags_are_found_and_say_where_the_mats_corners_are() -> None:
    tags = CornerTags()
    for number in range(4):
        side = round(tags.paper_mm * PER_MM)
        cut = np.full((side, side), 255, np.uint8)
        for x, y, w, h in tags.dark(number):
            cut[round(y * PER_MM) : round((y + h) * PER_MM), round(x * PER_MM) : round((x + w) * PER_MM)] = 0
        table = np.full((800, 800), 200, np.uint8)
        table[200 : 200 + side, 300 : 300 + side] = cut
        found = find_corner_tags(table, tags)
        assert list(found) == [number]
        assert np.allclose(found[number], tags.touching(number) * PER_MM + np.array([300, 200]), atol=1.5)
    sheet = find_corner_tags(printed(tags_pdf(tags, "a4", "es")), tags)
    assert sorted(sheet) == [0, 1, 2, 3]
    # Each touches the mat with the corner that points to the middle of the sheet of four.
    middle = np.mean(list(sheet.values()), axis=0)
    for (across, away), number in zip(((-1, -1), (1, -1), (1, 1), (-1, 1)), range(4), strict=True):
        assert np.sign(sheet[number] - middle).tolist() == [across, away]
        assert np.abs(sheet[number] - middle).max() < 16 * PER_MM


def test_a_tag_seen_twice_is_nobodys() -> None:
    tags = CornerTags()
    sheet = printed(tags_pdf(tags, "a4", "en"))
    assert find_corner_tags(np.hstack([sheet, sheet]), tags) == {}


def test_the_bytes_are_the_same_every_time_and_the_sheet_says_what_it_is() -> None:
    once = board_pdf(Board(), "a4", "en")
    assert once == board_pdf(Board(), "a4", "en")
    for words in (
        b"Palmo ChArUco board, 10 x 7 squares of 25 mm",
        b"--squares 10x7 --square-mm 25",
        b"100 mm",
    ):
        assert words in once
    assert "Marcas de esquina" in tags_pdf(CornerTags(), "a4", "es").decode("latin-1")


def test_the_bar_is_exactly_a_hundred_millimetres() -> None:
    text = board_pdf(Board(), "a4", "en").decode("latin-1")
    lines = [tuple(map(float, one)) for one in re.findall(r"n (\S+) (\S+) m (\S+) (\S+) l S", text)]
    flat = [end - start for start, low, end, high in lines if low == high]
    assert max(flat) == pytest.approx(100 * MM, abs=0.002)


@pytest.mark.parametrize(
    ("board", "paper", "told"),
    [
        (Board("charuco", (10, 7), 30.0), "a4", "squares up to 25 mm do"),
        (Board(), "a9", "no such paper"),
    ],
)
def test_what_does_not_fit_says_what_would(board: Board, paper: str, told: str) -> None:
    with pytest.raises(PalmoError, match=told):
        board_pdf(board, paper, "en")


def test_the_commands_write_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("board", "tags"):
        path = tmp_path / f"{name}.pdf"
        assert run(["calibrate", name, "--paper", "A4", "--out", str(path), "--lang", "es"]) == 0
        assert path.read_bytes().startswith(b"%PDF")
        assert "regla" in capsys.readouterr().err
    assert run(["calibrate", "tags", "--tag-mm", "80", "--out", str(tmp_path / "x.pdf")]) == 2
    assert not (tmp_path / "x.pdf").exists()


@pytest.mark.parametrize("name", ["board", "tags"])
def test_a_sheet_takes_the_place_of_nothing_but_a_pdf(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    event = tmp_path / "event.toml"
    event.write_text("[ring]\n", encoding="utf-8")
    assert run(["calibrate", name, "--out", str(event), "--lang", "en"]) == 2
    assert "ends in .pdf" in " ".join(capsys.readouterr().err.split())
    assert event.read_text(encoding="utf-8") == "[ring]\n"
