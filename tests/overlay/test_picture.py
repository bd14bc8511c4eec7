"""The picture renderer puts ink where the camera sees the ring, and plates where they hide nothing."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.typing import NDArray

from overlay.compose import Composer, Drawn
from overlay.faces import banner_face
from overlay.i18n import entries, translate
from overlay.palette import bgr
from overlay.picture import Painter, draw
from overlay.shapes import Box, Line, Words
from overlay.strokes import dashes
from rules.annotations import Annotation, Arrow, Banner, FighterTag, Ghost, Region, RingEdge, Ruler
from rules.text import Text
from tests.overlay.table import CORNERS, camera, disc, everything, fighter, picture

Image = NDArray[np.uint8]
SIZE = (1280, 720)
CAMERA = camera(SIZE)


def drawn(*annotations: Annotation, lang: str = "es") -> Image:
    return draw(picture(SIZE), annotations, CAMERA, lang)


def pixel(image: Image, x: float, y: float, z: float = 0.0) -> tuple[int, int, int]:
    u, v = np.rint(CAMERA.project(np.array([[x, y, z]]))[0]).astype(int)
    return tuple(int(c) for c in image[v, u])  # type: ignore[return-value]


def near(colour: tuple[int, int, int], name: str, tolerance: int = 60) -> bool:
    return max(abs(a - b) for a, b in zip(colour, bgr(name), strict=True)) <= tolerance


def test_the_ring_edge_follows_the_bent_edge_of_the_lens() -> None:
    image = drawn(RingEdge(CORNERS))
    for t in np.linspace(-34, 34, 9):
        for x, y in ((t, 35.0), (t, -35.0), (35.0, t), (-35.0, t)):
            assert near(pixel(image, x, y), "paper", 100), (x, y)
    # The straight chord between the corners misses the edge by several pixels at its middle.
    far = CAMERA.project(np.array([[-35, -35, 0], [35, -35, 0], [0, -35, 0]], float))
    assert abs((far[0] + far[1])[1] / 2 - far[2][1]) > 2.0


def test_a_region_tints_its_inside_and_not_its_hole() -> None:
    square = ((-20.0, -20.0), (20.0, -20.0), (20.0, 20.0), (-20.0, 20.0))
    image = drawn(Region(square, (disc(0.0, 0.0, 8.0),)))
    plain = picture(SIZE)[0, 0]
    assert pixel(image, 14.0, 14.0) != tuple(plain)
    assert pixel(image, 14.0, 14.0)[1] > plain[1], "green is mixed in"
    assert pixel(image, 0.0, 0.0) == tuple(plain)
    assert pixel(image, 30.0, 0.0) == tuple(plain)
    assert near(pixel(image, 20.0, 3.0), "legal")


@pytest.mark.parametrize("tone", ["legal", "illegal", "doubt"])
def test_edges_of_different_tones_differ_in_their_dashes_and_not_only_in_colour(tone: str) -> None:
    square = ((-25.0, -25.0), (25.0, -25.0), (25.0, 25.0), (-25.0, 25.0))
    image = drawn(Region(square, tone=tone))  # type: ignore[arg-type]
    along = [near(pixel(image, -25.0 + 0.1 * k, -25.0), tone, 40) for k in range(20, 480)]
    share = sum(along) / len(along)
    assert {"legal": share > 0.95, "illegal": 0.5 < share < 0.85, "doubt": share < 0.55}[tone], share


def test_a_ruler_has_a_tick_at_every_palm_of_its_player() -> None:
    path = Ruler(((-25.0, -15.0), (25.0, -15.0)), tick=18.0, tone="active")
    image = drawn(path)
    for palm in (1, 2):
        assert near(pixel(image, -25.0 + 18.0 * palm, -16.0), "active")
    assert not near(pixel(image, -25.0 + 9.0, -16.2), "active")
    drawing = Composer(CAMERA, "es").compose([path])[0]
    assert [item.text for plate in drawing.plates for item in plate.face.items] == ["1", "2"]  # type: ignore[union-attr]


def test_a_bent_ruler_counts_palms_along_its_bends() -> None:
    path = Ruler(((-20.0, 0.0), (0.0, 0.0), (0.0, 20.0)), tick=10.0, tone="active")
    image = drawn(path)
    assert near(pixel(image, -1.2, 10.0), "active")
    assert near(pixel(image, 1.2, 10.0), "active")


def test_the_error_bar_is_as_long_as_the_95_percent_interval() -> None:
    image = drawn(Ruler(((-25.0, 0.0), (0.0, 0.0)), tick=40.0, sd=2.0, tone="active"))
    assert near(pixel(image, 3.8, 0.0), "active")
    assert not near(pixel(image, 5.5, 0.0), "active")
    assert not near(
        pixel(drawn(Ruler(((-25.0, 0.0), (0.0, 0.0)), tick=40.0, tone="active")), 2.5, 0.0), "active"
    )


def test_a_sure_facing_is_a_full_arrow_and_an_assumed_one_is_hollow() -> None:
    sure = drawn(fighter("A", 0.0, 0.0, 0.0))
    assumed = drawn(fighter("A", 0.0, 0.0, 0.0, facing_assumed=True))
    # The head of the arrow begins 3.5 + 0.7 + 6.5 - 3.0 cm from the middle.
    assert near(pixel(sure, 8.6, 0.0), "neutral")
    assert not near(pixel(assumed, 8.6, 0.0), "neutral")
    plates = Composer(CAMERA, "es").compose([fighter("A", 0.0, 0.0, 0.0, facing_assumed=True)])[0].plates
    assert "?" in texts(plates[0].face.items)


def test_an_arrow_and_a_ghost_lie_where_they_were_asked_to() -> None:
    image = drawn(Arrow((0.0, 20.0), (20.0, 20.0), "active"), Ghost("A", disc(0.0, -10.0, 5.0)))
    assert near(pixel(image, 8.0, 20.0), "active")
    assert near(pixel(image, 18.0, 20.0), "active")
    assert pixel(image, 0.0, -10.0) != tuple(picture(SIZE)[0, 0])


def texts(items: tuple[object, ...]) -> list[str]:
    return [item.text for item in items if hasattr(item, "text")]


def test_a_fighters_plate_shows_name_stamina_cards_and_statuses() -> None:
    tag = fighter(
        "Ñandú", 0.0, 0.0, 0.0, stamina=-2, cards=("red", "yellow"), statuses=(Text("status.knocked_down"),)
    )
    plate = Composer(CAMERA, "es").compose([tag])[0].plates[0]
    assert texts(plate.face.items) == ["Ñandú", "-2", "D", "S", "Derribado"]
    image = drawn(tag)
    x, y, width, height = (round(v) for v in plate.box)
    part = image[y : y + height, x : x + width].reshape(-1, 3).astype(int)
    for name in ("card.red", "card.yellow", "paper", "plate"):
        assert (np.abs(part - bgr(name)).max(axis=1) < 30).sum() >= 40, name


def test_accents_are_drawn_and_not_replaced_by_question_marks() -> None:
    plain, accented = drawn(fighter("Nandu", 0.0, 0.0, 0.0)), drawn(fighter("Ñandú", 0.0, 0.0, 0.0))
    questions = drawn(fighter("?and?", 0.0, 0.0, 0.0))
    assert not np.array_equal(plain, accented)
    assert not np.array_equal(questions, accented)


def test_languages_differ_in_their_words_only() -> None:
    spanish, english = (Composer(CAMERA, lang).compose(everything()) for lang in ("es", "en"))
    assert [type(entry.annotation) for entry in spanish] == [type(entry.annotation) for entry in english]
    for one, other in zip(spanish, english, strict=True):
        for a, b in zip(one.shapes, other.shapes, strict=True):
            if isinstance(a, Line) and isinstance(b, Line):
                np.testing.assert_array_equal(a.points, b.points)
    banner = spanish[-1].plates[0].face.items
    assert any("Demasiado justo" in text and "1,97" in text for text in texts(banner))
    assert "MOVE-02  RULING-30" in texts(banner)


def shared(a: Box, b: Box) -> float:
    across = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    down = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    return max(across, 0.0) * max(down, 0.0)


def label_boxes(entries: list[Drawn]) -> list[Box]:
    return [
        plate.box
        for entry in entries
        for plate in entry.plates
        if plate.leader or isinstance(entry.annotation, Banner)
    ]


def figure_box(tag: FighterTag) -> Box:
    outline = np.array([(*p, z) for p in tag.outline for z in (0.0, tag.height)])
    pixels = CAMERA.project(outline)
    (left, top), (right, bottom) = pixels.min(axis=0), pixels.max(axis=0)
    return left, top, right - left, bottom - top


@pytest.mark.parametrize("seed", range(6))
def test_labels_of_eight_scattered_fighters_neither_overlap_nor_cover_a_fighter(seed: int) -> None:
    rng = np.random.default_rng(seed)
    spots = rng.permutation([(x, y) for x in (-26, -9, 9, 26) for y in (-24, 0, 24)])[:8] + rng.uniform(
        -3, 3, (8, 2)
    )
    tags = [
        fighter(f"Luchador {k}", *spot, 40.0 * k, cards=("red",)) for k, spot in enumerate(spots.tolist())
    ]
    entries = Composer(CAMERA, "es").compose([*tags, everything()[-1]])
    boxes = label_boxes(entries)
    assert len(boxes) == 9
    for a, b in itertools.combinations(boxes, 2):
        assert shared(a, b) <= 0.02 * min(a[2] * a[3], b[2] * b[3])
    for box in boxes:
        for tag in tags:
            assert shared(box, figure_box(tag)) <= 0.1 * box[2] * box[3]
        assert box[0] >= 0
        assert box[1] >= 0
        assert box[0] + box[2] <= 1280
        assert box[1] + box[3] <= 720


def test_a_label_does_not_jump_while_its_fighter_trembles() -> None:
    composer = Composer(CAMERA, "es")
    rng = np.random.default_rng(1)
    places = set()
    for _ in range(30):
        dx, dy = rng.normal(0.0, 0.05, 2)
        entries = composer.compose([fighter("A", dx, dy, 0.0), fighter("B", 12.0 + dx, dy, 90.0)])
        places.add(tuple(plate.box for entry in entries for plate in entry.plates))
    assert len(places) <= 2


def test_two_banners_stand_one_above_the_other() -> None:
    entries = Composer(CAMERA, "en").compose(
        [everything()[-1], Banner(Text("dice.pool", {"n": 1, "faces": 6}), "legal")]
    )
    (first,), (second,) = (entry.plates for entry in entries)
    assert second.y + second.face.height < first.y


def test_things_outside_the_picture_and_wild_numbers_are_drawn_as_far_as_they_go() -> None:
    image = picture(SIZE)
    Painter(CAMERA, "es").draw(
        image, [fighter("Lejos", 300.0, 0.0, 0.0), Region(((-900.0, -90.0), (900.0, -90.0), (0.0, 400.0)))]
    )
    assert image.shape == (SIZE[1], SIZE[0], 3)


def test_a_picture_of_another_size_is_refused_with_both_sizes() -> None:
    with pytest.raises(ValueError, match=r"640 x 360 .* 1280 x 720"):
        draw(picture((640, 360)), everything(), CAMERA, "es")


def test_draw_leaves_the_original_picture_alone() -> None:
    image = picture(SIZE)
    draw(image, everything(), CAMERA, "es")
    np.testing.assert_array_equal(image, picture(SIZE))


def test_the_same_annotations_give_the_same_picture_whether_drawn_once_or_in_a_row() -> None:
    painter, rows = Painter(CAMERA, "es"), []
    for _ in range(3):
        rows.append(picture(SIZE))
        painter.draw(rows[-1], everything())
    np.testing.assert_array_equal(rows[0], draw(picture(SIZE), everything(), CAMERA, "es"))
    np.testing.assert_array_equal(rows[0], rows[2])


def test_dashes_cut_a_line_by_its_length() -> None:
    cut = dashes(np.array([[0.0, 0.0], [10.0, 0.0], [10.0, 10.0]]), 8.0, 4.0)
    assert [piece.tolist() for piece in cut] == [[[0, 0], [8, 0]], [[10, 2], [10, 10]]]
    (whole,) = dashes(np.array([[0.0, 0.0], [10.0, 0.0], [10.0, 10.0]]), 15.0, 100.0)
    assert whole.tolist() == [[0, 0], [10, 0], [10, 5]]


def test_labels_are_smaller_in_a_crowd() -> None:
    def heights(count: int) -> set[float]:
        tags = [fighter(f"L{k}", -30.0 + 5.0 * (k % 12), -20.0 + 18.0 * (k // 12), 0.0) for k in range(count)]
        entries = Composer(CAMERA, "es").compose(tags)
        return {plate.face.height for entry in entries for plate in entry.plates}

    (few,), (many,) = heights(10), heights(20)
    assert many < 0.8 * few


def test_many_statuses_take_more_lines_and_none_is_cut_off() -> None:
    statuses = tuple(Text(f"status.{name}") for name in ("lock_up", "fatigued", "wound", "defended"))
    for lang, last in (("es", "Ya se defendió"), ("en", "Has defended")):
        plate = (
            Composer(CAMERA, lang).compose([fighter("Coco", 0.0, 0.0, 0.0, statuses=statuses)])[0].plates[0]
        )
        shown = texts(plate.face.items)
        assert not any("…" in text for text in shown)
        assert shown[-1].endswith(last)
        assert len(shown) > 3


def test_a_dimmed_fighter_keeps_its_label_and_leaves_the_mat_alone() -> None:
    [entry] = Composer(CAMERA, "es").compose([fighter("Coco", 0.0, 0.0, 0.0, dimmed=True)])
    [seen] = Composer(CAMERA, "es").compose([fighter("Coco", 0.0, 0.0, 0.0)])
    assert entry.shapes == ()
    assert texts(entry.plates[0].face.items) == texts(seen.plates[0].face.items) == ["Coco", "20"]
    assert entry.plates[0].face.opacity < seen.plates[0].face.opacity
    assert entry.plates[0].leader is None


def test_what_an_area_is_stands_in_the_corner_and_not_over_whoever_moves() -> None:
    area = Region(((-20.0, -20.0), (20.0, -20.0), (20.0, 20.0), (-20.0, 20.0)), label=Text("option.move"))
    [entry] = Composer(CAMERA, "es").compose([area])
    [plate] = entry.plates
    inside = CAMERA.project(np.array([(x, y, 0.0) for x, y in area.exterior]))
    assert (
        plate.box[0] + plate.box[2] < inside[:, 0].min() or plate.box[1] + plate.box[3] < inside[:, 1].min()
    )


def test_a_long_label_is_broken_and_not_cut() -> None:
    spot = Ghost(
        "A", disc(0.0, -10.0, 5.0), Text("ask.place_outside", {"fighter": "Coco", "side": "el fondo"})
    )
    [entry] = Composer(CAMERA, "es").compose([spot])
    shown = texts(entry.plates[0].face.items)
    assert len(shown) > 1
    assert "…" not in "".join(shown)


@pytest.mark.parametrize("lang", ["es", "en"])
@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_no_verdict_is_cut_not_even_where_letters_are_big(lang: str, scale: float) -> None:
    names = dict.fromkeys(("by", "fighter"), "El Santo de Barro Enmascarado")
    for key, entry in entries(lang).items():
        if not key.startswith("verdict."):
            continue
        said = translate(Text(key, {**dict.fromkeys(entry.placeholders, 46.25), **names}), lang)
        face = banner_face(said, "doubt", ("MOVE-02",), scale, 0.86 * 1280)
        lines = [item.text for item in face.items if isinstance(item, Words)]
        assert " ".join(lines[:-1]) == " ".join(said.split()), key
        assert face.width <= 0.86 * 1280
