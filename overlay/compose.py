"""From meaning to shapes: the one layout that the picture renderer and the browser both draw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from calibration.camera import Camera
from overlay.faces import banner_face, fighter_face, fighter_facts, label, number_face
from overlay.i18n import NO_NAMES, translate
from overlay.palette import scale_of
from overlay.placing import Placer
from overlay.shapes import Box, Face, Plate, Shape
from overlay.sights import Sight, sight_of
from rules.annotations import Annotation, Arrow, Banner, FighterTag, Ghost, Region, RingEdge, Ruler, Tone
from rules.scene import Point
from rules.text import Text

# Which annotation it is from picture to picture: its kind, its figure if it has one, and a number.
_Place = tuple[str, str, int]
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
        self._sights: dict[_Place, Sight] = {}
        self._said: dict[str, tuple[Text, str]] = {}

    def fits(self, camera: Camera, names: Mapping[str, str], colours: Mapping[str, str]) -> bool:
        """Whether this composer was made for this very camera, these names and colours."""
        return self.camera is camera and self._names == names and self._colours == colours

    def compose(self, annotations: Iterable[Annotation]) -> list[Drawn]:
        """Every annotation with its shapes, in drawing order; the very same when nothing has changed."""
        ordered = sorted(annotations, key=lambda annotation: _ORDER.index(type(annotation)))
        if ordered != [one.annotation for one in self._drawn]:
            self._drawn = self._laid_out(ordered)
        return self._drawn

    def _laid_out(self, ordered: Sequence[Annotation]) -> list[Drawn]:
        self._sights = {
            place: self._seen(annotation, self._sights.get(place))
            for place, annotation in _places(ordered).items()
        }
        fighters = [
            one.box for one in self._sights.values() if isinstance(one.annotation, FighterTag) and one.box
        ]
        self._banners.clear()
        self._legends.clear()
        self._label_size = 1.0 if len(fighters) <= CROWD else CROWDED_SIZE
        self._placer.start(fighters, [one.clear for one in self._sights.values()])
        # Plates that cannot move claim their place first, then the others, the important ones before.
        banners_first = sorted(self._sights.items(), key=lambda item: item[1].annotation.kind != "banner")
        plates = {place: self._fixed(one) for place, one in banners_first}
        for place, one in sorted(self._sights.items(), key=_importance):
            plates[place] += self._placed(place, one)
        return [
            Drawn(one.annotation, one.shapes, tuple(plates[place])) for place, one in self._sights.items()
        ]

    def _seen(self, annotation: Annotation, before: Sight | None) -> Sight:
        """How the camera sees an annotation: as in the picture before while it stays as it is."""
        if before is not None and before.annotation == annotation:
            return before
        return sight_of(annotation, self.camera, self._scale)

    def _fixed(self, sight: Sight) -> list[Plate]:
        """The plates of an annotation that have one place only."""
        plates: list[Plate]
        match sight.annotation:
            case Banner() as banner:
                plates = [self._banner(banner)]
            case Region(label=Text() as text) as area:
                plates = [self._legend(text, area.tone)]
            case Ruler() as path:
                faces = [
                    number_face(str(k), self._letters, path.tone) for k, _ in enumerate(sight.numbers, 1)
                ]
                plates = [_centred(face, middle) for face, middle in zip(faces, sight.numbers, strict=True)]
            case _:
                doubt = number_face("?", self._letters, "doubt")
                plates = [_centred(doubt, middle) for middle in sight.numbers]
        for plate in plates:
            self._placer.take(plate.box)
        return plates

    def _placed(self, place: _Place, sight: Sight) -> list[Plate]:
        """The label of an annotation, beside what it speaks of."""
        face = self._label(sight.annotation)
        if face is None or sight.box is None or sight.about is None:
            return []
        x, y = self._placer.place(place, sight.box, face.width, face.height)
        z = 0.0
        if isinstance(sight.annotation, FighterTag):
            if sight.annotation.dimmed:
                return [Plate(face, x, y)]
            # From above the line goes to the head, from below to the feet: not across the figure.
            z = 0.0 if y > sight.box[1] + sight.box[3] else sight.annotation.height
        return [Plate(face, x, y, (*sight.about, z))]

    def _label(self, annotation: Annotation) -> Face | None:
        match annotation:
            case FighterTag():
                facts = fighter_facts(annotation, self._say, self._colours.get(annotation.figure))
                return fighter_face(facts, self._letters * self._label_size)
            case Ghost(label=Text() as text):
                return label(self._say(text), self._letters, "ghost")
            case Ruler(label=Text() as text) | Arrow(label=Text() as text):
                return label(self._say(text), self._letters, annotation.tone)
            case _:
                return None

    def _legend(self, text: Text, tone: Tone) -> Plate:
        """What an area is, in the corner of the picture: inside the area a hand is at work."""
        gap = 10 * self._scale
        above = [*self._banners[1::2], *self._legends]
        y = max((box[1] + box[3] for box in above), default=0.0) + gap
        plate = Plate(label(self._say(text), self._letters, tone), round(gap), round(y))
        self._legends.append(plate.box)
        return plate

    def _banner(self, banner: Banner) -> Plate:
        """The first banner lies at the lower edge, the second at the upper one, and so on by turns: two of
        them one upon the other would hide whoever stands on the near side of the mat."""
        width, height = self.camera.size
        sentence, gap = self._say(banner.text), 10 * self._scale
        face = banner_face(sentence, banner.tone, banner.rules, self._letters, 0.86 * width)
        if len(self._banners) % 2 == 0:
            y = min((box[1] for box in self._banners[::2]), default=float(height)) - face.height - gap
        else:
            y = max((box[1] + box[3] for box in self._banners[1::2]), default=0.0) + gap
        plate = Plate(face, round((width - face.width) / 2), round(y))
        self._banners.append(plate.box)
        return plate

    def _say(self, text: Text) -> str:
        """The sentence of a text; the same few are said in every frame."""
        known = self._said.get(text.key)
        if known is None or known[0] != text:
            known = self._said[text.key] = text, translate(text, self.lang, self._names)
        return known[1]


def _places(annotations: Iterable[Annotation]) -> dict[_Place, Annotation]:
    """The annotations by what they are: the n-th of their kind that speaks of this figure."""
    count, places = Counter[tuple[str, str]](), dict[_Place, Annotation]()
    for annotation in annotations:
        what = annotation.kind, getattr(annotation, "figure", "")
        count[what] += 1
        places[*what, count[what]] = annotation
    return places


def _importance(item: tuple[_Place, Sight]) -> tuple[int, _Place]:
    """Who chooses a place first: measured lengths, the fighter to act, the other fighters, short labels."""
    place, sight = item
    match sight.annotation:
        case Ruler():
            return 0, place
        case FighterTag() as tag:
            return (1 if tag.active else 2), place
        case _:
            return 3, place


def _centred(face: Face, middle: Point) -> Plate:
    """A plate with its middle at a pixel."""
    return Plate(face, middle[0] - face.width / 2, middle[1] - face.height / 2)
