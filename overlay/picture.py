"""Draws annotations into a picture (BGR, uint8) with OpenCV: antialiased, with real accents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from overlay.compose import Composer
from overlay.i18n import NO_NAMES
from overlay.lettering import FONT
from overlay.palette import HALO, THIN, bgr, scale_of
from overlay.shapes import Array, Block, Box, Face, Fill, Line, Mark, Plate, Shape, Words
from rules.annotations import Annotation

Image = NDArray[np.uint8]
# cv2's fixed-point coordinates: 4 bits after the point. Far points are cut off before they overflow.
_BITS, _FAR = 4, 30000.0
Fixed = NDArray[np.int32]


def draw(image: Image, annotations: Iterable[Annotation], camera: Camera, lang: str) -> Image:
    """One picture with its annotations drawn on a copy. For many pictures keep a `Painter`.

    image: (height, width, 3) BGR of the camera's size. Raises ValueError when the sizes differ.
    """
    copy = image.copy()
    Painter(camera, lang).draw(copy, annotations)
    return copy


class Painter:
    """Draws on the pictures of one camera, in place; labels keep their places from frame to frame."""

    def __init__(self, camera: Camera, lang: str, names: Mapping[str, str] = NO_NAMES) -> None:
        self.camera = camera
        self._composer = Composer(camera, lang, names)
        self._scale = scale_of(camera.size)

    def draw(self, image: Image, annotations: Iterable[Annotation]) -> None:
        """Draw into the image. Raises ValueError when it is not the camera's size."""
        if image.shape[1::-1] != self.camera.size:
            width, height = self.camera.size
            raise ValueError(
                f"The picture is {image.shape[1]} x {image.shape[0]} but the camera was calibrated for"
                f" {width} x {height}: use the same resolution or calibrate again."
            )
        drawn = self._composer.compose(annotations)
        shapes = [shape for entry in drawn for shape in entry.shapes]
        plates = [plate for entry in drawn for plate in entry.plates]
        pixels = iter(self._project(shapes, plates))
        for shape in shapes:
            if isinstance(shape, Fill):
                _fill(image, [next(pixels) for _ in shape.rings], shape)
            else:
                _stroke(image, next(pixels), shape)
        self._leaders(image, [plate for plate in plates if plate.leader is not None], pixels)
        for plate in plates:
            _blend(image, plate)

    def _project(self, shapes: Sequence[Shape], plates: Sequence[Plate]) -> list[Fixed]:
        """The pixels of every ring of every shape and of every leader's start, in one projection."""
        parts = [
            ring for shape in shapes for ring in (shape.rings if isinstance(shape, Fill) else (shape.points,))
        ]
        parts += [np.array([plate.leader]) for plate in plates if plate.leader is not None]
        if not parts:
            return []
        pixels = _fixed(self.camera.project(np.vstack(parts)))
        ends = np.cumsum([len(part) for part in parts]).tolist()
        return [pixels[start:end] for start, end in zip([0, *ends], ends, strict=False)]

    def _leaders(self, image: Image, plates: Sequence[Plate], starts: Iterator[Fixed]) -> None:
        lines = []
        for plate, start in zip(plates, starts, strict=True):
            lines.append(np.array([start[0], _fixed(leader_end(plate, start[0] / 2**_BITS))]))
        width, halo = THIN * self._scale, HALO * self._scale
        cv2.polylines(image, lines, False, bgr("ink"), _thickness(width + 2 * halo), cv2.LINE_AA, _BITS)
        cv2.polylines(image, lines, False, bgr("paper"), _thickness(width), cv2.LINE_AA, _BITS)


def _fill(image: Image, rings: list[Fixed], shape: Fill) -> None:
    if shape.opacity >= 1.0:
        cv2.fillPoly(image, rings, bgr(shape.colour), cv2.LINE_AA, _BITS)
        return
    part = _window(image, rings[0])
    if part is None:
        return
    view, offset = part
    moved = [ring - offset for ring in rings]
    over = view.copy()
    cv2.fillPoly(over, moved, bgr(shape.colour), cv2.LINE_AA, _BITS)
    cv2.addWeighted(over, shape.opacity, view, 1.0 - shape.opacity, 0.0, dst=view)


def _stroke(image: Image, pixels: Fixed, shape: Line) -> None:
    if len(pixels) > 3:
        # Each vertex costs two round caps: leave out those within 0.4 px of the straight line.
        pixels = np.asarray(cv2.approxPolyDP(pixels, 0.4 * 2**_BITS, shape.closed), np.int32).reshape(-1, 2)
    pieces, closed = [pixels], shape.closed
    if shape.dash is not None:
        whole = np.vstack([pixels, pixels[:1]]) if closed else pixels
        on, off = shape.dash
        pieces, closed = (
            [np.rint(d).astype(np.int32) for d in dashes(whole, on * 2**_BITS, off * 2**_BITS)],
            False,
        )
    if shape.halo > 0.0:
        rim = _thickness(shape.width + 2 * shape.halo)
        cv2.polylines(image, pieces, closed, bgr("ink"), rim, cv2.LINE_AA, _BITS)
    cv2.polylines(image, pieces, closed, bgr(shape.colour), _thickness(shape.width), cv2.LINE_AA, _BITS)


