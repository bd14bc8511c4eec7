"""Text on plates: how wide it is and how it is cut or broken to fit."""

from __future__ import annotations

from functools import lru_cache

import cv2

from overlay.shapes import Words

REGULAR, BOLD = 500, 700
FONT = cv2.FontFace("sans")


@lru_cache(maxsize=4096)
def width_of(text: str, size: float, weight: int = REGULAR) -> float:
    """The advance of a line of text in pixels, as OpenCV's built-in font sets it."""
    # A space at the end has no ink and would be lost: the bar behind it keeps it.
    whole = cv2.getTextSize((0, 0), text + "|", (0, 0), FONT, round(size), weight)
    bar = cv2.getTextSize((0, 0), "|", (0, 0), FONT, round(size), weight)
    return float(whole[2] - bar[2])


def fitted(text: str, size: float, weight: int, room: float) -> str:
    """The text, cut with an ellipsis where it would be wider than `room` pixels."""
    if width_of(text, size, weight) <= room:
        return text
    for end in range(len(text) - 1, 0, -1):
        cut = text[:end].rstrip() + "…"
        if width_of(cut, size, weight) <= room:
            return cut
    return "…"


def wrapped(text: str, size: float, weight: int, room: float, lines: int) -> list[str]:
    """The text broken between words into at most `lines` lines of `room` pixels; the last is cut to fit."""
    words, out = text.split(), list[str]()
    while words and len(out) < lines - 1:
        count = 1
        while count < len(words) and width_of(" ".join(words[: count + 1]), size, weight) <= room:
            count += 1
        out.append(fitted(" ".join(words[:count]), size, weight, room))
        words = words[count:]
    return out + ([fitted(" ".join(words), size, weight, room)] if words else [])


def packed(parts: tuple[str, ...], size: float, weight: int, room: float) -> list[str]:
    """Short texts side by side with dots between, on as many lines of `room` pixels as they need."""
    lines: list[str] = []
    for part in parts:
        longer = f"{lines[-1]} · {part}" if lines else part
        if lines and width_of(longer, size, weight) <= room:
            lines[-1] = longer
        else:
            lines.append(part)
    return lines


def words(text: str, x: float, y: float, size: float, weight: int, colour: str) -> Words:
    """A line of text with its measured width."""
    return Words(text, x, y, width_of(text, size, weight), size, weight, colour)
