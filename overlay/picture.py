"""Draws annotations into a picture (BGR, uint8) with OpenCV: antialiased, with real accents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import cv2
import numpy as np

from calibration.camera import Camera
from overlay.compose import Composer
from overlay.i18n import NO_NAMES
from overlay.palette import HALO, THIN, bgr, scale_of
from overlay.shapes import Array, Fill, Plate, Shape
from overlay.sprites import lay, of_face
from overlay.stamps import Stamps
from overlay.strokes import BITS, Fixed, Image, Projected, fixed, thickness
from rules.annotations import Annotation


def draw(
    image: Image,
    annotations: Iterable[Annotation],
    camera: Camera,
    lang: str,
    colours: Mapping[str, str] = NO_NAMES,
) -> Image:
    """One picture with its annotations drawn on a copy. For many pictures keep a `Painter`.

    image: (height, width, 3) BGR of the camera's size. Raises ValueError when the sizes differ.
    """
    copy = image.copy()
    Painter(camera, lang, colours=colours).draw(copy, annotations)
    return copy


class Painter:
    """Draws on the pictures of one camera, in place; labels keep their places from frame to frame."""

    def __init__(
        self,
        camera: Camera,
        lang: str,
        names: Mapping[str, str] = NO_NAMES,
        colours: Mapping[str, str] = NO_NAMES,
    ) -> None:
        self.camera = camera
        self._composer = Composer(camera, lang, names, colours)
        self._stamps = Stamps()
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
        groups = [
            [Projected(one, [next(pixels) for _ in _rings(one)]) for one in entry.shapes] for entry in drawn
        ]
        self._stamps.draw(image, groups)
        self._leaders(image, [plate for plate in plates if plate.leader is not None], pixels)
        for plate in plates:
            lay(image, of_face(plate.face), round(plate.x), round(plate.y))

    def _project(self, shapes: Sequence[Shape], plates: Sequence[Plate]) -> list[Fixed]:
        """The pixels of every ring of every shape and of every leader's start, in one projection."""
        parts = [ring for shape in shapes for ring in _rings(shape)]
        parts += [np.array([plate.leader]) for plate in plates if plate.leader is not None]
        if not parts:
            return []
        pixels = fixed(self.camera.project(np.vstack(parts)))
        ends = np.cumsum([len(part) for part in parts]).tolist()
        return [pixels[start:end] for start, end in zip([0, *ends], ends, strict=False)]

    def _leaders(self, image: Image, plates: Sequence[Plate], starts: Iterator[Fixed]) -> None:
        lines = []
        for plate, start in zip(plates, starts, strict=True):
            lines.append(np.array([start[0], fixed(leader_end(plate, start[0] / 2**BITS))]))
        width, halo = THIN * self._scale, HALO * self._scale
        cv2.polylines(image, lines, False, bgr("ink"), thickness(width + 2 * halo), cv2.LINE_AA, BITS)
        cv2.polylines(image, lines, False, bgr("paper"), thickness(width), cv2.LINE_AA, BITS)


def _rings(shape: Shape) -> tuple[Array, ...]:
    return shape.rings if isinstance(shape, Fill) else (shape.points,)


def leader_end(plate: Plate, start: Array) -> Array:
    """The point of the plate's box nearest to where its leader starts (pixels)."""
    x, y, width, height = plate.box
    u, v = start.tolist()
    return np.array([min(max(u, x), x + width), min(max(v, y), y + height)])