def _thickness(width: float) -> int:
    """The `thickness` whose line comes nearest to a width: cv2 draws them 1.4, 3.4, 5.4 ... px wide."""
    return max(1, 2 * round((width - 1.44) / 2))


def leader_end(plate: Plate, start: Array) -> Array:
    """The point of the plate's box nearest to where its leader starts (pixels)."""
    x, y, width, height = plate.box
    u, v = start.tolist()
    return np.array([min(max(u, x), x + width), min(max(v, y), y + height)])


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


def _fixed(pixels: Array) -> Fixed:
    """Pixels (N, 2) in cv2's fixed point."""
    fixed: Fixed = np.rint(np.clip(pixels, -_FAR, _FAR) * 2**_BITS).astype(np.int32)
    return fixed


def _window(image: Image, points: Fixed) -> tuple[Image, Fixed] | None:
    """The part of the image that holds the points, and its corner in fixed point; None when it is empty."""
    x, y, width, height = (side >> _BITS for side in cv2.boundingRect(points))
    x0, y0 = max(x - 2, 0), max(y - 2, 0)
    view = image[y0 : max(y + height + 4, 0), x0 : max(x + width + 4, 0)]
    return (view, np.array([x0, y0], np.int32) << _BITS) if view.size else None


def _blend(image: Image, plate: Plate) -> None:
    """Lay a plate's sprite over the image; only the part inside the picture."""
    colour, keep = _sprite(plate.face)
    x, y = round(plate.x), round(plate.y)
    height, width = image.shape[:2]
    x0, y0 = max(x, 0), max(y, 0)
    x1, y1 = min(x + colour.shape[1], width), min(y + colour.shape[0], height)
    if x1 <= x0 or y1 <= y0:
        return
    part = np.s_[y0 - y : y1 - y, x0 - x : x1 - x]
    view = image[y0:y1, x0:x1]
    cv2.multiply(view, keep[part], dst=view, scale=1 / 255)
    cv2.add(view, colour[part], dst=view)


@lru_cache(maxsize=256)
def _sprite(face: Face) -> tuple[Image, Image]:
    """A face drawn once: colour times its opacity, and what is left of the picture below (both (h, w, 3))."""
    size = (int(np.ceil(face.height)) + 2, int(np.ceil(face.width)) + 2)
    alpha: Image = np.zeros(size, np.uint8)
    _rounded(alpha, (0.0, 0.0, face.width, face.height), face.radius, (255,))
    colour: Image = np.empty((*size, 3), np.uint8)
    colour[:] = bgr(face.colour)
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
                        [_fixed(np.array(points) - 0.5)],
                        False,
                        value,
                        _thickness(width),
                        cv2.LINE_AA,
                        _BITS,
                    )
            case Words():
                _write(colour, ink, item)
    if face.edge is not None:
        width, inset = _thickness(face.edge_width), face.edge_width / 2
        outline = (inset, inset, face.width - 2 * inset, face.height - 2 * inset)
        for target, value in ((colour, bgr(face.edge)), (ink, (255,))):
            cv2.polylines(
                target, [_round_box(outline, face.radius, 0.5)], True, value, width, cv2.LINE_AA, _BITS
            )
    # Ink is opaque, the plate behind it lets a little of the picture through.
    body_alpha = alpha * (face.opacity + (1.0 - face.opacity) * (ink / 255.0))
    opacity = np.dstack([body_alpha] * 3) / 255.0
    return np.round(colour * opacity).astype(np.uint8), np.round(255 * (1.0 - opacity)).astype(np.uint8)


def _write(colour: Image, ink: Image, line: Words) -> None:
    at, size = (round(line.x), round(line.y)), round(line.size)
    cv2.putText(colour, line.text, at, bgr(line.colour), FONT, size, line.weight)
    cv2.putText(ink, line.text, at, (255,), FONT, size, line.weight)


def _rounded(image: Image, box: Box, radius: float, colour: tuple[int, ...]) -> None:
    if box[2] > 0 and box[3] > 0:
        # cv2 fills its outline too: half a pixel more on every side.
        cv2.fillPoly(image, [_round_box(box, radius, 1.0)], colour, cv2.LINE_AA, _BITS)


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
    return _fixed(np.vstack(arcs))
