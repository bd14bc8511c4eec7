from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from overlay.i18n import translate
from overlay.review.desk import Asked, Refused
from palmo.judging import judge
from palmo.review.corrections import FootPoint, corrected
from palmo.review.desk import ReviewDesk
from palmo.stays import Move, stay_at
from rules.annotations import Banner, Ghost, Region, Ruler
from tests.palmo.review.conftest import played
from vision.fighters import TAP_SD_PX

# Frames before and after F1 is moved.
MOVE = Asked("F1", 10, 40)


def said(desk: ReviewDesk, asked: Asked, lang: str = "en") -> str:
    return "\n".join(translate(line, lang) for line in desk.measure(asked).lines)


def test_a_move_is_measured_as_the_command_measures_it(desk: ReviewDesk) -> None:
    event, frames = desk.evidence.setup.event, desk.evidence.frames
    move = Move(stay_at(frames, "F1", 1.0), stay_at(frames, "F1", 4.0))
    by_command = judge(event, move).ruling
    found = desk.measure(MOVE)
    assert found.palms == pytest.approx(by_command.palms.value)
    assert found.error == pytest.approx(by_command.palms.error95)
    assert (found.verdict, found.tone) == ("beyond", "illegal")
    assert found.interval[0] < found.palms < found.interval[1]
    assert tuple(found.rules) == by_command.rules


def test_anyones_palm_measures_and_says_that_it_is_for_comparison(desk: ReviewDesk) -> None:
    own, other = desk.measure(MOVE), desk.measure(Asked("F1", 10, 40, player="pau"))
    assert other.palms == pytest.approx(own.palms * 20.5 / 17.2, rel=1e-3)
    assert "its own player is ana" in said(desk, Asked("F1", 10, 40, player="pau"))
    assert "its own player" not in said(desk, MOVE)


@pytest.mark.parametrize(("allow", "verdict"), [(1.0, "beyond"), (2.0, "within"), (1.25, "too_close")])
def test_so_many_palms_may_be_allowed(desk: ReviewDesk, allow: float, verdict: str) -> None:
    assert desk.measure(Asked("F1", 10, 40, allow=allow)).verdict == verdict


def test_the_picture_shows_region_ruler_verdict_and_where_it_stood(desk: ReviewDesk) -> None:
    drawn = desk.drawn(40, MOVE)
    (ruler,) = [one for one in drawn if isinstance(one, Ruler)]
    (banner,) = [one for one in drawn if isinstance(one, Banner)]
    assert ruler.tick == 20.5
    assert ruler.sd > 0
    assert banner.rules
    assert any(isinstance(one, Region) for one in drawn)
    assert [one.figure for one in drawn if isinstance(one, Ghost)] == ["F1"]
    assert not any(isinstance(one, Ruler) for one in desk.drawn(40, None))


@pytest.mark.parametrize(
    "asked", [Asked("F1", 40, 10), Asked("F1", 10, 10), Asked("F1", 10, 999), Asked("F9", 1, 2)]
)
def test_what_makes_no_move_is_refused_with_a_sentence(desk: ReviewDesk, asked: Asked) -> None:
    with pytest.raises(Refused) as refused:
        desk.measure(asked)
    assert "⟨" not in translate(refused.value.text, "es")


def test_while_a_hand_has_it_there_is_nothing_to_measure_until_a_point_is_put(desk: ReviewDesk) -> None:
    held = next(n for n, frame in enumerate(desk.evidence.frames) if frame.fighters["F1"].state == "in_hand")
    with pytest.raises(Refused) as refused:
        desk.measure(Asked("F1", 10, held))
    assert "was not standing" in translate(refused.value.text, "en")
    desk.put_point("F1", held, (600.0, 340.0), "Ana")
    found = desk.measure(Asked("F1", 10, held))
    assert found.error > 0
    assert found.foot[1] == pytest.approx((600.0, 340.0), abs=0.01)


def test_a_point_put_by_hand_is_used_said_and_never_overwrites(desk: ReviewDesk, folder: Path) -> None:
    tracks = folder / "evidence" / "1" / "000000.jsonl"
    before, first = tracks.read_bytes(), desk.measure(MOVE)
    u, v = first.foot[1]
    desk.put_point("F1", 40, (u + 8.0, v), "Ana")
    second = desk.measure(MOVE)
    assert second.palms != pytest.approx(first.palms, abs=0.005)
    assert second.foot[1] == pytest.approx((u + 8.0, v), abs=0.02)
    assert "put by hand by Ana" in said(desk, MOVE)
    assert tracks.read_bytes() == before
    lines = [json.loads(line) for line in (folder / "review.jsonl").read_text().splitlines()]
    assert [(line["fighter"], line["by"], line["sd_px"] > 0) for line in lines] == [("F1", "Ana", True)]
    desk.withdraw_point(0, "Ana")
    assert desk.measure(MOVE).palms == first.palms
    assert len((folder / "review.jsonl").read_text().splitlines()) == 2, "nothing is taken away"


