"""Names of anywhere in a report: no letter is lost."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from palmo.review import letters

NAMES = ["力", "Ελένη", "Жанна", "Łódź", "مرحبا", "שלום", "한국"]


@pytest.mark.parametrize("name", NAMES)
def test_letters_of_other_alphabets_are_drawn(name: str) -> None:
    assert not letters.everywhere(name)
    assert letters.spelled(name) == name
    drawn = ink(letters.picture(name, 12, (10, 20, 30), bold=True))
    assert drawn.any()
    assert not np.array_equal(drawn, ink(letters.picture("?" * len(name), 12, (10, 20, 30), bold=True)))


@pytest.mark.parametrize("name", ["Íñigo", "José-Luís ‘El Niño’", "Straße?"])
def test_letters_of_every_reader_need_no_picture(name: str) -> None:
    assert letters.everywhere(name)


def test_a_letter_that_no_font_has_is_spelled_by_its_number() -> None:
    assert letters.spelled("Ελένη ह?") == "Ελένη [U+0939]?"


def test_lines_are_broken_between_words_and_else_between_letters() -> None:
    assert letters.wrapped("Ελένη 力", 10, 1000, bold=False) == ["Ελένη 力"]
    lines = letters.wrapped("力" * 40 + " Ελένη", 10, 60, bold=False)
    assert len(lines) > 5
    assert "".join(lines).replace(" ", "") == "力" * 40 + "Ελένη"
    assert all(letters.width(line, 10, bold=False) <= 60 for line in lines)


def test_the_picture_has_the_colour_that_was_asked_for() -> None:
    image = cv2.imdecode(
        np.frombuffer(letters.picture("力", 12, (200, 100, 50), bold=False).read(), np.uint8),
        cv2.IMREAD_UNCHANGED,
    )
    assert image is not None
    assert image.shape[2] == 4
    assert (image[image[..., 3] == 255][:, :3] == (50, 100, 200)).all()


def ink(picture: object) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    data = np.frombuffer(picture.read(), np.uint8)  # type: ignore[attr-defined]
    image = cv2.imdecode(data, cv2.IMREAD_UNCHANGED)
    assert image is not None
    return np.asarray(image[..., 3], np.uint8)
