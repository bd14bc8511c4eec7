"""A password in an address is shown to nobody."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.vision.rtsp_server import RtspServer
from tests.vision.sources.made import picture
from vision.sources.naming import shown, without_passwords
from vision.sources.open import SourceError, open_source


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("rtsp://ana:geheim@table.local/1", "rtsp://ana:***@table.local/1"),
        ("http://:geheim@10.0.0.2:8080/video", "http://:***@10.0.0.2:8080/video"),
        ("RTSP://ana:ge@he/im@table/1", "RTSP://ana:***@table/1"),
        ("http://table/cgi?user=ana&pwd=geheim&size=2", "http://table/cgi?user=ana&pwd=***&size=2"),
        ("http://table/stream?token=geheim#now", "http://table/stream?token=***#now"),
        ("http://ana@table:8080/video", "http://ana@table:8080/video"),
        ("http://table:8080/video", "http://table:8080/video"),
        ("clips/ana:geheim@home.mp4", "clips/ana:geheim@home.mp4"),
        ("0", "0"),
        # Cameras that take the password in the path, and slips of the hand.
        ("rtsp://table:554/user=ana_password=geheim_channel=1.sdp", "rtsp://table:554/user=ana_password=***"),
        ("http://table/pw=geheim&channel=2", "http://table/pw=***&channel=2"),
        ("ana:geheim@10.0.0.2/video", "ana:***@10.0.0.2/video"),
        ("rtsp:/ana:geheim@table/1", "rtsp:/ana:***@table/1"),
        ("rtsp//ana:geheim@table/1", "rtsp//ana:***@table/1"),
    ],
)
def test_what_a_source_is_called(spec: str, said: str) -> None:
    assert shown(spec) == said


def test_a_file_may_be_called_as_it_likes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("ana:10@home.mp4").touch()
    assert shown("ana:10@home.mp4") == "ana:10@home.mp4"


def test_words_keep_all_but_the_passwords() -> None:
    said = 'two addresses (rtsp://ana:geheim@table/1, "http://b/?token=geheim") and a: b@c'
    told = 'two addresses (rtsp://ana:***@table/1, "http://b/?token=*** and a: b@c'
    assert without_passwords(said) == told


def test_a_camera_with_a_login_is_opened_and_called_without_it() -> None:
    server = RtspServer(picture, login="ana:geheim")
    server.start()
    try:
        with open_source(server.url) as source:
            next(iter(source))
            assert source.name == f"rtsp://ana:***@127.0.0.1:{server.port}/live"
    finally:
        server.stop()


@pytest.mark.parametrize("scheme", ["rtsp", "http", "ftp"])
def test_no_refusal_has_the_password_in_it(scheme: str) -> None:
    server = RtspServer(picture, login="ana:other")
    server.start()
    try:
        with pytest.raises(SourceError) as refused:
            open_source(f"{scheme}://ana:geheim@127.0.0.1:{server.port}/live")
    finally:
        server.stop()
    assert "geheim" not in str(refused.value)
    assert "ana:***@" in str(refused.value)


def test_a_wrong_password_is_said_to_be_wrong() -> None:
    server = RtspServer(picture, login="ana:other")
    server.start()
    try:
        with pytest.raises(SourceError, match="a name and a password"):
            open_source(f"rtsp://ana:geheim@127.0.0.1:{server.port}/live")
    finally:
        server.stop()
