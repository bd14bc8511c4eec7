"""What `calibrate lens` and `calibrate palm` make of public pictures: tables of docs/accuracy.md.

Run with `PALMO_DATA=... python -m datasets.lenses_and_hands`.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.boards import Board
from calibration.boards_find import BoardView, find_board
from calibration.camera import Array
from calibration.lens_check import check_lens
from calibration.lens_cover import covered
from calibration.lens_fit import LensFit, fit_lens
from calibration.palm import Kind
from calibration.palm_hand import ends_of, posture
from calibration.palm_marks import Marks, find_hand
from vision.arrays import Image

SETS = (
    ("opencv_left", Board("chessboard", (10, 7), 25.0)),
    ("udacity_gopro_wide", Board("chessboard", (9, 7), 25.0)),
)
_HANDS = "hand_ruler/Human_Hand_Precision_max.jpg hand_ruler/Human_Hand_Precision_int.jpg"
_OTHERS = (*_HANDS.split(), "hand_ruler/Human_Hand_Power_min_mid.jpg")


def lens_table(root: Path) -> Iterator[str]:
    """The public chessboard sets: published residuals and ours, with a fixed window and with our own."""
    yield "| set | way | views | left out | residual | fx | half against half | on a 70 cm ring |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- |"
    for name, board in SETS:
        folder = root / "d_calibration" / name
        truth = json.loads((folder / "GROUND_TRUTH.json").read_text())
        yield from _published(name, truth)
        for way, window, wide, keep in (
            ("window of 11 px, all views", 11, False, True),
            ("window of 11 px", 11, False, False),
            ("own window", None, False, False),
            ("own window, wide-angle model", None, True, False),
        ):
            views = _views(folder, board, window)
            yield _lens_row(name, way, fit_lens(views, board, wide=wide, keep_all=keep), board, wide=wide)


def hand_table(root: Path) -> Iterator[str]:
    """The photographs of hands: what a ruler, tag or sheet says, and what is found without pointing."""
    yield "| photograph | measured | truth | found | off |"
    yield "| --- | --- | --- | --- | --- |"
    yield _on_the_sheet(root / "c_hands" / "hand_aruco_coin")
    yield _beside_the_tag(root / "c_hands" / "hand_apriltag_closed")
    yield from _without_scale(root / "c_hands" / "tfjs_hands")
    for name in _OTHERS:
        image = _read(root / "c_hands" / name)
        marks = find_hand(image, [1100.0, 1900.0])
        seen = "no hand found" if marks is None else f"refused: {posture(marks).replace('_', ' ')}"
        yield f"| {Path(name).name} | a hand that holds a ruler | no palm | {seen} | |"


def _published(name: str, truth: dict[str, Any]) -> Iterator[str]:
    if "published" in truth:
        one = truth["published"]
        yield (
            f"| {name} | published | {one['nframes']} | 0 | {one['avg_reprojection_error_px']:.3f} px "
            f"| {one['fx']:.1f} | | |"
        )
    one = next(value for key, value in truth.items() if key.startswith("recomputed_here"))
    yield f"| {name} | OpenCV alone | {one['n_used']} | 0 | {one['rms_px']:.3f} px | {one['fx']:.1f} | | |"


def _lens_row(name: str, way: str, fit: LensFit, board: Board, *, wide: bool) -> str:
    coverage = covered([one.view for one in fit.views], [one.lean for one in fit.views])
    check = check_lens(fit, board, coverage, wide=wide)
    halves = "" if check.halves_mm is None else f"{check.halves_mm:.2f} mm"
    odd = ", ".join(f"{one.view.name} ({one.rms_px:.2f} px)" for one in fit.odd) or "0"
    return (
        f"| {name} | {way} | {len(fit.views)} | {odd} | {fit.rms_px:.3f} px "
        f"| {fit.intrinsics.K[0, 0]:.1f} | {halves} | {check.verdict}, {check.worst_mm:.2f} mm |"
    )


def _views(folder: Path, board: Board, window: int | None) -> list[BoardView]:
    found = [find_board(_read(path), board, path.name, window) for path in sorted(folder.glob("*.jpg"))]
    return [one for one in found if isinstance(one, BoardView)]


def _on_the_sheet(folder: Path) -> str:
    name, truth = next(iter(json.loads((folder / "GROUND_TRUTH.json").read_text())["images"].items()))
    image = _read(folder / name)
    found = _apart(_ends(image, _hand(image, 1900.0), "open")) / truth["scale_px_per_mm"]
    return _hand_row(name, "open hand, thumb to little finger", truth["palm_span_mm"], found, "mm")


def _beside_the_tag(folder: Path) -> str:
    name, truth = next(iter(json.loads((folder / "GROUND_TRUTH.json").read_text())["images"].items()))
    image = _read(folder / name)
    side = truth["tag_side_mm"]
    flat = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)
    plane = cv2.getPerspectiveTransform(np.array(truth["tag_corners_px"], np.float32), flat)
    ends = _ends(image, _hand(image, 1280.0), "closed").reshape(-1, 1, 2)
    found = _apart(np.asarray(cv2.perspectiveTransform(ends, plane), np.float64).reshape(2, 2))
    truth_mm = float(np.mean(truth["palm_breadth_mm_tag_homography"]))
    return _hand_row(name, "closed hand, across the fingers", truth_mm, found, "mm")


def _without_scale(folder: Path) -> Iterator[str]:
    truth = json.loads((folder / "GROUND_TRUTH.json").read_text())["images"]["hands.jpg"]["tips_by_hand"]
    image = _read(folder / "hands.jpg")
    for half, labelled in enumerate(truth):
        part = np.ascontiguousarray(image[:, 360 * half : 360 * (half + 1)])
        by_hand = np.array([labelled["thumb_tip_px"], labelled["little_finger_tip_px"]], np.float64)
        found = _apart(_ends(part, _hand(part, 400.0), "open"))
        yield _hand_row(
            f"hands.jpg, hand {half + 1}", "open hand, tips read by hand", _apart(by_hand), found, "px"
        )


def _hand_row(name: str, what: str, truth: float, found: float, unit: str) -> str:
    return f"| {name} | {what} | {truth:.1f} {unit} | {found:.1f} {unit} | {found - truth:+.1f} {unit} |"


def _hand(image: Image, side: float) -> Marks:
    marks = find_hand(image, [side])
    assert marks is not None
    return marks


def _ends(image: Image, marks: Marks, kind: Kind) -> Array:
    assert posture(marks) == kind
    return ends_of(image, marks, kind)


def _apart(ends: Array) -> float:
    return float(np.linalg.norm(ends[0] - ends[1]))


def _read(path: Path) -> Image:
    image = cv2.imread(str(path))
    assert image is not None, path
    return np.asarray(image, np.uint8)


def main() -> None:
    """Print both tables."""
    data = os.environ.get("PALMO_DATA")
    if data is None:
        sys.exit("PALMO_DATA must name the folder with the real pictures")
    for table in (lens_table, hand_table):
        print("\n".join(table(Path(data) / "real")), end="\n\n")


if __name__ == "__main__":
    main()
