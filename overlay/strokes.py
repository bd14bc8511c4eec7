"""Strokes and fills in pixels, drawn with OpenCV in its fixed point."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from overlay.palette import bgr
from overlay.shapes import Array, Fill, Line, Shape

Image = NDArray[np.uint8]
Fixed = NDArray[np.int32]
# cv2's fixed-point coordinates: 4 bits after the point. Far points are cut off before they overflow.
BITS, _FAR = 4, 30000.0


def as_image(array: Any) -> Image:
    """What OpenCV returns, as the type that it is."""
    return np.asarray(array, np.uint8)


@dataclass(frozen=True, eq=False)
class Projected:
    """A shape and the fixed-point pixels (N, 2) of its rings; a line has one."""

    shape: Shape
    rings: list[Fixed]


def paint(image: Image, one: Projected, *, white: bool = False) -> None:
    """Draw a shape; with `white` all of it in white, as a stencil of where it is."""
    if isinstance(one.shape, Fill):
        _fill(image, one.rings, one.shape, white)
    else:
        _stroke(image, one.rings[0], one.shape, white)


def _colour(name: str, white: bool) -> tuple[int, int, int]:
    return (255, 255, 255) if white else bgr(name)


def _fill(image: Image, rings: list[Fixed], shape: Fill, white: bool) -> None:
    if shape.opacity >= 1.0:
        cv2.fillPoly(image, rings, _colour(shape.colour, white), cv2.LINE_AA, BITS)
        return
    part = _window(image, rings[0])
    if part is None:
        return
    view, offset = part
    moved = [ring - offset for ring in rings]
    over = view.copy()
    cv2.fillPoly(over, moved, _colour(shape.colour, white), cv2.LINE_AA, BITS)
    cv2.addWeighted(over, shape.opacity, view, 1.0 - shape.opacity, 0.0, dst=view)


def _stroke(image: Image, pixels: Fixed, shape: Line, white: bool) -> None:
    if len(pixels) > 3:
        # Each vertex costs two round caps: leave out those within 0.4 px of the straight line.
        pixels = np.asarray(cv2.approxPolyDP(pixels, 0.4 * 2**BITS, shape.closed), np.int32).reshape(-1, 2)
    pieces, closed = [pixels], shape.closed
    if shape.dash is not None:
        whole = np.vstack([pixels, pixels[:1]]) if closed else pixels
        on, off = shape.dash
        pieces, closed = (
            [np.rint(d).astype(np.int32) for d in dashes(whole, on * 2**BITS, off * 2**BITS)],
            False,
        )
    if shape.halo > 0.0:
        rim = thickness(shape.width + 2 * shape.halo)
        cv2.polylines(image, pieces, closed, _colour("ink", white), rim, cv2.LINE_AA, BITS)
        if white:
            return  # The line lies within its rim.
    colour = _colour(shape.colour, white)
    cv2.polylines(image, pieces, closed, colour, thickness(shape.width), cv2.LINE_AA, BITS)


def thickness(width: float) -> int:
    """The `thickness` whose line comes nearest to a width: cv2 draws them 1.4, 3.4, 5.4 ... px wide."""
    return max(1, 2 * round((width - 1.44) / 2))


def dashes(pixels: Array | Fixed, on: float, off: float) -> list[Array]:
    """A polyline (N, 2) cut into dashes of `on` pixels with gaps of `off`, as SVG does it."""
    steps = np.diff(pixels, axis=0)
    along = np.concatenate([[0.0], np.cumsum(np.hypot(steps[:, 0], steps[:, 1]))])
    starts = np.arange(0.0, along[-1], on + off)
    cuts = np.concatenate([starts, np.minimum(starts + on, along[-1])])
    ends = np.column_stack([np.interp(cuts, along, pixels[:, 0]), np.interp(cuts, along, pixels[:, 1])])
    low, high = np.searchsorted(along, starts, "right"), np.searchsorted(along, cuts[len(starts) :], "left")
    count = len(starts)
    return [
        np.concatenate([ends[k : k + 1], pixels[low[k] : high[k]], ends[count + k : count + k + 1]])
        for k in range(count)
    ]


def fixed(pixels: Array) -> Fixed:
    """Pixels (N, 2) in cv2's fixed point."""
    rounded: Fixed = np.rint(np.clip(pixels, -_FAR, _FAR) * 2**BITS).astype(np.int32)
    return rounded


def _window(image: Image, points: Fixed) -> tuple[Image, Fixed] | None:
    """The part of the image that holds the points, and its corner in fixed point; None when it is empty."""
    x, y, width, height = (side >> BITS for side in cv2.boundingRect(points))
    x0, y0 = max(x - 2, 0), max(y - 2, 0)
    view = image[y0 : max(y + height + 4, 0), x0 : max(x + width + 4, 0)]
    return (view, np.array([x0, y0], np.int32) << BITS) if view.size else None
