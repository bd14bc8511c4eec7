"""Live streams: reopened when they die, at the speed of life, the newest picture first."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import islice

import cv2
import numpy as np
import pytest

from tests.vision.mjpeg_server import MjpegServer
from tests.vision.sources.made import (
    HEIGHT,
    LIVE,
    WIDTH,
    AnyServer,
    number_of,
    picture,
    wait_until,
)
from vision.sources.capture import _for_everybody
from vision.sources.open import Frame, open_source


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
    # at most 50 a second are sent; on a busy machine the first one to be looked at may be the second
    assert last.t - first.t > 24 / 60


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


def test_a_jpeg_that_a_camera_sends_is_handed_on_as_it_came(server: MjpegServer) -> None:
    with open_source(server.url) as source:
        for frame in islice(source, 3):
            assert frame.sent is not None
            assert frame.jpeg is frame.sent
            shown = cv2.imdecode(np.frombuffer(frame.jpeg, np.uint8), cv2.IMREAD_COLOR)
            assert shown is not None
            assert float(np.abs(shown.astype(int) - frame.image).mean()) < 2.0


@pytest.mark.parametrize(
    "spoil",
    [
        lambda jpeg: jpeg.replace(b"\xff\xc4", b"\xff\xfe"),
        lambda jpeg: jpeg[:20] + b"Exif\0\0" + jpeg[20:],
        lambda jpeg: jpeg[: len(jpeg) // 2],
        lambda jpeg: b"no picture at all",
    ],
)
def test_a_jpeg_that_not_every_program_shows_alike_is_not(spoil: Callable[[bytes], bytes]) -> None:
    whole = bytes(cv2.imencode(".jpg", picture(3))[1])
    assert _for_everybody(whole)
    assert not _for_everybody(spoil(whole))


@pytest.mark.parametrize(
    "spoiled", [lambda jpeg: jpeg[: len(jpeg) // 2], lambda jpeg: jpeg[:-900] + b"\x55" * 898 + jpeg[-2:]]
)
def test_a_jpeg_that_arrives_broken_is_passed_over_and_not_filled_with_the_one_before(
    spoiled: Callable[[bytes], bytes],
) -> None:
    server = MjpegServer(picture, spoil=lambda n, jpeg: spoiled(jpeg) if n % 3 == 1 else jpeg)
    server.start()
    try:
        with open_source(server.url) as source:
            numbers = [number_of(frame.image) for frame in islice(source, 8)]
    finally:
        server.stop()
    assert all(number % 3 != 1 for number in numbers), numbers
