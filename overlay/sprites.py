"""Sprites: pictures with opacity that are made once and laid over many frames."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from overlay.lettering import FONT
from overlay.palette import bgr
from overlay.shapes import Block, Box, Face, Mark, Words
from overlay.strokes import BITS, Fixed, Image, as_image, fixed, thickness

Rect = tuple[int, int, int, int]
"""x, y of the top left corner, width, height; whole pixels."""


@dataclass(frozen=True, eq=False)
class Sprite:
    """`colour` (h, w, 3) times its opacity; `keep` (h, w, 3), 0-255: what is left of the picture below."""

    colour: Image
    keep: Image


def lay(image: Image, sprite: Sprite, x: int, y: int) -> None:
    """Lay a sprite over the image with its corner at pixel x, y; only the part inside the picture."""
    height, width = image.shape[:2]
    x0, y0 = max(x, 0), max(y, 0)
    x1, y1 = min(x + sprite.colour.shape[1], width), min(y + sprite.colour.shape[0], height)
    if x1 > x0 and y1 > y0:
        part = np.s_[y0 - y : y1 - y, x0 - x : x1 - x]
        blend(image[y0:y1, x0:x1], sprite.colour[part], sprite.keep[part])


def blend(view: Image, colour: Image, keep: Image) -> None:
    """Lay colours over a view of the same size."""
    cv2.multiply(view, keep, dst=view, scale=1 / 255)
    cv2.add(view, colour, dst=view)


@lru_cache(maxsize=256)
def of_face(face: Face) -> Sprite:
    """A face drawn once."""
    size = (int(np.ceil(face.height)) + 2, int(np.ceil(face.width)) + 2)
    alpha: Image = np.zeros(size, np.uint8)
    _rounded(alpha, (0.0, 0.0, face.width, face.height), face.radius, (255,))
    colour: Image = np.empty((*size, 3), np.uint8)
    cv2.rectangle(colour, (0, 0, size[1], size[0]), bgr(face.colour), cv2.FILLED)
    ink: Image = np.zeros(size, np.uint8)
    for item in face.items:
        match item:
            case Block(box, name, radius):
                _rounded(colour, box, radius, bgr(name))
                _rounded(ink, box, radius, (255,))
            case Mark(points, width, name):
                for target, value in ((colour, bgr(name)), (ink, (255,))):
                    cv2.polylines(
                        target,
                        [fixed(np.array(points) - 0.5)],
                        False,
                        value,
                        thickness(width),
                        cv2.LINE_AA,
                        BITS,
                    )
            case Words():
                _write(colour, ink, item)
    if face.edge is not None:
        width, inset = thickness(face.edge_width), face.edge_width / 2
        outline = (inset, inset, face.width - 2 * inset, face.height - 2 * inset)
        for target, value in ((colour, bgr(face.edge)), (ink, (255,))):
            cv2.polylines(
                target, [_round_box(outline, face.radius, 0.5)], True, value, width, cv2.LINE_AA, BITS
            )
    # Ink is opaque, the plate behind it lets a little of the picture through.
    inside = cv2.convertScaleAbs(ink, alpha=1.0 - face.opacity, beta=255 * face.opacity)
    opacity = cv2.merge([cv2.multiply(alpha, inside, scale=1 / 255)] * 3)
    return Sprite(as_image(cv2.multiply(colour, opacity, scale=1 / 255)), as_image(cv2.bitwise_not(opacity)))


def _write(colour: Image, ink: Image, line: Words) -> None:
    at, size = (round(line.x), round(line.y)), round(line.size)
    cv2.putText(colour, line.text, at, bgr(line.colour), FONT, size, line.weight)
    cv2.putText(ink, line.text, at, (255,), FONT, size, line.weight)


def _rounded(image: Image, box: Box, radius: float, colour: tuple[int, ...]) -> None:
    if box[2] > 0 and box[3] > 0:
        # cv2 fills its outline too: half a pixel more on every side.
        cv2.fillPoly(image, [_round_box(box, radius, 1.0)], colour, cv2.LINE_AA, BITS)


def _round_box(box: Box, radius: float, shrink: float) -> Fixed:
    """A rectangle between pixel edges, with rounded corners, as a polygon between pixel centres.

    `shrink` is 0.5 for an outline and 1 for a filled polygon, whose width and height are 1 px less.
    """
    trim = 2 * shrink - 1
    x, y = box[0] - 0.5 + trim / 2, box[1] - 0.5 + trim / 2
    width, height = max(box[2] - trim, 0.0), max(box[3] - trim, 0.0)
    r = min(radius, width / 2, height / 2)
    turn = np.linspace(0.0, np.pi / 2, 7)
    centres = (
        (x + width - r, y + height - r),
        (x + r, y + height - r),
        (x + r, y + r),
        (x + width - r, y + r),
    )
    arcs = [
        np.column_stack([cx + r * np.cos(turn + k * np.pi / 2), cy + r * np.sin(turn + k * np.pi / 2)])
        for k, (cx, cy) in enumerate(centres)
    ]
    return fixed(np.vstack(arcs))
