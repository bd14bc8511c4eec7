"""What is kept from picture to picture saves time and changes nothing."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from overlay import sprites
from overlay.compose import Composer, Drawn
from overlay.picture import Brush, Painter
from overlay.shapes import Fill, Line, Shape
from overlay.sprites import blend
from overlay.stamps import cut, stamp
from overlay.strokes import Projected, fixed, paint
from rules.annotations import Annotation, Arrow, Banner, FighterTag, Ghost, Region, Ruler
from rules.text import Text
from tests.overlay.table import SIZE, camera, disc, everything, fighter, picture

CAMERA = camera()
FEW = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def moved(annotation: Annotation, dx: float) -> Annotation:
    """The annotation a little further to the right, if it is one that moves."""
    match annotation:
        case FighterTag():
            outline = tuple((x + dx, y) for x, y in annotation.outline)
            return replace(
                annotation, anchor=(annotation.anchor[0] + dx, annotation.anchor[1]), outline=outline
            )
        case Ruler():
            return replace(annotation, points=(annotation.points[0], (14.0 + dx, 2.0)), sd=0.6 + 0.01 * dx)
        case _:
            return annotation


# Things come, go, and move by hairs or by centimetres.
SHOWN = [
    *everything(),
    Ruler(((0.0, -30.0), (20.0, -30.0)), 9.0, 0.2, "illegal", Text("dice.pool", {"n": 2, "faces": 6})),
    Arrow((0.0, 20.0), (20.0, 20.0), "active", Text("dice.pool", {"n": 1, "faces": 6})),
    Ghost("Coco", disc(0.0, -10.0, 5.0)),
    Region(((-200.0, -20.0), (200.0, -20.0), (200.0, 0.0), (-200.0, 0.0)), (disc(5.0, -10.0, 4.0),), "doubt"),
    fighter("Lejos", 300.0, 0.0, 0.0),
    fighter("Ida", 0.0, 0.0, 0.0, dimmed=True),
    Banner(Text("dice.pool", {"n": 1, "faces": 6}), "legal"),
]
PICTURES = st.lists(
    st.lists(
        st.builds(moved, st.sampled_from(SHOWN), st.sampled_from([0.0, 0.0, 0.003, 4.0])),
        max_size=9,
        unique_by=lambda annotation: (annotation.kind, getattr(annotation, "figure", repr(annotation))),
    ),
    min_size=2,
    max_size=5,
).map(lambda sets: [*sets, sets[0], sets[0]])


def fresh(drawn: list[Drawn]) -> NDArray[np.uint8]:
    sprites.of_face.cache_clear()
    image = picture()
    Brush(CAMERA).draw(image, drawn)
    return image


@FEW
@given(PICTURES)
def test_any_row_of_pictures_is_drawn_to_the_pixel_as_if_nothing_had_been_kept(
    row: list[list[Annotation]],
) -> None:
    composer, brush = Composer(CAMERA, "es"), Brush(CAMERA)
    for shown in row:
        drawn = composer.compose(shown)
        image = picture()
        brush.draw(image, drawn)
        np.testing.assert_array_equal(image, fresh(drawn))


@FEW
@given(PICTURES)
def test_a_picture_that_comes_twice_moves_no_label(row: list[list[Annotation]]) -> None:
    once, often = Composer(CAMERA, "es"), Composer(CAMERA, "es")
    for shown in row:
        plates = [entry.plates for entry in once.compose(shown)]
        for again in (shown, list(shown)):
            assert [entry.plates for entry in often.compose(again)] == plates
            # Something else between them that has no label: everything is laid out once more.
            between = [*again, Region(((0.0, 0.0), (1.0, 0.0), (1.0, 1.0)))]
            assert [entry.plates for entry in often.compose(between) if entry.plates] == [
                entry for entry in plates if entry
            ]


@FEW
@given(PICTURES)
def test_what_lies_on_the_mat_is_that_of_its_own_picture(row: list[list[Annotation]]) -> None:
    composer = Composer(CAMERA, "es")
    for shown in row:
        kept, anew = composer.compose(shown), Composer(CAMERA, "es").compose(shown)
        assert [entry.annotation for entry in kept] == [entry.annotation for entry in anew]
        for one, other in zip(kept, anew, strict=True):
            assert [rings(shape) for shape in one.shapes] == [rings(shape) for shape in other.shapes]


def rings(shape: Shape) -> list[list[list[float]]]:
    return [ring.tolist() for ring in (shape.rings if isinstance(shape, Fill) else (shape.points,))]


def test_two_rulers_of_one_kind_keep_their_labels_apart() -> None:
    """They once had one memory between them, and both labels jumped in every picture."""
    text = Text("dice.pool", {"n": 2, "faces": 6})
    rulers = [Ruler(((-24.0, y), (x, y)), 9.0, label=text) for x, y in ((20.0, 24.0), (-10.0, -24.0))]
    composer = Composer(CAMERA, "es")
    seen = set()
    for k in range(6):
        entries = composer.compose([*rulers, fighter("A", 20.0 + 0.004 * k, 20.0, 0.0)])
        seen.add(tuple(plate.box for entry in entries[1:] for plate in entry.plates if plate.leader))
    assert len(seen) == 1


def test_only_what_is_shown_is_kept() -> None:
    painter, stamps = Painter(CAMERA, "es"), []
    for k in range(40):
        painter.draw(picture(), [fighter("A", 0.1 * k, 0.0, 0.0)])
        stamps.append(len(painter._brush._stamps._made))
    assert len(set(stamps)) == 1


def test_a_sprite_is_cut_so_that_it_holds_all_its_ink_once_and_less_of_the_hole() -> None:
    ink = np.zeros((400, 600), np.uint8)
    ink[10:390, 20:30] = ink[10:390, 570:580] = ink[10:20, 20:580] = ink[380:390, 20:580] = 255
    ink[200, 300] = 1
    boxes = cut(ink)
    count = np.zeros(ink.shape, int)
    for x, y, width, height in boxes:
        count[y : y + height, x : x + width] += 1
    assert count.max() == 1
    assert count[ink > 0].min() == 1
    assert count.sum() < 0.5 * ink.size
    assert len(boxes) < 30
    assert cut(np.zeros((50, 50), np.uint8)) == []
    assert cut(np.full((300, 300), 9, np.uint8)) == [(0, 0, 300, 300)]


@pytest.mark.parametrize("seed", range(8))
def test_a_stamp_holds_all_that_its_shapes_show_in_the_picture(seed: int) -> None:
    """On black it is, to the pixel, what painting at once gives: also of wide lines and beyond the border."""
    rng, shapes = np.random.default_rng(seed), []
    low, high = (-0.3, 1.3) if seed < 4 else (0.4, 0.6)
    for width, dash, opacity in ((3.0, None, 1.0), (40.0, (30.0, 50.0), 0.3), (9.0, None, 0.5)):
        points = rng.uniform(low, high, (4, 2)) * SIZE
        line = Line(np.empty((0, 3)), "paper", width, seed % 2 == 0, dash, halo=0.3 * width)
        shapes += [
            Projected(Fill((), "legal", opacity), [fixed(points[:3])]),
            Projected(line, [fixed(points)]),
        ]
    at_once, stamped = (np.zeros((SIZE[1], SIZE[0], 3), np.uint8) for _ in range(2))
    for one in shapes:
        paint(at_once, one)
    for rows, columns, colour, keep in stamp(shapes, SIZE):
        blend(stamped[rows, columns], colour, keep)
    np.testing.assert_array_equal(at_once, stamped)


def overlapping(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    return a[0] < b[0] + b[2] and b[0] < a[0] + a[2] and a[1] < b[1] + b[3] and b[1] < a[1] + a[3]


def test_two_banners_leave_the_middle_of_the_picture_free_and_the_legend_gives_way() -> None:
    banner = everything()[-1]
    assert isinstance(banner, Banner)
    area = Region(disc(0.0, 0.0, 9.0), label=banner.text)
    entries = Composer(CAMERA, "es").compose([area, banner, replace(banner, tone="legal")])
    boxes = [plate.box for entry in entries for plate in entry.plates]
    assert len(boxes) == 3
    assert not any(overlapping(a, b) for a, b in itertools.combinations(boxes, 2))
    middle = (0.0, 0.35 * SIZE[1], float(SIZE[0]), 0.45 * SIZE[1])
    assert not any(overlapping(box, middle) for box in boxes)
