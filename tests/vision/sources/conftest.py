"""Sources of every kind, and the servers behind those that are live."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.vision.mjpeg_server import MjpegServer
from tests.vision.sources.made import (
    LIVE,
    AnyServer,
    picture,
    server_of,
    write_folder,
    write_video,
)
from vision.sources.open import FrameSource, open_source


@pytest.fixture
def server() -> Iterator[MjpegServer]:
    server = MjpegServer(picture)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def live_server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[AnyServer]:
    opened = server_of(request.param, tmp_path)
    opened.start()
    yield opened
    opened.stop()


@pytest.fixture(params=["file", "folder", *LIVE])
def source(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[FrameSource]:
    if request.param in ("file", "folder"):
        path = tmp_path / "clip.mp4"
        with open_source(str(write_video(path) if request.param == "file" else write_folder(path))) as opened:
            yield opened
        return
    server = server_of(request.param, tmp_path)
    server.start()
    with open_source(server.url) as opened:
        yield opened
    server.stop()
