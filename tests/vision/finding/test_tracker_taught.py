"""Teaching the figures' colours: what works, and what is refused with a sentence."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.finding.scenes import begin, table, watch, where
from tests.vision.tables import MAT, ORANGE, RING_CM, Figure, Table, calibration, camera
from vision.colour.models import ColourError
from vision.finding.tracker import Tracker


def test_a_fighter_can_be_taught_by_a_colour_value() -> None:
    scene = table()
    specs = scene.specs()
    specs[0] = replace(specs[0], colour_box_px=None, colour="#c03030")
    tracker = Tracker(calibration(), specs, scene.frame())
    last = watch(tracker, scene, 2)[-1]
    assert where(tracker, last["F1"]) == pytest.approx((-10.0, 8.0), abs=0.6)


def refused(scene: Table, box: tuple[float, float, float, float], says: str) -> None:
    specs = scene.specs()
    specs[0] = replace(specs[0], colour_box_px=box)
    with pytest.raises(ColourError, match=says) as caught:
        Tracker(calibration(), specs, scene.frame())
    assert "F1" in str(caught.value)


def at(x: float, y: float, size: float = 5.0) -> tuple[float, float, float, float]:
    ((u, v),) = camera().project(np.array([[x, y, 0.0]]))
    return float(u - size / 2), float(v - size / 2), size, size


def test_a_box_on_the_mat_is_refused() -> None:
    refused(table(), at(0.0, 0.0), "on the mat")


def test_a_box_on_the_table_is_refused() -> None:
    refused(table(), at(-RING_CM / 2 - 10.0, 0.0), "on the table or a hand")


def test_a_box_on_a_hand_is_refused() -> None:
    scene = table()
    scene.hand = (-20.0, -10.0, 10.0)
    ((u, v),) = camera().project(np.array([[-30.0, -7.5, 10.5]]))
    refused(scene, (float(u), float(v), 5.0, 5.0), "a hand")


def test_a_box_half_off_the_figure_is_warned_of_and_the_figure_is_taught() -> None:
    scene = table()
    specs = scene.specs()
    ((u, v),) = camera().project(np.array([[-10.0 + 2.0, 8.0, 6.0]]))
    specs[0] = replace(specs[0], colour_box_px=(float(u - 6), float(v - 3), 12.0, 6.0))
    tracker = Tracker(calibration(), specs, scene.frame())
    (said,) = tracker.palette.warnings
    assert said.startswith("fighter F1: colour_box_px lies on two colours")
    last = watch(tracker, scene, 2)[-1]
    assert where(tracker, last["F1"]) == pytest.approx((-10.0, 8.0), abs=0.6)


@pytest.mark.parametrize(
    ("box", "says"),
    [
        ((-3.0, 100.0, 5.0, 5.0), "outside the picture"),
        ((636.0, 100.0, 5.0, 5.0), "outside the picture"),
        ((100.0, 100.0, 0.0, 5.0), "at least 1 px"),
        ((float("nan"), 100.0, 5.0, 5.0), "at least 1 px"),
    ],
)
def test_a_box_that_is_no_box_in_the_picture_is_refused(
    box: tuple[float, float, float, float], says: str
) -> None:
    refused(table(), box, says)


def test_a_box_on_the_wrong_fighter_names_both() -> None:
    scene = table()
    refused(scene, scene.box("F2"), "fighters F1 and F2 cannot be told apart")


def test_two_fighters_of_one_colour_are_both_named_and_found_where_they_stand() -> None:
    scene = Table({"F1": Figure(-10, 8, ORANGE), "F2": Figure(12, 6, ORANGE)})
    tracker = begin(scene)
    (said,) = tracker.palette.warnings
    assert said.startswith("fighters F1 and F2 cannot be told apart by their colours (colour_box_px)")
    last = watch(tracker, scene, 2)[-1]
    assert where(tracker, last["F1"]) == pytest.approx((-10.0, 8.0), abs=0.6)
    assert where(tracker, last["F2"]) == pytest.approx((12.0, 6.0), abs=0.6)
    assert tracker.palette.labels == (1, 1)


@pytest.mark.parametrize("colour", ["red", "#12345", "#gg0000", ""])
def test_a_colour_that_is_none_is_refused(colour: str) -> None:
    scene = table()
    specs = scene.specs()
    specs[0] = replace(specs[0], colour_box_px=None, colour=colour)
    with pytest.raises(ColourError, match="F1"):
        Tracker(calibration(), specs, scene.frame())


def test_a_colour_that_is_nowhere_is_refused() -> None:
    scene = table()
    specs = scene.specs()
    specs[0] = replace(specs[0], colour_box_px=None, colour="#ff00ff")
    with pytest.raises(ColourError, match="nothing of the colour #ff00ff"):
        Tracker(calibration(), specs, scene.frame())


def test_a_fighter_of_nearly_the_mats_colour_is_warned_of_and_still_found() -> None:
    blue, green, red = MAT
    scene = Table({"F1": Figure(-10, 8, (blue + 9, green + 9, red + 9)), "F2": Figure(12, 6, ORANGE)})
    tracker = begin(scene)
    (said,) = tracker.palette.warnings
    assert said.startswith("fighter F1: the colour in colour_box_px is hardly different from the mat's")
    assert tracker.palette.faint == ("F1",)
    last = watch(tracker, scene, 2)[-1]
    # Its lit upper part is seen, its shaded lower part has the mat's colour.
    x, y = where(tracker, last["F1"])
    assert x == pytest.approx(-10.0, abs=1.5)
    assert 7.0 < y < 14.0
