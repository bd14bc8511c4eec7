"""What is no source of pictures gets one clear sentence."""

from __future__ import annotations

import os
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import av
import numpy as np
import pytest

from tests.vision.mjpeg_server import MjpegServer
from tests.vision.sources.made import (
    write_video,
)
from vision.sources.open import SourceError, open_source


@pytest.mark.parametrize(
    ("status", "body", "said"),
    [
        (401, b"", "name and a password"),
        (403, b"", "refuses"),
        (404, b"", "nothing at this path"),
        (500, b"", "answers with an error"),
        (200, b"<html><body>Welcome to your camera</body></html>", "not with a stream of pictures"),
    ],
)
def test_an_address_that_answers_without_pictures_says_which_way(status: int, body: bytes, said: str) -> None:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        try:
            with pytest.raises(SourceError, match=said):
                open_source(f"http://127.0.0.1:{server.server_address[1]}/")
        finally:
            server.shutdown()


def test_a_scheme_that_cannot_be_read_is_refused_with_those_that_can() -> None:
    with pytest.raises(SourceError, match=r"ftp:// cannot be read; those with http, https, rtsp"):
        open_source("ftp://example.org/clip.mp4")


@pytest.mark.parametrize("spec", ["", "  "])
def test_a_source_without_a_name_is_refused(spec: str) -> None:
    with pytest.raises(SourceError, match="the source has no name: give a video file"):
        open_source(spec)


def test_a_url_that_does_not_answer_is_refused(server: MjpegServer) -> None:
    server.stop()
    with pytest.raises(SourceError, match="nothing answers there"):
        open_source(server.url)


def test_a_camera_that_is_not_there_is_refused() -> None:
    with pytest.raises(SourceError, match="camera 63: there is no such camera"):
        open_source("63")


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="there is no such file or folder"):
        open_source(str(tmp_path / "nothing.mp4"))


def test_a_file_of_zero_bytes_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "empty.mp4"
    path.touch()
    with pytest.raises(SourceError, match=r"empty \(0 bytes\)"):
        open_source(str(path))


def test_a_file_that_is_no_video_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "notes.mp4"
    path.write_text("this is a text and not a video\n" * 50)
    with pytest.raises(SourceError, match="not a video"):
        open_source(str(path))


def test_sound_without_pictures_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "sound.wav"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("pcm_s16le", rate=8000)
        frame = av.AudioFrame.from_ndarray(np.zeros((1, 800), np.int16), layout="mono")
        frame.sample_rate = 8000
        container.mux(stream.encode(frame))
    with pytest.raises(SourceError, match="no picture track"):
        open_source(str(path))


def test_a_clip_cut_off_before_its_index_is_refused(tmp_path: Path) -> None:
    whole = write_video(tmp_path / "whole.mp4").read_bytes()
    path = tmp_path / "cut.mp4"
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(SourceError, match="cut off while being written"):
        open_source(str(path))


def test_a_folder_without_pictures_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no pictures in this folder"):
        open_source(str(tmp_path))


def test_a_folder_of_bad_pictures_only_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_text("no picture")
    with pytest.raises(SourceError, match="not one of the 1 pictures"):
        open_source(str(tmp_path))


def test_a_single_bad_picture_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_text("no picture")
    with pytest.raises(SourceError, match=r"a.png: this picture cannot be read"):
        open_source(str(tmp_path / "a.png"))


def test_a_clip_that_may_not_be_read_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_video(tmp_path / "clip.mp4")

    def refuse(self: Path, *args: object) -> None:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(SourceError, match=r"clip.mp4: reading it is not permitted"):
        open_source(str(path))


def test_a_pipe_and_a_device_are_refused_without_waiting_for_them(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.mp4"
    os.mkfifo(pipe)
    for spec in (str(pipe), "/dev/zero"):
        with pytest.raises(SourceError, match="not a regular file"):
            open_source(spec)
