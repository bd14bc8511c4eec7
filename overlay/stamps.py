"""What stands still is drawn once: groups of shapes that look as in the last picture become sprites.

Antialiased lines with a rim are the dearest thing in an overlay, and most fighters mostly stand still.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from overlay.shapes import Fill
from overlay.sprites import Rect, Sprite, lay, of_shapes
from overlay.strokes import BITS, Image, Projected, paint

# Laying a sprite costs by its area: beyond this share of the picture, drawing the lines is cheaper.
_LARGEST_SHARE = 0.05
# Room for the widest line with its rim, in pixels.
_MARGIN = 12

Key = tuple[object, ...]


class Stamps:
    """Draws groups of shapes, each as a sprite from the second time on that it is the same."""

    def __init__(self) -> None:
        self._last: set[Key] = set()
        self._sprites: dict[Key, tuple[Sprite, Rect]] = {}

    def draw(self, image: Image, groups: Sequence[Sequence[Projected]]) -> None:
        """Draw the groups of one picture, in their order."""
        seen: set[Key] = set()
        sprites: dict[Key, tuple[Sprite, Rect]] = {}
        for group in groups:
            key = _key(group)
            seen.add(key)
            made = self._sprites.get(key)
            if made is None and key in self._last:
                made = _made(group, image.shape[0] * image.shape[1] * _LARGEST_SHARE)
            if made is None:
                for one in group:
                    paint(image, one)
                continue
            sprites[key] = made
            lay(image, made[0], made[1][0], made[1][1])
        # Only what the last picture showed is kept: the store never outgrows one picture.
        self._last, self._sprites = seen, sprites


def _key(group: Sequence[Projected]) -> Key:
    """Two groups with the same key look the same."""
    parts: list[object] = []
    for one in group:
        shape = one.shape
        if isinstance(shape, Fill):
            parts.append((shape.colour, shape.opacity))
        else:
            parts.append((shape.colour, shape.width, shape.closed, shape.dash, shape.halo))
        parts += [ring.tobytes() for ring in one.rings]
    return tuple(parts)


def _made(group: Sequence[Projected], largest: float) -> tuple[Sprite, Rect] | None:
    """The group's sprite and its box; None for what is large, empty, or lets the picture through."""
    if not group or any(isinstance(one.shape, Fill) and one.shape.opacity < 1.0 for one in group):
        return None
    x, y, width, height = cv2.boundingRect(np.vstack([ring for one in group for ring in one.rings]))
    box = (
        (x >> BITS) - _MARGIN,
        (y >> BITS) - _MARGIN,
        (width >> BITS) + 2 * _MARGIN,
        (height >> BITS) + 2 * _MARGIN,
    )
    if box[2] * box[3] > largest:
        return None
    return of_shapes(group, box), box
