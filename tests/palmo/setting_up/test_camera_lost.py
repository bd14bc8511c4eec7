"""The camera goes away during a set-up and comes back; the disk takes nothing more; the file is read-only."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from overlay.i18n import translate
from overlay.setup.desk import NotSo, Person
from palmo.calibrating.event_text import Draft
from palmo.demo_files import DEMO_EVENT
from palmo.errors import PalmoError
from palmo.setting_up.people import EventPeople
from palmo.setting_up.shots import Shots
from tests.palmo.setting_up.test_setup import until_refused
from tests.vision.mjpeg_server import MjpegServer
from vision.arrays import Image


def grey(number: int) -> Image:
    return np.full((120, 160, 3), 60 + number % 100, np.uint8)


def test_a_camera_that_comes_back_gives_pictures_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("palmo.setting_up.shots._PATIENCE_S", 1.0)
    server = MjpegServer(grey, pause_s=0.01)
    server.start()
    with Shots(server.url) as shots:
        shots.table()
        server.stop()
        with pytest.raises(PalmoError, match="no picture any more"):
            until_refused(shots)
        monkeypatch.setattr("palmo.setting_up.shots._PATIENCE_S", 30.0)
        server.start()
        try:
            assert shots.table().shape == (120, 160, 3)
        finally:
            server.stop()


def test_a_file_that_takes_nothing_says_so_and_nothing_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "event.toml"
    path.write_bytes(DEMO_EVENT.read_bytes())
    people = EventPeople(Draft(path))

    def full(*_: object, **__: object) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr(Path, "write_text", full)
        with pytest.raises(NotSo) as refused:
            people.put_player(Person("ana", 21.0, 8.8))
    assert "event.toml" in translate(refused.value.text, "es")
    assert path.read_bytes() == DEMO_EVENT.read_bytes()
    assert next(one for one in people.players() if one.id == "ana").palm_cm == 20.5
    people.put_player(Person("ana", 21.0, 8.8))
    assert "21.00" in path.read_text(encoding="utf-8")


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="no such device")
def test_where_nothing_would_stay_is_said_at_the_start(tmp_path: Path) -> None:
    with pytest.raises(PalmoError, match="no ordinary file"):
        Draft(Path("/dev/null"))
    with pytest.raises(PalmoError, match="cannot be written there"):
        Draft(Path("/proc/e.toml"))
    Draft(tmp_path / "new" / "event.toml")
    assert not (tmp_path / "new").exists()
