"""Palmo's finding without a ring: colours taught on a loose picture, patches found in others.

Real pictures from elsewhere have no posts, so that nothing can be calibrated. The least that stands in for
it: a camera far above the picture, with such a scale that one piece is as large as a figure (FIGURE_CM).
Everything else is Palmo's own: teaching, the colour table, the vote on speckled mats, blobs, the light meter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.camera import Camera
from vision.arrays import Bytes, Floats, Image, Mask, as_bytes, dilated, equals
from vision.colour.light import LightMeter
from vision.colour.models import ColourError
from vision.colour.space import linear
from vision.colour.table import MAT, ColourTable, Labels, label_picture
from vision.colour.teaching import Grounds, Palette, teach_palette
from vision.fighters import FighterSpec
from vision.finding.blobs import Blob, find_blobs
from vision.finding.frame_view import FrameView, OwnColour
from vision.finding.region import TableView

Box = tuple[int, int, int, int]

FIGURE_CM = 14.0
_FAR_CM = 1e5
# The follower's gate for a figure that stands free: its patch against the taught one.
_AREA_FREE = (0.30, 3.5)
# The tracker's gate: so many pixels of bare ground in a fighter's colour make single pixels untrustworthy.
_SPECKLE_SHARE = 0.002
# Pictures of any size are metered at this size.
_METERED = (96, 96)


@dataclass(frozen=True, eq=False)
class Patch:
    """What was found: the colour's name and the patch."""

    colour: str
    blob: Blob


@dataclass(frozen=True)
class Lesson:
    """What a person points at: a small box (u, v, w, h) inside one piece of every colour.

    piece_px is how wide a piece is in the picture; grounds are boxes of bare table (none: all that is no
    piece), white those that the light is measured on (none: the whole picture).
    """

    boxes: Mapping[str, Box]
    piece_px: float
    grounds: Sequence[Box] = ()
    white: Sequence[Box] = ()


def overhead_camera(size: tuple[int, int], px_per_cm: float) -> Camera:
    """A camera of this size (w, h) so far above the table that a centimetre is px_per_cm at any height."""
    focal = px_per_cm * _FAR_CM
    matrix = np.array([[focal, 0, size[0] / 2], [0, focal, size[1] / 2], [0, 0, 1.0]])
    down = np.array([np.pi, 0.0, 0.0])
    return Camera(matrix, np.zeros(5), down, np.array([0.0, 0.0, _FAR_CM]), size)


class Finder:
    """Colours taught on one picture (H, W, 3). Raises ColourError like the tracker."""

    def __init__(self, image: Image, lesson: Lesson, metered: Image | None = None) -> None:
        self.colours = tuple(lesson.boxes)
        self._px_per_cm = lesson.piece_px / FIGURE_CM
        height, width = image.shape[:2]
        self.palette = _teach(image, lesson, self._px_per_cm)
        self._table = ColourTable(self.palette)
        self._areas = [int(np.count_nonzero(taught.region)) for taught in self.palette.fighters]
        labels = label_picture(image, self._table.labels)
        bare = _boxes(lesson.grounds, (height, width)) if lesson.grounds else np.ones((height, width), bool)
        self._speckled = [
            _speckled(labels, number, bare & (dilated(as_bytes(taught.region), 6) == 0))
            for number, taught in enumerate(self.palette.fighters, start=1)
        ]
        metered = image if metered is None else metered
        self._white = _white(lesson.white, metered)
        self._meter = LightMeter.on_mat(_thumb(metered), self._white)
        self._median = self._median_light(metered)

    def follow_light(self, image: Image) -> bool:
        """Adapt to the light of a picture; whether the light meter was sure of it.

        The meter wants the quarters of one mat under one camera to agree. Where pictures were taken from
        different places they do not; then the median of the white reference stands in for it.
        """
        meter = replace(self._meter, gain=np.ones(3))
        meter.update(_thumb(image))
        self._table.follow(self._median_light(image) / self._median if meter.held else meter.gain)
        return not meter.held

    def _median_light(self, image: Image) -> Floats:
        return np.asarray(np.median(linear(_thumb(image)[self._white]), axis=0))

    def watch_light(self, image: Image) -> None:
        """Follow the light through a clip as the tracker does."""
        if self._meter.update(_thumb(image)):
            self._table.follow(self._meter.gain)

    def labels(self, image: Image) -> Labels:
        """The label (H, W) of every pixel: 0 nobody, 1.. the colours in order."""
        return label_picture(image, self._table.labels)

    def named(self, image: Image, box: Box, least: float = 0.5) -> str | None:
        """The colour that most labelled pixels of a box have; None when fewer than `least` have any."""
        u, v, w, h = box
        labels = self.labels(np.ascontiguousarray(image[v : v + h, u : u + w]))
        counts = np.bincount(labels.ravel(), minlength=MAT + 1)[1 : len(self.colours) + 1]
        return None if counts.sum() < least * labels.size else self.colours[int(counts.argmax())]

    def find(self, image: Image) -> list[Patch]:
        """All patches of the taught colours that are as large as a figure, colour by colour."""
        height, width = image.shape[:2]
        rect = (0, 0, width, height)
        none = np.zeros((1, 1), np.uint8)
        view = FrameView(0, image, self._table.labels, np.ones(3), none, none, 1, rect, False)
        allowed: Bytes = np.ones((height, width), np.uint8)
        patches = []
        for number, (colour, area) in enumerate(zip(self.colours, self._areas, strict=True), start=1):
            own = view.own(OwnColour(number, allowed, self._speckled[number - 1]), rect)
            for blob in find_blobs(own, (0, 0), self._px_per_cm):
                if _AREA_FREE[0] < blob.area_px / area < _AREA_FREE[1]:
                    patches.append(Patch(colour, blob))
        return patches


