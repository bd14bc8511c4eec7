from __future__ import annotations

from pathlib import Path

import pytest

from calibration.errors import CalibrationError
from calibration.sentences import Said
from calibration.solve import calibrate
from palmo.blame import blaming
from palmo.convert import intrinsics, ring_spec
from palmo.demo_files import DEMO_EVENT
from palmo.event import Event, EventError, load_event
from rules.engine.request import Reason
from rules.smackkatz.book import CURRENT
from rules.smackkatz.sheet import SheetError
from rules.text import Text
from vision.colour.models import ColourError
from vision.fighters import about
from vision.measuring.told import ToldError

PLAIN_K = "K = [[900, 0, 640], [0, 900, 360], [0, 0, 1]]\n"
NEGATIVE = [[-1.0 if row == column else 0.0 for column in range(8)] for row in range(8)]
SHEET = SheetError("F1", (Reason("points", Text("sheet.points", {"total": 11}), "SHEET-02"),))


@pytest.mark.parametrize(
    ("error", "line", "key"),
    [
        (CalibrationError("corners_px are crossed: check post_tops_px too"), 5, "ring.corners_px"),
        (CalibrationError("check the ring"), 5, "ring.corners_px"),
        (CalibrationError("width_cm is 3: a ring measures more"), 2, "ring.width_cm"),
        (ColourError("fighter F1: the box lies on the mat"), 20, "fighter.0.colour_box_px"),
        (ColourError("fighter F2: no such colour"), 42, "fighter.1.colour"),
        (ColourError("fighters F1 and F2 cannot be told apart"), 20, "fighter.0.colour_box_px"),
        (ToldError("F1", "foot_px", Said("x", "the tap lies outside")), 21, "fighter.0.foot_px"),
        (ToldError("F1", "height_cm", Said("x", "it cannot be 40 cm tall")), 22, "fighter.0.height_cm"),
        (SHEET, 24, "fighter.0.sheet"),
    ],
)
def test_an_error_below_is_blamed_on_its_line(
    event: Event, tmp_path: Path, error: Exception, line: int, key: str
) -> None:
    with pytest.raises(EventError) as caught, blaming(tmp_path / "event.toml", event):
        raise error
    (problem,) = caught.value.problems
    assert (problem.line, problem.key) == (line, key)
    assert "\n" not in problem.sentence


def test_the_name_of_the_fighter_is_said_once(event: Event, tmp_path: Path) -> None:
    with pytest.raises(EventError) as caught, blaming(tmp_path / "event.toml", event):
        raise ColourError(about("F1", Said("error.colour.none", "the box lies on the mat")))
    assert str(caught.value).endswith("line 20: colour_box_px of fighter F1: give colour_box_px or colour")


def test_a_house_rule_is_blamed_on_the_rulings(tmp_path: Path, event: Event) -> None:
    path = tmp_path / "event.toml"
    path.write_text(path.read_text() + "[match]\nrulings = { melee_worst = 3 }\n")
    agreed = load_event(path)
    with pytest.raises(EventError, match=r"rulings of \[match\]: House rule"), blaming(path, agreed):
        CURRENT.catalogue.resolve(agreed.match.rulings)


def test_other_errors_pass_through(event: Event, tmp_path: Path) -> None:
    with pytest.raises(KeyError), blaming(tmp_path / "event.toml", event):
        raise KeyError("x")


@pytest.mark.parametrize(
    ("lens", "key", "told"),
    [
        ("K = [[1e300, 0, 640], [0, 1e300, 360], [0, 0, 1]]\ndist = [0, 0, 0, 0]", "camera", "camera matrix"),
        (f"{PLAIN_K}dist = [0, 0, 0, 0]\ncovariance = {NEGATIVE}", "camera", "covariance"),
        (f"{PLAIN_K}dist = [1e9, 1e9, 1e9, 1e9]", "ring.width_cm", "leave [camera] out"),
    ],
)
@pytest.mark.filterwarnings("error")
def test_a_lens_that_no_camera_has_is_blamed_on_the_camera(
    tmp_path: Path, lens: str, key: str, told: str
) -> None:
    path = tmp_path / "event.toml"
    head = f'[camera]\nmodel = "fisheye"\nsize = [1280, 720]\n{lens}\n'
    path.write_text(f"{head}\n{DEMO_EVENT.read_text(encoding='utf-8')}", encoding="utf-8")
    event = load_event(path)
    with pytest.raises(EventError) as caught, blaming(path, event):
        calibrate(ring_spec(event), (1280, 720), intrinsics=intrinsics(event))
    (problem,) = caught.value.problems
    assert problem.key == key
    assert told in problem.sentence
