"""What stands still is drawn once: everything that lies on the mat is a stamp, kept while it is shown.

Antialiased lines with a rim are the dearest thing in an overlay, and most fighters mostly stand still.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Generic, TypeVar

import cv2
import numpy as np

from overlay.shapes import Line
from overlay.sprites import Rect, blend
from overlay.strokes import BITS, Image, Projected, as_image, paint, thickness

# Laying a part of a stamp costs as much as laying so many pixels more.
_CALL_PX = 4000

Part = tuple[slice, slice, Image, Image]
"""Rows and columns of the picture; colour and keep as in `overlay.sprites.Sprite`."""

Thing = TypeVar("Thing", bound=Hashable)


class Stamps(Generic[Thing]):
    """Draws things on pictures of one size, each made with `project` once and kept while it is shown.

    `project` gives the shapes of things, in pixels. Things that are equal must look the same.
    """

    def __init__(self, project: Callable[[Sequence[Thing]], Iterable[Sequence[Projected]]]) -> None:
        self._project = project
        self._made: dict[Thing, list[Part]] = {}

    def draw(self, image: Image, things: Sequence[Thing]) -> None:
        """Draw the things of one picture, in their order."""
        new = [thing for thing in things if thing not in self._made]
        for thing, shapes in zip(new, self._project(new), strict=True):
            self._made[thing] = stamp(shapes, image.shape[1::-1])
        # Only what this picture shows is kept: the store never outgrows one picture.
        self._made = {thing: self._made[thing] for thing in things}
        for thing in things:
            for rows, columns, colour, keep in self._made[thing]:
                blend(image[rows, columns], colour, keep)


def stamp(shapes: Sequence[Projected], size: tuple[int, int]) -> list[Part]:
    """Shapes as parts to lay over a picture of (width, height): together they hold all the ink in it."""
    x, y, width, height = _box(shapes, size)
    if width <= 0 or height <= 0:
        return []
    corner = np.array([x, y], np.int32) << BITS
    colour, ink = np.zeros((height, width, 3), np.uint8), np.zeros((height, width), np.uint8)
    for one in shapes:
        moved = Projected(one.shape, [ring - corner for ring in one.rings])
        paint(colour, moved)
        paint(ink, moved, white=True)
    keep = as_image(cv2.merge([cv2.bitwise_not(ink)] * 3))
    parts = []
    for left, top, wide, high in cut(ink):
        inside = np.s_[top : top + high, left : left + wide]
        rows, columns = slice(y + top, y + top + high), slice(x + left, x + left + wide)
        parts.append((rows, columns, colour[inside].copy(), keep[inside].copy()))
    return parts


def _box(shapes: Sequence[Projected], size: tuple[int, int]) -> Rect:
    """The part of the picture that the shapes lie in, with room for the widest line and its rim."""
    if not shapes:
        return 0, 0, 0, 0
    x, y, width, height = (
        side >> BITS for side in cv2.boundingRect(np.vstack([ring for one in shapes for ring in one.rings]))
    )
    widest = max(
        (one.shape.width + 2 * one.shape.halo for one in shapes if isinstance(one.shape, Line)), default=0
    )
    margin = thickness(widest) // 2 + 3
    x0, y0 = max(x - margin, 0), max(y - margin, 0)
    return x0, y0, min(x + width + margin, size[0]) - x0, min(y + height + margin, size[1]) - y0


def cut(ink: Image) -> list[Rect]:
    """The boxes that hold all the ink (height, width) and are cheapest to lay: an outline is mostly hole."""
    return _cheapest(ink, (0, 0, ink.shape[1], ink.shape[0]))[1]


def _cheapest(ink: Image, within: Rect) -> tuple[int, list[Rect]]:
    """The cost in pixels, and the boxes, for the ink within a box: in one piece or halved again and again."""
    x, y, width, height = within
    left, top, width, height = cv2.boundingRect(ink[y : y + height, x : x + width])
    if width == 0:
        return 0, []
    x, y = x + left, y + top
    whole = _CALL_PX + width * height, [(x, y, width, height)]
    if width * height <= _CALL_PX:
        return whole
    if width > height:
        half = width // 2
        halves = (x, y, half, height), (x + half, y, width - half, height)
    else:
        half = height // 2
        halves = (x, y, width, half), (x, y + half, width, height - half)
    (cost, boxes), (more, others) = _cheapest(ink, halves[0]), _cheapest(ink, halves[1])
    return (cost + more, boxes + others) if cost + more < whole[0] else whole
