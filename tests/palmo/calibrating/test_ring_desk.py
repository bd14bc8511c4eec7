"""The ring set up by people: proposed, checked, measured with a stick, written down without losing a word."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from overlay.i18n import translate
from overlay.setup.desk import NotSo
from palmo.calibrating.event_text import EventFile
from palmo.calibrating.ring_desk import EventRingDesk, with_clicks
from palmo.calibrating.ring_event import known_clicks, ring_sizes, write_clicks
from palmo.cli import app
from palmo.convert import check_resolution
from palmo.demo_files import DEMO_CLIP, DEMO_EVENT
from palmo.event import EventError, load_event
from palmo.pictures import steady_picture
from tests.calibration.rings import ideal_spec, looking_at, ring_with_posts

CAMERA = looking_at((10.0, -60.0, 95.0), focal=1000.0)
SPEC = ideal_spec(CAMERA)
PICTURE = ring_with_posts(CAMERA, SPEC)
CORNERS = [tuple(one) for one in SPEC.corners_px.tolist()]
TOPS = [tuple(one) for one in CAMERA.project(SPEC.post_tops()).tolist()]
RING = "width_cm = 70   # measured twice\ndepth_cm = 66\npost_height_cm = 16\n"


@pytest.fixture
def event(tmp_path: Path) -> Path:
    """An event file with sizes and remarks; its clicks stand on several lines."""
    text = DEMO_EVENT.read_text(encoding="utf-8")
    head, rest = text.index("[ring]"), text.index("[[player]]")
    clicks = "corners_px = [[1, 2], [3, 2],  # old ones\n  [3, 4], [1, 4]]\n"
    path = tmp_path / "event.toml"
    path.write_text(text[:head] + "[ring]\n" + RING + clicks + "# of our club\n\n" + text[rest:], "utf-8")
    return path


def test_clicks_are_written_down_and_every_other_word_stays(event: Path) -> None:
    before = event.read_text(encoding="utf-8")
    write_clicks(EventFile(event), CORNERS, TOPS, (1280, 720))
    after = event.read_text(encoding="utf-8")
    ring = load_event(event).ring
    assert np.asarray(ring.corners_px) == pytest.approx(SPEC.corners_px, abs=0.06)
    assert np.asarray(ring.post_tops_px) == pytest.approx(np.array(TOPS), abs=0.06)
    for line in before.splitlines():
        if "[1, 2]" not in line and "[3, 4]" not in line:
            assert line in after
    assert known_clicks(EventFile(event))[0] == [tuple(one) for one in ring.corners_px]


def test_sizes_are_enough_to_begin_with(event: Path) -> None:
    text = event.read_text(encoding="utf-8")
    begin, end = text.index("corners_px"), text.index("# of our club")
    event.write_text(text[:begin] + text[end:], encoding="utf-8")
    assert ring_sizes(EventFile(event)).depth_cm == 66
    desk = EventRingDesk(event, PICTURE)
    assert desk.clicks() == ((), ())
    desk.save(CORNERS, TOPS)
    assert load_event(event).ring.width_cm == 70


def test_before_hands_are_measured_a_usual_palm_says_how_much_it_is(event: Path) -> None:
    text = event.read_text(encoding="utf-8")
    event.write_text(text[: text.index("[[player]]")], encoding="utf-8")
    check = EventRingDesk(event, PICTURE).check(CORNERS, TOPS)
    said = " ".join(translate(line, "en") for line in check.lines)
    assert "palms of 20.0 cm" in said
    assert "0.000 palms" not in said


def test_without_sizes_it_says_what_to_measure(tmp_path: Path) -> None:
    path = tmp_path / "event.toml"
    path.write_text("[ring]\nwidth_cm = 70\n", encoding="utf-8")
    with pytest.raises(EventError, match="depth_cm"):
        ring_sizes(EventFile(path))


def test_a_proposal_is_checked_and_its_grid_lies_on_the_mat(event: Path) -> None:
    desk = EventRingDesk(event, PICTURE)
    corners, tops = desk.propose()
    assert np.array(corners) == pytest.approx(SPEC.corners_px, abs=1.0)
    check = desk.check(corners, tops)
    assert check.verdict in ("good", "usable")
    assert "mm" in translate(check.lines[-1], "es")
    rim = np.array(check.chains[0])
    assert np.linalg.norm(rim[0] - SPEC.corners_px[3]) < 2.0
    drawn = with_clicks(PICTURE, corners, tops)
    assert (drawn != PICTURE).any()


@pytest.mark.parametrize(("laid", "verdict"), [(30.0, "good"), (30.35, "usable"), (31.5, "redo")])
def test_a_stick_of_known_length_is_measured(event: Path, laid: float, verdict: str) -> None:
    desk = EventRingDesk(event, PICTURE)
    ends = CAMERA.project(np.array([[-15.0, 5.0, 0.0], [15.0, 5.0, 0.0]]))
    found = desk.stick(CORNERS, TOPS, [tuple(one) for one in ends.tolist()], laid)
    assert found.verdict == verdict
    assert f"{laid:.2f}" in translate(found.line, "en")


def test_clicks_that_cannot_be_are_refused_in_words(event: Path) -> None:
    desk = EventRingDesk(event, PICTURE)
    with pytest.raises(NotSo) as refused:
        desk.check([CORNERS[0]] * 4, TOPS)
    assert "px" in translate(refused.value.text, "en")


def test_a_passing_hand_is_not_in_the_steady_picture() -> None:
    picture = steady_picture(str(DEMO_CLIP))
    assert picture.shape == (720, 1280, 3)
    assert picture.dtype == np.uint8


@pytest.mark.slow
def test_the_command_proposes_draws_and_saves(tmp_path: Path) -> None:
    path, picture = tmp_path / "event.toml", tmp_path / "clicks.png"
    path.write_bytes(DEMO_EVENT.read_bytes())
    wanted = ["calibrate", "ring", str(DEMO_CLIP), "-e", str(path), "--propose", "--save"]
    result = CliRunner().invoke(app, [*wanted, "--picture", str(picture), "--lang", "en"])
    assert result.exit_code == 0, result.output
    assert "corners_px = [[" in result.output
    assert picture.is_file()
    was, now = load_event(DEMO_EVENT).ring, load_event(path).ring
    for key in ("corners_px", "post_tops_px"):
        away = np.linalg.norm(np.array(getattr(was, key)) - np.array(getattr(now, key)), axis=1)
        assert away.max() < 3.0


def test_pictures_of_another_resolution_than_the_ring_was_set_up_on_are_refused(event: Path) -> None:
    write_clicks(EventFile(event), CORNERS, TOPS, (1280, 720))
    setup = load_event(event)
    check_resolution(event, setup, (1280, 720))
    with pytest.raises(EventError, match=r"line 9.*1280 x 720 px and these are 1920 x 1080 px"):
        check_resolution(event, setup, (1920, 1080))
