"""The same paints under other light: draughts pieces on one board, stickers of cubes in one robot.

Each is named with the table as taught and with the table remapped from a white reference in the picture.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from datasets.real_billiard import read
from datasets.real_scoring import Row, Tally, match, row
from datasets.real_stills import LAYER, Drawing, Result, boxes, lesson, truth_of
from datasets.real_teaching import Finder
from vision.arrays import Image, as_bytes

COLOUR = Path("real") / "g_colour"
# The rectified board: fields of 50 px and one field's width around them.
_FIELD, _BOARD = 50, 600
# A sticker is named by a square of so many pixels in its middle.
_STICKER = 60

# A picture's light, whether the meter was sure of it, and its score.
_Scored = tuple[str, bool, Tally]


def draughts(root: Path) -> Result:
    """Pieces found on the rectified boards of eight pictures, taught on a ninth under room light."""
    folder = root / COLOUR / "draughts_lights"
    entry = boxes("draughts")
    images = truth_of(folder)["images"]
    boards = {
        name: _rectified(read(folder / name), known["field_corners_px"]) for name, known in images.items()
    }
    rows, drawings = [], []
    for followed in (False, True):
        finder = Finder(boards[entry["picture"]], lesson(entry))
        scored: list[_Scored] = []
        for name, known in images.items():
            if name == entry["picture"]:
                continue
            sure = followed and finder.follow_light(boards[name])
            truth = {colour: _centres(known[f"{colour}_cells_row_col"]) for colour in entry["boxes"]}
            patches = finder.find(boards[name])
            labels = finder.labels(boards[name])
            label = f"{name} ({known['light']})"
            tally = match(label, truth, patches, 0.6 * _FIELD, labels, finder.colours)
            scored.append(("room light" if known["light"].startswith("room") else "other light", sure, tally))
            drawings.append(Drawing(f"draughts_{name}_{followed}", boards[name], patches, truth))
        taught = f"2 boxes on {entry['picture']}, room light"
        rows += _rows("draughts_lights", LAYER, taught, followed, scored, "px of 50 px fields")
    return rows, drawings


def _rows(
    name: str, layer: str, taught: str, followed: bool, scored: Sequence[_Scored], unit: str = "px"
) -> list[Row]:
    """A row for every light."""
    rows = []
    for light in dict.fromkeys(light for light, _, _ in scored):
        tallies = [tally for found, _, tally in scored if found == light]
        sure = sum(sure for found, sure, _ in scored if found == light)
        how = f"light followed (the meter sure in {sure} of {len(tallies)})" if followed else "as taught"
        rows.append(row(f"{name}, {light}, {how}", layer, taught, tallies, unit))
    return rows


def _rectified(image: Image, corners: Sequence[Sequence[float]]) -> Image:
    """The board seen straight from above: row 0, column 0 in the upper left."""
    near, far = _FIELD, _BOARD - _FIELD
    square = np.array([[near, near], [far, near], [far, far], [near, far]], np.float32)
    turn = cv2.getPerspectiveTransform(np.array(corners, np.float32), square)
    return as_bytes(cv2.warpPerspective(image, turn, (_BOARD, _BOARD)))


def _centres(cells: Sequence[Sequence[int]]) -> list[tuple[float, float]]:
    return [((column + 1.5) * _FIELD, (line + 1.5) * _FIELD) for line, column in cells]


def rubik(root: Path) -> Result:
    """Six paints named sticker by sticker, taught on two faces of the small cube."""
    folder = root / COLOUR / "rubik_lights"
    entry = boxes("rubik")
    sets = truth_of(folder)["sets"]
    teaching = [read(folder / name) for name in entry["pictures"]]
    rows = []
    for followed in (False, True):
        finder = Finder(np.ascontiguousarray(np.hstack(teaching)), lesson(entry), teaching[0])
        scored: list[_Scored] = []
        for name, known in sets.items():
            for face, lines in (known["faces"] or {}).items():
                picture = f"{name}_{face}.jpg"
                if picture in entry["pictures"]:
                    continue
                image = read(folder / picture)
                sure = followed and finder.follow_light(image)
                places = _stickers(entry["stickers"][name], face)
                paints = [paint for line in lines for paint in line]
                scored.append(
                    (f"{name}: {known['light']}", sure, _named(picture, finder, image, places, paints))
                )
        rows += _rows("rubik_lights", "colour table", "6 boxes on 2 faces", followed, scored)
    return rows, []


def _stickers(grid: Mapping[str, Any], face: str) -> list[tuple[int, int]]:
    """The stickers' centres, row by row."""
    return [(u + grid["shift"][face], v) for v in grid["rows"] for u in grid["columns"]]


def _named(
    picture: str, finder: Finder, image: Image, places: Sequence[tuple[int, int]], paints: Sequence[str]
) -> Tally:
    right, false = 0, 0
    why: Counter[str] = Counter()
    half = _STICKER // 2
    for (u, v), paint in zip(places, paints, strict=True):
        name = finder.named(image, (u - half, v - half, _STICKER, _STICKER))
        right += name == paint
        false += name not in (paint, None)
        if name != paint:
            why[f"{paint} is nobody's colour" if name is None else f"{paint} named {name}"] += 1
    return Tally(picture, len(paints), right, false, (), why)


LIGHTS = (draughts, rubik)
