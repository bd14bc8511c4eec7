"""Clips, folders and streams made for tests, each picture with its number in it."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import av
import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.gst_rtsp import GstServer, gstreamer_python
from tests.vision.mjpeg_server import MjpegServer
from tests.vision.rtsp_server import RtspServer

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


LIVE = ["http", "rtsp", "rtsp_of_gstreamer"]
AnyServer = MjpegServer | RtspServer | GstServer


def server_of(kind: str, folder: Path) -> AnyServer:
    """A stand-in for a camera, or a real server where one is installed."""
    if kind == "rtsp_of_gstreamer":
        if gstreamer_python() is None:
            pytest.skip("GStreamer's RTSP server is not installed")
        return GstServer(write_video(folder / "long.mp4", 1500))
    return RtspServer(picture) if kind == "rtsp" else MjpegServer(picture)


def wait_until(happens: Callable[[], bool], seconds: float = 30.0) -> None:
    deadline = time.monotonic() + seconds
    while not happens():
        assert time.monotonic() < deadline
        time.sleep(0.01)
