"""One contract for every source of pictures, and one clear sentence for everything that can be wrong."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice, pairwise
from pathlib import Path

import av
import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.gst_rtsp import GstServer, gstreamer_python
from tests.vision.mjpeg_server import MjpegServer
from tests.vision.rtsp_server import RtspServer
from vision.sources.open import Frame, FrameSource, SourceError, open_source

WIDTH, HEIGHT, COUNT = 96, 64, 12


def picture(number: int) -> NDArray[np.uint8]:
    """A picture that says its number by its brightness."""
    image = np.full((HEIGHT, WIDTH, 3), 20 + 8 * (number % 25), np.uint8)
    image[:, : WIDTH // 2] //= 2
    return image


def number_of(image: NDArray[np.uint8]) -> int:
    return round((float(image[8:56, 60:90].mean()) - 20) / 8)


def write_video(path: Path, count: int = COUNT, **options: str) -> Path:
    with av.open(str(path), "w", options=options) as container:
        stream = container.add_stream("libx264", rate=25)
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        for number in range(count):
            for packet in stream.encode(av.VideoFrame.from_ndarray(picture(number), format="bgr24")):
                container.mux(packet)
        for packet in stream.encode():
            container.mux(packet)
    return path


def write_folder(folder: Path, count: int = COUNT) -> Path:
    folder.mkdir()
    for number in range(count):
        cv2.imwrite(str(folder / f"img{number}.png"), picture(number))
    return folder


@pytest.fixture
def server() -> Iterator[MjpegServer]:
    server = MjpegServer(picture)
    server.start()
    yield server
    server.stop()


LIVE = ["http", "rtsp", "rtsp_of_gstreamer"]
AnyServer = MjpegServer | RtspServer | GstServer


def server_of(kind: str, folder: Path) -> AnyServer:
    """A stand-in for a camera, or a real server where one is installed."""
    if kind == "rtsp_of_gstreamer":
        if gstreamer_python() is None:
            pytest.skip("GStreamer's RTSP server is not installed")
        return GstServer(write_video(folder / "long.mp4", 1500))
    return RtspServer(picture) if kind == "rtsp" else MjpegServer(picture)


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


def test_every_source_gives_pictures_of_its_size_numbered_from_zero(source: FrameSource) -> None:
    frames = list(islice(source, COUNT))
    assert [frame.index for frame in frames] == list(range(COUNT))
    assert source.size == (WIDTH, HEIGHT)
    assert all(frame.image.shape == (HEIGHT, WIDTH, 3) and frame.image.dtype == np.uint8 for frame in frames)


def test_every_source_gives_pictures_in_order_with_growing_times(source: FrameSource) -> None:
    frames = list(islice(source, COUNT))
    times = [frame.t for frame in frames]
    assert times[0] == pytest.approx(0.0, abs=0.5)
    assert all(a < b for a, b in pairwise(times))
    numbers = [number_of(frame.image) for frame in frames]
    assert all(a < b for a, b in pairwise(numbers))
    assert not any(frame.gap for frame in frames)


def test_every_source_ends_when_it_is_closed_and_closes_twice(source: FrameSource) -> None:
    iterator = iter(source)
    next(iterator)
    source.close()
    source.close()
    assert len(list(iterator)) == 0


def test_only_a_stream_does_not_know_how_many_frames_it_has(
    source: FrameSource,
) -> None:
    assert source.frame_count == (None if source.live else COUNT)


def test_file_frames_are_exact_and_carry_their_own_time_stamps(tmp_path: Path) -> None:
    with open_source(str(write_video(tmp_path / "clip.mp4"))) as source:
        frames = list(source)
    assert [number_of(frame.image) for frame in frames] == list(range(COUNT))
    assert [frame.t for frame in frames] == pytest.approx([n / 25 for n in range(COUNT)])
    assert source.fps == pytest.approx(25.0)


def test_a_folder_counts_ten_after_nine(tmp_path: Path) -> None:
    with open_source(str(write_folder(tmp_path / "pictures"))) as source:
        assert [number_of(frame.image) for frame in source] == list(range(COUNT))


def test_a_single_picture_is_a_source_of_one_frame(tmp_path: Path) -> None:
    path = tmp_path / "table.jpg"
    cv2.imwrite(str(path), picture(7))
    with open_source(str(path)) as source:
        assert [frame.index for frame in source] == [0]


# A live source -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("live_server", LIVE, indirect=True)
def test_a_stream_that_dies_is_reopened_and_the_gap_shows(live_server: AnyServer) -> None:
    with open_source(live_server.url) as source:
        frames = iter(source)
        assert not any(frame.gap for frame in islice(frames, 3))
        live_server.stop()
        live_server.start()
        seen: list[Frame] = []
        while not seen or not seen[-1].gap:
            seen.append(next(frames))
            assert len(seen) < 200
        after = list(islice(frames, 3))
        assert source.connected
        assert len(source.warnings) == 1
        assert "no pictures for" in source.warnings[0]
    assert [frame.index for frame in after] == [seen[-1].index + n for n in (1, 2, 3)]
    assert not any(frame.gap for frame in after)


@pytest.mark.parametrize("live_server", ["rtsp", "rtsp_of_gstreamer"], indirect=True)
def test_pictures_of_a_stream_come_at_the_speed_of_life_from_the_first_on(live_server: AnyServer) -> None:
    """Not hoarded while the stream is being looked at, to arrive all at once and too late."""
    with open_source(live_server.url) as source:
        first, *_, last = list(islice(source, 25))
    assert first.t == 0.0
    # at most 50 a second are sent
    assert last.t > 24 / 60


def test_a_slow_reader_gets_the_newest_picture_and_not_the_oldest(server: MjpegServer) -> None:
    with open_source(server.url) as source:
        frames = iter(source)
        first = next(frames)
        while server.sent < 15:
            time.sleep(0.01)
        # Of the fifteen sent meanwhile, all but one or two still on their way were dropped.
        assert number_of(next(frames).image) >= number_of(first.image) + 8


@pytest.mark.parametrize("reconnecting", [False, True])
def test_pictures_of_another_size_are_a_gap_that_ends_when_the_old_size_is_back(reconnecting: bool) -> None:
    large: list[bool] = []
    server = MjpegServer(lambda n: np.full((2 * HEIGHT, WIDTH, 3), 255, np.uint8) if large else picture(0))
    server.start()

    def switch() -> None:
        if reconnecting:
            server.stop()
        large.clear() if large else large.append(True)
        if reconnecting:
            server.start()

    try:
        with open_source(server.url) as source:
            frames = iter(source)
            next(frames)
            switch()
            wait_until(lambda: any("96 x 128 px instead of 96 x 64" in w for w in source.warnings))
            assert not source.connected
            switch()
            after = list(islice(frames, 30))
            assert sum("instead of" in warning for warning in source.warnings) == 1
    finally:
        server.stop()
    assert sum(frame.gap for frame in after) == 1
    # not one of the others was let through, stretched to the old size
    assert all(number_of(frame.image) == 0 for frame in after)


def wait_until(happens: Callable[[], bool], seconds: float = 30.0) -> None:
    deadline = time.monotonic() + seconds
    while not happens():
        assert time.monotonic() < deadline
        time.sleep(0.01)


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


# Files that are not what they should be ------------------------------------------------------------------


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


def test_a_truncated_clip_delivers_what_it_has_and_says_how_much(tmp_path: Path) -> None:
    whole = write_video(tmp_path / "whole.mp4", 60, movflags="faststart").read_bytes()
    path = tmp_path / "cut.mp4"
    path.write_bytes(whole[: int(len(whole) * 0.8)])
    with open_source(str(path)) as source:
        frames = list(source)
    assert 1 < len(frames) < 60
    assert [frame.index for frame in frames] == list(range(len(frames)))
    assert source.warnings == [f"{path}: the clip breaks off; {len(frames)} of 60 frames could be read"]


def test_a_clip_cut_off_before_its_index_is_refused(tmp_path: Path) -> None:
    whole = write_video(tmp_path / "whole.mp4").read_bytes()
    path = tmp_path / "cut.mp4"
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(SourceError, match="cut off while being written"):
        open_source(str(path))


def test_a_folder_without_pictures_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no pictures in this folder"):
        open_source(str(tmp_path))


def test_pictures_that_do_not_fit_into_a_folder_are_left_out_named_and_a_gap(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "pictures", 8)
    (folder / "img2.png").write_text("no picture")
    cv2.imwrite(str(folder / "img5.png"), np.zeros((10, 10, 3), np.uint8))
    (folder / "img6.png").write_text("")
    with open_source(str(folder)) as source:
        frames = list(source)
    assert [number_of(frame.image) for frame in frames] == [0, 1, 3, 4, 7]
    assert [frame.index for frame in frames] == list(range(5))
    assert [frame.t for frame in frames] == pytest.approx([0.0, 0.1, 0.3, 0.4, 0.7])
    assert [frame.gap for frame in frames] == [False, False, True, False, True]
    first, second = source.warnings
    assert first == f"{folder / 'img2.png'}: it cannot be read; it was left out"
    assert "img5.png: it has 10 x 10 px instead of 96 x 64" in second
    assert second.endswith("it was left out (and 1 more after it)")


def test_a_folder_that_begins_with_a_bad_picture_begins_at_the_next(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "pictures", 3)
    (folder / "img0.png").write_text("no picture")
    with open_source(str(folder)) as source:
        frames = list(source)
    assert [(frame.index, frame.gap) for frame in frames] == [(0, False), (1, False)]
    assert len(source.warnings) == 1


def test_a_folder_of_bad_pictures_only_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_text("no picture")
    with pytest.raises(SourceError, match="not one of the 1 pictures"):
        open_source(str(tmp_path))


def test_a_single_bad_picture_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_text("no picture")
    with pytest.raises(SourceError, match=r"a.png: this picture cannot be read"):
        open_source(str(tmp_path / "a.png"))


def test_frames_of_another_size_within_a_clip_are_left_out_as_a_gap(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_source(str(write_video(tmp_path / "clip.mp4"))) as source:
        fits = iter([True] * 4 + [False] * 3 + [True] * (COUNT - 7))
        monkeypatch.setattr(source, "_fits", lambda image: next(fits))
        frames = list(source)
    assert [frame.index for frame in frames] == list(range(COUNT - 3))
    assert [frame.index for frame in frames if frame.gap] == [4]
    assert frames[4].t == pytest.approx(7 / 25)
    assert "after frame 3 come frames of" in source.warnings[0]


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