def teachable(image: Image, lesson: Lesson) -> tuple[Lesson, list[str]]:
    """The lesson without the colours that are refused when taught alone, and those colours."""
    refused = []
    for name, box in lesson.boxes.items():
        try:
            Finder(image, replace(lesson, boxes={name: box}))
        except ColourError:
            refused.append(name)
    kept = {name: box for name, box in lesson.boxes.items() if name not in refused}
    return replace(lesson, boxes=kept), refused


def _teach(image: Image, lesson: Lesson, px_per_cm: float) -> Palette:
    """Teach on the bare table and the surroundings of the boxes: other pieces of a colour are no contrast."""
    height, width = image.shape[:2]
    camera = overhead_camera((width, height), px_per_cm)
    table = TableView(camera, width / px_per_cm, height / px_per_cm)
    everywhere = np.ones((height, width), bool)
    fighters = [FighterSpec(name, FIGURE_CM, 0.0, box) for name, box in lesson.boxes.items()]
    bare = _boxes(lesson.grounds, (height, width)) if lesson.grounds else everywhere
    near = [_around(box, 0.5 * lesson.piece_px, (height, width)) for box in lesson.boxes.values()]
    watched = bare | np.any(near, axis=0)
    furniture = np.zeros((height, width), bool)
    return teach_palette(image, fighters, Grounds(watched, bare, furniture), table)


def _boxes(boxes: Sequence[Box], shape: tuple[int, int]) -> Mask:
    mask = np.zeros(shape, bool)
    for u, v, w, h in boxes:
        mask[v : v + h, u : u + w] = True
    return mask


def _around(box: Box, margin: float, shape: tuple[int, int]) -> Mask:
    """The box grown by a margin to all sides."""
    u, v, w, h = box
    left, top = max(0, round(u - margin)), max(0, round(v - margin))
    return _boxes([(left, top, round(u + w + margin) - left, round(v + h + margin) - top)], shape)


def _speckled(labels: Labels, number: int, bare: Mask) -> bool:
    return bool((equals(labels, number)[bare] > 0).mean() > _SPECKLE_SHARE)


def _white(boxes: Sequence[Box], image: Image) -> Mask:
    """Where the light is measured, at the size of a metered picture."""
    if not boxes:
        return np.ones(_METERED, bool)
    mask = as_bytes(_boxes(boxes, image.shape[:2]))
    return np.asarray(cv2.resize(mask, _METERED, interpolation=cv2.INTER_NEAREST) > 0)


def _thumb(image: Image) -> Image:
    return as_bytes(cv2.resize(image, _METERED, interpolation=cv2.INTER_AREA))
