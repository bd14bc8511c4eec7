"""From meaning to shapes: the one layout that the picture renderer and the browser both draw."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from calibration.camera import Camera
from overlay import marks
from overlay.faces import banner_face, fighter_face, fighter_facts, label, number_face
from overlay.i18n import NO_NAMES, translate
from overlay.palette import scale_of
from overlay.placing import Placer
from overlay.shapes import Array, Box, Face, Plate, Shape
from rules.annotations import (
    Annotation,
    Arrow,
    Banner,
    FighterTag,
    Ghost,
    Region,
    RingEdge,
    Ruler,
)
from rules.scene import Point
from rules.text import Text

# Drawn in this order: areas lie under lines, lines under plates.
_ORDER: tuple[type[Annotation], ...] = (Region, RingEdge, Ghost, FighterTag, Ruler, Arrow, Banner)
# With more fighters than this their labels are smaller, so that the ring is still seen.
CROWD, CROWDED_SIZE = 10, 0.75


@dataclass(frozen=True)
class Drawn:
    """An annotation and the shapes that show it: `shapes` lie in the ring, `plates` on the glass."""

    annotation: Annotation
    shapes: tuple[Shape, ...]
    plates: tuple[Plate, ...]


class Composer:
    """Lays out annotations for one camera and one language; remembers where labels stood.

    `names` are the names of the ids that sentences speak of (see `overlay.i18n.translate`), `colours` the
    fighters' own colours by id, "#rrggbb", for their labels.

    `letters` makes labels so many times bigger, for a picture that is shown small.

    One composer per stream of pictures: it keeps labels from jumping between neighbouring frames.
    """

    def __init__(
        self,
        camera: Camera,
        lang: str,
        names: Mapping[str, str] = NO_NAMES,
        colours: Mapping[str, str] = NO_NAMES,
        letters: float = 1.0,
    ) -> None:
        self.camera = camera
        self.lang = lang
        self._names = names
        self._colours = colours
        self._scale = scale_of(camera.size)
        self._letters = letters * self._scale
        self._placer = Placer(camera.size, 6.0 * self._scale)
        self._label_size = 1.0
        self._banners: list[Box] = []
        self._legends: list[Box] = []
        self._drawn: list[Drawn] = []
        self._said: dict[str, tuple[Text, str]] = {}

    def fits(self, camera: Camera, names: Mapping[str, str], colours: Mapping[str, str]) -> bool:
        """Whether this composer was made for this very camera, these names and colours."""
        return self.camera is camera and self._names == names and self._colours == colours

    def compose(self, annotations: Iterable[Annotation]) -> list[Drawn]:
        """Every annotation with its shapes, in drawing order."""
        ordered = sorted(annotations, key=lambda annotation: _ORDER.index(type(annotation)))
        boxes = self._figure_boxes([a for a in ordered if isinstance(a, FighterTag)])
        self._banners.clear()
        self._legends.clear()
        self._label_size = 1.0 if len(boxes) <= CROWD else CROWDED_SIZE
        self._placer.start(list(boxes.values()), self._clear_lines(ordered))
        # Plates that cannot move claim their place first, then the others, the important ones before.
        plates = {id(a): self._fixed(a) for a in ordered}
        for annotation in sorted(ordered, key=_importance):
            plates[id(annotation)] += self._placed(annotation, boxes)
        before, self._drawn = self._drawn, []
        for i, annotation in enumerate(ordered):
            same = i < len(before) and before[i].annotation == annotation
            shapes = before[i].shapes if same else self._shapes(annotation)
            self._drawn.append(Drawn(annotation, shapes, plates[id(annotation)]))
        return self._drawn

    def _clear_lines(self, annotations: Sequence[Annotation]) -> Array:
        """Pixels (N, 2) along the rulers and facing arrows, which labels should leave free."""
        points = [marks.on_mat(a.points, step=2.5) for a in annotations if isinstance(a, Ruler)]
        arrows = [
            marks.facing_ends(a) for a in annotations if isinstance(a, FighterTag) and a.facing is not None
        ]
        if arrows:
            ends = np.array(arrows)
            along = ends[:, :1] + np.linspace(0.0, 1.1, 6)[None, :, None] * (ends[:, 1:] - ends[:, :1])
            points.append(np.column_stack([along.reshape(-1, 2), np.zeros(along.size // 2)]))
        return self.camera.project(np.vstack(points)) if points else np.empty((0, 2))

    def _shapes(self, annotation: Annotation) -> tuple[Shape, ...]:
        match annotation:
            case RingEdge():
                return marks.ring_edge(annotation, self._scale)
            case Region():
                return marks.region(annotation, self._scale)
            case Ghost():
                return marks.ghost(annotation, self._scale)
            case Arrow():
                return marks.arrow(annotation, self._scale)
            case Ruler():
                return marks.ruler(annotation, self._scale)
            case FighterTag():
                return marks.fighter(annotation, self._scale)
            case Banner():
                return ()

    def _fixed(self, annotation: Annotation) -> tuple[Plate, ...]:
        match annotation:
            case Banner():
                return (self._banner(annotation),)
            case Region():
                return self._legend(annotation)
            case Ruler():
                return self._numbers(annotation)
            case FighterTag(facing=float(), facing_assumed=True):
                return (
                    self._centred(number_face("?", self._letters, "doubt"), marks.facing_ends(annotation)[1]),
                )
            case _:
                return ()

    def _placed(self, annotation: Annotation, boxes: dict[int, Box]) -> tuple[Plate, ...]:
        match annotation:
            case FighterTag():
                facts = fighter_facts(annotation, self._say, self._colours.get(annotation.figure))
                face = fighter_face(facts, self._letters * self._label_size)
                box = boxes[id(annotation)]
                x, y = self._placer.place(annotation.figure, box, face.width, face.height)
                # From above the line goes to the head, from below to the feet: not across the figure.
                z = 0.0 if y > box[1] + box[3] else annotation.height
                leader = None if annotation.dimmed else (*annotation.anchor, z)
                return (Plate(face, x, y, leader),)
            case Ruler():
                return self._label(annotation.label, annotation.points[-1], annotation)
            case Arrow():
                return self._label(annotation.label, annotation.end, annotation)
            case Ghost():
                return self._label(annotation.label, _middle(annotation.outline), annotation)
            case _:
                return ()

    def _legend(self, area: Region) -> tuple[Plate, ...]:
        """What an area is, in the corner of the picture: inside the area a hand is at work."""
        if area.label is None:
            return ()
        gap = 10 * self._scale
        y = max((box[1] + box[3] for box in self._legends), default=0.0) + gap
        plate = Plate(label(self._say(area.label), self._letters, area.tone), round(gap), round(y))
        self._legends.append(plate.box)
        self._placer.take(plate.box)
        return (plate,)

    def _banner(self, banner: Banner) -> Plate:
        """Banners stack upwards from the lower edge, in the middle."""
        width, height = self.camera.size
        sentence = self._say(banner.text)
        face = banner_face(sentence, banner.tone, banner.rules, self._letters, 0.86 * width)
        bottom = min((box[1] for box in self._banners), default=float(height))
        x, y = round((width - face.width) / 2), round(bottom - face.height - 10 * self._scale)
        plate = Plate(face, x, y)
        self._banners.append(plate.box)
        self._placer.take(plate.box)
        return plate

    def _numbers(self, path: Ruler) -> tuple[Plate, ...]:
        """The palms beside their ticks, on the left of the path."""
        numbers = []
        for k, (point, along) in enumerate(marks.ruler_ticks(path), 1):
            beside = point + 3.4 * np.array([-along[1], along[0]])
            numbers.append(
                self._centred(number_face(str(k), self._letters, path.tone), (beside[0], beside[1]))
            )
        return tuple(numbers)

    def _centred(self, face: Face, point: Point) -> Plate:
        u, v = self._pixels([point])[0]
        plate = Plate(face, float(u) - face.width / 2, float(v) - face.height / 2)
        self._placer.take(plate.box)
        return plate

    def _label(self, text: Text | None, point: Point, annotation: Ruler | Arrow | Ghost) -> tuple[Plate, ...]:
        if text is None:
            return ()
        tone = "ghost" if isinstance(annotation, Ghost) else annotation.tone
        face = label(self._say(text), self._letters, tone)
        u, v = self._pixels([point])[0]
        name = f"{annotation.kind} {text.key}"
        x, y = self._placer.place(name, (float(u) - 8, float(v) - 8, 16.0, 16.0), face.width, face.height)
        return (Plate(face, x, y, (*point, 0.0)),)

    def _figure_boxes(self, tags: Sequence[FighterTag]) -> dict[int, Box]:
        """By id(): the picture's box round each figure, which stands on its outline up to its height."""
        outlines = [marks.base_outline(tag) for tag in tags]
        corners = [
            np.column_stack([base, np.full(len(base), z)])
            for base, tag in zip(outlines, tags, strict=True)
            for z in (0.0, tag.height)
        ]
        if not corners:
            return {}
        pixels = self.camera.project(np.vstack(corners))
        starts = np.cumsum([0, *(2 * len(base) for base in outlines)])[:-1]
        low, high = np.minimum.reduceat(pixels, starts), np.maximum.reduceat(pixels, starts)
        boxes = np.column_stack([low, high - low]).tolist()
        return {id(tag): (box[0], box[1], box[2], box[3]) for tag, box in zip(tags, boxes, strict=True)}

    def _say(self, text: Text) -> str:
        """The sentence of a text; the same few are said in every frame."""
        known = self._said.get(text.key)
        if known is None or known[0] != text:
            known = self._said[text.key] = text, translate(text, self.lang, self._names)
        return known[1]

    def _pixels(self, points: Sequence[Point]) -> Array:
        return self.camera.project(marks.on_mat(points))


def _importance(annotation: Annotation) -> tuple[int, str]:
    """Who chooses a place first: measured lengths, the fighter to act, the other fighters, short labels."""
    match annotation:
        case Ruler():
            return 0, ""
        case FighterTag():
            return (1 if annotation.active else 2), annotation.figure
        case _:
            return 3, ""


def _middle(points: Sequence[Point]) -> Point:
    return sum(p[0] for p in points) / len(points), sum(p[1] for p in points) / len(points)
