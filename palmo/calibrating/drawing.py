"""Words and panels on the pictures that people check a calibration by."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from overlay.lettering import BOLD, FONT, REGULAR, wrapped
from vision.arrays import Image, as_bytes

Colour = tuple[int, int, int]
INK, PAPER, GREY = (30, 25, 20), (250, 250, 250), (120, 115, 110)
RED, GREEN, YELLOW, ORANGE = (50, 50, 225), (60, 170, 60), (0, 190, 250), (20, 140, 245)
MAGENTA = (255, 0, 255)
_LEADING = 1.3


def write(
    image: Image, words: str, at: tuple[int, int], size: int = 15, colour: Colour = INK, *, bold: bool = False
) -> None:
    """Set a line of text, its upper left corner at `at`, in place."""
    origin = (at[0], at[1] + size)
    cv2.putText(image, words, origin, colour, FONT, size, BOLD if bold else REGULAR)


def write_on_plate(
    image: Image, words: str, at: tuple[int, int], size: int = 15, colour: Colour = PAPER, plate: Colour = INK
) -> None:
    """Set a line of text on a plate that keeps it readable on any picture, inside the picture, in place."""
    box = cv2.getTextSize((0, 0), words, (0, 0), FONT, size, REGULAR)
    width, height = int(box[2]) + 10, round(size * 1.5)
    x = int(np.clip(at[0], 0, max(0, image.shape[1] - width)))
    y = int(np.clip(at[1], 0, max(0, image.shape[0] - height)))
    cv2.rectangle(image, (x, y), (x + width, y + height), plate, -1)
    write(image, words, (x + 5, y + round(size * 0.18)), size, colour)


def captioned(image: Image, caption: str, size: int = 15, lines: int = 2) -> Image:
    """A picture with a caption below it on paper."""
    height = round(lines * size * _LEADING) + 10
    paper = np.full((image.shape[0] + height, image.shape[1], 3), PAPER, np.uint8)
    paper[: image.shape[0]] = image
    for row, line in enumerate(wrapped(caption, size, REGULAR, image.shape[1] - 12, lines)):
        write(paper, line, (6, image.shape[0] + 5 + round(row * size * _LEADING)), size)
    return paper


def shrunk(image: Image, width: int) -> Image:
    """A picture brought to a width."""
    height = max(1, round(image.shape[0] * width / image.shape[1]))
    way = cv2.INTER_AREA if width < image.shape[1] else cv2.INTER_LINEAR
    return as_bytes(cv2.resize(image, (width, height), interpolation=way))


def rows_of(panels: Sequence[Image], columns: int, gap: int = 8) -> Image:
    """Panels side by side in rows of `columns`, on paper, each row as high as its highest panel."""
    rows = []
    for start in range(0, len(panels), columns):
        row = panels[start : start + columns]
        paper = np.full((max(one.shape[0] for one in row), _width(panels, columns, gap), 3), PAPER, np.uint8)
        x = 0
        for one in row:
            paper[: one.shape[0], x : x + one.shape[1]] = one
            x += one.shape[1] + gap
        rows.append(paper)
    return stacked(rows, gap)


def stacked(rows: Sequence[Image], gap: int = 8) -> Image:
    """Panels below each other on paper, with a margin around."""
    width = max(row.shape[1] for row in rows)
    height = sum(row.shape[0] for row in rows) + gap * (len(rows) - 1)
    paper = np.full((height, width, 3), PAPER, np.uint8)
    y = 0
    for row in rows:
        paper[y : y + row.shape[0], : row.shape[1]] = row
        y += row.shape[0] + gap
    return paper


def _width(panels: Sequence[Image], columns: int, gap: int) -> int:
    rows = [panels[start : start + columns] for start in range(0, len(panels), columns)]
    return max(sum(int(one.shape[1]) for one in row) + gap * (len(row) - 1) for row in rows)
