"""Draws annotations into a picture (BGR, uint8) with OpenCV: antialiased, with real accents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from calibration.camera import Camera
from overlay.compose import Composer, Drawn
from overlay.i18n import NO_NAMES
from overlay.palette import HALO, THIN, scale_of
from overlay.shapes import Array, Fill, Line, Plate, Shape
from overlay.sprites import lay, of_face
from overlay.stamps import Stamps
from overlay.strokes import BITS, Image, Projected, fixed
from rules.annotations import Annotation

# What is drawn as a stamp: what lies on the mat for an annotation, or the leader of a plate.
_Stamped = tuple[Shape, ...] | Plate


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
        self._composer = Composer(camera, lang, names, colours)
        self._brush = Brush(camera)

    def draw(self, image: Image, annotations: Iterable[Annotation]) -> None:
        """Draw into the image. Raises ValueError when it is not the camera's size."""
        self._brush.draw(image, self._composer.compose(annotations))


class Brush:
    """Draws on the pictures of one camera, in place, what was composed; what stays as it was is kept."""

    def __init__(self, camera: Camera) -> None:
        self.camera = camera
        self._stamps = Stamps(self._projected)
        self._scale = scale_of(camera.size)

    def draw(self, image: Image, drawn: Sequence[Drawn]) -> None:
        """Draw into the image. Raises ValueError when it is not the camera's size."""
        if image.shape[1::-1] != self.camera.size:
            width, height = self.camera.size
            raise ValueError(
                f"The picture is {image.shape[1]} x {image.shape[0]} but the camera was calibrated for"
                f" {width} x {height}: use the same resolution or calibrate again."
            )
        plates = [plate for entry in drawn for plate in entry.plates]
        leaders = [plate for plate in plates if plate.leader is not None]
        self._stamps.draw(image, [*(entry.shapes for entry in drawn), *leaders])
        for plate in plates:
            lay(image, of_face(plate.face), round(plate.x), round(plate.y))

    def _projected(self, things: Sequence[_Stamped]) -> list[list[Projected]]:
        """The shapes of each thing with their pixels, all found in one projection."""
        groups = [(self._leader(one),) if isinstance(one, Plate) else one for one in things]
        rings = [ring for group in groups for shape in group for ring in _rings(shape)]
        if not rings:
            return [[] for _ in things]
        pixels = fixed(self.camera.project(np.vstack(rings)))
        parts = iter(np.split(pixels, np.cumsum([len(ring) for ring in rings])[:-1]))
        projected = [
            [Projected(shape, [next(parts) for _ in _rings(shape)]) for shape in group] for group in groups
        ]
        for one, shapes in zip(things, projected, strict=True):
            if isinstance(one, Plate):
                start = shapes[0].rings[0]
                shapes[0].rings[0] = np.vstack([start, fixed(leader_end(one, start[0] / 2**BITS))])
        return projected

    def _leader(self, plate: Plate) -> Line:
        """Where a plate's leader starts; it ends on the glass."""
        return Line(np.array([plate.leader]), "paper", THIN * self._scale, halo=HALO * self._scale)


def _rings(shape: Shape) -> tuple[Array, ...]:
    return shape.rings if isinstance(shape, Fill) else (shape.points,)


def leader_end(plate: Plate, start: Array) -> Array:
    """The point of the plate's box nearest to where its leader starts (pixels)."""
    x, y, width, height = plate.box
    u, v = start.tolist()
    return np.array([min(max(u, x), x + width), min(max(v, y), y + height)])
