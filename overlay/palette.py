"""The look of the overlay, in one place: colours, strokes and icons for both renderers.

Tones are told apart by people who see no difference between red and green: the hues follow Okabe and Ito
(Color Universal Design, 2008), and no tone rests on its colour alone. A legal edge is solid, an illegal one
dashed, a doubtful one dotted, and a banner bears a tick, a cross or a question mark.

Lengths are pixels of a 720-line picture; `scale_of` gives the factor for another size. Lines have round ends,
so a dash is longer than its number by the line's width.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from rules.annotations import Card, Tone

COLOURS: dict[str, str] = {
    "ink": "#0b0f1a",
    "plate": "#10162a",
    "paper": "#ffffff",
    "faint": "#b9c2d6",
    "trough": "#3a4258",
    "neutral": "#ffffff",
    "legal": "#12b886",
    "illegal": "#ff5a26",
    "doubt": "#ffc20a",
    "active": "#45c1ff",
    "ghost": "#d6a4ff",
    "card.red": "#e3262b",
    "card.green": "#1d9d48",
    "card.yellow": "#ffd60a",
}
Dash = tuple[float, float]


@dataclass(frozen=True)
class ToneStyle:
    """How a tone looks besides its colour: the dash of its edges and the icon on its plates."""

    dash: Dash | None
    icon: str | None


TONES: dict[Tone, ToneStyle] = {
    "neutral": ToneStyle(None, None),
    "legal": ToneStyle(None, "tick"),
    "illegal": ToneStyle((16.0, 12.0), "cross"),
    "doubt": ToneStyle((2.0, 10.0), "question"),
    "active": ToneStyle(None, "point"),
    "ghost": ToneStyle((8.0, 8.0), None),
}
# The ink on each card that reads best (contrast above 4.5 : 1).
CARD_INK: dict[Card, str] = {"red": "paper", "green": "paper", "yellow": "ink"}

# Icons as strokes in a unit square, x right, y down.
Stroke = tuple[tuple[float, float], ...]
ICONS: dict[str, tuple[Stroke, ...]] = {
    "tick": (((0.12, 0.55), (0.40, 0.84), (0.90, 0.18)),),
    "cross": (((0.16, 0.16), (0.84, 0.84)), ((0.84, 0.16), (0.16, 0.84))),
    "question": (
        ((0.24, 0.30), (0.30, 0.14), (0.50, 0.06), (0.70, 0.14), (0.76, 0.30), (0.68, 0.44), (0.50, 0.56),
         (0.50, 0.70)),
        ((0.50, 0.92), (0.50, 0.94)),
    ),
    "point": (((0.30, 0.10), (0.74, 0.50), (0.30, 0.90)),),
}  # fmt: skip

THIN, LINE, THICK = 1.5, 3.5, 5.5
HALO = 2.0
PLATE_OPACITY = 0.86
DIMMED_OPACITY = 0.45
REGION_OPACITY = 0.24
GHOST_OPACITY = 0.30


def scale_of(size: tuple[int, int]) -> float:
    """The factor from lengths of this module to pixels of a picture of (width, height)."""
    return min(size) / 720.0


@cache
def bgr(name: str) -> tuple[int, int, int]:
    """A colour of the palette, or one written as "#rrggbb", as OpenCV wants it."""
    code = COLOURS.get(name, name)
    return int(code[5:7], 16), int(code[3:5], 16), int(code[1:3], 16)
