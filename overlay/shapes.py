"""What is drawn, once the meaning is settled: strokes and fills in the ring, plates on the glass.

Both renderers draw exactly these. Points of strokes and fills are ring centimetres (N, 3), projected by
whoever draws; plates are boxes in picture pixels, laid out once, in Python, so that the text sits at the same
place whatever the font of the browser. Widths are pixels of the picture. Colours are names of the palette.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from overlay.palette import Dash

Array = NDArray[np.float64]
Box = tuple[float, float, float, float]
"""x, y of the top left corner, width, height; pixels."""


@dataclass(frozen=True, eq=False)
class Line:
    """A stroke along ring points (N, 3) in cm; `halo` is the dark rim that keeps it legible, in pixels."""

    points: Array
    colour: str
    width: float
    closed: bool = False
    dash: Dash | None = None
    halo: float = 0.0


@dataclass(frozen=True, eq=False)
class Fill:
    """An area between rings of points (N, 3) in cm: the first its outside, the others its holes."""

    rings: tuple[Array, ...]
    colour: str
    opacity: float


@dataclass(frozen=True)
class Words:
    """One line of text on a plate: left end and baseline from the plate's corner; `width` as measured."""

    text: str
    x: float
    y: float
    width: float
    size: float
    weight: int
    colour: str


@dataclass(frozen=True)
class Block:
    """A filled rectangle on a plate: a card, a bar."""

    box: Box
    colour: str
    radius: float = 0.0


@dataclass(frozen=True)
class Mark:
    """A stroke on a plate: a part of an icon."""

    points: tuple[tuple[float, float], ...]
    width: float
    colour: str


Item = Words | Block | Mark


@dataclass(frozen=True, eq=False)
class Face:
    """What stands on a plate, independent of where the plate is: size in pixels, colours, items in order.

    Equal only to itself, so that finding its picture again is quick: whoever makes faces keeps them.
    """

    width: float
    height: float
    items: tuple[Item, ...]
    colour: str = "plate"
    opacity: float = 1.0
    edge: str | None = None
    edge_width: float = 0.0
    radius: float = 0.0


@dataclass(frozen=True)
class Plate:
    """A face at a place of the picture, joined by a line to the ring point `leader` (x, y, z)."""

    face: Face
    x: float
    y: float
    leader: tuple[float, float, float] | None = None

    @property
    def box(self) -> Box:
        """The plate's box in pixels."""
        return self.x, self.y, self.face.width, self.face.height


Shape = Line | Fill
