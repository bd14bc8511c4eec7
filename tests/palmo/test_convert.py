from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from calibration.errors import CalibrationError
from calibration.intrinsics import Intrinsics
from palmo import convert
from palmo.calibrating.lens_report import camera_block
from palmo.demo_files import DEMO_EVENT
from palmo.event import Event, load_event
from palmo.event.edit import with_table


def test_fighters_are_told_to_the_camera_as_entered(event: Event) -> None:
    first, second = convert.fighter_specs(event)
    assert first.colour_box_px == (457, 169, 6, 6)
    assert first.foot_px == (460, 200)
    assert first.height_cm == 14
    assert (second.colour, second.foot_px) == ("#d0b020", None)
    assert (first.kind, second.kind) == ("humanoid", "beast")


def test_the_ring_keeps_its_corners_and_has_no_tops_when_none_were_entered(event: Event) -> None:
    spec = convert.ring_spec(event)
    assert np.allclose(spec.corners_px[2], [967.0, 594.9])
    assert spec.post_tops_px is None
    assert convert.intrinsics(event) is None


def test_posts_beside_their_corners_stand_as_far_out_as_the_event_says(event: Event) -> None:
    assert convert.ring_spec(event).post_feet()[0].tolist() == [-35.0, 30.0, 0.0]
    ring = event.ring.model_copy(update={"post_offset_cm": 2.5})
    spec = convert.ring_spec(event.model_copy(update={"ring": ring}))
    assert spec.post_feet()[0].tolist() == [-37.5, 32.5, 0.0]
    assert np.allclose(spec.corners()[0], [-35.0, 30.0, 0.0])


def test_the_roster_has_each_fighter_with_its_own_players_hand(event: Event) -> None:
    roster = convert.roster(event)
    assert [entrant.hand.palm for entrant in roster.entrants] == [20.5, 18.0]
    assert roster["F1"].sheet["speed"] == 3
    assert roster["F1"].sheet["trigger"] == "back_turned"
    assert (roster.ring.width, roster.ring.depth) == (70, 60)


def test_a_fighter_without_a_sheet_gets_ten_points_in_each_half(event: Event) -> None:
    sheet = convert.roster(event)["F2"].sheet
    assert sum(sheet.values()) == 20
    assert set(sheet.values()) == {2}


def test_a_fisheye_lens_in_the_event_file_is_the_lens_that_was_written(tmp_path: Path) -> None:
    matrix, bend = np.diag([560.0, 558.0, 1.0]), np.array([0.04, -0.012, 0.006, -0.002])
    matrix[:2, 2] = 640.0, 360.0
    known = Intrinsics(matrix, bend, (1280, 720), np.diag(np.arange(1.0, 9.0)) * 1e-6, wide=True)
    path = tmp_path / "event.toml"
    path.write_text(with_table(DEMO_EVENT.read_text("utf-8"), "camera", camera_block(known)), "utf-8")
    found = convert.intrinsics(load_event(path))
    assert found is not None
    assert found.wide
    assert found.vector() == pytest.approx(known.vector())
    assert found.covariance == pytest.approx(known.covariance)
    path.write_text(path.read_text("utf-8").replace("dist = [", "dist = [0.1, "), "utf-8")
    with pytest.raises(CalibrationError, match="four finite numbers"):
        convert.intrinsics(load_event(path))
