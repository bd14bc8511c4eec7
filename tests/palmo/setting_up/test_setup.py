"""A whole set-up on the bundled clip: from an empty file to one that a match begins with."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from calibration.palm import HEIGHTS_CM
from overlay.i18n import translate
from overlay.setup.desk import NotSo, Person, Points, Sizes, Wrestler
from palmo.calibrating.event_text import Draft
from palmo.demo_files import DEMO_CLIP, DEMO_EVENT
from palmo.errors import PalmoError
from palmo.event import load_event
from palmo.event.model import FighterSection
from palmo.pictures import first_picture, write_picture
from palmo.setting_up.desk import EventSetup
from palmo.setting_up.shots import Photos, Shots
from tests.vision.mjpeg_server import MjpegServer

DEMO = load_event(DEMO_EVENT)


def pairs(points: list[list[float]] | None) -> Points:
    assert points is not None
    return [(u, v) for u, v in points]


def set_up(desk: EventSetup) -> None:
    """Everything but hands and fighters."""
    desk.put_sizes(Sizes(70.0, 70.0, 16.0))
    desk.ring.save(pairs(DEMO.ring.corners_px), pairs(DEMO.ring.post_tops_px))
    for player in DEMO.player:
        desk.people.put_player(Person(player.id))
    for fighter in DEMO.fighter:
        desk.people.put_fighter(Wrestler("", fighter.name, fighter.player, fighter.kind, fighter.height_cm))


def point_at_all(desk: EventSetup, fighters: Sequence[FighterSection] = DEMO.fighter) -> None:
    camera = desk.people.ring.camera if desk.people.ring is not None else None
    assert camera is not None
    for fighter in fighters:
        assert fighter.foot_px is not None
        turn = np.radians(fighter.facing_deg)
        place = camera.to_plane(np.array([fighter.foot_px]))[0]
        nose = camera.project(np.array([[*(place + 9 * np.array([np.cos(turn), np.sin(turn)])), 0.0]]))[0]
        foot = (fighter.foot_px[0], fighter.foot_px[1])
        desk.pointing.point(fighter.id, fighter.colour_box_px or [], foot, (float(nose[0]), float(nose[1])))


@pytest.mark.slow
def test_from_an_empty_file_to_a_match(tmp_path: Path) -> None:
    path, begun = tmp_path / "new.toml", []
    with Shots(str(DEMO_CLIP)) as shots:
        desk = EventSetup(Draft(path), shots, on_begin=lambda: begun.append(True))
        with pytest.raises(NotSo, match="no_sizes"):
            _ = desk.ring
        with pytest.raises(NotSo, match="no_ring"):
            desk.pointing.rate()
        set_up(desk)
        assert desk.missing()
        with pytest.raises(NotSo):
            desk.begin()
        first, *others = DEMO.fighter
        point_at_all(desk, [first])
        rating = desk.pointing.rate()
        assert rating.verdict != "apart"
        assert all(one.name in translate(rating.lines[-1], "es") for one in others)
        point_at_all(desk, others)
        rating = desk.pointing.rate()
        assert rating.verdict in ("apart", "close")
        assert rating.picture("es").shape[2] == 3
        for player in DEMO.player:
            desk.people.put_player(Person(player.id, player.palm_cm, player.half_palm_cm))
        assert not desk.missing()
        desk.begin()
    assert begun
    event = load_event(path)
    for old, new in zip(DEMO.fighter, event.fighter, strict=True):
        assert (new.name, new.player, new.kind, new.height_cm) == (
            old.name,
            old.player,
            old.kind,
            old.height_cm,
        )
        assert new.colour_box_px == old.colour_box_px
        assert abs((new.facing_deg - old.facing_deg + 180) % 360 - 180) <= 1.0


def test_a_hand_laid_three_times_is_written_down_with_how_far_it_scatters(tmp_path: Path) -> None:
    path = tmp_path / "event.toml"
    path.write_bytes(DEMO_EVENT.read_bytes())
    with Photos([str(DEMO_CLIP)]) as photos:
        desk = EventSetup(Draft(path), photos, steps=("hands",))
        assert desk.hands.image.shape == (720, 1280, 3)
        for place, length in (((0, 0), 18.3), ((10, -8), 18.5), ((-12, 10), 18.7)):
            view = desk.hands.lay("leo", "open", ends(desk, place, length))
        assert [one.cm for one in view.laid] == pytest.approx([18.3, 18.5, 18.7], abs=0.02)
        assert view.verdict == "good"
        leo = next(player for player in load_event(path).player if player.id == "leo")
        assert leo.palm_cm == pytest.approx(18.5, abs=0.01)
        assert 0.2 < leo.palm_sd_cm < 0.5
        # A placement that does not belong to the others says so and changes nothing.
        view = desk.hands.lay("leo", "open", ends(desk, (0, 0), 20.5))
        assert view.verdict == "redo"
        assert "differ by" in translate(view.lines[0], "en")
        assert load_event(path).player[1].palm_cm == leo.palm_cm
        view = desk.hands.lift("leo", "open", 3)
        assert view.verdict == "good"
        with pytest.raises(NotSo):
            desk.hands.lay("leo", "open", ends(desk, (0, 0), 3.0))
        with pytest.raises(NotSo):
            desk.hands.lay("nobody", "open", None)
        half = desk.hands.lay("leo", "closed", ends(desk, (0, 0), 16.0 / 1.2, "closed"))
        assert half.verdict == "redo"


def test_a_hand_on_a_picture_of_another_size_is_not_measured(tmp_path: Path) -> None:
    path, half = tmp_path / "event.toml", tmp_path / "half.png"
    path.write_bytes(DEMO_EVENT.read_bytes())
    write_picture(half, first_picture(str(DEMO_CLIP))[::2, ::2])
    with Photos([str(DEMO_CLIP), str(half)]) as photos:
        desk = EventSetup(Draft(path), photos, steps=("hands",))
        desk.hands.lay("leo", "open", ends(desk, (0, 0), 18.3))
        desk.hands.look()
        with pytest.raises(NotSo) as refused:
            desk.hands.lay("leo", "open", ends(desk, (0, 0), 18.3))
        assert len(desk.hands.view("leo", "open").laid) == 1
    assert "640x360" in translate(refused.value.text, "en")


def test_clicks_that_a_check_refuses_do_not_take_the_place_of_good_ones(tmp_path: Path) -> None:
    path = tmp_path / "event.toml"
    path.write_bytes(DEMO_EVENT.read_bytes())
    with Photos([str(DEMO_CLIP)]) as photos:
        desk = EventSetup(Draft(path), photos)
        with pytest.raises(NotSo):
            desk.ring.save([(3.0, 3.0)] * 4, [(3.0, 3.0)] * 4)
    assert path.read_bytes() == DEMO_EVENT.read_bytes()


def ends(desk: EventSetup, place: tuple[float, float], length: float, kind: str = "open") -> Points:
    assert desk.people.ring is not None
    low, high = HEIGHTS_CM["open" if kind == "open" else "closed"]
    x, y = place
    points = desk.people.ring.camera.project(np.array([[x - length / 2, y, low], [x + length / 2, y, high]]))
    return [(float(u), float(v)) for u, v in points]


def test_what_was_pointed_at_carelessly_is_refused_in_words(tmp_path: Path) -> None:
    path = tmp_path / "event.toml"
    path.write_bytes(DEMO_EVENT.read_bytes())
    with Photos([str(DEMO_CLIP)]) as photos:
        desk = EventSetup(Draft(path), photos)
        for foot, nose, told in (
            ((468.0, 206.0), (468.5, 206.0), "lies on them"),
            ((468.0, 206.0), (468.0, -3000.0), "table"),
        ):
            with pytest.raises(NotSo) as refused:
                desk.pointing.point("F1", [457.0, 169.0, 6.0, 6.0], foot, nose)
            assert told in translate(refused.value.text, "en")
        with pytest.raises(NotSo):
            desk.pointing.point("F9", [457.0, 169.0, 6.0, 6.0], (468.0, 206.0), (480.0, 230.0))
        desk.pointing.point("F1", [463.0, 175.0, -6.0, -1.0], (468.0, 206.0), (480.0, 230.0))
    assert load_event(path).fighter[0].colour_box_px == [457, 174, 6, 4]


def test_a_recording_shows_later_pictures_for_hands(tmp_path: Path) -> None:
    with Shots(str(DEMO_CLIP)) as shots:
        table = shots.table()
        assert table is shots.table()
        first, second = shots.hand(), shots.hand()
        assert (first != second).any()


def test_a_cameras_pictures_are_those_of_now() -> None:
    server = MjpegServer(lambda number: np.full((120, 160, 3), min(255, number), np.uint8), pause_s=0.01)
    server.start()
    try:
        with Shots(server.url) as shots:
            assert shots.live
            first = int(shots.table().mean())
            second = int(shots.hand().mean())
            # Each is the usual picture of some that came after it was asked for.
            assert second > first
    finally:
        server.stop()


def test_a_camera_that_gives_no_picture_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("palmo.setting_up.shots._PATIENCE_S", 0.3)
    server = MjpegServer(lambda _: np.zeros((120, 160, 3), np.uint8), pause_s=0.01)
    server.start()
    with Shots(server.url) as shots:
        shots.table()
        server.stop()
        with pytest.raises(PalmoError, match="no picture"):
            until_refused(shots)


def until_refused(shots: Shots) -> None:
    """Ask until what was on its way when the camera went is used up."""
    for _ in range(40):
        shots.table()
