"""A camera that goes away and comes back, through the command line; an address stands in for hardware."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest

from palmo.demo_files import DEMO_CLIP, DEMO_EVENT
from palmo.errors import PalmoError
from palmo.live.session import run_live
from palmo.pictures import first_picture
from palmo.play.table import replayed
from tests.vision.mjpeg_server import MjpegServer
from tests.vision.rtsp_server import RtspServer
from vision.tracks_file import read_tracks


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def until(happens: Callable[[], bool], what: str, seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            if happens():
                return
        except (httpx.TransportError, KeyError):
            pass
        time.sleep(0.1)
    pytest.fail(f"never: {what}")


@pytest.mark.slow
@pytest.mark.parametrize("kind", [MjpegServer, RtspServer])
def test_a_camera_that_dies_is_said_and_followed_again_when_it_is_back(
    tmp_path: Path, kind: type[MjpegServer] | type[RtspServer]
) -> None:
    picture = first_picture(str(DEMO_CLIP))
    camera = kind(lambda _: picture, pause_s=0.1)
    camera.start()
    address = f"http://127.0.0.1:{free_port()}"
    command = [sys.executable, "-m", "palmo", "live", "--source", camera.url, "--event", str(DEMO_EVENT)]
    command += ["--port", address.rsplit(":", 1)[1], "--folder", str(tmp_path)]
    live = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=os.environ | {"PALMO_LANG": "en"})

    def panel() -> dict[str, Any]:
        shown: dict[str, Any] = httpx.get(f"{address}/api/panel?lang=en").json()
        return shown

    def act(name: str, body: dict[str, Any]) -> httpx.Response:
        return httpx.post(f"{address}/api/{name}?lang=en", json=body, headers={"x-palmo": "1"})

    def notices() -> str:
        return " ".join(notice["text"] for notice in panel()["notices"])

    def frame() -> int:
        number: int = httpx.get(f"{address}/api/overlay").json()["frame"]
        return number

    try:
        until(lambda: frame() > 3, "pictures")
        camera.stop()
        until(lambda: "No picture for" in notices(), "a remark that the camera is gone")
        assert "no picture comes" in panel()["sighting"]
        refused = act("look", {"turn": 0})
        assert refused.status_code == 409
        assert "no picture comes" in refused.json()["error"]
        assert panel()["turn"] == 0
        *_, decide = panel()["request"]["options"]
        assert act("answer", {"turn": 0, "value": decide["id"]}).status_code == 200
        assert panel()["turn"] == 1
        last = frame()
        camera.start()
        until(lambda: frame() > last + 2, "pictures after the camera is back")
        assert "Pictures are missing" in notices()
        assert "No picture for" not in notices()
        until(lambda: panel()["sighting"] is None, "a camera that can answer again")
        assert act("look", {"turn": 1}).status_code == 200
    finally:
        camera.stop()
        live.send_signal(signal.SIGINT)
        _, said = live.communicate(timeout=60)
    assert live.returncode == 0, said
    assert "Traceback" not in said
    origins = [entry.origin for entry in replayed(tmp_path / "match.jsonl").log.entries]
    assert origins == ["referee", "camera"]
    frames = read_tracks(tmp_path / "tracks.jsonl")
    assert max(b.t - a.t for a, b in pairwise(frames)) > 0.5
    assert all(track.state == "placed" for track in frames[-1].fighters.values())


@pytest.mark.slow
def test_the_password_of_a_camera_is_told_to_nobody(tmp_path: Path) -> None:
    picture = first_picture(str(DEMO_CLIP))
    camera = RtspServer(lambda _: picture, pause_s=0.1, login="ana:geheim")
    camera.start()
    address = f"http://127.0.0.1:{free_port()}"
    command = [sys.executable, "-m", "palmo", "live", "--source", camera.url, "--event", str(DEMO_EVENT)]
    command += ["--port", address.rsplit(":", 1)[1], "--folder", str(tmp_path), "--record"]
    live = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=os.environ | {"PALMO_DEBUG": "1"})
    told = ""

    def says(what: str) -> bool:
        nonlocal told
        told += httpx.get(f"{address}/api/panel?lang=en").text
        return what in told

    try:
        until(lambda: says('"sighting": null'), "pictures")
        camera.stop()
        until(lambda: says("No picture for"), "a remark that the camera is gone")
        camera.start()
        until(lambda: says("Pictures are missing"), "a remark on what was missed")
    finally:
        camera.stop()
        live.send_signal(signal.SIGINT)
        _, said = live.communicate(timeout=60)
    assert live.returncode == 0, said
    assert "geheim" not in said + told
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert all(b"geheim" not in path.read_bytes() for path in written)
    assert "rtsp://ana:***@" in (tmp_path / "match.jsonl").read_text()


def test_a_camera_has_no_end_to_begin_again_from(tmp_path: Path) -> None:
    picture = first_picture(str(DEMO_CLIP))
    camera = MjpegServer(lambda _: picture, pause_s=0.1)
    camera.start()
    try:
        with pytest.raises(PalmoError, match="has no end that --loop could go back from"):
            run_live(camera.url, DEMO_EVENT, port=0, folder=tmp_path / "match", loop=True)
    finally:
        camera.stop()
    assert not (tmp_path / "match").exists()