def test_points_hold_for_whoever_opens_the_folder_next(desk: ReviewDesk, folder: Path) -> None:
    desk.put_point("F1", 40, (640.0, 330.0), "")
    desk.put_point("F1", 41, (641.0, 331.0), "Ana")
    again = ReviewDesk(folder)
    assert [(one.point, one.px, one.by) for one in again.points()] == [(1, (641.0, 331.0), "Ana")]
    assert again.measure(MOVE).palms == desk.measure(MOVE).palms


def test_the_error_of_a_point_put_by_hand_holds(desk: ReviewDesk) -> None:
    """Clicks that scatter as they are said to, on a place that is known: 95 % of the bars hold it."""
    rng = np.random.default_rng(5)
    camera = desk.camera
    true = np.array([4.0, -6.0])
    pixel = camera.project(np.array([[*true, 0.0]]))[0]
    inside = 0
    for _ in range(200):
        u, v = pixel + rng.normal(0.0, TAP_SD_PX, 2)
        put = FootPoint(0, 1, "F1", 1, 4.0, (float(u), float(v)), TAP_SD_PX, "")
        track = corrected(desk.evidence.stays["F1"][-1], put, desk.evidence.setup.calibration).track
        assert track.error is not None
        own = track.error["own"]
        covariance = np.array([[own[0], own[1]], [own[1], own[2]]])
        away = np.array([track.x, track.y]) - true
        inside += float(away @ np.linalg.solve(covariance, away)) < 5.991
    assert 0.93 <= inside / 200 <= 1.0


@pytest.mark.parametrize(
    ("fighter", "frame", "px"),
    [("F9", 40, (600.0, 300.0)), ("F1", 4000, (600.0, 300.0)), ("F1", 4, (-5.0, 9.0))],
)
def test_a_point_that_cannot_be_is_refused(
    desk: ReviewDesk, folder: Path, fighter: str, frame: int, px: tuple[float, float]
) -> None:
    with pytest.raises(Refused):
        desk.put_point(fighter, frame, px, "Ana")
    assert not (folder / "review.jsonl").exists()


def test_the_match_as_it_was_then_judges(folder: Path) -> None:
    """Speed, rulings and who stood in the way are those of the entry at which the move was asked for."""
    table = played(folder)
    asked = len(table.match.log.entries)
    speed = table.match.state.wrestlers["F1"].sheet
    figures = ReviewDesk(folder).evidence.scene(40).figures
    table.answer(dict(figures), "camera", at=3.6)
    while table.match.request is not None and table.match.request.kind == "choose":
        legal = [option.id for option in table.match.request.options if option.legal]
        if "pass" not in legal:
            break
        table.answer("pass", "referee", at=4.4)
    table.close()
    desk = ReviewDesk(folder)
    found = desk.measured(MOVE)
    assert found.terms is not None
    assert found.terms.entries == asked
    assert found.terms.speed == 1, speed
    assert {one.id for one in found.terms.others} == {"F2", "F3", "F4", "F5", "F6"}
    assert f"entry {asked} of its log" in said(desk, MOVE)
    assert "by the match as it was" not in said(desk, Asked("F1", 10, 40, allow=1.0))


@pytest.mark.parametrize(("at", "palm"), [(1.0, 25.0), (3.5, 20.5)])
def test_the_hand_that_was_the_matchs_then_measures(folder: Path, at: float, palm: float) -> None:
    table = played(folder)
    new = {"fighter": "F1", "field": "hand", "value": [25.0, 9.0], "reason": "measured again"}
    table.answer({"correct": new}, "referee", at=at)
    table.close()
    desk = ReviewDesk(folder)
    found = desk.measured(MOVE)
    assert (found.by.palm_cm, found.judgement.palm_cm) == (palm, palm)
    assert found.judgement.ruling.palms.value == pytest.approx(found.judgement.length.value / palm)


def test_before_the_match_knows_a_fighter_its_sheet_judges(folder: Path) -> None:
    played(folder, "F4").close()
    assert ReviewDesk(folder).measured(MOVE).terms is None


def test_a_log_that_does_not_replay_is_said_and_stops_nothing(folder: Path) -> None:
    (folder / "match.jsonl").write_text("no log\n")
    desk = ReviewDesk(folder)
    assert len(desk.opened.remarks) == 1
    assert desk.measure(MOVE).verdict == "beyond"


def test_a_picture_beyond_the_last_one_is_not_there(desk: ReviewDesk) -> None:
    with pytest.raises(Refused) as refused:
        desk.measure(Asked("F1", 0, 9_999_999))
    assert translate(refused.value.text, "en").startswith("there is no such picture: the last one is")
