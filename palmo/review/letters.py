"""Letters that the fonts of every PDF reader do not have: drawn as a picture of the words.

Greek, Cyrillic, Hebrew, Arabic, Chinese, Japanese and Korean come from the font that OpenCV brings along,
with which the pictures of the report are labelled too. What even that has not is spelled as its number,
U+0939, so that nothing is lost unseen.
"""

from __future__ import annotations

import io
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from overlay.lettering import FONT, width_of

# Pixels per point of a page: 400 to the inch.
_FINE = 400 / 72
# A line's picture in sizes of its letters: what is above and below the baseline.
ABOVE, BELOW = 1.15, 0.45
_PROBE = 40
# Strokes as strong as those of the other letters on the page.
_PLAIN, _BOLD = 400, 700


def everywhere(text: str) -> bool:
    """Whether every PDF reader has all letters of a text by itself (Western Europe)."""
    try:
        text.encode("cp1252")
    except UnicodeEncodeError:
        return False
    return True


def spelled(text: str) -> str:
    """The text with letters that no font here has as their numbers."""
    return "".join(one if _drawn(one) else f"[U+{ord(one):04X}]" for one in text)


def width(text: str, size: float, *, bold: bool) -> float:
    """How wide a line is, in points, with letters of so many points."""
    return width_of(spelled(text), round(size * _FINE), _weight(bold)) / _FINE


def wrapped(text: str, size: float, room: float, *, bold: bool) -> list[str]:
    """A text broken into lines of so many points: between words, else between letters."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width(longer, size, bold=bold) <= room:
            lines[-1] = longer
            continue
        lines.append("")
        for letter in word:
            if lines[-1] and width(lines[-1] + letter, size, bold=bold) > room:
                lines.append("")
            lines[-1] += letter
    return lines


def picture(text: str, size: float, colour: tuple[int, int, int], *, bold: bool) -> io.BytesIO:
    """A line as a transparent PNG, as wide as `width` and from ABOVE to BELOW its baseline.

    `colour` is red, green, blue.
    """
    whole, px = spelled(text), round(size * _FINE)
    wide = max(1, round(width_of(whole, px, _weight(bold))))
    shape = (round((ABOVE + BELOW) * px), wide, 3)
    ink = np.zeros(shape, np.uint8)
    cv2.putText(ink, whole, (0, round(ABOVE * px)), (255, 255, 255), FONT, px, _weight(bold))
    red, green, blue = colour
    image = np.empty((*shape[:2], 4), np.uint8)
    image[..., :3] = (blue, green, red)
    image[..., 3] = ink[..., 0]
    return io.BytesIO(bytes(cv2.imencode(".png", image)[1]))


@lru_cache(maxsize=4096)
def _drawn(letter: str) -> bool:
    """Whether OpenCV's font has a letter: for those it has not it draws a question mark."""
    if letter in "? " or everywhere(letter):
        return True
    return not np.array_equal(_ink(letter), _ink("?"))


def _ink(letter: str) -> NDArray[np.uint8]:
    image = np.zeros((2 * _PROBE, 2 * _PROBE, 3), np.uint8)
    cv2.putText(image, letter, (10, int(1.4 * _PROBE)), (255, 255, 255), FONT, _PROBE, _PLAIN)
    return image


def _weight(bold: bool) -> int:
    return _BOLD if bold else _PLAIN
