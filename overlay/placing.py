"""Where plates go: beside what they speak of, off the fighters, off each other, inside the picture.

A small greedy search: each plate in turn tries places around the thing it belongs to and takes the cheapest.
A plate stays where it was until another place is clearly better, so that labels neither dance nor flicker.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

import numpy as np

from overlay.shapes import Array, Box

# Sides in order of taste: where a plate's centre lies from the thing's, as fractions of half sizes.
_SIDES = np.array(
    [(0, -1), (0.6, -1), (-0.6, -1), (1, 0), (-1, 0), (1, -0.7), (-1, -0.7), (0, 1), (1, 0.7), (-1, 0.7),
     (0.6, 1), (-0.6, 1)]
)  # fmt: skip
_REACHES = (1.0, 2.2, 4.5)
_PLACES = np.tile(_SIDES, (len(_REACHES), 1))
_REACH = np.repeat(_REACHES, len(_SIDES))[:, None]
_TASTE = np.concatenate([0.02 * np.arange(len(_SIDES)) + 0.15 * i for i in range(len(_REACHES))])
# Costs, as multiples of "the whole plate lies on something": a fighter, a plate, a line.
_ON_FIGHTER, _ON_PLATE, _ON_LINE = 6.0, 6.0, 0.8
_STAY, _CONTENT = 0.35, 0.3
# A plate moves with its thing only past this many pixels: the text is read, not measured.
_STILL = 2.0


@dataclass
class Placer:
    """Places plates on a picture of (width, height) pixels and remembers where each stood.

    Call `start` for every picture with the boxes of the fighters and the points of lines (N, 2) worth
    keeping clear, then `place` for every plate, the important ones first.
    """

    size: tuple[int, int]
    gap: float = 6.0
    _boxes: Array = field(default_factory=lambda: np.empty((0, 4)))
    _weights: list[float] = field(default_factory=list)
    _lines: Array = field(default_factory=lambda: np.empty((0, 2)))
    _stood: dict[Hashable, tuple[int, float, float]] = field(default_factory=dict)

    def start(self, fighters: Sequence[Box], lines: Sequence[Array]) -> None:
        """Begin a new picture."""
        self._boxes = np.array(fighters).reshape(-1, 4)
        self._weights = [_ON_FIGHTER] * len(fighters)
        self._lines = np.vstack([np.empty((0, 2)), *lines])

    def take(self, box: Box) -> None:
        """Declare a box occupied, e.g. by a banner."""
        self._boxes = np.vstack([self._boxes, box])
        self._weights.append(_ON_PLATE)

    def place(self, name: Hashable, thing: Box, width: float, height: float) -> tuple[float, float]:
        """The corner (x, y) for a plate of a size that belongs to the box of a thing of that name."""
        before = self._stood.get(name)
        best, corner = self._chosen(None if before is None else before[0], thing, width, height)
        x, y = float(round(corner[0])), float(round(corner[1]))
        if before is not None and before[0] == best and abs(x - before[1]) + abs(y - before[2]) <= _STILL:
            x, y = before[1:]
        self._stood[name] = best, x, y
        self.take((x, y, width, height))
        return x, y

    def _chosen(self, stood: int | None, thing: Box, width: float, height: float) -> tuple[int, Array]:
        """The best of the places and the plate's corner there; `stood` is where it was until now."""
        if stood is not None:
            corners, cost = self._rated(slice(stood, stood + 1), thing, width, height)
            # Most plates stand well where they are: only the others look around.
            if cost[0] <= _CONTENT:
                return stood, corners[0]
        corners, cost = self._rated(slice(None), thing, width, height)
        best = int(np.argmin(cost))
        if stood is not None and cost[stood] < cost[best] + _STAY:
            best = stood
        return best, corners[best]

    def _rated(self, places: slice, thing: Box, width: float, height: float) -> tuple[Array, Array]:
        """The plate's corners (N, 2) at some of the places, and what it costs to stand there (N,)."""
        centre = np.array([thing[0] + thing[2] / 2, thing[1] + thing[3] / 2])
        half = np.array([thing[2] + width, thing[3] + height]) / 2
        away = _PLACES[places] * (half + self.gap * _REACH[places])
        corners = centre + away - np.array([width, height]) / 2
        room = np.array(self.size) - (width + 2, height + 2)
        inside = np.clip(corners, 2.0, np.maximum(room, 2.0))
        # Pushed back into the picture a little is fine; far from the side it stood for is not.
        pushed = np.abs(inside - corners).sum(axis=1) / (width + height)
        return inside, _TASTE[places] + pushed + self._covering(inside, width, height)

    def _covering(self, corners: Array, width: float, height: float) -> Array:
        """What it costs that a plate at each of the corners lies on fighters, other plates and lines."""
        shared = _overlap(corners, width, height, self._boxes) / (width * height)
        # Even a touch is ugly; the more of the plate lies on something the worse.
        cost: Array = (shared + 0.1 * (shared > 0.0)) @ self._weights
        if len(self._lines):
            rel = self._lines[None] - corners[:, None]
            hit = ((rel > 0) & (rel < (width, height))).all(axis=2)
            cost += _ON_LINE * np.minimum(hit.sum(axis=1) / 4.0, 1.0)
        return cost


def _overlap(corners: Array, width: float, height: float, boxes: Array) -> Array:
    """Area in pixels that each box (M, 4) shares with a plate at each of the corners (N, 2): (N, M)."""
    x, y = corners[:, :1], corners[:, 1:]
    left, top, wide, high = boxes.T
    across = np.minimum(x + width, left + wide) - np.maximum(x, left)
    down = np.minimum(y + height, top + high) - np.maximum(y, top)
    shared: Array = np.maximum(across, 0.0) * np.maximum(down, 0.0)
    return shared
